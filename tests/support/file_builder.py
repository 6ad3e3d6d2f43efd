"""Small whole files of every format, with synthetic people in them.

In: nothing.  Out: SAMPLES: name of the file to (bytes, words a reader must find).
"""

import base64
import bz2
import datetime as dt
import gzip
import io
import lzma
import sqlite3
import struct
import tarfile
import zipfile

import pikepdf
import py7zr
import pyarrow as pa
import pydicom
from PIL import Image, PngImagePlugin
from pyarrow import parquet
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

NOTE = b"Ada Example, born 2 March 1950, has asthma.\n"

CCDA = b"""<?xml version="1.0"?>
<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Health Summary</title>
<recordTarget><patientRole><id extension="998-11-2222" root="2.16.840.1.113883.4.1"/>
<addr><streetAddressLine>1 Test Street</streetAddressLine><city>Springfield</city></addr>
<patient><name use="L"><given>Ada</given><family>Example</family></name>
<birthTime value="19500302"/></patient></patientRole></recordTarget>
<author><assignedAuthor><assignedPerson><name><given>Grace</given><family>Sample</family></name>
</assignedPerson></assignedAuthor></author>
<component><section><text><table><tr><td>Asthma</td><td>Active</td></tr></table></text></section>
</component></ClinicalDocument>"""

FHIR = b"""{"resourceType": "Bundle", "entry": [
 {"fullUrl": "urn:1", "resource": {"resourceType": "Patient", "id": "1",
   "name": [{"family": "Example", "given": ["Ada", "Zo\\u00eb"]}], "birthDate": "1950-03-02"}},
 {"resource": {"resourceType": "Condition", "code": {"text": "Asthma"},
   "text": {"div": "<div>Seen by <b>Dr</b> Sample</div>"}}}]}"""

HL7 = (
    b"MSH|^~\\&|LAB|HOSP|EHR|HOSP|202403021200||ORU^R01|1|P|2.5\r"
    b"PID|1||12345^^^HOSP^MR||Example^Ada^Zo||19500302|F|||1 Test Street^^Springfield^^12345\r"
    b"OBX|1|TX|1^Note||Asthma \\T\\ cough\\.br\\stable||||||F\r"
)

HTML = b"""<!doctype html><html><head><title>Record of Ada</title>
<meta name="author" content="Grace Sample"><style>p{color:red}</style>
<script>var patient = "Ada Example 19500302"; var i = "x";</script></head>
<body><!-- MRN 12345 --><p>Ada <b>Exam</b>ple has<br>asthma</p><table><tr><td>DOB</td><td>1950</td></tr></table>
<img alt="scan of Ada" src="data:text/plain;base64,QXR0YWNoZWQgd29yZHM="><form>
<input type="hidden" name="ssn" value="998-11-2222"></form><a href="mailto:ada@example.org">mail</a></body></html>"""

EML = (
    b"Received: from a by b\r\nFrom: Grace Sample <grace@example.org>\r\nTo: ada@example.org\r\n"
    b"Subject: =?utf-8?q?R=C3=A9sum=C3=A9_of_Ada?=\r\nDate: Mon, 4 Mar 2024 10:00:00 +0000\r\n"
    b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
    b"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nAda has asthma.\r\n"
    b"--b\r\nContent-Type: text/html\r\n\r\n<p>Ada has <b>asthma</b> indeed</p>\r\n"
    b'--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="Ada.txt"\r\n'
    b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(NOTE) + b"\r\n--b--\r\n"
)
MBOX = b"From a@example.org Mon Mar  4 10:00:00 2024\n" + EML.replace(b"\r\n", b"\n")
CSV = (
    b'name,"birth date",mrn\r\n"Example, Ada",1950-03-02,12345\r\nSample Grace,1960-01-01,54321\r\n'
)
VCF = (
    b"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada Example\r\nTEL;TYPE=home:+1 555 0100\r\n"
    b"NOTE:asthma since\r\n  childhood\r\nEND:VCARD\r\n"
)


