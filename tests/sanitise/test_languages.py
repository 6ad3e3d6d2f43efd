"""Forms, mails and chats in six languages lose who they are about; Spanish ones the topics too."""

import random

import pytest

from dlp.assembly import Analysis
from dlp.config import load
from dlp.engine.sanitiser_setup import open_service
from dlp.knowledge.names import FIRST, LAST, load_names
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.languages import language_table, languages
from dlp.text.folding import fold
from tests.languages.blind import NAMES

FORM = {
    "es": "Nombre y apellidos: {first} {last}\nFecha de nacimiento: {birth}\nTeléfono: {phone}\nDiagnóstico: {term}\nMotivo de la consulta: revisión anual con análisis de sangre\n",
    "de": "Name, Vorname: {last}, {first}\nGeburtsdatum: {birth}\nTelefon: {phone}\nDiagnose: {term}\nGrund der Vorstellung: jährliche Kontrolle mit Blutabnahme\n",
    "fr": "Nom et prénom : {last} {first}\nDate de naissance : {birth}\nTéléphone : {phone}\nDiagnostic : {term}\nMotif de la consultation : bilan annuel avec prise de sang\n",
    "it": "Cognome e nome: {last} {first}\nData di nascita: {birth}\nTelefono: {phone}\nDiagnosi: {term}\nMotivo della visita: controllo annuale con esami del sangue\n",
    "pt": "Nome completo: {first} {last}\nData de nascimento: {birth}\nTelefone: {phone}\nDiagnóstico: {term}\nMotivo da consulta: revisão anual com análises ao sangue\n",
    "nl": "Naam en voornaam: {last}, {first}\nGeboortedatum: {birth}\nTelefoon: {phone}\nDiagnose: {term}\nReden van het bezoek: jaarlijkse controle met bloedonderzoek\n",
}
MAIL = {
    "es": "Hola a todos:\n\n{first} {last} no vendrá esta semana porque tiene {term}. Si hay algo urgente, llamadle al {phone}. {first} volverá el lunes.\n\nUn saludo\n",
    "de": "Hallo zusammen,\n\n{first} {last} kommt diese Woche nicht, weil sie {term} hat. Wenn etwas dringend ist, erreicht ihr sie unter {phone}. {first} ist am Montag wieder da.\n\nViele Grüße\n",
    "fr": "Bonjour à tous,\n\n{first} {last} ne viendra pas cette semaine parce qu'elle a {term}. En cas d'urgence, appelez-la au {phone}. {first} revient lundi.\n\nBonne journée\n",
    "it": "Ciao a tutti,\n\n{first} {last} questa settimana non viene perché ha {term}. Se c'è qualcosa di urgente chiamatela al {phone}. {first} torna lunedì.\n\nUn saluto\n",
    "pt": "Olá a todos,\n\n{first} {last} não vem esta semana porque tem {term}. Se houver algo urgente, liguem para o {phone}. {first} volta na segunda-feira.\n\nCumprimentos\n",
    "nl": "Hallo allemaal,\n\n{first} {last} komt deze week niet, want ze heeft {term}. Als er iets dringends is, bel haar dan op {phone}. {first} is er maandag weer.\n\nGroetjes\n",
}
CHAT = {
    "es": "A: ¿sabes algo de {first} {last}?\nB: le han dicho que tiene {term}, está en el hospital\nA: qué pena, dile a {first} que se mejore\n",
    "de": "A: weißt du was von {first} {last}?\nB: sie hat {term}, sie liegt im Krankenhaus\nA: oje, sag {first} gute Besserung von mir\n",
    "fr": "A: tu as des nouvelles de {first} {last} ?\nB: elle a {term}, elle est à l'hôpital\nA: zut, dis à {first} que je pense à elle\n",
    "it": "A: sai qualcosa di {first} {last}?\nB: ha {term}, è in ospedale\nA: accidenti, salutami {first} quando la vedi\n",
    "pt": "A: sabes alguma coisa de {first} {last}?\nB: tem {term}, está no hospital\nA: que pena, diz à {first} que as melhoras\n",
    "nl": "A: weet jij iets van {first} {last}?\nB: ze heeft {term}, ze ligt in het ziekenhuis\nA: ach, wens {first} beterschap van mij\n",
}
KINDS = {"form": FORM, "mail": MAIL, "chat": CHAT}
PHONES = {
    "es": "655 120 988", "de": "0172 5550187", "fr": "06 39 98 12 45", "it": "347 555 1298",
    "pt": "912 555 018", "nl": "06 55501872",
}  # fmt: skip


def known(names, bit):
    """Those of the dictionary; in a chat nothing else shows that "Marloes" is somebody."""
    flags = load_names().flags([name.lower() for name in names]).tolist()
    return [name for name, flag in zip(names, flags, strict=True) if flag & bit]


def draws(code, kind, term):
    draw = random.Random(f"{code}{kind}{term}")
    first, last = (
        known(words.split(), bit) for words, bit in zip(NAMES[code], (FIRST, LAST), strict=True)
    )
    first, last = draw.choice(first), draw.choice(last)
    birth = f"{draw.randint(10, 28)}.{draw.randint(10, 12)}.{draw.randint(1940, 2005)}"
    told = {"first": first, "last": last, "birth": birth, "phone": PHONES[code]}
    return told, KINDS[kind][code].format(term=term, **told)


@pytest.fixture(scope="module")
def service():
    return open_service(load(None), analysis=Analysis(load(None), full=True))


TERMS = {
    "es": ("neumonía", "varicela", "ciática"), "de": ("Lungenentzündung", "Windpocken", "Ischias"),
    "fr": ("une pneumonie", "la varicelle", "une sciatique"), "it": ("la polmonite", "la varicella", "la sciatica"),
    "pt": ("pneumonia", "varicela", "ciática"), "nl": ("longontsteking", "waterpokken", "ischias"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("code", languages())
def test_nobody_is_named_any_more(service, code, kind):
    for term in TERMS[code]:
        told, text = draws(code, kind, term)
        done = service.sanitise("note.txt", text.encode())
        assert done.output is not None, (done.refusal, text)
        left = done.output.decode()
        assert [value for value in told.values() if value in left] == [], left


def listed(code):
    """Words whose descriptor the law protects: those of the default topics."""
    sensitivity = load_sensitivity()
    for table in language_table(code, "terms")["terms"].values():
        for concept, words in table.items():
            if concept != "none" and sensitivity.category(concept) in {
                "hiv",
                "std",
                "mental",
                "substance",
                "reproductive",
                "genetic",
            }:
                yield from words


@pytest.mark.parametrize("kind", KINDS)
def test_a_spanish_word_of_a_listed_topic_goes_wherever_it_stands(service, kind):
    capitals = language_table("es", "terms")["capitals"]
    words = random.Random(kind).sample(sorted(listed("es")), 40)
    for word in words:
        term = word.upper() if fold(word) in capitals else word
        _, text = draws("es", kind, term)
        done = service.sanitise("nota.txt", text.encode())
        assert done.output is not None, (done.refusal, text)
        assert term.lower() not in done.output.decode().lower(), text
