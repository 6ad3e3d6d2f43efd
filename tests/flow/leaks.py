"""Invented texts of the kinds that lie on shares: leaks, and what only looks like one."""

LEAKS = {
    "referral letter": """Dear Dr. Whitcombe,

Re: Agnes Kowalczyk, DOB 12/04/1957, 88 Third Avenue, Tulsa, OK 74103

Thank you for seeing this pleasant lady with rheumatoid arthritis. She has been taking methotrexate
15 mg weekly for two years and now complains of dry cough. Chest X-ray is attached.

Yours sincerely,
F. Gupta, MD""",
    "filled form": """PATIENT REGISTRATION FORM

Last name: Underwood        First name: Jerome
Date of birth: 03/09/1982   Sex: M
Address: 1410 King Edward Ave   City: Fredericton   Province: NB
Phone: (506) 555-0171
Do you have any of the following?  [x] Epilepsy   [ ] Diabetes   [ ] Asthma
Current medications: carbamazepine 400 mg""",
    "mail to a friend": """From: Bettina Lindqvist <bettina@example.org>
To: wilma@example.org
Subject: sorry

Hi Wilma,
I should have told you earlier. I was diagnosed with bipolar disorder last spring and the lithium makes
my hands shake, that is why I left early. Please keep it to yourself.
Bettina Lindqvist, Halifax""",
    "about a son": """Hello Mrs. Brown,

our son Farid Hassan will miss school on Thursday. He has asthma and was in the emergency room again
last night. You can reach me at 613-555-0134.

Nadia Hassan, 27 Oak Lane, Ottawa""",
    "sick note": """To whom it may concern

This is to certify that Mr. Orville Pettigrew (born 2 May 1969) was under my care from 3 to 17 March and
is unable to work because of major depression.

Dr. T. Vasquez, Riverside Community Clinic""",
    "personnel mail": """Subject: Samir Quintero

Samir Quintero (employee id 55120, s.quintero@example.com) will be away for six weeks. He told me he has
entered a treatment programme for alcohol dependence. Please treat this as confidential.""",
    "laboratory report": """LABORATORY REPORT
Patient Name: YAMAMOTO, KEIKO      Patient ID: 8832017      DOB: 1979-06-30
Collected: 04/11/2023
HIV-1/2 antibody ............ REACTIVE
CD4 count ................... 310 cells/uL
Hepatitis C antibody ........ negative""",
    "prescription": """Lakeview Pharmacy, 5 Elm Street, Springfield IL 62704
Rx 7702213   Date 2023-05-02
Ursula Rasmussen, 19 Maple Crescent
Methadone 10 mg/mL, 60 mL daily, witnessed
Prescriber: Dr. L. Baptiste DEA AB1234563""",
    "therapy note": """Session note, client: Dolores Ivanova, file no. 20931
Client reports fewer panic attacks since starting sertraline. Discussed the abortion she had at nineteen and
the nightmares since. Denies suicidal ideation. Next session in two weeks.""",
    "vaccination list": """child,born,parent phone,vaccine,reaction
Imogen Zeller,2016-02-11,(902) 555-0110,MMR,fever and rash
Chidi Mbeki,2015-12-01,(902) 555-0119,MMR,none
Priya Gupta,2016-07-23,(902) 555-0127,varicella,hives""",
    "lower case note": """pt lamar jankowski, mrn 4471920, dob 11/02/1948
72 yo m w/ copd, chf, presents w/ worsening sob x3 days. hx of cabg 2009. on lasix, lisinopril.
plan: admit, iv diuretics, f/u echo""",
    "insurance claim": """CLAIM FORM — Northshore Mutual
Insured: Quentin Abernathy    Policy no.: NM-448210-7    Claim no. 99120
Address: 612 Wellington St, Boston MA 02115
Nature of illness or injury: fracture of left femur after fall; osteoporosis
Treating hospital: Mercy Regional Hospital     Dates: 02/14/2022 to 02/21/2022
Signature: Quentin Abernathy""",
    "statement": """I, Rosalind Castellano, residing at 340 Elm Street, Bakersfield, California, state under oath that since the
accident I suffer from post-traumatic stress disorder and take prazosin and trazodone every night.

Signed: Rosalind Castellano""",
    "visit note with header in capitals": """NAME: ERIKSEN, GRETA    MR#: 00912277    AGE: 91
ADMITTED: 10/02/2021
HISTORY: The patient was admitted from the nursing home with a urinary tract infection and delirium. She has
dementia of the Alzheimer type and takes donepezil.""",
    "forum post": """posted by VikramS: Hi all, my name is Vikram Sokolov and I live in Tulsa. I found out in June that I have
multiple sclerosis. Does anyone here take ocrelizumab? You can mail me at vikram.sokolov@example.net""",
    "transfer list": """Ward 4B handover
Bed 1  Edith Nakamura  84F  MRN 5510923  hip fracture post-op day 2, on enoxaparin
Bed 2  Hassan O'Rourke 61M  MRN 5510930  alcohol withdrawal, CIWA protocol
Bed 3  Tamsin Dubois   33F  MRN 5510948  ectopic pregnancy, methotrexate given""",
}