def zipped():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/Ada.txt", NOTE)
        archive.comment = b"archive of Ada"
    return out.getvalue()


def tarred():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        member = tarfile.TarInfo("folder/Ada.txt")
        member.size = len(NOTE)
        archive.addfile(member, io.BytesIO(NOTE))
    return out.getvalue()


def seven_zipped(password=None):
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w", password=password) as archive:
        archive.writestr(NOTE, "Ada.txt")
    return out.getvalue()


def pdf(*, password=""):
    document = pikepdf.new()
    content = b"BT /F1 12 Tf 72 700 Td (Ada Example has asthma) Tj ET"
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
    )
    document.add_blank_page(page_size=(612, 792))
    page = document.pages[0]
    page.Contents = document.make_stream(content)
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
    note = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot,
        Subtype=pikepdf.Name.Text,
        Rect=[0, 0, 10, 10],
        Contents=pikepdf.String("annotated cough"),
    )
    page.Annots = pikepdf.Array([document.make_indirect(note)])
    field = document.make_indirect(
        pikepdf.Dictionary(
            FT=pikepdf.Name.Tx,
            T=pikepdf.String("ssn"),
            TU=pikepdf.String("Social number"),
            V=pikepdf.String("998-11-2222"),
            Rect=[0, 0, 1, 1],
        )
    )
    document.Root.AcroForm = pikepdf.Dictionary(Fields=[field])
    document.docinfo["/Title"] = "Record of Ada"
    document.docinfo["/Author"] = "Grace Sample"
    document.attachments["Ada.txt"] = NOTE
    out = io.BytesIO()
    with document.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Chapter of Ada", 0))
    encryption = pikepdf.Encryption(user=password, owner=password) if password else False
    document.save(out, encryption=encryption)
    return out.getvalue()


def scanned_pdf():
    out = io.BytesIO()
    Image.new("L", (600, 800), 255).save(out, "PDF")
    return out.getvalue()


def dicom(**more):
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.2"
    meta.MediaStorageSOPInstanceUID = "1.2.3"
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data = FileDataset("", {}, file_meta=meta, preamble=bytes(128))
    data.PatientName = "Example^Ada^Zo"
    data.PatientBirthDate = "19500302"
    data.PatientID = "12345"
    data.Modality = "CT"
    for key, value in more.items():
        setattr(data, key, value)
    out = io.BytesIO()
    pydicom.dcmwrite(out, data, enforce_file_format=True)
    return out.getvalue()


def picture(kind="PNG", size=(300, 200)):
    out = io.BytesIO()
    image = Image.new("RGB", size, "white")
    if kind == "PNG":
        texts = PngImagePlugin.PngInfo()
        texts.add_text("Comment", "portrait of Ada Example", zip=True)
        image.save(out, kind, pnginfo=texts)
    elif kind == "JPEG":
        exif = Image.Exif()
        exif[0x010E] = "portrait of Ada Example"
        image.save(out, kind, exif=exif, comment=b"taken by Grace Sample")
    else:
        image.save(out, kind, description="portrait of Ada Example")
    return out.getvalue()


def sqlite():
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE patients (name TEXT, born TEXT, file BLOB, weight REAL)")
        row = ("Ada Example", "1950-03-02", NOTE, 61.5)
        database.execute("INSERT INTO patients VALUES (?, ?, ?, ?)", row)
        database.commit()
        return database.serialize()


def dbf():
    columns = [(b"NAME", b"C", 20), (b"BORN", b"D", 8)]
    widths = 1 + sum(width for _, _, width in columns)
    head = struct.pack("<BBBBIHH20x", 3, 124, 3, 4, 2, 32 + 32 * len(columns) + 1, widths)
    for name, kind, width in columns:
        head += struct.pack("<11sc4xB15x", name, kind, width)
    rows = (
        b" "
        + b"Ada Example".ljust(20)
        + b"19500302"
        + b"*"
        + b"Grace Sample".ljust(20)
        + b"19600101"
    )
    return head + b"\r" + rows + b"\x1a"


