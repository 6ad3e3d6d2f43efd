"""Rewrite the headers of DICOM files after the basic confidentiality profile (PS3.15, annex E).

In: a DICOM file.  Out: the same pixels under a header of technical values, edited descriptions,
consistent new identifiers.
"""

from __future__ import annotations

import io
import logging
import warnings
import zlib
from typing import Any

import pydicom
from pydicom.dataset import Dataset
from pydicom.errors import InvalidDicomError

from dlp.sanitise.documents.contract import Job, refuse

MEDIA_TYPES = frozenset({"application/dicom"})
logging.getLogger("pydicom").disabled = True  # it quotes values too
TROUBLE = (InvalidDicomError,)
# Words that describe pictures, not people; they still go through the edit.
DESCRIBED = frozenset({
    "BodyPartExamined", "CodeMeaning", "CodeValue", "CodingSchemeDesignator", "CodingSchemeVersion",
    "ConvolutionKernel", "ImageType", "Manufacturer", "ManufacturerModelName", "Modality",
    "PhotometricInterpretation", "ProtocolName", "SequenceName", "SeriesDescription",
    "SpecificCharacterSet", "StudyDescription", "Units",
})  # fmt: skip
# Required by the standard: present, empty.
EMPTIED = frozenset({
    "PatientName", "PatientID", "PatientBirthDate", "PatientSex", "StudyDate", "StudyTime",
    "AccessionNumber", "ReferringPhysicianName", "StudyID",
})  # fmt: skip
# Numbers and choices about people and occasions; all other numbers describe pictures.
PERSONAL = frozenset({
    "PatientSize", "PatientWeight", "PatientAge", "PregnancyStatus", "SmokingStatus", "EthnicGroup",
    "PatientSexNeutered", "IssuerOfPatientID", "PatientComments", "OverlayData", "OverlayComments",
    "CurveData", "AudioSampleData", "IconImageSequence", "EncapsulatedDocument",
    "OriginalAttributesSequence", "DigitalSignaturesSequence", "MACParametersSequence",
    "EncryptedAttributesSequence", "RequestAttributesSequence", "ReferencedPatientSequence",
})  # fmt: skip
WORDS = frozenset(
    {"AE", "AS", "DA", "DT", "LO", "LT", "PN", "SH", "ST", "TM", "UC", "UN", "UR", "UT"}
)
ORIGINAL = ("1.2.840.10008.",)  # the standard's own identifiers name kinds, not things


def rewrite(data: bytes, job: Job) -> bytes:
    # pydicom warns of odd values by quoting them
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rewrite_header(data, job)


def rewrite_header(data: bytes, job: Job) -> bytes:
    dataset = pydicom.dcmread(io.BytesIO(data))
    if str(dataset.get("BurnedInAnnotation", "")).upper() == "YES":
        raise refuse("the picture itself carries words")
    if "EncapsulatedDocument" in dataset:
        raise refuse("the file wraps another document")
    clean(dataset, job, 0)
    dataset.PatientIdentityRemoved = "YES"
    dataset.DeidentificationMethod = "basic profile; descriptions edited"
    meta: Any = dataset.file_meta
    for element in list(meta):
        if element.keyword not in {
            "FileMetaInformationVersion", "MediaStorageSOPClassUID", "TransferSyntaxUID",
            "MediaStorageSOPInstanceUID",
        }:  # fmt: skip
            del meta[element.tag]
    if "MediaStorageSOPInstanceUID" in meta:
        meta.MediaStorageSOPInstanceUID = new_uid(str(meta.MediaStorageSOPInstanceUID), job)
    dataset.preamble = b"\0" * 128
    if "PixelData" in dataset:
        job.note("words inside pictures are not read")
    out = io.BytesIO()
    dataset.save_as(out, enforce_file_format=True)
    return out.getvalue()


def clean(dataset: Dataset, job: Job, depth: int) -> None:
    if depth > 20:
        raise refuse("sequences are nested too deeply")
    dataset.remove_private_tags()
    for element in list(dataset):
        name, kind = element.keyword, element.VR
        if name in EMPTIED:
            element.value = None
        elif name in PERSONAL or not name or 0x6000 <= element.tag.group <= 0x60FF:
            del dataset[element.tag]
        elif kind == "SQ":
            for item in element.value:
                clean(item, job, depth + 1)
        elif kind == "UI":
            element.value = uids(element.value, job)
        elif name in DESCRIBED or kind in {"CS", "IS", "DS"}:
            described(element, job)
        elif kind in WORDS:
            del dataset[element.tag]


def described(element: Any, job: Job) -> None:
    """Edit a description; a number or choice that the edit touches is emptied."""
    many = element.value if element.VM > 1 else [element.value]
    new = [job.edit(str(value)) for value in many]
    if new == [str(value) for value in many]:
        return
    if element.VR in {"CS", "IS", "DS"}:
        element.value = None
    else:
        element.value = new if len(new) > 1 else new[0]


def uids(value: Any, job: Job) -> Any:
    if isinstance(value, str):
        return new_uid(value, job)
    return [new_uid(str(one), job) for one in value or []]


def new_uid(uid: str, job: Job) -> str:
    """The same identifier always becomes the same one; ours carry a check sum and stay."""
    if not uid or uid.startswith(ORIGINAL):
        return uid
    root, _, number = uid.rpartition(".")
    if root == "2.25" and number.isdigit():
        body, check = divmod(int(number), 1 << 32)
        if check == checksum(body):
            return uid
    body = job.digest(uid)
    return f"2.25.{(body << 32) | checksum(body)}"


def checksum(body: int) -> int:
    return zlib.crc32(b"dlp" + body.to_bytes(32, "big"))
