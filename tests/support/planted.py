"""Files of every format the sanitiser writes, with invented identities planted in them.

In: a seed.  Out: Planted: the name and bytes of a file, and the values that no copy of it may hold.

Names, houses, numbers and dates are drawn afresh for each file. Half of the last names come from
lists, half are made of syllables and stand in no list.
"""

import csv
import io
import json
import random
import zipfile
from dataclasses import dataclass, field
from datetime import date, timedelta
from email.message import EmailMessage
from xml.sax.saxutils import escape

import openpyxl
import pydicom
from PIL import Image, PngImagePlugin

from dlp.knowledge.names import load_surrogate_names
from tests.support.file_builder import dicom
from tests.support.office_builder import (
    build_docx,
    content_types,
    pack,
    paragraph,
    relations,
    run,
    shape,
    slide,
)
from tests.support.opendocument_builder import build_odf, document, p
from tests.support.pdf_builder import plain_pdf
from tests.support.pdf_form_builder import FormBuilder

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STARTS = ("Bar", "Dre", "Fel", "Gor", "Hal", "Jes", "Kor", "Lam", "Mer", "Nov", "Ros", "Tal", "Ver")
MIDDLES = ("an", "ed", "im", "ol", "un", "av", "er", "is")
ENDS = ("berg", "ski", "ley", "wick", "sen", "ova", "strom", "well", "quist", "enko", "arte")
TRADES = ("Steel", "Logistics", "Bakery", "Insurance", "Motors", "Textiles", "Printing")
STATES = (("IL", "627"), ("TX", "770"), ("OH", "441"), ("NC", "277"), ("CA", "902"))


@dataclass
class Planted:
    """A file and what must leave it, by kind of value."""

    name: str
    data: bytes = field(repr=False)
    values: list[tuple[str, str]]


class Person:
    """Somebody who does not exist, with everything that tells who it is."""

    def __init__(self, draw: random.Random) -> None:
        lists = load_surrogate_names()
        self.first = draw.choice(lists["first"][draw.choice("fm")])
        made = draw.choice(STARTS) + draw.choice(MIDDLES) + draw.choice(ENDS)
        listed = draw.choice(lists["last"][draw.choice(("en", "en", "es", "fr", "de"))])
        self.last = draw.choice((made, made, listed, listed, f"{listed}-{made}", f"O'{made}"))
        house = [draw.choice(STARTS) + draw.choice(MIDDLES) for _ in range(4)]
        self.born = date(1940, 1, 1) + timedelta(days=draw.randrange(26_000))
        self.admitted = date(2019, 1, 1) + timedelta(days=draw.randrange(1_800))
        self.employer = f"{house[0]} {draw.choice(TRADES)}"
        self.home = f"{house[1]} {draw.choice(('Care Home', 'Nursing Home', 'Lodge'))}"
        self.university = draw.choice((f"University of {house[2]}ton", f"{house[2]}ton University"))
        self.user = f"{self.first[0]}{self.last}{draw.randrange(10, 99)}".lower()
        self.handle = f"@{self.first}_{self.last[:4]}{draw.randrange(10, 99)}".lower()
        area, line = draw.randrange(212, 780), f"{draw.randrange(100, 200):04d}"
        self.phone = draw.choice(
            (f"({area}) 555-{line}", f"{area}-555-{line}", f"{area}.555.{line}")
        )
        self.extension = str(draw.randrange(2_000, 9_999))
        self.mrn = str(draw.randrange(10**6, 10**8))
        self.ssn = (
            f"{draw.randrange(100, 660)}-{draw.randrange(10, 99)}-{draw.randrange(1000, 9999)}"
        )
        self.email = f"{self.first}.{self.last}{draw.randrange(99)}@{house[3]}mail.com".lower()
        state, area = draw.choice(STATES)
        self.street = (
            f"{draw.randrange(11, 999)} {house[3]} {draw.choice(('Street', 'Avenue', 'Lane'))}"
        )
        self.city = f"{house[0]}ville"
        self.zip = f"{area}{draw.randrange(10, 99)}"
        self.address = f"{self.street}, {self.city}, {state} {self.zip}"

    @property
    def full(self) -> str:
        return f"{self.first} {self.last}"


