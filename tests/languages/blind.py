"""Blind sets: sixty leaks and sixty near misses in each of six languages, from templates.

Written before the tables of these languages, with invented names; scored in sum, never looked at
one by one. {n} is a full name, {f} a first and {s} a last name, {o} another full name, {d} an
illness, {m} a remedy, {b} a birth date.
"""

from __future__ import annotations

import random

NAMES = {
    "es": ("Lucía Nuria Iker Amparo Gonzalo Rocío Fermín Jimena Ainhoa Saúl", "Barrenechea Quintanilla Ordóñez Villaescusa Lozoya Carrascal Menchaca Peñalver Urrutia Baquero"),
    "de": ("Annegret Torsten Heike Wiebke Jochen Lieselotte Sönke Dörte Henrik Ulrike", "Hagemeister Brinkschulte Oertel Wendland Kiesewetter Strohmaier Lüdecke Petersilge Rademacher Zöllner"),
    "fr": ("Solène Thibault Maëlle Gaspard Clémence Yannick Odile Bastien Perrine Loïc", "Chauvelot Maurepas Delacourt Guérinel Bonnemaison Tessier Ravanel Lecointre Pradier Villeneuve"),
    "it": ("Ginevra Tommaso Ornella Fabrizio Chiara Ruggero Loredana Nicolò Piera Ettore", "Bonfanti Scarpellini Guidotti Trevisan Malaspina Cattaneo Ferraguti Zambelli Orlandini Passerini"),
    "pt": ("Leonor Gonçalo Inês Rui Matilde Duarte Beatriz Tomás Graça Afonso", "Figueiredo Quintela Mascarenhas Sarmento Valadares Pimentel Brandão Lacerda Noronha Teixeira"),
    "nl": ("Marloes Sjoerd Anneke Wouter Femke Joost Liesbeth Bram Hanneke Teun", "Hoekstra Verhagen Dijkgraaf Brouwer Zijlstra Kuipers Schouten Veldkamp Terpstra Wijnhoven"),
}  # fmt: skip

ILLNESSES = {
    "es": ("esclerosis múltiple", "epilepsia", "leucemia", "depresión", "artritis reumatoide", "hepatitis C", "cáncer de colon", "esquizofrenia"),
    "de": ("Multiple Sklerose", "Epilepsie", "Leukämie", "Depression", "Rheuma", "Hepatitis C", "Darmkrebs", "Schizophrenie"),
    "fr": ("sclérose en plaques", "épilepsie", "leucémie", "dépression", "polyarthrite rhumatoïde", "hépatite C", "cancer du côlon", "schizophrénie"),
    "it": ("sclerosi multipla", "epilessia", "leucemia", "depressione", "artrite reumatoide", "epatite C", "tumore al colon", "schizofrenia"),
    "pt": ("esclerose múltipla", "epilepsia", "leucemia", "depressão", "artrite reumatoide", "hepatite C", "cancro do cólon", "esquizofrenia"),
    "nl": ("multiple sclerose", "epilepsie", "leukemie", "depressie", "reuma", "hepatitis C", "darmkanker", "schizofrenie"),
}  # fmt: skip

REMEDIES = {
    "es": ("litio", "sertralina", "metotrexato", "insulina"), "de": ("Lithium", "Sertralin", "Methotrexat", "Insulin"),
    "fr": ("lithium", "sertraline", "méthotrexate", "insuline"), "it": ("litio", "sertralina", "metotrexato", "insulina"),
    "pt": ("lítio", "sertralina", "metotrexato", "insulina"), "nl": ("lithium", "sertraline", "methotrexaat", "insuline"),
}  # fmt: skip

