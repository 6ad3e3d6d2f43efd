"""Frames of everyday writing: what is said of somebody, what only looks so, and where it stands.

In: nothing.  Out: lists of frames for bench/plain_texts.py.

Signs: {n} full name, {lf} Last, First, {t} title and last name, {f} first name, {o} somebody else,
{doc} a clinician, {s} the writer, {r} the reader; {c} a condition, {d} a drug, {p} a procedure,
{x} a test; {city} {day} {month} {year} {age} {born} {phone} {num}; {he} {his} {him} by sex.
"""

# Said of a named person: a reader learns something about that person's health.
TOLD = (
    "{n} has {c}.", "{n} has {c} and {c2}.", "{n} is being treated for {c}.",
    "{n} was diagnosed with {c} in {month}.", "{n} of {city} has {c}.",
    "{n} of {city} had treatment for {c}.", "{n}, {age}, of {city}, suffers from {c}.",
    "{n} from {city} was admitted with {c} on {day}.", "{n} takes {d} for {his} {c}.",
    "{n} is on {d} now.", "{n} had {p} on {day}.", "{n} is having {p} next week.",
    "{n} will be off for six weeks after {p}.", "{n} is off sick with {c} until {day}.",
    "{n} is off again, {c} this time.", "{n} has been signed off with {c}.",
    "{n} called in sick: {c}.", "{n} can't do nights because of {his} {c}.",
    "{n} can't lift anything since {p}.", "{n} needs a chair by the door because of {c}.",
    "{n} told me {he} has {c}.", "{n} told us about {his} {c}.", "{n} mentioned {his} {c} again.",
    "{n}'s {c} is back.", "{n}'s {c} is getting worse.", "{n}'s {x} came back positive.",
    "{n} tested positive for {i}.", "{n} has tested positive for {i} again.",
    "{n} was rushed to hospital with {c}.", "{n} is in hospital with {c}.",
    "{n} came home from hospital on {day} after {p}.", "{n} died of {c} on {day}.",
    "{n} passed away last week, it was {c}.", "{n} is living with {c}.",
    "{n} is recovering from {c}.", "{n} is {i} positive.", "{n}, who has {c}, will join us later.",
    "{n} (who has {c}) asked for a ground floor room.", "{n} collapsed in the office, {c} again.",
    "{n} started {d} on {day}.", "{n} stopped taking {d} because of {c}.",
    "{n} sees the consultant about {his} {c} on {day}.", "{n} has an appointment for {p} on {day}.",
    "{n} has a history of {c}.", "{n} lives with {c} and uses {d}.", "{n} came in with {c}.",
    "{n} presented with {c}, started on {d}.", "{n} seen {day}, {c}, given {d}.",
    "{n} was found to have {c}.", "{n} has been battling {c} for years.", "{n} has got {c}.",
    "{n}'s diagnosis is {c}.", "{n} is awaiting {p}.", "{n} has {p} booked for {day}.",
    "Did you hear that {n} has {c}?", "We heard that {n} was diagnosed with {c}.",
    "It was noted that {n} has {c}.", "Please note that {n} takes {d}.", "Poor {n} has {c}.",
    "Turns out {n} has {c}.", "Saw {n} today, {his} {c} is no better.",
    "The {x} of {n} was positive.", "The {c} of {n} needs another round of {d}.",
    "Spoke to {n} about {his} {c}.", "Rang {n}: {c} worse, taking {d} twice a day.",
    "Cover needed for {n}, {he} has {c}.", "Refill {d} for {n} by {day}.",
    "{d} for {n}, pick up {day}.", "Referral for {n}: {c}.", "{p} for {n} moved to {day}.",
    "{t} has {c}.", "{t} is off with {c}.", "{t} takes {d} for {c}.", "{t} was seen for {c}.",
    "{n} - {c}", "{n} – {c} – {d}", "{n}: {c}", "{n}: {c}, on {d}", "{n} ({age}) {c}",
    "{lf} - {c} - {d}", "{lf}: {c}", "{n} / {c} / {d}", "{n}; {c}; {d}", "{n} {born} {c}",
    "{n} MRN {num} {c}", "{n}, {phone}, {c}", "{n} | {c} | {d}",
    "{n} is a {age}-year-old {man} with {c}. {He} takes {d}.",
    "{n}, {age}, is a {man} from {city}. {He} has had {c} for years.",
    "{n} rang this morning. {He} has {c} and can't come in.",
    "{n} is not coming on {day}. {His} {c} flared up over the weekend.",
    "{n} was quiet at lunch. Later {he} told me {he} had been diagnosed with {c}.",
    "I had coffee with {n}. {He} is on {d} for {c} and feels rough.",
    "{n} and {o} came to see me. {n} has {c}.",
)  # fmt: skip