def day(value: date, draw: random.Random) -> str:
    forms = (
        value.isoformat(),
        f"{value:%m/%d/%Y}",
        f"{value.day} {value:%B %Y}",
        f"{value:%B} {value.day}, {value.year}",
        f"{value.day}-{value:%b-%Y}",
        f"{value:%d.%m.%Y}",
        f"{value:%Y/%m/%d}",
    )
    return draw.choice(forms)


# How each kind is told; the last name of every file stands with a label at least once.
FRAMES = {
    "name": ("Patient: {}", "Patient name: {}", "Name: {}", "Re: {}, follow-up"),
    "spoken name": ("I saw {} today for asthma.", "{} rang about the asthma.", "Spoke to {}."),
    "last name": ("Mr {} has asthma.", "Mrs {} has asthma.", "Dear Ms {},"),
    "small letters": ("pt {} denies chest pain", "{} rang, asthma worse", "name: {}"),
    "capitals": ("{} - FOLLOW UP IN TWO WEEKS", "PATIENT: {}", "{} SEEN IN CLINIC"),
    "last, first": ("Record of {}", "Patient: {}", "{} - asthma review"),
    "employer": ("Employer: {}", "Works for: {}", "Company: {}", "She works for {} as a driver."),
    "care home": ("Lives at {}.", "Discharged to {}.", "Care home: {}", "Resident of {}."),
    "university": ("Studied at the {} for a year.", "University: {}", "A student at {}."),
    "user name": ("Username: {}", "User name: {}", "Login: {}", "Logged in as {}."),
    "handle": ("Can be reached as {} there.", "Instagram: {}", "Posts as {}."),
    "phone": ("Phone: {}", "Tel: {}", "Mobile: {}", "Call {} after six."),
    "birth date": ("DOB: {}", "Date of birth: {}", "Born: {}", "born on {}"),
    "date": ("Admitted on {} with asthma.", "Seen {}.", "Next visit: {}", "Operation on {}."),
    "record number": ("MRN: {}", "Medical record number: {}", "Hospital no. {}"),
    "social security": ("SSN: {}", "Social security number {}"),
    "e-mail": ("E-mail: {}", "Email: {}", "Write to {}."),
    "city": ("Lives in {} with a dog.", "Moved to {} last year.", "City: {}"),
}
CODE_FRAMES = {
    "Dx: {}": ("B20", "Z21", "F10.20", "F32.1", "A53.9", "F20.0", "O98.711", "F11.20"),
    "ICD-10: {}": ("B20", "F10.21", "F33.1", "A51.0", "B97.35"),
    "ICD-9: {}": ("042", "303.90", "296.20", "097.9"),
    "Codes: I10; {}; J45.909": ("B20", "Z21", "F10.20", "A53.9"),
    "SNOMED {}": ("86406008",),
    "SNOMED CT: {} |Human immunodeficiency virus infection|": ("86406008",),
    "Note: [{}]": ("HIV positive", "Biktarvy", "bipolar disorder"),
    "({}) asthma": ("B20", "F10.20"),
}


