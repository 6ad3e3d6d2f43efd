INSERT INTO triage VALUES (88123,'2026-03-04 22:10','Aled','Morris','1999-04-02','palps after 3 cans Monster + MDMA',2);
INSERT INTO triage VALUES (88124,'2026-03-04 22:14','Nesta','Morris-Ellis','1938-01-19','fall, long lie, ?NOF',2);
INSERT INTO triage VALUES (88125,'2026-03-04 22:20','Rhodri','B','2023-06-30','bead up nose (L)',4);
INSERT INTO triage VALUES (88126,'2026-03-04 22:31','REFUSED','','','bleeding PV 7/40',3);