# The same words, said of nobody, of somebody who does not have it, or of nobody real.
NOT_TOLD = (
    "{n} does not have {c}.", "{n} has never had {c}.", "{n} has no history of {c}.",
    "{n} doesn't suffer from {c}.", "{n} is not being treated for {c}.",
    "{n} never had {c} in {his} life.", "It is not true that {n} has {c}.",
    "{n} is giving a talk on {c}.", "{n} will speak about {c} on {day}.",
    "{n} is raising money for {c} research.", "{n} ran the marathon for the {c} charity.",
    "{n} wrote {his} thesis on {c}.", "{n} is writing an article about {c}.",
    "{n} published a paper on {c} in {year}.", "{n} has joined the {c} project.",
    "{n} leads the {c} team.", "{n} manages the {c} budget.", "{n} works at the {c} foundation.",
    "{n} ordered the leaflets on {c}.", "{n} will print the posters about {c}.",
    "{n} asked for the leaflet about {c}.", "{n} is organising the {c} awareness day.",
    "{n} teaches the course on {c}.", "{n} attended the workshop on {c}.",
    "{n} sells {d} for a pharmaceutical firm.", "{n} negotiated the price of {d}.",
    "{n} will deliver the boxes of {d} to the store room.", "{n} presented the figures for {d}.",
    "{n} reviews applications for the {c} grant.", "{n} booked the room for the {c} conference.",
    "{doc} treats {c}.", "{doc} is a specialist in {c}.", "{doc} runs the {c} clinic.",
    "{doc} will cover the {c} clinic on {day}.", "{doc} explained how {c} is treated.",
    "{doc} lectures on {p}.", "Nurse {n} is on the {c} ward until {day}.",
    "{n} is the new nurse of the {c} unit.", "{n} asked {doc} for a lecture about {c}.",
    "{n}'s dog has {c}.", "{n}'s cat is on {d}, the vet said {c}.",
    "{n} took the horse to the vet, it has {c}.", "{n}'s hamster died of {c}.",
    "Our cat Bella has {c}, {n} recommended a vet.",
    "{n} nearly had a heart attack when the invoice came.", "{n} is allergic to Mondays.",
    "{n} says the new printer gives {him} a headache.", "{n} is a cancer on this team, they said.",
    "{n} has spreadsheet fever.", "{n} has an acute case of holiday blues, as {he} puts it.",
    "In the novel {n} is a detective who has {c}.", "In the film {n} dies of {c}.",
    "The heroine of the book, {n}, is diagnosed with {c} in chapter two.",
    "In the new season {n} (played by {o}) is told that {he} has {c}.",
    "The character {n} suffers from {c} and solves murders.",
    "My review of the play: {n} is a miser with {c} who loses his shop.",
    "The newspaper wrote that Senator {n} has {c}.", "President {n} died of {c} in {oldyear}.",
    "The actor {n}, star of three films, revealed his {c} to the press.",
    "The composer {n} ({oldyear}) is thought to have had {c}.",
    "The singer {n} cancelled the tour because of {c}, the agency reported.",
    "The king's brother {n} was said to suffer from {c}, historians write.",
    "Is {c} contagious? Ask {n}, {he} has the leaflet.",
    "{n} wants to know what {c} costs the health service each year.",
    "Does anybody know how {c} is treated? {n} needs it for the quiz.",
    "What is {c}? {n} will explain on {day}.", "{c} is common in old age, said {n}.",
    "{n} asked what the policy says about {c}.", "{n} updated the page on {c}.",
    "Sample letter: Dear Mr. Example, you have {c}. Questions to {n}.",
    "Template: [NAME] has [DIAGNOSIS], e.g. {c}. Owner of the template: {n}.",
    "Name: ____________ Diagnosis: ____________ ({c}, {c2}, other). Return to {n}.",
    "[ ] {c}  [ ] {c2}  [ ] none of these. Please return the form to {n}.",
    "Test case 4: patient 'Test Test' has {c}; tester {n}.",
    "{n} is on annual leave until {day}.", "{n} is back from holiday on {day}.",
    "{n} moved to {city}.", "{n} will bring the projector.", "{n} signed the lease.",
    "If {n} had {c}, the insurer would have to be told, but that is only an example.",
    "{n} donated to the fight against {c}.", "{n} designed the poster: Stop {c} now!",
    "{n} stocks {d} in the chemist's shop.", "{n} explained the new rules for {c} leave.",
    "The {c} guideline was edited by {n}.", "{n} translated the brochure on {p}.",
    "{n} installed the scanner for {p} at the hospital.", "{n} calibrates the device for {x}.",
    "{n} will audit the {c} register.", "{n} repaired the roof of the {c} centre.",
)  # fmt: skip