def statements(who: Person, draw: random.Random) -> list[tuple[str, str, str]]:
    """Kind, value and a line that holds it; the words of each line are some of several."""
    told = {
        "name": who.full, "spoken name": who.full, "last name": who.last,
        "small letters": who.full.lower(), "capitals": who.full.upper(),
        "last, first": f"{who.last}, {who.first}", "employer": who.employer, "care home": who.home,
        "university": who.university, "user name": who.user, "handle": who.handle,
        "phone": who.phone, "birth date": day(who.born, draw), "date": day(who.admitted, draw),
        "record number": who.mrn, "social security": who.ssn, "e-mail": who.email, "city": who.city,
    }  # fmt: skip
    lines = [(kind, v, draw.choice(FRAMES[kind]).format(v)) for kind, v in told.items()]
    extension = draw.choice((" ext. {}", " x{}", ", extension {}")).format(who.extension)
    lines.append(("extension", extension.lstrip(" ,"), f"Work phone: {who.phone}{extension}"))
    lines.append(("address", who.street, f"Address: {who.address}"))
    frame = draw.choice(tuple(CODE_FRAMES))
    code = draw.choice(CODE_FRAMES[frame])
    lines.append(("code", code, frame.format(code)))
    draw.shuffle(lines)
    return lines


def fields_of(who: Person, draw: random.Random) -> list[tuple[str, str, str]]:
    """Kind, label and value, as tables and forms hold them."""
    born = day(who.born, draw)
    return [
        ("name", "Patient name", who.full), ("birth date", "Date of birth", born),
        ("record number", "MRN", who.mrn), ("social security", "SSN", who.ssn),
        ("phone", "Phone", who.phone), ("e-mail", "Email", who.email),
        ("address", "Street address", who.street), ("city", "City", who.city),
        ("employer", "Employer", who.employer), ("user name", "Username", who.user),
    ]  # fmt: skip


# --------------------------------------------------------------------------------- formats


def text(lines, _draw):
    return "\n".join(lines).encode()


def html(lines, _draw):
    body = "".join(f"<p>{escape(line)}</p>" for line in lines)
    head = (
        f"<title>{escape(lines[0])}</title><meta name='description' content='{escape(lines[1])}'>"
    )
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()


def rtf(lines, _draw):
    return ("{\\rtf1\\ansi " + "\\par ".join(lines) + "}").encode()


def xml(lines, _draw):
    rows = "".join(f"<line>{escape(line)}</line>" for line in lines)
    return f'<?xml version="1.0"?><notes>{rows}</notes>'.encode()


def svg(lines, _draw):
    rows = "".join(f"<text y='{20 * n}'>{escape(s)}</text>" for n, s in enumerate(lines, 1))
    return f'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">{rows}</svg>'.encode()


def json_notes(lines, _draw):
    return json.dumps({"notes": lines}).encode()


def docx(lines, draw):
    body = "".join(paragraph(*(run(piece) for piece in pieces(escape(s), draw))) for s in lines)
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return pack({
        "[Content_Types].xml": content_types(**{"word/document.xml": kind}),
        "_rels/.rels": relations("r1 officeDocument word/document.xml"),
        "word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
    })  # fmt: skip


def pieces(line, draw):
    """A line in runs, as an editor leaves it; an entity stays whole."""
    at = draw.randrange(len(line)) if "&" not in line else 0
    return [piece for piece in (line[:at], line[at:]) if piece]


def docx_places(lines, _draw):
    """A line in every corner of a document that people write in."""
    corners = (
        "body", "table_cell", "header", "footer", "footnote", "endnote", "comment", "text_box",
        "inserted", "deleted", "content_control", "core_title", "core_author", "custom_value",
        "hidden", "alt_text", "comment_author", "app_company", "bookmark", "moved_from",
        "glossary",
    )  # fmt: skip
    return build_docx(dict(zip(corners, map(escape, lines), strict=True)))


def xlsx(lines, _draw):
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    for line in lines:
        book.active.append([line])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def pptx(lines, _draw):
    kind = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    names = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    return pack({
        "[Content_Types].xml": content_types(**{"ppt/presentation.xml": kind}),
        "_rels/.rels": relations("r1 officeDocument ppt/presentation.xml"),
        "ppt/presentation.xml": (
            f'<p:presentation {names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>'
            "</p:presentation>"
        ),
        "ppt/_rels/presentation.xml.rels": relations("rId1 slide slides/slide1.xml"),
        "ppt/slides/slide1.xml": slide("".join(shape(escape(line)) for line in lines)),
    })  # fmt: skip