LEAKS = {
    "es": (
        "Hola a todos:\n\n{n} estará de baja hasta marzo. Le han diagnosticado {d} y empieza el tratamiento la semana que viene. Por favor, repartid sus tareas.\n\nUn saludo,\n{o}",
        "[10:32] {f}: tía, ¿sabes lo de {o}?\n[10:33] Marta: no, qué pasa\n[10:33] {f}: que tiene {d}, se lo dijeron ayer en el hospital\n[10:34] Marta: madre mía",
        "Nombre y apellidos: {n}\nFecha de nacimiento: {b}\nMotivo de consulta: revisión\nDiagnóstico: {d}\nTratamiento: {m} 50 mg cada 24 horas\n",
        "nombre;fecha de nacimiento;diagnóstico;observaciones\n{n};{b};{d};revisión en mayo\n{o};02/11/1974;{d};toma {m}\n",
        "Estimado compañero:\n\nTe remito a D. {n}, nacido el {b}, que padece {d} desde hace cuatro años. En la actualidad toma {m} y se encuentra estable.\n\nAtentamente,\nDra. {o}",
        "Querida abuela:\n\nNo te preocupes, pero a {f} le han encontrado {d}. La operan el martes y luego tendrá que tomar {m} una temporada. Te llamo el domingo.\n\nBesos,\n{o}",
        "Acta de la reunión del equipo docente\n\nAlumno: {n}\nLa madre informa de que el niño tiene {d} y necesita {m} a mediodía. Se avisa al profesorado.",
        "INFORME DE ALTA\nPaciente: {n}\nN.º historia: 448213\nIngresa por empeoramiento de su {d}. Evolución favorable. Se va de alta con {m}.",
        "Solicitud de incapacidad\n\nYo, {n}, con domicilio en la calle Olmo 14, expongo que sufro {d} desde 2019 y que no puedo seguir trabajando como conductor.",
        "De: {o}\nAsunto: turnos de mayo\n\n{n} no puede hacer noches por su {d}. Cambiad el cuadrante y no lo comentéis fuera, gracias.",
    ),
    "de": (
        "Hallo zusammen,\n\n{n} ist bis März krankgeschrieben. Bei ihr wurde {d} festgestellt, die Behandlung beginnt nächste Woche. Bitte teilt die Aufgaben auf.\n\nViele Grüße\n{o}",
        "[10:32] {f}: weißt du schon das von {o}?\n[10:33] Marta: nein, was denn\n[10:33] {f}: hat {d}, wurde gestern im Krankenhaus gesagt\n[10:34] Marta: oh nein",
        "Name: {n}\nGeburtsdatum: {b}\nVorstellungsgrund: Kontrolle\nDiagnose: {d}\nTherapie: {m} 50 mg täglich\n",
        "Name;Geburtsdatum;Diagnose;Bemerkung\n{n};{b};{d};Kontrolle im Mai\n{o};02.11.1974;{d};nimmt {m}\n",
        "Sehr geehrte Frau Kollegin,\n\nwir berichten über Herrn {n}, geb. {b}, der seit vier Jahren an {d} leidet. Derzeit nimmt er {m} und ist stabil.\n\nMit freundlichen Grüßen\nDr. {o}",
        "Liebe Oma,\n\nmach dir keine Sorgen, aber {f} hat {d}. Am Dienstag ist die Operation, danach muss sie eine Weile {m} nehmen. Ich rufe am Sonntag an.\n\nDeine {o}",
        "Protokoll der Lehrerkonferenz\n\nSchüler: {n}\nDie Mutter teilt mit, dass der Junge {d} hat und mittags {m} braucht. Das Kollegium ist informiert.",
        "ENTLASSUNGSBRIEF\nPatient: {n}\nFallnummer: 448213\nStationäre Aufnahme wegen Verschlechterung der bekannten {d}. Guter Verlauf. Entlassung mit {m}.",
        "Antrag auf Erwerbsminderungsrente\n\nIch, {n}, wohnhaft Ulmenweg 14, leide seit 2019 an {d} und kann nicht mehr als Fahrer arbeiten.",
        "Von: {o}\nBetreff: Dienstplan Mai\n\n{n} kann wegen {d} keine Nachtschichten machen. Bitte den Plan ändern und nicht weitersagen, danke.",
    ),
    "fr": (
        "Bonjour à tous,\n\n{n} est en arrêt jusqu'en mars. On lui a diagnostiqué une {d} et le traitement commence la semaine prochaine. Merci de répartir ses dossiers.\n\nCordialement,\n{o}",
        "[10:32] {f}: tu sais pour {o} ?\n[10:33] Marta: non, quoi\n[10:33] {f}: {d}, on lui a dit hier à l'hôpital\n[10:34] Marta: oh non",
        "Nom et prénom : {n}\nDate de naissance : {b}\nMotif de consultation : contrôle\nDiagnostic : {d}\nTraitement : {m} 50 mg par jour\n",
        "nom;date de naissance;diagnostic;remarques\n{n};{b};{d};contrôle en mai\n{o};02/11/1974;{d};prend {m}\n",
        "Chère consœur,\n\nJe vous adresse M. {n}, né le {b}, qui souffre de {d} depuis quatre ans. Il prend actuellement {m} et son état est stable.\n\nBien confraternellement,\nDr {o}",
        "Chère mamie,\n\nNe t'inquiète pas, mais {f} a une {d}. On l'opère mardi et ensuite il faudra prendre {m} quelque temps. Je t'appelle dimanche.\n\nBises,\n{o}",
        "Compte rendu de l'équipe éducative\n\nÉlève : {n}\nLa mère signale que l'enfant a une {d} et doit prendre {m} à midi. L'équipe est prévenue.",
        "LETTRE DE SORTIE\nPatient : {n}\nN° dossier : 448213\nHospitalisé pour aggravation de sa {d}. Évolution favorable. Sortie sous {m}.",
        "Demande de pension d'invalidité\n\nJe soussigné {n}, demeurant 14 rue des Ormes, souffre de {d} depuis 2019 et ne peux plus travailler comme chauffeur.",
        "De : {o}\nObjet : planning de mai\n\n{n} ne peut pas faire de nuits à cause de sa {d}. Changez le planning et gardez-le pour vous, merci.",
    ),
    "it": (
        "Ciao a tutti,\n\n{n} è in malattia fino a marzo. Le hanno diagnosticato {d} e la cura comincia la settimana prossima. Per favore dividetevi le pratiche.\n\nUn saluto,\n{o}",
        "[10:32] {f}: hai saputo di {o}?\n[10:33] Marta: no, cosa\n[10:33] {f}: ha {d}, glielo hanno detto ieri in ospedale\n[10:34] Marta: oddio",
        "Nome e cognome: {n}\nData di nascita: {b}\nMotivo della visita: controllo\nDiagnosi: {d}\nTerapia: {m} 50 mg al giorno\n",
        "nome;data di nascita;diagnosi;note\n{n};{b};{d};controllo a maggio\n{o};02/11/1974;{d};prende {m}\n",
        "Gentile collega,\n\nti invio il sig. {n}, nato il {b}, affetto da {d} da quattro anni. Attualmente assume {m} ed è stabile.\n\nCordiali saluti,\nDott.ssa {o}",
        "Cara nonna,\n\nnon ti preoccupare, ma {f} ha {d}. La operano martedì e poi dovrà prendere {m} per un po'. Ti chiamo domenica.\n\nBaci,\n{o}",
        "Verbale del consiglio di classe\n\nAlunno: {n}\nLa madre riferisce che il bambino soffre di {d} e deve prendere {m} a mezzogiorno. I docenti sono avvisati.",
        "LETTERA DI DIMISSIONE\nPaziente: {n}\nN. cartella: 448213\nRicoverato per peggioramento della {d}. Decorso regolare. Dimesso con {m}.",
        "Domanda di invalidità\n\nIo sottoscritto {n}, residente in via degli Olmi 14, soffro di {d} dal 2019 e non posso più lavorare come autista.",
        "Da: {o}\nOggetto: turni di maggio\n\n{n} non può fare le notti per via della {d}. Cambiate i turni e non ditelo in giro, grazie.",
    ),
    "pt": (
        "Olá a todos,\n\n{n} está de baixa até março. Foi-lhe diagnosticada {d} e o tratamento começa na próxima semana. Por favor, dividam as tarefas.\n\nCumprimentos,\n{o}",
        "[10:32] {f}: sabes o que aconteceu com {o}?\n[10:33] Marta: não, o quê\n[10:33] {f}: tem {d}, disseram ontem no hospital\n[10:34] Marta: meu Deus",
        "Nome: {n}\nData de nascimento: {b}\nMotivo da consulta: controlo\nDiagnóstico: {d}\nTratamento: {m} 50 mg por dia\n",
        "nome;data de nascimento;diagnóstico;observações\n{n};{b};{d};consulta em maio\n{o};02/11/1974;{d};toma {m}\n",
        "Caro colega,\n\nEnvio o Sr. {n}, nascido em {b}, que sofre de {d} há quatro anos. Atualmente toma {m} e está estável.\n\nCom os melhores cumprimentos,\nDra. {o}",
        "Querida avó,\n\nNão te preocupes, mas a {f} tem {d}. É operada na terça e depois vai ter de tomar {m} uns tempos. Ligo-te no domingo.\n\nBeijinhos,\n{o}",
        "Ata do conselho de turma\n\nAluno: {n}\nA mãe informa que o menino tem {d} e precisa de {m} ao meio-dia. Os professores foram avisados.",
        "NOTA DE ALTA\nUtente: {n}\nN.º processo: 448213\nInternado por agravamento da sua {d}. Boa evolução. Tem alta medicado com {m}.",
        "Pedido de reforma por invalidez\n\nEu, {n}, morador na Rua dos Ulmeiros 14, sofro de {d} desde 2019 e não posso continuar a trabalhar como motorista.",
        "De: {o}\nAssunto: escala de maio\n\n{n} não pode fazer noites por causa da {d}. Mudem a escala e não comentem, obrigado.",
    ),
    "nl": (
        "Hallo allemaal,\n\n{n} is tot maart ziek thuis. Bij haar is {d} vastgesteld en volgende week begint de behandeling. Verdelen jullie haar taken?\n\nGroeten,\n{o}",
        "[10:32] {f}: heb je het gehoord van {o}?\n[10:33] Marta: nee, wat dan\n[10:33] {f}: heeft {d}, gisteren gehoord in het ziekenhuis\n[10:34] Marta: o nee",
        "Naam: {n}\nGeboortedatum: {b}\nReden van komst: controle\nDiagnose: {d}\nBehandeling: {m} 50 mg per dag\n",
        "naam;geboortedatum;diagnose;opmerkingen\n{n};{b};{d};controle in mei\n{o};02-11-1974;{d};slikt {m}\n",
        "Geachte collega,\n\nHierbij verwijs ik de heer {n}, geboren {b}, die sinds vier jaar lijdt aan {d}. Hij gebruikt nu {m} en is stabiel.\n\nMet vriendelijke groet,\ndr. {o}",
        "Lieve oma,\n\nMaak je geen zorgen, maar {f} heeft {d}. Dinsdag is de operatie en daarna moet ze een tijd {m} slikken. Ik bel je zondag.\n\nLiefs,\n{o}",
        "Verslag teamoverleg\n\nLeerling: {n}\nMoeder vertelt dat de jongen {d} heeft en tussen de middag {m} nodig heeft. Het team is op de hoogte.",
        "ONTSLAGBRIEF\nPatiënt: {n}\nDossiernummer: 448213\nOpgenomen wegens verergering van de bekende {d}. Gunstig beloop. Ontslagen met {m}.",
        "Aanvraag arbeidsongeschiktheid\n\nIk, {n}, wonende Iepenlaan 14, lijd sinds 2019 aan {d} en kan niet meer als chauffeur werken.",
        "Van: {o}\nOnderwerp: rooster mei\n\n{n} kan geen nachtdiensten draaien vanwege {d}. Graag het rooster aanpassen en niet verder vertellen, bedankt.",
    ),
}  # fmt: skip

