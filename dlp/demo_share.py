"""A small invented share: what a careless team leaves on a file server.

In: an empty folder.  Out: files in it. Every person is made up; numbers fail their checks or
belong to ranges kept for fiction.
"""

from __future__ import annotations

import io
from html import escape
from pathlib import Path

DISCHARGE = """Lakeshore General Hospital — Discharge summary

Patient: Marisol Quintero        MRN: 4471902        DOB: 14/03/1961
Address: 212 Maple Crescent, Ottawa, ON K1H 8L1
Attending: Dr. A. Whitcombe

Mrs Quintero was admitted with shortness of breath and chest pain. She is known to have
HIV infection, treated with dolutegravir and lamivudine, and type 2 diabetes on metformin.
Chest X-ray showed right lower lobe pneumonia. No history of tuberculosis.
She was discharged home on amoxicillin. Follow-up with her family physician in one week.
"""

FAMILY_MAIL = """Hi Tamsin,

Sorry for the silence. Our daughter Imogen was told last week that she has diabetes, and we
spent three days at the children's hospital learning about insulin. She is brave about it.
We moved too: the new address is 48 Oak Lane, Halifax. Call me on (902) 555-0143.

Love, Rosalind Pettigrew
"""

LEAFLET = """Living with type 2 diabetes

Type 2 diabetes means that the body does not use insulin well. People with diabetes should eat
regular meals, stay active and take their tablets as the nurse explained. Common medicines are
metformin and gliclazide. Ask your doctor about your feet and your eyes once a year.
"""

NOVEL = """Chapter One

The ferry was late, as it always was when the wind turned, and old Barnaby Crake stood at the
rail and counted gulls. "You'll catch your death," said the captain, and laughed. Nobody on the
island had ever caught anything but herring.
"""

RESUME = """Curriculum vitae

Wilma Rasmussen, registered nurse
9 King Edward Ave, Fredericton NB, w.rasmussen@example.org

2012-2019 Staff nurse, oncology ward: chemotherapy, central lines, palliative care.
2008-2012 Diabetes clinic: education of patients with insulin pumps.
"""

BLANK_FORM = """Insurance claim form

Name of insured: ______________________   Date of birth: ____/____/______
Address: ________________________________________________
Diagnosis: ______________________   Treating physician: ______________________
"""

MINUTES = """Minutes of the parking committee

Present: three members. The barrier at gate B is broken again. A quote for the repair is
expected in May. The committee will meet again after the holidays.
"""

SHORTHAND = """Pt Yusuf Nakamura, 74 yo M, MRN 5530187
c/o SOB, hx CHF, HTN, s/p CABG. BP 130/80. EtOH abuse, last drink 2 d ago.
Plan: furosemide 40 mg b.i.d., lisinopril, CIWA. F/u 1 wk.
"""

PATIENTS = (
    ("last_name", "first_name", "birth_date", "phone", "city", "diagnosis", "medication"),
    ("Baptiste", "Lamar", "1954-07-02", "(613) 555-0102", "Ottawa", "Schizophrenia", "clozapine"),
    ("Jankowski", "Edith", "1988-11-23", "(613) 555-0117", "Ottawa", "Asthma", "salbutamol"),
    ("Sokolov", "Dmitri", "1979-01-30", "(902) 555-0155", "Halifax", "Alcoholism", "naltrexone"),
    ("Zeller", "Greta", "1946-05-19", "(506) 555-0168", "Moncton", "Breast cancer", "letrozole"),
)


def build(folder: Path) -> int:
    """Write the share; returns the number of files."""
    files: dict[str, bytes] = {
        "wards/discharge Quintero.docx": docx(DISCHARGE),
        "wards/scan0007.txt": SHORTHAND.encode("utf-16"),
        "exports/clinic list.csv": table(PATIENTS).encode(),
        "exports/old backup.zip": zipped({"letter.txt": DISCHARGE.encode()}),
        "mail/fwd.eml": mail(FAMILY_MAIL),
        "public/leaflet.html": html(LEAFLET).encode(),
        "public/the herring island.txt": NOVEL.encode(),
        "staff/application.docx": docx(RESUME),
        "forms/claim.txt": BLANK_FORM.encode(),
        "forms/claim (copy).txt": BLANK_FORM.encode(),
        "office/minutes.docx": docx(MINUTES),
        "office/locked.zip": encrypted_zip(),
        "office/empty.txt": b"",
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return len(files)


def table(rows: tuple[tuple[str, ...], ...]) -> str:
    return "".join(",".join(row) + "\n" for row in rows)


def html(text: str) -> str:
    body = escape(text, quote=False)
    return f"<html><head><title>Leaflet</title></head><body><pre>{body}</pre></body></html>"


def mail(text: str) -> bytes:
    from email.message import EmailMessage  # noqa: PLC0415 - every start reads the texts above

    message = EmailMessage()
    message["From"] = "Rosalind Pettigrew <rosalind@example.org>"
    message["To"] = "tamsin@example.org"
    message["Subject"] = "our news"
    message.set_content(text)
    return bytes(message)


def zipped(members: dict[str, bytes]) -> bytes:
    import zipfile  # noqa: PLC0415 - as above

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def encrypted_zip() -> bytes:
    """A member that claims encryption: the flag is set, the bytes are noise."""
    raw = bytearray(zipped({"salaries.txt": bytes(range(256)) * 2}))
    for signature, flag_offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(signature) + flag_offset] |= 1
    return bytes(raw)


def docx(text: str) -> bytes:
    """The smallest document that Word opens."""
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    package = "http://schemas.openxmlformats.org/package/2006"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    paragraphs = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{escape(line, quote=False)}</w:t></w:r></w:p>'
        for line in text.splitlines()
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{relation}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{word}"><w:body>'
        f"{paragraphs}</w:body></w:document>",
    }
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    return zipped({name: (head + xml).encode() for name, xml in parts.items()})