def odt(lines, _draw):
    return build_odf("text", content=document("text", "".join(p(escape(s)) for s in lines)))


def odp(lines, _draw):
    boxes = "".join(
        f"<draw:frame><draw:text-box>{p(escape(s))}</draw:text-box></draw:frame>" for s in lines
    )
    return build_odf(
        "presentation", content=document("presentation", f"<draw:page>{boxes}</draw:page>")
    )


def ods(lines, _draw):
    rows = "".join(
        f"<table:table-row><table:table-cell>{p(escape(s))}</table:table-cell></table:table-row>"
        for s in lines
    )
    return build_odf(
        "spreadsheet", content=document("spreadsheet", f"<table:table>{rows}</table:table>")
    )


def pdf(lines, _draw):
    drawn = "\n".join(line.replace("(", "\\(").replace(")", "\\)") for line in lines)
    return plain_pdf(drawn)


LINES = {
    "note.txt": text, "page.html": html, "note.rtf": rtf, "note.xml": xml, "drawing.svg": svg,
    "notes.json": json_notes, "letter.docx": docx, "corners.docx": docx_places, "sheet.xlsx": xlsx,
    "talk.pptx": pptx, "letter.odt": odt, "talk.odp": odp, "sheet.ods": ods, "letter.pdf": pdf,
}  # fmt: skip


def mail(draw):
    """Headers, a body, an attachment whose name tells who and what."""
    who, other = Person(draw), Person(draw)
    said, held = statements(who, draw), statements(other, draw)
    message = EmailMessage()
    message["From"] = f"{other.full} <{other.email}>"
    message["To"] = who.email
    message["Subject"] = f"About {who.full}"
    message["Date"] = f"{who.admitted:%a, %d %b %Y} 10:00:00 +0000"
    message.set_content("\n".join(line for _, _, line in said))
    attached = f"{other.last} {other.first} {other.born} depression.txt"
    body = "\n".join(line for _, _, line in held)
    message.add_attachment(body.encode(), "text", "plain", filename=attached)
    values = [(kind, value) for kind, value, _ in (*said, *held)]
    named = [
        ("attachment name", f"{other.last} {other.first}"),
        ("attachment name", str(other.born)),
    ]
    return message.as_bytes(), [*values, *named]


def archive(draw):
    values, out = [], io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for make, ending in ((text, "txt"), (docx, "docx"), (html, "html")):
            who = Person(draw)
            said = statements(who, draw)
            packed.writestr(
                f"{who.first}_{who.last}/{who.last}-{who.mrn}.{ending}",
                make([line for _, _, line in said], draw),
            )
            values += [(kind, value) for kind, value, _ in said]
            values += [("member name", who.last), ("member name", who.mrn)]
    return out.getvalue(), values


def rows_of(draw, people):
    rows = [fields_of(Person(draw), draw) for _ in range(people)]
    return [[label for _, label, _ in rows[0]], *([v for _, _, v in row] for row in rows)], [
        (kind, value) for row in rows for kind, _, value in row
    ]


def csv_table(draw):
    rows, values = rows_of(draw, 3)
    out = io.StringIO()
    csv.writer(out).writerows(
        [*row, note] for row, note in zip(rows, ("Note", "asthma", "gout", "asthma"), strict=True)
    )
    return out.getvalue().encode(), values


def tsv_table(draw):
    rows, values = rows_of(draw, 3)
    return "\n".join("\t".join(row) for row in rows).encode(), values


def xlsx_table(draw):
    rows, values = rows_of(draw, 3)
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue(), values


def json_record(draw):
    fields = fields_of(Person(draw), draw)
    held = {label.lower().replace(" ", "_"): value for _, label, value in fields}
    return json.dumps({"patient": held, "diagnosis": "asthma"}).encode(), [
        (kind, value) for kind, _, value in fields
    ]


