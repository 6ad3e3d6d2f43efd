"""Frames for ways of showing a person, what is said of them, and what only looks like it.

In: nothing.  Out: tables for bench/people_texts.py.

Signs: {n} full name, {f} first, {l} last name, {i} initials with points, {ii} without; {dob} birth
date, {pc} postal code, {street} house and street, {town}; {ssn} {nhs} {hcn} {mrn} {num} numbers;
{k} small number; {phone} {mail} {user}; {c} {c2} conditions, {d} drug, {s} symptom, {p} procedure,
{res} result; {he} {his} {him} by sex; {o} somebody else, {doc} clinician; {job} {house} {firm}.
"""

# way -> (heads: lines above a text, subjects: who a sentence is about). A head needs no subject.
WAYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "full_name": (
        ("Patient: {n}", "Name: {n}", "{n}", "RE: {n}", "Resident: {l}, {f}", "{l}, {f}\nDOB {dob}"),
        ("{n}", "{n}", "{n}, {age},", "our {job} {n}"),
    ),
    "title_name": (
        ("Re: {t} {n}", "Patient: {t} {l}", "{t} {f} {l}"),
        ("{t} {n}", "{t} {l}", "{t} {l}", "Prof. {n}", "Sgt {l}", "{t} {i1}. {l}"),
    ),
    "mononym": (
        ("Patient: {mono}", "Name: {mono}", "Client name: {mono}", "Passenger: {mono} (one name)"),
        ("{mono}", "{mono}, {age}, from {town},", "a man called {mono}", "{mono} (single name)"),
    ),
    "particle": (
        ("Patient: {pn}", "Name: {pn}", "{pn}", "Re: {pn}", "Pt name: {plf}"),
        ("{pn}", "{pn}", "{t} {part}", "{pn}, {age},"),
    ),
    "typo": (
        ("Patient: {tn}", "Re: {tn}", "Name: {tn}"),
        ("{tn}", "{tn}", "{t} {tl}", "{tn} ({dob})"),
    ),
    "small": (("patient: {sn}", "re {sn}"), ("{sn}", "{sn}", "{sf}'s mum says {sf}")),
    "capitals": (("PATIENT: {cn}", "RE: {cn}", "{cn}"), ("{cn}", "{cn}", "{CT} {cl}")),
    "initials_birth": (
        ("Pt: {i}  DOB: {dob}", "Initials: {ii}\nDate of birth: {dob}", "{i} {dob}",
         "{ii}, d.o.b. {dob}", "{ii} / {dob} / {sex}", "Client {ii} (born {dob})",
         "{i} ({dob})", "Subject: {ii} b. {dob}", "Patient initials {ii}; DOB {dob}"),
        ("{i} (born {dob})", "{ii}, DOB {dob},", "{i}, d.o.b. {dob},", "{ii} ({dob})",
         "{i} born on {dob}", "pt {ii} dob {dob}"),
    ),
    "initials_room": (
        ("Room {k} - {i}", "{ii}, room {k}", "Bed {k}: {ii}", "Resident {i}, rm {k}",
         "Rm {k}  {ii}", "Cubicle {k}, {i}", "{i} | Room {k} | {age}{S}", "Side room {k} ({ii})",
         "Initials: {ii}\nRoom: {k}"),
        ("{i} in room {k}", "{ii} (room {k})", "{i}, bed {k},", "{ii} in bed {k}", "room {k}, {i},",
         "our resident {i} in room {k}"),
    ),
    "bed_surname": (
        ("Bed {k} {l}", "Bay {k} - {l}", "Rm {k}: {l}", "{l} (bed {k})", "{l} - chair {k}"),
        ("{l} in bed {k}", "bed {k} ({l})", "{l}, bay {k},", "room {k}, {l},"),
    ),
    "birth_postcode": (
        ("DOB: {dob}\nPostcode: {pc}", "Date of birth {dob}, post code {pc}",
         "Born: {dob}   Sex: {sex}   ZIP: {zip}", "Postcode {pc}\nD.O.B. {dob}\nSex {sex}",
         "{sex}, {dob}, {pc}", "Birth date: {dob}\nZip code: {zip}", "dob {dob} / {pc}"),
        ("the patient born {dob} who lives in {pc}", "a {man} born {dob}, postcode {pc},",
         "the {man} (DOB {dob}, {zip})", "our client, b. {dob}, of {pc},"),
    ),
    "address": (
        ("Address: {street}, {town}", "Home address: {street}, {town} {pc}",
         "Lives at {street}, {town}", "{street}\n{town}\n{pc}", "Visit to: {street}, {town}, {pc}"),
        ("the tenant of {street}, {town},", "the {man} at {street}, {town},",
         "the owner of {street}, {town} {pc},", "the {man} who lives at {street} in {town}",
         "the caller from {street}, {town},"),
    ),
    "ssn": (
        ("SSN: {ssn}", "Social security number {ssn}", "Soc. Sec. No. {ssn}", "SSN {ssn} only, no name"),
        ("the claimant with SSN {ssn}", "SSN {ssn}", "the person under {ssn} (SSN)",
         "member SSN {ssn}"),
    ),
    "nhs": (
        ("NHS No: {nhs}", "NHS number {nhs}", "NHS {nhs}", "N.H.S. No. {nhs}"),
        ("patient NHS {nhs}", "the patient with NHS number {nhs}", "NHS no. {nhs}"),
    ),
    "record_number": (
        ("MRN: {mrn}", "Hospital no. {mrn}", "Chart # {mrn}", "Unit number: {mrn}",
         "Patient ID {mrn}", "Health card: {hcn}", "HCN {hcn}", "Case no. {mrn}"),
        ("patient {mrn}", "MRN {mrn}", "the patient with hospital number {mrn}",
         "the holder of health card {hcn}", "chart {mrn}"),
    ),
    "listed_number": (
        ("Participant {study}", "Subject no. {study}", "Bib {num4}", "Payroll no: {num6}",
         "Employee ID {num6}", "Prison no. {prison}", "Prisoner {prison}", "Policy no. {num8}",
         "Student number {num8}", "Membership no: {num6}", "Passenger, seat {seat}", "Cabin {cabin}"),
        ("participant {study}", "subject {study}", "the runner with bib {num4}", "employee {num6}",
         "inmate {prison}", "prisoner {prison}", "policyholder {num8}", "member {num6}",
         "staff no. {num6}", "the holder of policy {num8}"),
    ),
    "unit": (
        ("Cabin {cabin}", "Seat {seat}", "Flat {k}, {house}", "Cell {cell}", "Room {k}", "Bed {k}"),
        ("the passenger in cabin {cabin}", "the passenger in seat {seat}", "the lady in flat {k}, {house},",
         "the {man} in room {k}", "the tenant of flat {k}", "cell {cell}", "the guest in room {k}",
         "bed {k}", "the {man} in bed {k}"),
    ),
    "contact": (
        ("Tel: {phone}", "Caller: {phone}", "From: {mail}", "E-mail: {mail}", "Mobile {phone}"),
        ("the caller on {phone}", "{mail}", "the owner of {mail}", "our customer {mail}",
         "the person at {phone}"),
    ),
    "user": (
        ("User: {user}", "user name: {user}", "@{user}", "Account: {user}"),
        ("@{user}", "user {user}", "{user}", "our user {user}"),
    ),
    "role": (
        ((),  ("our Tuesday cleaner", "our night porter", "the organist at {house}", "my line manager",
         "our {job} from {town}", "the caretaker of {house}", "our head {job}", "the {job} at {firm}",
         "the youngest {job} of {town}", "the lollipop lady outside {house}"))
    ),
    "rare": (
        ((), ("the only {job} of {town}", "the only {job} in {town}", "the {town} {job}'s wife",
         "the one {job} on {island}", "the mother of the triplets in {town}",
         "the former mayor of {town}", "the first female {job} of {town}", "{town}'s only {job}",
         "the {man} who won the lottery in {town} last year", "the widow of the {town} {job}",
         "the {age}-year-old twin sister of the {job} in {town}"))
    ),
    "nickname": (
        ((), ("{nick} from the {site}", "our {job} {nick}", "old {nick} ({job})", "{nick} the {job}",
         "{nick} at the {site}"))
    ),
    "relation": (
        ((), ("{f}, my neighbour's {kin},", "my {kin} {f}", "our {kin} {f}", "{f} (my {kin})",
         "my {kin} {f} in {town}", "{f} next door", "{f} from accounts", "{n}'s {kin}"))
    ),
}  # fmt: skip
# Names by where they are at home; first names of women and men, last names.
WORLD: dict[str, dict[str, tuple[str, ...]]] = {
    "west_africa": {"f": ("Ngozi", "Adaeze", "Folake", "Aminata", "Efua"), "m": ("Chukwuemeka", "Babatunde", "Kwabena", "Ousmane", "Seydou"),
                    "last": ("Okonkwo", "Adeyemi", "Mensah", "Diallo", "Traoré", "Asante")},
    "east_africa": {"f": ("Wanjiku", "Selamawit", "Nakato", "Achieng", "Hodan"), "m": ("Kiprop", "Tesfaye", "Odhiambo", "Abdirahman", "Mukasa"),
                    "last": ("Njoroge", "Gebremariam", "Otieno", "Warsame", "Ssemakula")},
    "south_africa": {"f": ("Thandiwe", "Nomvula", "Lerato"), "m": ("Sipho", "Thabo", "Mandla"), "last": ("Dlamini", "Nkosi", "Mokoena", "Khumalo")},
    "arab": {"f": ("Fatima", "Zaynab", "Hanan", "Rania"), "m": ("Mustafa", "Khalid", "Yousef", "Tariq"),
             "last": ("Al-Masri", "Haddad", "El-Sayed", "Bensalem", "Khoury")},
    "iran_turkey": {"f": ("Shirin", "Parisa", "Ayşe", "Zeynep"), "m": ("Behrouz", "Dariush", "Mehmet", "Emre"), "last": ("Hosseini", "Rahimi", "Yıldız", "Demir")},
    "south_asia": {"f": ("Priya", "Lakshmi", "Sunita", "Nusrat", "Harpreet"), "m": ("Rajesh", "Arjun", "Venkatesh", "Imran", "Gurpreet"),
                   "last": ("Patel", "Iyer", "Chaudhary", "Rahman", "Kaur", "Subramaniam")},
    "china": {"f": ("Mei", "Xiuying", "Li Na"), "m": ("Wei", "Jianguo", "Haoran"), "last": ("Zhang", "Wang", "Chen", "Xu")},
    "japan_korea": {"f": ("Sakura", "Haruka", "Ji-woo"), "m": ("Takeshi", "Hiroto", "Min-jun"), "last": ("Nakamura", "Watanabe", "Park", "Kim")},
    "southeast_asia": {"f": ("Thi Lan", "Siti", "Maricel"), "m": ("Van Minh", "Bambang", "Somchai"), "last": ("Nguyen", "Wijaya", "Dela Cruz", "Srisai", "Pham")},
    "slavic": {"f": ("Katarzyna", "Svetlana", "Olha"), "m": ("Zbigniew", "Dmitri", "Bohdan"), "last": ("Wójcik", "Kuznetsova", "Shevchenko", "Novotný", "Kovačević")},
    "balkan_baltic": {"f": ("Eleni", "Ioana", "Rasa"), "m": ("Kostas", "Bogdan", "Vytautas"), "last": ("Papadopoulos", "Popescu", "Kazlauskas", "Hoxha")},
    "north": {"f": ("Sigrún", "Aino", "Solveig"), "m": ("Torbjørn", "Eero", "Håkan"), "last": ("Jónsdóttir", "Virtanen", "Sørensen", "Lindqvist")},
    "latin": {"f": ("Guadalupe", "Ximena", "Luciana"), "m": ("Joaquín", "Rogério", "Esteban"), "last": ("Hernández", "Quispe", "de Souza", "Gutiérrez", "Ferreira")},
    "first_nations": {"f": ("Winona", "Nayeli"), "m": ("Takoda", "Ahiga"), "last": ("Begay", "Two Bulls", "Whitehorse", "Cardinal")},
    "pacific": {"f": ("Leilani", "Mere", "Sina"), "m": ("Tane", "Sione", "Wiremu"), "last": ("Tuilagi", "Parata", "Kahananui", "Fonoti")},
}  # fmt: skip
# Names that are words as well.
WORDS = {
    "f": ("Hope", "Grace", "May", "Rose", "Joy", "Faith", "Summer", "Dawn", "Ivy", "Violet", "Amber", "Sky", "Honey", "Destiny"),
    "m": ("Mark", "Will", "Frank", "Bill", "Jack", "Drew", "Chase", "Art", "Pat", "Rich", "Miles", "Chance", "River", "Rusty"),
    "last": ("Sutton", "Field", "Stone", "Winter", "Price", "Cook", "Short", "Pain", "Best", "Gates", "Fish", "Bishop", "Young", "Savage"),
}  # fmt: skip
# Named elsewhere than in the body: the body tells of one patient without a name.
BESIDE = {
    "late": (
        "PS: this is about {n}.", "Patient label: {n} (born {dob})", "cc {n}, who is meant above",
        "(The above concerns {n}.)", "This refers to {n}.", "Patient: {n}", "Re the above: {n}",
        "I mean {n}, of course.", "The patient is {n}, {dob}.", "Sorry, forgot the name: {n}",
        "Name of the patient: {n}", "Sticker: {l} {f} {dob}", "By the way, it is {n} I am writing about.",
        "Above patient = {n}", "{n} is the person meant.", "Subject of this note: {n}, {street}, {town}",
    ),
    "signature": (
        "Best wishes,\n{n}", "Regards\n{n}\n{job}, {firm}", "{n}", "-- \n{n}\n{phone}", "Thanks, {n}",
        "Yours,\n{f} {l}\nsent from my phone", "xx {f} {l}",
    ),
    "comment": ("This is {n}.", "{n}", "pt = {n}", "Name left out on purpose: {n}, {dob}",
                "This is about {n} from {town}", "Reviewer: the patient is {n}"),
    "title": ("{n}", "Report on {n}", "{l}, {f}", "Note - {n}"),
    "subject": ("{n}", "Patient {n}", "{l} {f} {dob}", "About {n}"),
    "keywords": ("{n}", "{l}, {f}", "{l}; {f}; note"),
    "description": ("Concerns {n}", "{n}, {dob}", "Letter about {n}"),
    "header": ("{n}", "Patient: {n}", "{l}, {f} - {dob}", "{n}  {mrn}"),
    "footer": ("{n}", "{n} page 1 of 1", "{l}, {f} {mrn}", "Re {n}"),
    "mail_subject": ("{n}", "Re: {n}", "{l}, {f}", "about {n}"),
    "file_name": ("{l}_{f}", "{f} {l} notes", "{l}-{f}-letter", "{f}_{l}_{k}", "note {f} {l}"),
}  # fmt: skip
# Said of {P}; "told" needs no name: lines of a note on one patient.
TOLD = (
    "{P} has {c}.", "{P} was diagnosed with {c} in {month}.", "{P} is on {d} for {c}.",
    "{P} came in with {s}.", "{P} has had {s} for three weeks, {he} was given {d}.",
    "{P} takes {d} twice a day.", "{P} had {p} on {day}.", "{P} tested positive for {i}.",
    "{P} is off work with {c} until {day}.", "{P} complained of {s} again. Started {d}.",
    "{P} lives with {c} and needs help with the stairs.", "{P} reported {s} after breakfast.",
    "{P} was taken to hospital with {c} on {day}.", "Spoke with {P} about {his} {c}.",
    "We know that {P} has {c}.", "{P}: {c}, {d}.", "{P} - {c}", "Please note that {P} is allergic to {d}.",
    "{P} had a bad night, {s}; {d} given at 2 am.", "{P} is being treated for {c}.",
    "{P} stopped {d} because of {s}.", "{P} is waiting for {p}.", "{P} suffers from {c}.",
    "Results for {P}: {res}.", "It is confirmed that {P} has {c}.",
)  # fmt: skip
NOTE = (
    "Diagnosis: {c}\nMedication: {d}", "Presenting complaint: {s}\nImpression: {c}\nPlan: {d}",
    "Came in with {s}. Has {c}. Started on {d}.", "He says the {s} is worse. We increased {d}.",
    "{He} has had {c} since {year} and takes {d}.", "The patient has {c}. {He} is on {d}.",
    "The patient was admitted with {s} and found to have {c}.", "Seen today: {c}, stable on {d}.",
    "Condition: {c}\nTreatment: {p}\nNext visit: {day}", "Reason for absence: {c}",
    "Result: {res}", "Vomited twice, {s}, {d} given.", "Feels better on {d}, {c} well controlled.",
    "Problem list\n- {c}\n- {c2}\nDrugs\n- {d}", "c/o {s} x 3 days. Hx {c}. Rx {d}.",
    "Today {he} told me about {his} {c}. {He} cries a lot.", "Dx {c} ({code})", "Code: {code} {c}",
    "History of {c}. Had {p} in {year}. On {d}.", "{p} done on {day} without complications.",
)  # fmt: skip
UNNAMED = (
    "The patient has {c}. {He} is on {d}.", "{He} has had {c} since {year} and takes {d}.",
    "The patient was admitted with {s} and found to have {c}.", "Patient seen for {c}, given {d}.",
    "{He} came in with {s}. {He} is known to have {c}.", "{He} was diagnosed with {c} in {month}.",
    "The patient complained of {s}. Impression: {c}. Plan: {d}.", "She had {p} on {day}, now {s}.",
    "This client has been treated for {c} since {year}.",
)  # fmt: skip
OF_SELF = (
    "I have been diagnosed with {c}, so I will not be in on {day}.", "I am on {d} for my {c}.",
    "I can't come in, I have {c}.", "My {c} is back and I started {d} again.",
    "I had {p} on {day} and need two weeks off.", "I've had {s} since {day}, the doctor says {c}.",
)  # fmt: skip
# The same people, nothing of their health.
PLAIN = (
    "{P} paid the invoice on {day}.", "{P} asked for a parking permit.", "{P} will arrive at nine.",
    "{P} has not returned the library book.", "Please send {P} the new contract.",
    "{P} left a blue coat in the hall.", "{P} moved the meeting to {day}.", "{P} ordered two boxes of paper.",
    "{P} complained about the noise from the building site.", "{P} has a new bicycle.",
    "The heating at {P} was repaired.", "{P} was late twice this week, the bus again.",
    "{P} voted for the new fence.", "We need the bank details of {P}.",
)  # fmt: skip
PLAIN_NOTE = (
    "Order: 3 chairs\nDelivery: {day}", "Issue: noise at night\nAction: letter sent",
    "Meter read on {day}. Nothing unusual.", "The boiler was serviced. Next visit {day}.",
    "Passed the test with 81 points. Certificate posted.", "Invoice paid, reminder cancelled.",
    "Reason for absence: holiday", "Result: passed", "Code: 4711 stationery",
    "Wants a window seat and a paper ticket.", "Has moved, new keys handed over on {day}.",
)  # fmt: skip
# Said of nobody who can be told apart.
NOBODY = (
    "a patient", "one patient", "a {man} of {age}", "somebody in the study", "one of the children",
    "a client", "the average patient", "an elderly {man}", "a resident", "a colleague",
    "somebody I know", "the index patient",
)  # fmt: skip
# A head of an institution or a clinician, which names nobody who is treated.
OFFICES = (
    "{house} Clinic\nTel: {phone}\n{street}, {town} {pc}", "Ward {k}\nConsultant: {doc}",
    "{firm}\nwww.{firmlow}.example\nFax: {phone}", "GP: {doc}\nGMC No. 7{num6}", "Version {k}\nForm {num6}",
    "Prescriber: {doc}, NPI 1234567893", "Study protocol {study}\nSponsor: {firm}", "Invoice {num8}\n{firm}",
    "Author: {doc}\nReview date: {day}", "Helpline: {phone} (all hours)", "Lot {num6}  Expiry 2027",
)  # fmt: skip
PAPERS = {
    "directory": (
        ("{house} Hospital - directory\n{doc1}, Cardiology, ext. {num4}\n{doc2}, Oncology ({c} clinic), ext. {num42}\n"
         "{o}, ward clerk, {phone}\n{doc3}, Diabetes team, {mail}"),
        "Who to call\nCardiology\t{o}\t{num4}\nDialysis unit\t{o2}\t{num42}\nPain clinic\t{o3}\t{phone}",
        "Name\tDepartment\tPhone\n{o}\tPsychiatry\t{num4}\n{o2}\tRenal unit\t{num42}\n{o3}\tHIV clinic\t{num43}",
        "On call this week: {doc1} (stroke), {doc2} (epilepsy), {doc3} (asthma). Switchboard {phone}.",
    ),
    "cv": (
        ("{n}\nRegistered nurse\n{street}, {town}\n{mail}\n\nEXPERIENCE\n2018-2023 Staff nurse, {house} Hospital\n"
         "Cared for patients with {c} and {c2}; gave {d}.\n\nEDUCATION\nBSc Nursing {year}"),
        ("Curriculum vitae\nName: {n}\nDate of birth: {dob}\nProfession: physiotherapist\n\nSkills: rehabilitation "
         "after {p}, care of people with {c}.\nLanguages: English, French"),
        ("RESUME - {n}, RN\n{phone} | {mail}\nObjective: a post on an oncology ward\nWork: dialysis nurse at {house} "
         "Hospital, {year}-2022; managed {c} patients, {d} infusions"),
    ),
    "pet": (
        ("PET REGISTRATION\nOwner: {n}\nAddress: {street}, {town}\nPhone: {phone}\nPet name: {pet}\nSpecies: dog\n"
         "Breed: {breed}\nDate of birth: {dob}\nMedical conditions: {c}\nMedication: {d}"),
        "Animal: {pet} ({breed}, {k} years)\nOwner: {n}\nComplaint: {s}\nTreatment: {d}",
        ("Boarding form\nYour name: {n}\nYour pet's name: {pet}\nBreed: {breed}\nVaccinated: yes\nHealth problems: {c}\n"
         "Vet: {doc}"),
        ("{house} Veterinary Clinic\nClient: {n}\nPatient: {pet}, {breed}, neutered\nHistory: {s} since {day}. Dx {c}. "
         "Rx {d}."),
        ("Kennel card\nName: {pet}\nBreed: {breed}\nOwner's name: {n}\nOwner's phone: {phone}\nAllergies: {d}\n"
         "Conditions: {c}"),
    ),
    "prices": (
        "Price list {year}\n{p}: 420.00\n{c} check-up: 65.00\n{d}, 30 tablets: 12.40\nContact: {o}, {phone}",
        "Item\tPrice\n{p}\t900\nBlood test for {i}\t45\n{d} 20 mg\t8.10\n\nQuestions: {mail}",
        "Fees at {house} Clinic\nConsultation ({doc}) 120\n{p} 1,450\nTreatment of {c} from 300",
    ),
    "blank": (
        ("Patient name: ________\nDOB: __/__/____\nPostcode: ________\nDo you have {c}?  [ ] yes [ ] no\n"
         "Medication: ________\n{house} Clinic, {phone}"),
        ("Name:\nDate of birth:\nNHS number:\nAddress:\n\nHave you ever had any of these?\n[ ] {c}\n[ ] {c2}\n"
         "Allergies (e.g. {d}):\nSignature:"),
        "Initials: ....  Room: ....\nDiagnosis: ........ (e.g. {c})\nGiven ({d} / other): ........\nNurse: ........",
        "SSN: ___-__-____\nEmployee no.:\nReason for absence ({c}, injury, other):\nReturn this form to {o}, {mail}",
    ),
    "general": (
        "{c} is common in people born before 1950. Ask your doctor about {d}.",
        "Patients in postcode {pc} can now have {p} at {house} Clinic, {street}, {town}. Call {phone}.",
        "Room {k} is being repainted. Bed {k} has a new mattress. The {c} leaflets are in room {k}.",
        "Seat {seat} and cabin {cabin} are blocked. The first-aid box holds {d} and plasters.",
        "{o} gives a talk on {c} on {day}. Flat {k}, {house}, {town}. Bring a friend.",
        "Participants are numbered. {i} was found in 4 of 120. Contact: {mail}",
        "Only village {job}s can apply. The course covers {c} and {p}. Ring {phone}.",
    ),
}  # fmt: skip
SHOWS = ("{head}\n\n{note}", "{head}\n{note}", "{head}\n\n{note}\n\nSigned: {doc}", "{head} {note}",
         "{date}\n{head}\n{note}", "Visit note\n\n{head}\n\n{note}\n\nNext: {day}", "NOTE\n{head}\n{note}\n{doc}")  # fmt: skip
