"""Texts sealed by tools that anybody has: none can be read, and each must say so.

In: a text.  Out: bytes of a file, by the name of the tool.
"""

import base64
import hashlib
import random

from tests.evasion.writings import COVER, wrapped


def noise(text, more=0):
    """Bytes without any structure, as a good cipher gives them."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return random.Random(seed).randbytes(len(text) + more)


def armoured(label, width=64, checksum=""):
    def make(text):
        body = wrapped(base64.b64encode(b"\x8c\x0d\x04\x09" + noise(text)), width)
        return f"-----BEGIN {label}-----\n\n{body}\n{checksum}-----END {label}-----\n".encode()

    return make


def under(make):
    return lambda text: COVER.encode() + b"\n" + make(text)


pgp = armoured("PGP MESSAGE", checksum="=njUN\n")
age = armoured("AGE ENCRYPTED FILE")


def ansible(text):
    return f"$ANSIBLE_VAULT;1.1;AES256\n{wrapped(noise(text).hex().encode().hex(), 80)}\n".encode()


def openssl(text):
    return wrapped(base64.b64encode(b"Salted__" + noise(text)), 64).encode() + b"\n"


def fernet(text):
    return base64.urlsafe_b64encode(b"\x80" + bytes(4) + noise(text))


def jwe(text):
    parts = [b'{"alg":"dir","enc":"A256GCM"}', b"", noise(text)[:12], noise(text), noise(text)[:16]]
    return b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)


def sops(text):
    body = base64.b64encode(noise(text)).decode()
    return (
        f"note: ENC[AES256_GCM,data:{body},iv:{body[:44]},tag:{body[:24]},type:str]\n"
        "sops:\n    version: 3.8.1\n"
    ).encode()


CIPHERS = {
    "pgp armour.txt": pgp,
    "pgp armour.asc": pgp,
    "pgp armour under a text.txt": under(pgp),
    "pgp binary.gpg": lambda text: b"\x85\x02\x0c\x03" + noise(text),
    "pgp symmetric.gpg": lambda text: b"\x8c\x0d\x04\x09\x03\x02" + noise(text),
    "age armour.txt": age,
    "age binary.age": lambda text: (
        b"age-encryption.org/v1\n-> X25519 "
        + base64.b64encode(noise(text)[:32])
        + b"\n--- x\n"
        + noise(text)
    ),
    "openssl base64.txt": openssl,
    "openssl base64 under a text.txt": under(openssl),
    "openssl binary.enc": lambda text: b"Salted__" + noise(text),
    "ansible vault.yml": ansible,
    "ansible vault in yaml.yml": lambda text: (
        b"note: !vault |\n  " + ansible(text).replace(b"\n", b"\n  ")
    ),
    "fernet.txt": fernet,
    "jwe.txt": jwe,
    "sops.yaml": sops,
    "smime.p7m": lambda text: (
        b"MIME-Version: 1.0\nContent-Type: application/pkcs7-mime; "
        b"smime-type=enveloped-data\nContent-Transfer-Encoding: base64\n\n"
        + wrapped(base64.b64encode(noise(text)), 64).encode()
    ),
    "cms pem.pem": armoured("CMS"),
    "pkcs7 pem.pem": armoured("PKCS7"),
    "encrypted message pem.txt": armoured("ENCRYPTED MESSAGE"),
    "keepass.kdbx": lambda text: b"\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5\x01\x00\x04\x00" + noise(text),
    "luks.img": lambda text: b"LUKS\xba\xbe\x00\x02" + bytes(504) + noise(text, 4096),
    "noise.bin": lambda text: noise(text, 4096),
    "noise.txt": lambda text: noise(text, 4096),
    "noise in base64.txt": lambda text: wrapped(base64.b64encode(noise(text, 900))).encode(),
    "noise in hex.txt": lambda text: wrapped(noise(text, 900).hex()).encode(),
    "noise under a text.txt": lambda text: COVER.encode() + noise(text, 900),
    "git-crypt.txt": lambda text: b"\x00GITCRYPT\x00" + noise(text),
    "saltpack.txt": lambda text: (
        b"BEGIN SALTPACK ENCRYPTED MESSAGE. "
        + wrapped(noise(text).hex(), 15).replace("\n", " ").encode()
        + b". END SALTPACK ENCRYPTED MESSAGE."
    ),
}
