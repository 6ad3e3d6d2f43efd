"""Behind Landlock and seccomp every format reads what it reads outside: nothing is imported late."""

import io
import json
import os

from dlp.decode import format_registry
from dlp.decode.contract import Limits
from dlp.decode.extract import read
from dlp.decode.sandbox import confine
from tests.support.file_builder import EML, SAMPLES

FORWARDED = (
    b"Received: a\r\nFrom: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n"
    + EML
)
ODD = {
    "forwarded.eml": FORWARDED,
    "koi8.txt": "Пациентка обратилась с жалобами на головную боль. ".encode("koi8-r") * 8,
    "page.html": b'<meta charset="iso-8859-7"><p>' + "Ασθενής".encode("iso-8859-7") * 9,
    "uu.eml": EML.replace(b"base64", b"x-uuencode"),
    "noise.bin": bytes(range(256)) * 9,
}


def outcome(name, content):
    reading = read(io.BytesIO(content), name)
    gaps = sorted(f"{gap.code.value} {gap.where}" for gap in reading.gaps)
    return [sum(len(part.text) for part in reading.document.parts), gaps]


def test_confined_readings_equal_free_ones():
    files = {name: content for name, (content, _) in SAMPLES.items()} | ODD
    format_registry.preload()
    results, sink = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(results)
            confine(Limits())
            answer = json.dumps({name: outcome(name, content) for name, content in files.items()})
            with os.fdopen(sink, "w") as out:
                out.write(answer)
        finally:
            os._exit(0)
    os.close(sink)
    with os.fdopen(results) as source:
        confined = json.load(source)
    os.waitpid(child, 0)
    assert confined == {name: outcome(name, content) for name, content in files.items()}