NEAR_MISSES = {
    "es": (
        "La {d} afecta a miles de personas. Los síntomas aparecen poco a poco y el tratamiento con {m} ayuda en muchos casos. Consulte a su médico.",
        "Reunión de la comunidad\n\nAsisten {n} y {o}. Se aprueba pintar el portal y cambiar la cerradura. La próxima reunión será el 3 de junio.",
        "Curso sobre {d}\n\nPonente: Dra. {n}, servicio de neurología. Inscripción gratuita hasta el viernes.",
        "Hola {f}:\n\nTe mando las fotos de la boda de {o}. Quedaron preciosas. Nos vemos el sábado.\n\nUn abrazo",
        "Mi perro Toby tiene {d} y el veterinario le ha dado {m}. Si alguien conoce una buena clínica, que me escriba.",
        "Se busca enfermera con experiencia en {d}. Enviar el currículum a la atención de {n}, recursos humanos.",
        "Si usted tiene {d} o toma {m}, avise al personal antes de subir a la atracción.",
        "Factura 2210\nCliente: {n}\nDomicilio: calle Olmo 14\nConcepto: reparación de persianas\nTotal: 240 euros",
        "La asociación contra la {d} celebra su carrera anual. El alcalde, {n}, entregará los premios.",
        "Receta de croquetas de {o}: leche, harina, jamón y paciencia. No hace falta nevera.",
    ),
    "de": (
        "{d} betrifft tausende Menschen. Die Beschwerden beginnen langsam, und {m} hilft in vielen Fällen. Fragen Sie Ihren Arzt.",
        "Eigentümerversammlung\n\nAnwesend: {n} und {o}. Der Anstrich des Treppenhauses wird beschlossen. Nächster Termin ist der 3. Juni.",
        "Fortbildung {d}\n\nReferentin: Dr. {n}, Klinik für Neurologie. Anmeldung kostenlos bis Freitag.",
        "Hallo {f},\n\nanbei die Fotos von der Hochzeit von {o}. Sie sind wunderschön geworden. Bis Samstag!\n\nLiebe Grüße",
        "Unser Hund Bello hat {d}, der Tierarzt gibt ihm {m}. Wer eine gute Tierklinik kennt, bitte melden.",
        "Wir suchen eine Pflegekraft mit Erfahrung bei {d}. Bewerbungen bitte an {n}, Personalabteilung.",
        "Wenn Sie {d} haben oder {m} nehmen, sagen Sie dem Personal vor der Fahrt Bescheid.",
        "Rechnung 2210\nKunde: {n}\nAnschrift: Ulmenweg 14\nLeistung: Reparatur der Rollläden\nSumme: 240 Euro",
        "Der Verein gegen {d} lädt zum Spendenlauf ein. Bürgermeister {n} überreicht die Preise.",
        "Kartoffelsalat nach {o}: Kartoffeln, Brühe, Essig und Geduld. Ein Kühlschrank ist nicht nötig.",
    ),
    "fr": (
        "La {d} touche des milliers de personnes. Les symptômes apparaissent peu à peu et le traitement par {m} aide souvent. Demandez à votre médecin.",
        "Assemblée des copropriétaires\n\nPrésents : {n} et {o}. La peinture du hall est votée. Prochaine réunion le 3 juin.",
        "Formation sur la {d}\n\nIntervenante : Dr {n}, service de neurologie. Inscription gratuite jusqu'à vendredi.",
        "Salut {f},\n\nVoici les photos du mariage de {o}. Elles sont magnifiques. À samedi !\n\nBises",
        "Notre chien Filou a une {d}, le vétérinaire lui donne {m}. Si quelqu'un connaît une bonne clinique, écrivez-moi.",
        "Nous cherchons une infirmière ayant l'expérience de la {d}. Adressez votre CV à {n}, ressources humaines.",
        "Si vous avez une {d} ou si vous prenez {m}, prévenez le personnel avant de monter dans le manège.",
        "Facture 2210\nClient : {n}\nAdresse : 14 rue des Ormes\nObjet : réparation des volets\nTotal : 240 euros",
        "L'association contre la {d} organise sa course annuelle. Le maire, {n}, remettra les prix.",
        "Gratin de {o} : pommes de terre, crème, ail et patience. Pas besoin de réfrigérateur.",
    ),
    "it": (
        "La {d} colpisce migliaia di persone. I sintomi compaiono piano piano e la cura con {m} aiuta in molti casi. Chieda al suo medico.",
        "Assemblea di condominio\n\nPresenti {n} e {o}. Si approva la pittura dell'androne. Prossima riunione il 3 giugno.",
        "Corso sulla {d}\n\nRelatrice: dott.ssa {n}, reparto di neurologia. Iscrizione gratuita fino a venerdì.",
        "Ciao {f},\n\nti mando le foto del matrimonio di {o}. Sono venute benissimo. A sabato!\n\nUn abbraccio",
        "Il nostro cane Birillo ha {d} e il veterinario gli dà {m}. Se qualcuno conosce una buona clinica mi scriva.",
        "Cercasi infermiera con esperienza nella {d}. Inviare il curriculum a {n}, ufficio del personale.",
        "Se soffre di {d} o prende {m}, avvisi il personale prima di salire sulla giostra.",
        "Fattura 2210\nCliente: {n}\nIndirizzo: via degli Olmi 14\nOggetto: riparazione tapparelle\nTotale: 240 euro",
        "L'associazione contro la {d} organizza la corsa annuale. Il sindaco, {n}, consegnerà i premi.",
        "Ragù di {o}: carne, pomodoro, cipolla e pazienza. Non serve il frigorifero.",
    ),
    "pt": (
        "A {d} afeta milhares de pessoas. Os sintomas aparecem aos poucos e o tratamento com {m} ajuda muitas vezes. Fale com o seu médico.",
        "Reunião de condomínio\n\nPresentes: {n} e {o}. Aprova-se a pintura da entrada. A próxima reunião é a 3 de junho.",
        "Curso sobre {d}\n\nOradora: Dra. {n}, serviço de neurologia. Inscrição gratuita até sexta-feira.",
        "Olá {f},\n\nEnvio as fotografias do casamento de {o}. Ficaram lindas. Até sábado!\n\nUm abraço",
        "O nosso cão Bobi tem {d} e o veterinário deu-lhe {m}. Se alguém conhece uma boa clínica, escreva-me.",
        "Procura-se enfermeira com experiência em {d}. Enviar o currículo a {n}, recursos humanos.",
        "Se tem {d} ou toma {m}, avise os funcionários antes de subir para o carrossel.",
        "Fatura 2210\nCliente: {n}\nMorada: Rua dos Ulmeiros 14\nServiço: reparação de persianas\nTotal: 240 euros",
        "A associação contra a {d} organiza a sua corrida anual. O presidente da câmara, {n}, entrega os prémios.",
        "Caldo verde de {o}: batata, couve, azeite e paciência. Não é preciso frigorífico.",
    ),
    "nl": (
        "Duizenden mensen krijgen te maken met {d}. De klachten beginnen langzaam en {m} helpt in veel gevallen. Vraag het uw huisarts.",
        "Vergadering bewoners\n\nAanwezig: {n} en {o}. Het schilderwerk in de hal gaat door. De volgende vergadering is op 3 juni.",
        "Cursus {d}\n\nSpreker: dr. {n}, afdeling neurologie. Aanmelden kan gratis tot vrijdag.",
        "Hoi {f},\n\nHierbij de foto's van de bruiloft van {o}. Ze zijn prachtig geworden. Tot zaterdag!\n\nGroetjes",
        "Onze hond Bobbie heeft {d} en krijgt van de dierenarts {m}. Wie een goede kliniek weet, graag een berichtje.",
        "Gezocht: verpleegkundige met ervaring met {d}. Stuur je cv naar {n}, personeelszaken.",
        "Heeft u {d} of gebruikt u {m}, meld het dan aan het personeel voordat u instapt.",
        "Factuur 2210\nKlant: {n}\nAdres: Iepenlaan 14\nOmschrijving: reparatie rolluiken\nTotaal: 240 euro",
        "De vereniging tegen {d} houdt haar jaarlijkse loop. Burgemeester {n} reikt de prijzen uit.",
        "Stamppot van {o}: aardappels, andijvie, spek en geduld. Een koelkast is niet nodig.",
    ),
}  # fmt: skip

ROUNDS = 6


def files(code: str, seed: int = 30):
    """Name, text and whether it is a leak."""
    draw = random.Random(f"{code}{seed}")
    firsts, lasts = (words.split() for words in NAMES[code])
    for leak, templates in ((True, LEAKS[code]), (False, NEAR_MISSES[code])):
        for number, template in enumerate(templates):
            for turn in range(ROUNDS):
                first, other = draw.sample(firsts, 2)
                last, last_other = draw.sample(lasts, 2)
                born = (
                    f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.{draw.randint(1940, 2012)}"
                )
                text = template.format(
                    n=f"{first} {last}", f=first, s=last, o=f"{other} {last_other}",
                    d=draw.choice(ILLNESSES[code]), m=draw.choice(REMEDIES[code]), b=born,
                )  # fmt: skip
                kind = "csv" if ";" in text.split("\n")[0] else "txt"
                yield f"{code}-{'leak' if leak else 'miss'}-{number}-{turn}.{kind}", text, leak