# Said by the writer of themselves, and of what is not their health.
OF_SELF = (
    "I have {c}.", "I've been diagnosed with {c}.", "I am off sick, {c} again.",
    "my {c} is back", "I'm in hospital, {p} tomorrow.", "I started {d} on {day}.",
    "I can't come in on {day}, I have {p}.", "The doctor says I have {c}.",
    "I tested positive for {i} this morning.", "I need {day} off because of my {c}.",
    "the {d} makes me sleepy, sorry", "I had {p} last week and I'm still sore.",
    "I never told you, but I've been living with {c} since {year}.",
    "my results came back, it's {c}", "I have to take {d} for my {c} at noon.",
)  # fmt: skip
NOT_OF_SELF = (
    "I don't have {c}.", "I'm writing an essay about {c}.", "I'll print the leaflets on {c}.",
    "I read that {c} is on the rise.", "I need {day} off for the house move.",
    "I watched a film about {c} last night.", "my dog has {c}, off to the vet",
    "this spreadsheet gives me a headache", "I booked the {c} course for {day}.",
    "I work on the {c} campaign now.", "what is {c}? saw it in the news",
    "I can't come in on {day}, the boiler broke.", "I donated to the {c} appeal.",
    "I ordered {d} for the store room, 40 boxes.", "the vet put our cat on {d}",
)  # fmt: skip

# Said to the reader.
TO_READER = (
    "Your {x} was positive.", "Your {c} needs treatment.", "You have been diagnosed with {c}.",
    "We reviewed your {c} and would like you to start {d}.", "Please keep taking your {d}.",
    "Your {p} is on {day}.", "Thank you for attending the clinic with your {c}.",
    "Following your {p} you should rest for a week.", "Your claim for {c} has been accepted.",
    "As you have {c}, you are invited for a flu vaccination.",
    "How is your {c}? Is the {d} helping?", "Sorry to hear about your {c}.",
)  # fmt: skip
NOT_TO_READER = (
    "You are invited to our talk on {c}.", "You can donate to {c} research here.",
    "If you have {c}, ask your doctor about {d}.", "Thank you for your article on {c}.",
    "Your lecture about {c} is on {day}.", "Your order of leaflets on {c} has been shipped.",
    "Your application to the {c} project was accepted.", "Your parking permit is ready.",
    "Do you or does anybody you know have {c}? Join our study.", "Your invoice is attached.",
    "Thank you for the poster about {c}.", "Your subscription ends on {day}.",
)  # fmt: skip

# Questions to a doctor or a colleague, with and without the patient's name.
ASKED = (
    "{n}, {age}, from {city}, has {c} and takes {d}. What dose is safe before {p}?",
    "My patient {n} has {c}. Which drug would you choose?",
    "{age}-year-old {man} {n} with {c}, started {d} on {day}, now dizzy. Should I stop it?",
    "Can {n} (DOB {born}) with {c} safely take {d}?",
    "What follow-up is advised for {n}, MRN {num}, after {p}?",
    "{n} lives in {city} and was admitted on {day} for {c}. Is {d} the right choice?",
    "How should I manage {c} in {n}, who is also on {d}?",
    "Patient {n} came in on {day} with {c}. {He} is on {d}. Next step?",
    "{n} called about {his} {c}; phone {phone}. Could {d} be the cause?",
    "For {n}, seen at our clinic in {city} on {day}: does {c} explain the {x}?",
)  # fmt: skip
NOT_ASKED = (
    "What is the first-line treatment for {c}?", "Can {d} be given before {p}?",
    "In a {age}-year-old {man} with {c}, which drug would you choose?",
    "How should {c} be managed in patients who take {d}?", "What is the dose of {d} for {c}?",
    "Which guideline covers {c}? {n} in the library has asked.",
    "Does {d} interact with alcohol?", "What follow-up is advised after {p}?",
    "According to {doc}, how common is {c}?", "Is {x} useful in {c}? Regards, {doc}",
)  # fmt: skip