PLACES = (
    "{said}", "{said}", "Hi {o1},\n\n{said}\n\nThanks\n{w}", "{e} {said} {e2}", "{e}\n\n{said}",
    "[09:12] {o1}: {e}\n[09:14] {w1}: {said}\n[09:15] {o1}: ok", "Minutes of {date}\n1. {e}\n2. {said}\n3. {e2}",
    "- {e}\n- {said}\n- {e2}", "Dear {o},\n\n{said} {e}\n\nYours sincerely\n{w}", "{date} {said}",
    "Log {date}\n07:30 {e}\n08:10 {said}\n09:00 {e2}", "Handover\n{said}\n{e}", "FYI {said}",
    "Q: anything new?\nA: {said}",
)  # fmt: skip
SYMPTOMS = (
    "chest pain", "a rash on both arms", "blurred vision", "night sweats", "blood in the urine", "panic attacks",
    "shortness of breath", "dizziness", "swollen ankles", "weight loss", "hallucinations", "numb fingers",
    "heavy bleeding", "vomiting", "severe headache", "diarrhoea", "palpitations", "low mood",
)  # fmt: skip
RESULTS = (
    "HIV antibody positive", "HbA1c 74 mmol/mol", "biopsy shows carcinoma", "hepatitis C RNA detected",
    "chlamydia positive", "haemoglobin 8.1, iron deficiency anaemia", "MRI: disc prolapse L4/5",
    "PSA 14, prostate cancer", "troponin raised, heart attack", "BRCA1 mutation found",
)  # fmt: skip
CODES = ("E11.9", "F32.1", "G40.9", "J45.9", "B20", "I10", "C50.9", "N18.5", "M54.5", "K50.9")
JOBS = ("blacksmith", "vicar", "postman", "baker", "goalkeeper", "librarian", "cleaner", "driver", "plumber",
        "gardener", "cook", "harbour master", "teacher", "notary", "butcher", "piper", "ferryman")  # fmt: skip