def tnef():
    """Subject, body, one attachment: level, number, type, length, data, checksum."""
    out = struct.pack("<LH", 0x223E9F78, 1)
    for level, number, value in (
        (1, 0x8004, b"About Ada\0"), (1, 0x800C, b"Ada has asthma.\0"), (2, 0x9002, bytes(14)),
        (2, 0x8010, b"Ada.txt\0"), (2, 0x800F, NOTE),
    ):  # fmt: skip
        out += struct.pack("<BHHL", level, number, 6, len(value)) + value
        out += struct.pack("<H", sum(value) & 0xFFFF)
    return out


def parquet_table():
    """A nested cell, a cell that is a file, and a note of the writer."""
    rows = [
        {"name": "Ada Example", "born": dt.date(1950, 3, 2),
         "visits": [{"finding": "asthma"}, {"finding": "cough"}], "letter": NOTE},
        {"name": "Grace Sample", "born": None, "visits": [], "letter": None},
    ]  # fmt: skip
    table = pa.Table.from_pylist(rows).replace_schema_metadata({"about": "table of Ada"})
    out = io.BytesIO()
    parquet.write_table(table, out, compression="zstd")
    return out.getvalue()


SAMPLES = {
    "note.txt": (NOTE, ["Ada Example", "asthma"]),
    "table.csv": (CSV, ["Example, Ada", "12345"]),
    "page.html": (HTML, ["Ada Example has", "Grace Sample", "MRN 12345", "998-11-2222", "19500302"]),
    "record.xml": (CCDA, ["Ada Example", "1950-03-02", "998-11-2222", "Asthma\tActive"]),
    "bundle.json": (FHIR, ["Example", "Zoë", "1950-03-02", "Asthma", "Seen by Dr Sample"]),
    "lines.ndjson": (b'{"name": "Ada"}\n{"name": "Grace"}\n', ["Ada", "Grace"]),
    "result.hl7": (HL7, ["Example, Ada Zo", "1950-03-02", "Asthma & cough\nstable"]),
    "letter.eml": (EML, ["Grace Sample", "Résumé of Ada", "Ada has asthma", "asthma indeed"]),
    "box.mbox": (MBOX, ["Grace Sample", "Ada has asthma", "Ada Example"]),
    "archive.zip": (zipped(), ["Ada.txt", "archive of Ada", "Ada Example"]),
    "archive.tar": (tarred(), ["Ada.txt", "Ada Example"]),
    "archive.tgz": (gzip.compress(tarred()), ["Ada.txt", "Ada Example"]),
    "note.gz": (gzip.compress(NOTE), ["Ada Example"]),
    "note.bz2": (bz2.compress(NOTE), ["Ada Example"]),
    "note.xz": (lzma.compress(NOTE), ["Ada Example"]),
    "archive.7z": (seven_zipped(), ["Ada.txt", "Ada Example"]),
    "letter.pdf": (
        pdf(),
        ["Ada Example has asthma", "annotated cough", "998-11-2222", "Grace Sample", "Chapter of Ada",
         "born 2 March"],
    ),
    "scan.dcm": (dicom(), ["Example, Ada Zo", "1950-03-02", "12345"]),
    "photo.png": (picture("PNG"), ["portrait of Ada Example"]),
    "photo.jpg": (picture("JPEG"), ["portrait of Ada Example", "taken by Grace Sample"]),
    "photo.tif": (picture("TIFF"), ["portrait of Ada Example"]),
    "people.sqlite": (sqlite(), ["Ada Example", "1950-03-02", "born 2 March"]),
    "winmail.dat": (tnef(), ["About Ada", "Ada has asthma.", "born 2 March", "Ada.txt"]),
    "people.parquet": (
        parquet_table(),
        ["Ada Example", "1950-03-02", "asthma", "Grace Sample", "table of Ada", "born 2 March"],
    ),
    "people.dbf": (dbf(), ["Ada Example", "1950-03-02", "Grace Sample"]),
    "contact.vcf": (VCF, ["Ada Example", "+1 555 0100"]),
}  # fmt: skip