# Whole short files, a leak and what looks like it: visit notes, labs, lists, records.
FILES = (
    "{n}\n\nS: {c} for two weeks, worse at night.\nO: afebrile.\nA: {c}.\nP: {d}, back in a week.\n",
    "{n} seen today.\nStill has {c}. Started {d}.\nWill ring on {day}.\n",
    "Visit {day}\n{n}, {age}\n{c}, {c2}. {d} continued.\n{doc}\n",
    "Phone call\nCaller: {n}\nReason: {c}, {d} not helping\nAdvice: come in on {day}\n",
    "{lf}   {born}   {num}\n{x}   POSITIVE\n", "Lab result\nName: {n}\n{x}: reactive\n",
    "Result for {n}: {x} positive. Inform {doc}.\n",
    "Handover {day}\n1. {n} - {c}, on {d}\n2. {o} - {c2}, {p} {day}\n",
    "Bed 3 {t}: {c}, {d} given\nBed 4 empty\n",
    "Rota changes\n{day}: {n} off ({c}), {o} covers\n", "Absences\n{n}: {c}\n{o}: annual leave\n",
    "Kitchen list\n{n} - {c}\n{o} - vegetarian\n", "Prayer list\n{n} ({c})\n{o} ({p} on {day})\n",
    "Camp list\n{lf}, {age}, {c}, {d} at breakfast\n{o}, {age}, swims well\n",
    "Accident book\n{day}: {n} slipped, {c}, sent to hospital.\n",
    "Name: {n}\nReason for absence: {c}\nBack on: {day}\n",
    "Re: {n}\n\n{He} has been under our care with {c}. {He} is taking {d}.\n\n{doc}\n",
    "To whom it may concern\n\n{n} is unfit for work until {day} because of {c}.\n\n{doc}\n",
    "Dear {doc},\n\nthank you for seeing {n}, born {born}, who has {c}.\n\nYours sincerely\n{doc2}\n",
    "Claim\nMember: {n}\nProcedure: {p}\nDiagnosis: {c}\n",
    "Transport {day}\n08:15 {n}, {city}, dialysis\n09:00 {o}, {city}, {p}\n",
    "Pharmacy pick-up\n{n}  {d}\n{o}  {d2}\n", "Keep an eye on {n}, {his} {c} is bad this week.\n",
    "Allergies\n{n}: penicillin allergy\n{o}: peanut allergy, carries an EpiPen\n",
    "Minutes\nPresent: {o}, {s}\n3. {n} has {c}; duties changed until {day}.\n",
)  # fmt: skip
NOT_FILES = (
    "Session {day}\n\nTopic: {c}\nSpeaker: {n}\nRoom 4, coffee at ten.\n",
    "Stock list\n{d}   40 boxes\n{d2}   12 boxes\ncounted by {n}\n",
    "Lab manual\n{x}: reference range see appendix\nAuthor: {n}\nPositive control: {c} sample\n",
    "Rota\n{day}: {n}, {o}\nClinic for {c}: {doc}\n", "On call {day}\n{doc}: {c} clinic\n{doc2}: wards\n",
    "Absences\n{n}: annual leave\n{o}: training\n", "Kitchen list\n{n} - vegetarian\n{o} - no pork\n",
    "Course list\n{n}: {c} for beginners\n{o}: {p} in practice\n",
    "Speakers\n{n} – {c} – room 3\n{o} – {p} – room 5\n",
    "Poster session\n{n}, {city}: New drugs for {c}\n{o}, {city}: The cost of {p}\n",
    "Name: ______________\nReason for absence: ______________ (e.g. {c})\nReturn to {n}\n",
    "Patient name:\nDiagnosis: [ ] {c} [ ] {c2}\nForm designed by {n}, {year}\n",
    "To whom it may concern\n\n{n} has worked here since {year} on the {c} project.\n\n{o}\n",
    "Dear {doc},\n\nthank you for your lecture about {c}. The fee is attached.\n\nYours\n{n}\n",
    "Library\n{n}, Living with {c}, {year}\n{o}, A history of {p}, {oldyear}\n",
    "Cast\n{n} as Dr Bloom\n{o} as Vera, a singer with {c}\nCurtain at eight\n",
    "Grants\n{n}: {c}, 40,000\n{o}: {p}, 25,000\n", "Vet visits\nRex (owner {n}): {c}, {d}\n",
    "Adoptions\nWhiskers, neutered cat, {c}, foster home {n}\n",
    "Tickets\n{n}: page on {c} is offline\n{o}: form for {p} prints blank\n",
    "Job: nurse for the {c} ward\nContact: {n}, {phone}\n", "Tasks\n{n}: translate leaflet {c}\n{o}: order {d} samples\n",
    "Quiz\nWhat causes {c}? (answer: {o})\nWho discovered {d}? {n}\n",
    "Minutes\nPresent: {o}, {s}\n3. {n} reported on the {c} campaign.\n",
    "Allergies\nOur kitchen can cater for nut allergy and {c}.\nQuestions: {n}\n",
)  # fmt: skip

