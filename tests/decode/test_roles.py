"""Every part says what it is in its document; styles, properties and names are never body."""

import email.message
import io
import random
import zipfile

import pytest

from dlp.decode.extract import read
from dlp.decode.roles import name_part, role_of_locator
from dlp.model import PartRole

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml"'
    ' ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    "</Types>"
)
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
    'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>{}</dc:creator>'
    "</cp:coreProperties>"
)


def word(draw):
    return "".join(draw.choices("abcdefghiklmnoprstu", k=8)).capitalize()


def roles_of(data, name):
    """The role of each part, by the text it holds."""
    return {part.text.strip(): part.role for part in read(io.BytesIO(data), name).document.parts}


def find_role(roles, text):
    return next(role for held, role in roles.items() if text in held)


@pytest.mark.parametrize("seed", range(5))
def test_a_word_document_keeps_body_header_note_comment_and_property_apart(seed):
    draw = random.Random(seed)
    words = {kind: word(draw) for kind in ("body", "header", "note", "comment", "style", "author")}
    paragraph = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("[Content_Types].xml", TYPES)
        for path, root, inside in (
            ("document", "document", f"<w:body>{paragraph.format(words['body'])}</w:body>"),
            ("header1", "hdr", paragraph.format(words["header"])),
            ("footnotes", "footnotes", f"<w:footnote w:id='2'>{paragraph.format(words['note'])}</w:footnote>"),
            ("comments", "comments", f"<w:comment w:id='1'>{paragraph.format(words['comment'])}</w:comment>"),
            ("styles", "styles", f"<w:style w:type='character' w:customStyle='1'><w:name w:val='{words['style']}'/></w:style>"),
        ):  # fmt: skip
            package.writestr(f"word/{path}.xml", f"<w:{root} {W}>{inside}</w:{root}>")
        package.writestr("docProps/core.xml", CORE.format(words["author"]))
    roles = roles_of(out.getvalue(), "letter.docx")
    assert find_role(roles, words["body"]) is PartRole.BODY
    assert find_role(roles, words["header"]) is PartRole.HEADER_FOOTER
    assert find_role(roles, words["note"]) is PartRole.NOTE
    assert find_role(roles, words["comment"]) is PartRole.COMMENT
    assert find_role(roles, words["style"]) is PartRole.PROPERTY
    assert find_role(roles, words["author"]) is PartRole.PROPERTY


def test_a_mail_keeps_its_header_lines_and_attachment_names_apart():
    mail = email.message.EmailMessage()
    mail["Subject"], mail["From"] = "Rota", "a@example.org"
    mail.set_content("See the rota.")
    mail.add_attachment(b"plain words", "text", "plain", filename="Edda Marsh.txt")
    roles = roles_of(mail.as_bytes(), "rota.eml")
    assert find_role(roles, "Subject: Rota") is PartRole.MAIL_HEADER
    assert find_role(roles, "See the rota.") is PartRole.BODY
    assert find_role(roles, "plain words") is PartRole.BODY
    assert find_role(roles, "Edda Marsh") is PartRole.FILE_NAME


def test_the_header_of_an_rtf_page_is_no_mail_header():
    roles = roles_of(rb"{\rtf1{\header Marsh ward}Seen today.\par}", "a.rtf")
    assert find_role(roles, "Marsh ward") is PartRole.HEADER_FOOTER
    assert find_role(roles, "Seen today.") is PartRole.BODY


@pytest.mark.parametrize(
    "locator,role",
    [
        ("body", PartRole.BODY), ("sheet:2", PartRole.BODY), ("attachment:1/body", PartRole.BODY),
        ("slide:3", PartRole.BODY), ("body.textboxes", PartRole.BODY), ("slide:1.labels", PartRole.PROPERTY),
        ("thumbnail/body", PartRole.PROPERTY), ("layout:2", PartRole.PROPERTY), ("sheet:1.notes", PartRole.COMMENT),
        ("form", PartRole.FORM_FIELD), ("xfa/body", PartRole.FORM_FIELD), ("styles.footers", PartRole.HEADER_FOOTER),
        ("attachment:1/properties", PartRole.PROPERTY), ("entry:4/names", PartRole.FILE_NAME),
    ],
)  # fmt: skip
def test_the_last_step_of_a_locator_tells_the_role(locator, role):
    assert role_of_locator(locator) is role


def test_a_file_name_is_a_part_if_it_carries_words():
    part = name_part("Edda_Marsh-asthma.2021.pdf")
    assert part is not None
    assert part.text == "Edda Marsh asthma 2021"
    assert part.role is PartRole.FILE_NAME
    assert name_part("0042-17.pdf") is None
