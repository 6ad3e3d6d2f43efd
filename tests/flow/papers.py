"""More invented texts of the kinds that lie on shares: what leaks, and what only looks like it."""

LEAKS = {
    "chat": """Chat of 4 May
[10:02] Tamsin Dubois: are you coming on Friday?
[10:03] Yusuf Thibodeaux: can't, I have chemotherapy on Thursday and I am sick for days
[10:03] Tamsin Dubois: oh no. is it the lymphoma again?
[10:04] Yusuf Thibodeaux: yes, it came back. call me on 613-555-0190""",
    "school report": """Riverbend Elementary School
Student: Chidi Abernathy    Date of birth: 14/03/2014    Student ID: 448120
Chidi was diagnosed with ADHD in October and takes methylphenidate before school. He also has a peanut allergy.
Reading has improved. Teacher: Ms. G. Eriksen""",
    "adoption file": """ADOPTION FILE 20-3391
Child: Zelda Rasmussen, born 04/02/2019 in Tulsa
The birth mother used heroin during pregnancy. The child was treated for neonatal abstinence syndrome and has fetal
alcohol syndrome. Adoptive parents live at 14 Oak Lane, Tulsa, OK 74103.""",
    "dental invoice": """Elm Street Dental, invoice 3381
Patient: Wilma Hernandez, 77 Elm Street, Boston MA 02115
Root canal treatment, tooth 36         $820.00
Treatment of periodontitis             $240.00
Please pay within 30 days.""",
    "immunisation card": """IMMUNISATION RECORD
Name: Imogen Vasquez   DOB: 2018-07-09   Health card: 4483-220-917
2018-09-10  diphtheria, tetanus, pertussis
2019-07-15  measles, mumps, rubella   reaction: febrile seizure""",
    "dictated letter with relatives": """Re: Greta Whitcombe, DOB 03/11/1971, MRN 6620184
Dear Dr. Quintero,
I reviewed Ms. Whitcombe. Her mother died of breast cancer and her sister has the BRCA1 mutation. She herself was found
to have a ductal carcinoma of the left breast and underwent mastectomy last week. Her husband John came with her.
Sincerely, Dr. A. Gupta""",
    "ICU flowsheet": """ICU FLOWSHEET  Pt: Sokolov, Dmitri   MRN 7710293   Bed 12   2023-04-02
time HR BP SpO2 FiO2 notes
0400 112 88/52 91 0.6 norepinephrine 12 mcg/min, septic shock
0500 108 92/55 93 0.6 intubated, sedated with propofol""",
    "mail thread": """From: Nadia Brown <nadia.brown@example.org>
To: hr@example.org
Subject: Re: Re: leave

Thank you, I will send the form.

> From: HR
> Dear Nadia, we are sorry to hear that. How long will you be away?
>> From: Nadia Brown
>> I have been diagnosed with multiple sclerosis and need four weeks for treatment.""",
    "note without a name": """MRN 5529104   DOB 02/17/1966   Tel 506-555-0172
57 yo f, presents with chest pain. Hx of type 2 diabetes and hypertension. ECG: ST elevation. Plan: cath lab.""",
    "insurance number without a name": """Prior authorization request
Member ID: XKJ448210973   Date of birth: 1988-05-21
Drug requested: adalimumab 40 mg. Diagnosis: Crohn disease. Failed azathioprine and prednisone.""",
    "numbers and diagnoses list": """mrn,admitted,diagnosis
7733019,2023-01-04,acute pancreatitis
7733055,2023-01-05,schizophrenia
7733090,2023-01-09,HIV infection""",
    "workplace accident": """INCIDENT REPORT
Employee: Lamar Kowalczyk   Employee no. 88123   Phone (405) 555-0139
On 5 June the employee fell from a ladder and sustained a fracture of the right wrist and a concussion. He was taken to
Mercy Regional Hospital.""",
    "fitness for duty": """To: Human Resources
Regarding: Quentin Mbeki, born 9 September 1979
Mr. Mbeki is fit to return to work part-time. He continues treatment for generalized anxiety disorder with escitalopram.
Dr. P. Lindqvist""",
    "genetic test": """GENETIC TEST RESULT
Patient: Ursula Ivanova   Sex: F   DOB: 22/08/1985   Accession: G23-00918
Huntington disease: CAG repeat expansion detected (44 repeats). Result: POSITIVE.""",
    "pregnancy mail": """Hi Carla, I have not told anyone else yet. My sister Edith Nakamura had a miscarriage on Sunday and is in Lakeview
Medical Centre. Please do not call her, write to me instead: p.nakamura@example.org
Priya Nakamura, 27 Maple Crescent, Halifax""",
    "nursing home care plan": """CARE PLAN - resident: Orville Jankowski, room 14, DOB 01/30/1935
Resident has Alzheimer disease and urinary incontinence. Assist with all transfers. Risperidone at night. Allergic to
penicillin. Next of kin: daughter Linda, (902) 555-0166.""",
    "referral in capitals": """REFERRAL TO PSYCHIATRY
NAME: HASSAN, FARID   DOB: 06/06/1990   HCN: 4421 887 301
REASON: SUICIDAL IDEATION, MAJOR DEPRESSION. CURRENTLY ON VENLAFAXINE.""",
    "ambulance sheet": """Run 20441  Patient name: Agnes Pettigrew  Age: 67  Address: 9 King Edward Ave, Fredericton NB
Found unresponsive. Known epilepsy, generalised seizure witnessed by neighbour. Given midazolam 5 mg. BP 150/90.""",
    "benefit appeal": """I, Hassan Castellano, of 18 Wellington St, Ottawa, appeal the decision of 3 March. I have rheumatoid arthritis and
chronic kidney disease and I cannot stand for more than ten minutes. My claim number is 7701-2291.
Signed, Hassan Castellano""",
    "camp form": """SUMMER CAMP HEALTH FORM
Camper: Samir O'Rourke      Born: 11 May 2012
Parent: Rosalind O'Rourke   Phone: (617) 555-0147
Allergies: bee stings (anaphylaxis), carries epinephrine
Conditions: asthma, bed-wetting""",
    "court order about a person": """In the matter of the guardianship of Edith Fitzgerald, born 2 January 1941, residing at 5 Third Avenue, Boston.
The court finds that Ms. Fitzgerald suffers from vascular dementia and is unable to manage her affairs.""",
    "pharmacy expense claim": """EXPENSE CLAIM   Employee: Bettina Zeller   ID 44120   b.zeller@example.com
2023-02-01  sertraline 50 mg, 30 tablets   $22.10
2023-02-01  lithium carbonate 300 mg       $18.40
Reason: medication for bipolar disorder, plan member""",
    "surgery schedule": """OR 3, Tuesday
08:00  Keiko Underwood   MRN 9930127   laparoscopic hysterectomy for endometriosis
10:30  Jerome Baptiste   MRN 9930144   prostatectomy, prostate cancer""",
    "spanish note": """Nombre: Marisol. Apellidos: Hernandez Quintero. NHC: 4471920
Fecha de nacimiento: 12/04/1957. Domicilio: Calle Mayor 14, Salamanca
La paciente acude a urgencias por fiebre. Antecedentes de cáncer de mama. Diagnóstico: neumonía. Tratamiento con
amoxicilina. Se da de alta y se cita en la consulta de medicina interna.""",
    "pasted table": """Hi, here is the list you asked for:

name;born;phone;diagnosis
Greta Gupta;1961-03-07;(613) 555-0123;hepatitis C
Aaron Brown;1975-11-30;(613) 555-0128;alcohol dependence

Regards""",
    "HL7": "MSH|^~\\&|LAB|MERCY|EHR|MERCY|20230402||ORU^R01|1|P|2.5\rPID|1||8820113^^^MERCY^MR||YAMAMOTO^KEIKO||19790630|F\r"
    "OBR|1||9|HIV^HIV 1+2 Ab\rOBX|1|ST|HIV^HIV 1+2 antibody||reactive\rDG1|1||B20^HIV disease^I10\r",
}