# Where a sentence stands; {said} is the sentence, {e} and {e2} neutral ones.
PLACES = (
    "{said}\n", "{said}\n", "{said} {e}\n", "{e} {said}\n", "{e} {said} {e2}\n",
    "{e}\n\n{said}\n\n{e2}\n", "- {e}\n- {said}\n- {e2}\n", "* {said}\n* {e}\n",
    "Hi {r1},\n\n{said} {e}\n\nThanks\n{s1}\n", "Hi {r1},\n{said}\n{s1}\n",
    "Dear all,\n\n{e} {said}\n\nKind regards\n{s}\n", "Hello,\n\n{said}\n\n{e}\n\nBest\n{s}\n",
    "[{clock}] {s1}: {e}\n[{clock2}] {r1}: {said}\n[{clock2}] {s1}: ok\n",
    "{s1}: {e}\n{r1}: {said}\n{s1}: oh\n", "{clock} {s1} - {said}\n{clock2} {r1} - thanks\n",
    "<{s1}> {said}\n<{r1}> ok, {e}\n", "{date}, {clock} - {s}: {said}\n{date}, {clock2} - {r}: ok\n",
    "Memo\nTo: all staff\nFrom: {s}\n\n{said} {e}\n", "{date} {said}\n{date2} {e}\n",
    "Notes from {day}\n\n{e}\n{said}\n{e2}\n", "Minutes, {date}\n1. {e}\n2. {said}\n3. {e2}\n",
    "From: {s} <{sm}>\nTo: {r} <{rm}>\nSubject: {day}\n\n{said}\n\n{s1}\n",
    "From: {s} <{sm}>\nTo: {r} <{rm}>\nSubject: update\n\nHi {r1},\n\n{e} {said}\n\nBest\n{s}\n",
    ("From: {r} <{rm}>\nTo: {s} <{sm}>\nSubject: Re: update\n\nOk.\n\n-----Original Message-----\n"
     "From: {s} <{sm}>\nTo: {r} <{rm}>\nSubject: update\n\n{said}\n"),
    "Voicemail {clock}: {said} {e}\n", "TODO {day}: {e}\nTODO: {said}\n", "Diary, {date}\n{e} {said}\n",
    "Ticket 4{num}\nReported by: {s}\n\n{said}\n", "{pad}\n\n{said}\n\n{pad2}\n",
    "{pad}\n\n{said} {e}\n", "{said} {e}\n\n{pad2}\n", "{s}: {said}\n", "NB {said}\n",
)  # fmt: skip
BY_WRITER = (
    "From: {s} <{sm}>\nTo: {r} <{rm}>\nSubject: {day}\n\nHi {r1},\n\n{said} {e}\n\n{s1}\n",
    "From: {s} <{sm}>\nTo: {r} <{rm}>\nSubject: today\n\n{said}\n",
    "Hi {r1},\n\n{said} {e}\n\nBest\n{s}\n", "Dear {r1},\n\n{e} {said}\n\nYours\n{s}\n",
    "{date}, {clock} - {s}: {said}\n{date}, {clock2} - {r}: ok, {e}\n",
    "[{clock}] {s}: {said}\n[{clock2}] {r}: no problem\n", "{s}\n{clock}\n{said}\n\n{r}\n{clock2}\nok\n",
    ("From: {r} <{rm}>\nTo: {s} <{sm}>\nSubject: Re: today\n\nOk!\n\n-----Original Message-----\n"
     "From: {s} <{sm}>\nTo: {r} <{rm}>\nSubject: today\n\n{said} {e}\n"),
    "My name is {s}. {said}\n", "{said}\n\n{s}\n{phone}\n",
)  # fmt: skip
TO_A_READER = (
    "Dear {n},\n\n{said} {e}\n\nYours sincerely\n{doc}\n", "{n}\n12 Mill Road\n{city}\n\n{said}\n\n{doc}\n",
    "From: {s} <{sm}>\nTo: {n} <{rm}>\nSubject: {day}\n\nDear {n},\n\n{said}\n\n{s}\n",
    "Dear {t},\n\n{said}\n\n{e}\n\nKind regards\n{s}\n", "To: {n}\n\n{said} {e}\n\n{s}\n",
    "Hi {n},\n\n{said}\n\n{s1}\n",
)  # fmt: skip