def json_lines(draw):
    people = [Person(draw) for _ in range(3)]
    rows = [fields_of(who, draw) for who in people]
    text = "\n".join(json.dumps({label: v for _, label, v in row}) for row in rows)
    return text.encode(), [(kind, value) for row in rows for kind, _, value in row]


def fhir(draw):
    who = Person(draw)
    held = {
        "resourceType": "Patient", "id": "p1",
        "identifier": [{"system": "urn:mrn", "value": who.mrn}],
        "name": [{"family": who.last, "given": [who.first], "text": who.full}],
        "telecom": [{"system": "phone", "value": who.phone}, {"system": "email", "value": who.email}],
        "birthDate": str(who.born),
        "address": [{"line": [who.street], "city": who.city, "postalCode": who.zip}],
    }  # fmt: skip
    return json.dumps(held).encode(), [
        ("name", who.full), ("last name", who.last), ("record number", who.mrn),
        ("phone", who.phone), ("e-mail", who.email), ("birth date", str(who.born)),
        ("address", who.street), ("city", who.city),
    ]  # fmt: skip


PROTECTED = (
    ("B20", "Human immunodeficiency virus disease", "86406008"),
    ("F10.20", "Alcohol dependence", "66590003"),
    ("F33.1", "Major depressive disorder", "370143000"),
    ("A53.9", "Syphilis", "76272004"),
)


def hl7_message(draw):
    """An HL7 version 2 result; the doctor and the next of kin are people of their own."""
    who, doctor, kin = Person(draw), Person(draw), Person(draw)
    code, words, snomed = draw.choice(PROTECTED)
    order = f"ORD{draw.randrange(10**5, 10**6)}"
    born, seen = f"{who.born:%Y%m%d}", f"{who.admitted:%Y%m%d}"
    named = f"{who.last}^{who.first}".upper()
    town = f"{who.street}^^{who.city}^OH^{who.zip}"
    segments = (
        f"MSH|^~\\&|LAB|{who.employer}|EHR|HUB|{seen}1015||ORU^R01|M{order}|P|2.5",
        f"PID|1||{who.mrn}^^^HUB^MR||{named}||{born}|F|||{town}||{who.phone}|||M||{order}|{who.ssn}",
        f"NK1|1|{kin.last}^{kin.first}|SIS|{kin.street}^^{kin.city}|{kin.phone}",
        f"PV1|1|O|CLIN||||{doctor.mrn}^{doctor.last}^{doctor.first}^^^DR",
        f"OBR|1|{order}||2160-0^Creatinine^LN|||{seen}0905",
        "OBX|1|NM|2160-0^Creatinine^LN||0.9|mg/dL|0.6-1.1|N|||F",
        f"DG1|1||{code}^{words}^I10||{seen}",
        f"DG1|2||{snomed}^{words}^SCT||{seen}",
        f"NTE|1||{who.full} rang, asthma worse, will see Dr {doctor.last} on {who.admitted}.",
    )
    values = [
        ("name", who.last), ("name", who.first), ("record number", who.mrn), ("birth date", born),
        ("date", seen), ("date", str(who.admitted)), ("address", who.street), ("city", who.city),
        ("phone", who.phone), ("social security", who.ssn), ("order", order),
        ("employer", who.employer), ("kin", kin.last), ("kin", kin.first), ("kin", kin.street),
        ("kin", kin.city), ("kin", kin.phone), ("doctor", doctor.last), ("doctor", doctor.first),
        ("doctor", doctor.mrn), ("code", code), ("code", snomed), ("code", words),
    ]  # fmt: skip
    return "\r".join(segments).encode(), values


