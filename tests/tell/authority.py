"""A certificate authority that lasts for one test, and servers that it vouches for."""

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

DAY = timedelta(days=1)


class Authority:
    def __init__(self, folder, name="invented authority"):
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        usage = dict.fromkeys(
            ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
             "key_agreement", "encipher_only", "decipher_only"), False
        )  # fmt: skip
        built = (
            self._builder(self._name, self._key.public_key())
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True)
        )
        self.path = folder / f"{name}.pem"
        self.path.write_bytes(pem(built.sign(self._key, hashes.SHA256())))

    def _builder(self, subject, key, *, days=1):
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 3 * DAY)
            .not_valid_after(now + days * DAY)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()),
                critical=False,
            )
        )

    def server(self, address="127.0.0.1", *, days=1):
        """The server's side of TLS, for one address."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
        certificate = (
            self._builder(x509.Name([]), key.public_key(), days=days)
            .add_extension(names, critical=True)
            .sign(self._key, hashes.SHA256())
        )
        both = self._folder / f"server {address} {days}.pem"
        both.write_bytes(
            pem(certificate)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(both)
        return context


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)