NO_LEAKS = {
    "research table": """subject,age,arm,hba1c_start,hba1c_end
1,54,metformin,8.1,7.0
2,61,placebo,7.9,7.8
3,47,metformin,8.8,7.1""",
    "conference programme": """Annual Meeting on Diabetes, Boston, 4 May
09:00 Opening, Linda Castellano
09:30 New insulins for type 2 diabetes, Samir Gupta, Mercy Regional Hospital
10:30 Kidney disease and hypertension, Keiko Eriksen
Contact: Burt Zeller, (617) 555-0101""",
    "insurance brochure": """Northshore Mutual covers you and your family. Your plan includes treatment for cancer, heart disease and depression.
Ask your adviser. You may have to pay part of the cost. Call 1-800-555-0177 or visit 10 Wellington St, Boston.""",
    "court judgment about money": """The plaintiff, Aaron Baptiste, of 12 Oak Lane, Ottawa, claims $14,000 for goods delivered to the defendant, Carla Smith.
The court finds for the plaintiff. The defendant shall pay within sixty days. Dated 3 March 2019.""",
    "family tree without illness": """Descendants of Yusuf Rasmussen, born 4 May 1890 in Halifax
1. Greta Rasmussen, born 1921, married Burt Brown
2. Dmitri Rasmussen, born 1925, carpenter""",
    "expense claim for travel": """EXPENSE CLAIM  Employee: Bettina Zeller  ID 44120  b.zeller@example.com
2023-02-01 taxi $22.10
2023-02-02 hotel, Boston $188.40""",
    "recipe": """Grandmother's chicken soup. Good for a cold and a sore throat. Simmer a chicken with two onions and carrots for two
hours. Serves six. From the kitchen of Agnes Whitcombe.""",
    "sports report": """Halifax beat Fredericton 4-2 on Saturday. Quentin Dubois scored twice before leaving. Coach David Brown praised the
young defence. Tickets: (902) 555-0188.""",
    "meeting invitation": """Dear colleagues, please join the seminar on hepatitis C screening on 4 June at noon in room 12. Speaker: Dr. Nadia
Hernandez. Lunch is served. RSVP to Tamsin Smith, t.smith@example.org, (613) 555-0155.""",
    "job application": """Dear Ms. Nakamura, I apply for the post of physiotherapist. I have worked for six years with stroke and spinal injury
patients at Lakeview Medical Centre. I enclose my references. Vikram Brown, 44 Elm Street, Tulsa, (918) 555-0121""",
    "obituary notice of long ago": """Captain Burt Whitcombe, born 3 May 1829, died in Halifax in 1888 of pneumonia. He was a shipbuilder.""",
    "drug monograph": """Sertraline. Indications: depression, obsessive-compulsive disorder, panic disorder. Dose: 50 mg once daily. Side effects
may include nausea and insomnia. Patients with liver disease should receive a lower dose.""",
    "hospital newsletter": """Riverside Community Clinic News. Our new MRI scanner opened in May. Dr. Hassan Gupta joins the stroke team. The flu
vaccination starts in October. Questions? Write to news@example.org or call (506) 555-0100.""",
    "textbook chapter": """Chapter 4. Asthma is a chronic disease of the airways. Symptoms include wheezing, cough and dyspnea. Figure 4.1 shows
the prevalence. References: Smith J, Brown L, et al. Journal of Airways, vol. 12, 2004.""",
    "case report without identity": """A 54-year-old man presented with chest pain. He had a history of hypertension. Examination showed a heart murmur.
Echocardiography showed aortic stenosis. He underwent valve replacement and was discharged on day seven.""",
    "blank consent": """CONSENT TO SURGERY
I, ______________________, born ___/___/_____, consent to the procedure ____________________ by Dr. ______________.
I understand the risks: bleeding, infection, stroke. Signature of patient: __________________  Date: ________""",
    "committee biography": """Linda Nakamura is professor of oncology. She has published on breast cancer and melanoma, leads the leukemia registry
and lives in Boston. Awards: the 2011 prize for cancer research. Publications: 140.""",
    "user manual": """To reset the blood pressure monitor press SET for five seconds. Do not use if you have arrhythmia without asking your
doctor. Serial number: 00882211. Service: (800) 555-0133.""",
    "order for supplies": """Purchase order 44871
Ship to: Lakeview Medical Centre, 5 Smyth Rd., Ottawa ON K1H 8L1, attention Wilma Smith, (613) 555-0145
200 insulin syringes, 40 boxes of nitrile gloves, 12 blood glucose meters""",
    "thank you card": """Dear Edith and Burt, thank you for the flowers and the cake. It was a wonderful birthday. See you in Halifax in June!
Love, Marisol Abernathy, 31 Maple Crescent""",
    "survey summary": """Of 1,204 people who answered, 14 % reported diabetes, 9 % asthma and 6 % depression. Most respondents lived in Tulsa or
Springfield. The survey was run by Dmitri Johnson, d.johnson@example.edu.""",
    "rental contract": """Rental agreement between Rosalind Smith, 8 Oak Lane, Boston, and Jerome Ivanova, born 4 April 1988, (617) 555-0129.
Rent: $1,900 a month. Pets are not allowed. The tenant reports damage at once.""",
    "grant proposal": """We propose a trial of early physiotherapy after hip fracture. Principal investigator: Greta Gupta, University of
Springfield. We will enroll 300 patients with osteoporosis. Budget: $400,000. Contact: g.gupta@example.edu.""",
    "clinic price list": """Procedure, price
Colonoscopy, $900
MRI of the knee, $650
HIV test, $40
Call Riverside Community Clinic at (506) 555-0100 for an appointment.""",
    "spanish leaflet": """La hipertensión es frecuente. Las personas con hipertensión deben tomar poca sal y hacer ejercicio. Consulte a su médico
si tiene dolor de cabeza. Teléfono de información: 900 555 010. El tratamiento con enalapril es habitual.""",
    "safety data sheet": """Acetone. May cause headache, dizziness and drowsiness. In case of contact with eyes rinse with water. Emergency phone:
(800) 555-0199. Prepared by Quentin Zeller, 3 May 2021.""",
}