def clinical_document(draw):
    """A C-CDA with its header, a table and coded entries."""
    who, doctor = Person(draw), Person(draw)
    code, words, snomed = draw.choice(PROTECTED)
    number = f"DOC-{draw.randrange(10**4, 10**5)}"
    name = "<name><given>{0.first}</given><family>{0.last}</family></name>"
    held = (
        '<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f'<id root="1.2.3" extension="{number}"/><title>Summary of {escape(who.full)}</title>'
        f'<effectiveTime value="{who.admitted:%Y%m%d}1015"/><recordTarget><patientRole>'
        f'<id root="1.2.4" extension="{who.mrn}"/><addr><streetAddressLine>{who.street}'
        f"</streetAddressLine><city>{who.city}</city><postalCode>{who.zip}</postalCode></addr>"
        f'<telecom value="tel:{who.phone}"/><patient>{name.format(who)}'
        f'<birthTime value="{who.born:%Y%m%d}"/></patient></patientRole></recordTarget><author>'
        f'<assignedAuthor><id root="2.16.840.1.113883.4.6" extension="{doctor.mrn}"/>'
        f"<assignedPerson>{name.format(doctor)}</assignedPerson></assignedAuthor></author>"
        "<component><structuredBody><component><section><title>Problems</title><text><table><tbody>"
        f"<tr><td>{words}</td><td>{code}</td><td>{who.admitted}</td></tr>"
        "<tr><td>Asthma</td><td>J45.909</td><td>2012</td></tr></tbody></table><paragraph>"
        f"Ms. {escape(who.last)} works for {who.employer} and lives in {who.city}.</paragraph></text>"
        f'<entry><observation><value xsi:type="CD" code="{snomed}" displayName="{words}" '
        'codeSystem="2.16.840.1.113883.6.96"/></observation></entry></section></component>'
        "</structuredBody></component></ClinicalDocument>"
    )
    values = [
        ("name", who.last), ("name", who.first), ("record number", who.mrn), ("document", number),
        ("birth date", f"{who.born:%Y%m%d}"), ("date", f"{who.admitted:%Y%m%d}"),
        ("date", str(who.admitted)), ("address", who.street), ("city", who.city),
        ("phone", who.phone), ("employer", who.employer), ("doctor", doctor.last),
        ("doctor", doctor.first), ("doctor", doctor.mrn), ("code", code), ("code", snomed),
        ("code", words),
    ]  # fmt: skip
    return held.encode(), values


def fhir_bundle(draw):
    """A patient, coded conditions with and without display, a practitioner by name."""
    who, doctor = Person(draw), Person(draw)
    code, words, snomed = draw.choice(PROTECTED)
    icd, sct = "http://hl7.org/fhir/sid/icd-10-cm", "http://snomed.info/sct"
    resources = (
        {"resourceType": "Patient", "id": f"pat{who.mrn}", "birthDate": str(who.born),
         "name": [{"family": who.last, "given": [who.first]}],
         "identifier": [{"system": "urn:mrn", "value": who.mrn}]},
        {"resourceType": "Condition", "onsetDateTime": str(who.admitted),
         "subject": {"reference": f"Patient/pat{who.mrn}", "display": who.full},
         "code": {"coding": [{"system": icd, "code": code, "display": words},
                             {"system": sct, "code": snomed}], "text": words}},
        {"resourceType": "Condition",
         "code": {"coding": [{"system": sct, "code": "195967001", "display": "Asthma"}]}},
        {"resourceType": "Practitioner", "name": [{"family": doctor.last, "given": [doctor.first]}],
         "identifier": [{"system": "http://hl7.org/fhir/sid/us-npi", "value": doctor.mrn}]},
    )  # fmt: skip
    values = [
        ("name", who.last), ("name", who.first), ("name", who.full), ("record number", who.mrn),
        ("birth date", str(who.born)), ("date", str(who.admitted)), ("doctor", doctor.last),
        ("doctor", doctor.first), ("doctor", doctor.mrn), ("code", code), ("code", snomed),
        ("code", words),
    ]  # fmt: skip
    bundle = {"resourceType": "Bundle", "entry": [{"resource": one} for one in resources]}
    return json.dumps(bundle).encode(), values


