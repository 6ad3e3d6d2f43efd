"""One small, whole file of every kind the product reads, made on the spot."""

import bz2
import gzip
import io
import json
import lzma
import sqlite3
import tarfile
import zipfile
from email.message import EmailMessage

import pikepdf
import py7zr
from PIL import Image
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian, generate_uid

from tests.support import office_builder, opendocument_builder

NUMBERS = """
NHS number 943 476 5919, SSN 219-09-9999, phone +44 20 7946 0958, phone +49 30 901820, fax (212) 555-0123,
tel. 01 42 68 53 00, IBAN GB82 WEST 1234 5698 7654 32, card 4111 1111 1111 1111, IMEI 490154203237518,
CPF 529.982.247-25, BSN 111222333, NIR 2 53 04 75 056 001 45, PESEL 44051401359, personnummer 811228-9874,
codice fiscale RSSMRA85T10A562S, DNI 54362315K, SIN 046 454 286, TFN 123 456 782, BIC DEUTDEFF500,
Aadhaar 2341 2341 2346, PAN ABCPE1234F, CURP BOXW310820HNERXN09, RUT 12.531.909-2, 192.0.2.7, jane@example.org
"""
TEXT = "Mrs Jane Sample of 1 Example Street, born 4 May 1950, was seen for asthma.\n" * 3


def mail():
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", "note"
    message["Date"] = "Mon, 01 Jan 2024 10:00:00 +0100"
    message.set_content(TEXT)
    message.add_alternative(f"<p>{TEXT}</p>", subtype="html")
    forwarded = EmailMessage()
    forwarded["Subject"] = "Fwd: J\u00fcrgen"
    forwarded.set_content(TEXT, charset="iso-8859-2")
    message.add_attachment(forwarded)
    message.add_attachment(
        office_builder.build_docx(), "application", "octet-stream", filename="a.docx"
    )
    return message.as_bytes()


def packed(write):
    target = io.BytesIO()
    write(target)
    return target.getvalue()


def tar():
    def write(target):
        with tarfile.open(fileobj=target, mode="w:xz") as archive:
            member = tarfile.TarInfo("note.txt")
            member.size = len(TEXT)
            archive.addfile(member, io.BytesIO(TEXT.encode()))

    return packed(write)


def zipped():
    def write(target):
        with zipfile.ZipFile(target, "w", zipfile.ZIP_BZIP2) as archive:
            archive.writestr("J\u00fcrgen/note.txt", TEXT)
            archive.writestr("a.xlsx", office_builder.build_xlsx())

    return packed(write)


def seven_zip():
    def write(target):
        with py7zr.SevenZipFile(target, "w") as archive:
            archive.writestr(TEXT, "note.txt")
            archive.writestr(TEXT, "folder/other.txt")

    return packed(write)


def database(folder):
    path = folder / "making.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table patient (name text, born text)")
        connection.execute("insert into patient values ('Jane Sample', '1950-05-04')")
    connection.close()
    content = path.read_bytes()
    path.unlink()
    return content


def pdf():
    document = pikepdf.new()
    document.add_blank_page()
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
    )
    page = document.pages[0]
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=document.make_indirect(font)))
    page.Contents = document.make_stream(b"BT /F1 12 Tf 72 700 Td (Jane Sample, asthma) Tj ET")
    document.docinfo["/Title"] = "Note"
    document.attachments["inner.txt"] = TEXT.encode()
    return packed(document.save)


def dicom():
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = CTImageStorage
    meta.MediaStorageSOPInstanceUID = generate_uid()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    dataset = FileDataset("x", {}, file_meta=meta, preamble=b"\0" * 128)
    dataset.SpecificCharacterSet = "ISO_IR 144"
    dataset.PatientName, dataset.PatientID = "Sample^Jane", "4711"
    dataset.PatientBirthDate, dataset.Modality = "19500504", "CT"
    return packed(lambda target: dataset.save_as(target, enforce_file_format=True))


def picture(kind, **options):
    image = Image.new("RGB", (40, 20), "white")
    exif = image.getexif()
    exif[0x010E] = "Jane Sample"
    return packed(lambda target: image.save(target, kind, exif=exif, **options))


def one_of_each(folder):
    """Write them; returns how many."""
    samples = {
        "plain.txt": TEXT.encode(),
        "numbers.txt": NUMBERS.encode(),
        "utf16.txt": TEXT.encode("utf-16"),
        "cp1252.txt": (TEXT + "Zo\u00eb\u2019s caf\u00e9\n").encode("cp1252"),
        "koi8.txt": ("\u0438\u0441\u0442\u043e\u0440\u0438\u044f \u0431\u043e\u043b\u0435\u0437\u043d\u0438 " * 30).encode("koi8-r"),
        "sjis.txt": ("\u60a3\u8005\u306e\u8a18\u9332\u3067\u3059\u3002" * 30).encode("shift_jis"),
        "table.csv": b"name,born\nJane Sample,1950-05-04\n",
        "page.html": f"<html><head><title>Note</title></head><body>{TEXT}</body></html>".encode(),
        "note.xml": b'<?xml version="1.0"?><!DOCTYPE note SYSTEM "note.dtd"><note><name>Jane</name></note>',
        "patient.json": json.dumps({"resourceType": "Patient", "name": [{"family": "Sample"}]}).encode(),
        "message.hl7": b"MSH|^~\\&|A|B|C|D|20240101||ADT^A01|1|P|2.5\rPID|1||4711||Sample^Jane||19500504|F\r",
        "note.rtf": rb"{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 Jane Sample\par asthma}",
        "note.docx": office_builder.build_docx(),
        "table.xlsx": office_builder.build_xlsx(),
        "slides.pptx": office_builder.build_pptx(),
        **{f"note.{kind}": opendocument_builder.build_odf(kind) for kind in opendocument_builder.PLACES},
        "note.pdf": pdf(),
        "note.eml": mail(),
        "box.mbox": b"From a@example.org Mon Jan  1 10:00:00 2024\n" + mail() + b"\n",
        "note.gz": gzip.compress(TEXT.encode(), mtime=0),
        "note.bz2": bz2.compress(TEXT.encode()),
        "note.xz": lzma.compress(TEXT.encode()),
        "notes.tar": tar(),
        "notes.zip": zipped(),
        "notes.7z": seven_zip(),
        "patients.sqlite": database(folder),
        "scan.dcm": dicom(),
        "photo.jpg": picture("JPEG"),
        "photo.png": picture("PNG"),
        "photo.tif": picture("TIFF"),
        "photo.webp": picture("WEBP"),
        "photo.gif": picture("GIF"),
        "empty": b"",
        "noise.bin": bytes(range(256)) * 20,
    }  # fmt: skip
    for name, content in samples.items():
        (folder / name).write_bytes(content)
    return len(samples)