NEUTRAL = (
    "The car park is closed on {day}.", "Lunch is at noon.", "The printer is working again.",
    "Please bring your badge.", "{o} will bring the projector.", "The order came on {day}.",
    "We meet in room 4.", "The budget is due in {month}.", "{o} has the keys.", "It rained all day.",
    "The train was late again.", "Let me know what you think.", "See you on {day}.",
    "The invoice went out in {month}.", "{o} sends her regards.", "We need more chairs.",
    "The new carpet looks fine.", "The window in the hall is stuck.", "Call me when you can.",
    "The meeting moved to {clock}.", "Thanks for the photos.", "The bins are emptied on {day}.",
    "I left the file on your desk.", "The bakery on the corner is open again.",
)  # fmt: skip
CONDITIONS = (
    "asthma", "diabetes", "type 2 diabetes", "epilepsy", "depression", "bipolar disorder", "migraine",
    "breast cancer", "prostate cancer", "leukaemia", "Crohn's disease", "ulcerative colitis", "gout",
    "psoriasis", "eczema", "shingles", "pneumonia", "bronchitis", "hepatitis C", "HIV infection",
    "tuberculosis", "multiple sclerosis", "Parkinson's disease", "dementia", "schizophrenia",
    "an eating disorder", "anorexia", "PTSD", "panic attacks", "anxiety", "a slipped disc", "sciatica",
    "arthritis", "rheumatoid arthritis", "lupus", "endometriosis", "a miscarriage", "kidney failure",
    "heart failure", "atrial fibrillation", "high blood pressure", "a stroke", "a heart attack",
    "glaucoma", "sleep apnoea", "alcoholism", "an overdose", "a broken leg", "a concussion",
    "appendicitis", "gallstones", "IBS", "COPD", "cystic fibrosis", "coeliac disease", "anaemia",
    "chlamydia", "syphilis", "lymphoma", "melanoma", "ADHD", "autism", "burnout", "hypothyroidism",
)  # fmt: skip
INFECTIONS = ("HIV", "COVID", "hepatitis B", "tuberculosis", "chlamydia", "syphilis", "MRSA", "flu")
DRUGS = (
    "metformin", "insulin", "lithium", "sertraline", "fluoxetine", "methadone", "warfarin", "prednisolone",
    "methotrexate", "tamoxifen", "levothyroxine", "carbamazepine", "lamotrigine", "olanzapine",
    "citalopram", "salbutamol", "amoxicillin", "morphine", "diazepam", "naltrexone", "ritalin",
    "atorvastatin", "ramipril", "omeprazole", "adalimumab", "clozapine",
)  # fmt: skip
PROCEDURES = (
    "a hip replacement", "chemotherapy", "a colonoscopy", "a hysterectomy", "dialysis", "an MRI scan",
    "knee surgery", "a bypass operation", "radiotherapy", "a biopsy", "cataract surgery",
    "a vasectomy", "an abortion", "IVF treatment", "a liver transplant", "gallbladder surgery",
)  # fmt: skip
TESTS = (
    "HIV test", "pregnancy test", "COVID test", "hepatitis C antibody", "chlamydia test",
    "tuberculosis test", "drug screen", "syphilis serology",
)  # fmt: skip
CITIES = (
    "Boise, Idaho", "Tulsa, Oklahoma", "Leeds", "Halifax", "Ottawa", "Bristol", "Elko, Nevada",
    "Galway", "Bangor, Maine", "Dundee", "Regina", "Macon, Georgia", "Hull", "Salina, Kansas",
)  # fmt: skip