def pdf_form(draw):
    who = Person(draw)
    fields = fields_of(who, draw)
    form = FormBuilder(draw.choice(("opaque", "xfa", "words")))
    for _, label, value in fields:
        form.text(label, value, above=draw.random() < 0.5)
    form.text("Reason for visit", f"{who.first} has asthma since {who.admitted:%B %Y}")
    form.box("Smoker", ticked=draw.random() < 0.5)
    form.radio("Allergies?", draw.choice(("Yes", "No")))
    values = [(kind, value) for kind, _, value in fields]
    return form.bytes(), [*values, ("date", f"{who.admitted:%B %Y}")]


def picture(kind):
    def make(draw):
        who, out = Person(draw), io.BytesIO()
        image = Image.new("RGB", (60, 40), "white")
        said = f"{who.full}, MRN {who.mrn}"
        if kind == "PNG":
            texts = PngImagePlugin.PngInfo()
            texts.add_text("Comment", said)
            image.save(out, kind, pnginfo=texts)
        elif kind == "GIF":
            image.save(out, kind, comment=said.encode())
        else:
            exif = Image.Exif()
            exif[0x010E] = said
            image.save(out, kind, exif=exif, comment=said.encode())
        return out.getvalue(), [("name", who.full), ("record number", who.mrn)]

    return make


def scan(draw):
    who = Person(draw)
    data = dicom(
        PatientName=f"{who.last}^{who.first}", PatientID=who.mrn,
        PatientBirthDate=f"{who.born:%Y%m%d}", StudyDate=f"{who.admitted:%Y%m%d}",
        PatientAddress=who.address, PatientTelephoneNumbers=who.phone,
        InstitutionName=who.home, OtherPatientIDs=who.ssn,
        PatientComments=f"{who.full} has asthma",
    )  # fmt: skip
    assert pydicom.dcmread(io.BytesIO(data)).PatientID == who.mrn
    return data, [
        ("name", who.full), ("last name", who.last), ("record number", who.mrn),
        ("birth date", f"{who.born:%Y%m%d}"), ("date", f"{who.admitted:%Y%m%d}"),
        ("address", who.street), ("phone", who.phone), ("care home", who.home),
        ("social security", who.ssn),
    ]  # fmt: skip


RECORDS = {
    "letter.eml": mail, "bundle.zip": archive, "people.csv": csv_table, "people.tsv": tsv_table,
    "people.xlsx": xlsx_table, "record.json": json_record, "records.ndjson": json_lines,
    "patient.json": fhir, "bundle.json": fhir_bundle, "message.hl7": hl7_message,
    "summary.xml": clinical_document, "form.pdf": pdf_form, "picture.png": picture("PNG"),
    "picture.jpg": picture("JPEG"), "picture.gif": picture("GIF"), "scan.dcm": scan,
}  # fmt: skip


def title_of(who: Person, draw: random.Random) -> str:
    """A file name that tells who and what."""
    return draw.choice((
        f"{who.last} {who.first} {who.born} depression", f"{who.last}_{who.first}_{who.mrn}",
        f"{who.first}{who.last}-referral", f"{who.born:%Y%m%d} {who.full}",
    ))  # fmt: skip


def planted(seed: int) -> list[Planted]:
    """One file of every kind; the names of some tell who and what."""
    made = []
    for number, name in enumerate((*LINES, *RECORDS)):
        draw = random.Random(f"planted {seed} {name}")
        if name in LINES:
            who = Person(draw)
            said = statements(who, draw)
            data = LINES[name]([line for _, _, line in said], draw)
            values = [(kind, value) for kind, value, _ in said]
            if number % 3 == 0:
                ending = name.rpartition(".")[2]
                name = f"{title_of(who, draw)}.{ending}"  # noqa: PLW2901
                values.append(("file name", who.last))
        else:
            data, values = RECORDS[name](draw)
        made.append(Planted(f"{seed}-{name}", data, values))
    return made