NO_LEAKS = {
    "leaflet": """Living with asthma. Asthma makes the airways narrow. Most people with asthma use an inhaler. Ask your doctor
how to use yours. Symptoms include wheezing and cough. Call 1-800-555-0100 for a free brochure.""",
    "abstract": """Background: Rheumatoid arthritis affects many adults. Methods: We enrolled 412 patients at two hospitals in
Boston between 2004 and 2007. Results: Methotrexate reduced joint swelling (p < 0.01). Conclusions: Early treatment
helps. Corresponding author: J. Abernathy, Department of Medicine, University of Springfield, abernathy@example.edu""",
    "nurse's résumé": """Priya Underwood, RN
77 Oak Lane, Ottawa ON K1H 8L1, (613) 555-0188, priya.underwood@example.org
Professional experience
2015-2021 Oncology nurse, Lakeview Medical Centre: chemotherapy, pain management, palliative care
2011-2015 Dialysis unit: hemodialysis for patients with kidney failure
Education: Bachelor of Nursing, 2011. Certifications: ACLS. References available on request.""",
    "blank form": """HEALTH HISTORY QUESTIONNAIRE
Name: ____________________  Date of birth: ___/___/____  Phone: ______________
Have you ever had:  [ ] diabetes  [ ] heart attack  [ ] cancer  [ ] depression
List your medications: ______________________________________""",
    "staff list": """name,position,phone,email
Farid Hassan,cardiologist,(613) 555-0101,f.hassan@example.org
Wilma Zeller,oncology nurse,(613) 555-0102,w.zeller@example.org
Jerome Gupta,psychiatrist,(613) 555-0103,j.gupta@example.org""",
    "price list": """product,strength,price
metformin,500 mg,4.20
lisinopril,10 mg,5.10
zidovudine,300 mg,88.00
sertraline,50 mg,9.75""",
    "minutes": """Minutes of the safety committee, 4 May
Present: Greta Eriksen, Samir Brown, Linda Castellano (chair).
Ms Castellano reported that the flu vaccination campaign starts in October. Mr Brown asked for new first aid boxes. The
next meeting is at 10 Elm Street. Questions to linda.castellano@example.org.""",
    "story": """"You look ill, Captain Barnaby," said Miss Imogen, and she laid her hand upon his forehead. He had a fever, and the
cough that had carried off his father. Suddenly he laughed. "My dear Miss Thorne," he whispered, "I shall die of
boredom before I die of consumption." Her eyes filled with tears, and the lantern went out.""",
    "news": """SPRINGFIELD — Mayor David Underwood opened the new cancer centre on Tuesday. The hospital will treat patients with
leukemia and breast cancer from three counties. "This is a great day," Underwood said. The building cost $40 million.""",
    "biography": """Marie Dubois (born 7 March 1867) was a physicist. She studied in Paris, won two prizes and published forty papers.
Her discoveries led to radiation therapy for cancer. She died of aplastic anemia in 1934.""",
    "personal mail": """Hi Tamsin, thanks for the lovely evening. The children still talk about the boat. We are back home at 48 Oak Lane,
Halifax, and the garden is a jungle. Call me on (902) 555-0143. Love, Rosalind Pettigrew""",
    "invoice": """INVOICE 20231
Bill to: Orville Jankowski, 12 Third Avenue, Tulsa OK 74103, (918) 555-0160
2 office chairs  $310.00
1 standing desk  $640.00
Due within 30 days.""",
    "job advertisement": """Riverside Community Clinic seeks a registered nurse for its diabetes and wound care programme. Experience with
insulin pumps is an asset. Apply to careers@example.org before 30 June, attention Ms. N. Ivanova, (405) 555-0112.""",
    "protocol": """Protocol for suspected sepsis. If the patient has fever and hypotension, draw blood cultures, give broad-spectrum
antibiotics within one hour and measure lactate. Patients with penicillin allergy should receive vancomycin. Approved by
Dr. H. Fitzgerald, 3 May 2020.""",
    "software licence": """This licence is granted by Whitcombe Software Ltd. THE SOFTWARE IS PROVIDED AS IS. Licensor: Burt Whitcombe. In no
event shall the author be liable for any injury, death or damage. Contact legal@example.com. Copyright 2019 Burt Whitcombe.""",
    "scheduling mail": """Hi team, Dr. Vasquez is away on Friday. Please move the diabetes clinic to Monday and tell reception. The flu shots
have arrived and are in the fridge. Regards, Keiko Yamamoto, clinic manager, k.yamamoto@example.org""",
}