NICKS = (
    "Big Dave",
    "Smithy",
    "Tiny",
    "Lefty",
    "Jonesy",
    "Curly",
    "Red",
    "Shorty",
    "Bez",
    "Nobby",
    "Chalky",
)
SITES = (
    "loading bay",
    "night shift",
    "warehouse",
    "front desk",
    "canteen",
    "bakery",
    "garage",
    "post room",
)
KIN = (
    "sister",
    "brother",
    "son",
    "daughter",
    "aunt",
    "cousin",
    "mother",
    "father",
    "nephew",
    "husband",
    "wife",
)
STREETS = ("Mill Lane", "Church Street", "Oak Avenue", "Station Road", "Elm Drive", "High Street", "Park Close",
           "Victoria Terrace", "Maple Court", "Bridge Road", "Cedar Way", "Harbour View")  # fmt: skip
HOUSES = (
    "St Olave's",
    "Rosewood",
    "Northgate",
    "St Brigid's",
    "Hazelmere",
    "Ashby House",
    "Lakeside",
)
FIRMS = ("Brookline Ltd", "Fenwick & Sons", "Halden Freight", "Quayside Foods", "Merrow Logistics")
ISLANDS = ("Papa Stour", "Foula", "Inishbofin", "Bardsey", "Lundy", "Vinalhaven")
PETS = ("Bella", "Rex", "Milo", "Luna", "Daisy", "Tigger", "Max", "Poppy")
BREEDS = ("labrador", "beagle", "cocker spaniel", "terrier", "collie", "poodle", "greyhound")
SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ra",
    "ten",
    "zu",
    "bar",
    "nik",
    "sha",
    "dor",
    "vel",
    "ha",
    "yu",
    "so",
    "pri",
    "gun",
)
PARTICLES = ("van der {}", "de la {}", "bin {}", "al-{}", "O'{}", "Mc{}", "von {}", "de {}", "ibn {}", "di {}",
             "dos {}", "el-{}", "Mac{}", "van den {}", "D'{}", "ter {}")  # fmt: skip
