"""Notices travel over TLS to whom a named authority vouches for, and otherwise not at all."""

import pytest

from dlp.config import Channel
from dlp.errors import UndeliveredError
from dlp.notice import Notice, Parcel
from dlp.notify.mail import Mail
from dlp.notify.webhook import Webhook
from tests.tell.authority import Authority
from tests.tell.receivers import Receiver, Relay

NOTICE = Notice("n1", "quarantined", "0123456789abcdef", "ward", "high", 1_000_000.0)
PARCEL = Parcel("p1", "soc", (NOTICE,), 1)
KEY = b"k" * 32


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


def told_by_webhook(receiver, trusted):
    url, seconds = receiver.url, 60  # a busy machine is slow to shake hands
    channel = Channel(name="soc", kind="webhook", url=url, authority=str(trusted), seconds=seconds)
    Webhook(channel, KEY, "").deliver(PARCEL)


def told_by_mail(relay, trusted, **more):
    addresses = {"relay": relay.address, "sender": "dlp@example.org", "to": ("ann@example.org",)}
    channel = Channel(
        name="desk", kind="email", authority=str(trusted), seconds=60, **addresses, **more
    )
    Mail(channel, "").deliver(PARCEL)


def test_a_webhook_over_https(authority):
    with Receiver(KEY, tls=authority.server()) as receiver:
        told_by_webhook(receiver, authority.path)
    assert [told["id"] for _, told in receiver.told] == ["n1"]


def test_mail_by_starttls_with_a_name_and_a_password(authority, tmp_path):
    password = tmp_path / "password"
    password.write_text("correct horse\n")
    password.chmod(0o600)
    with Relay(tls=authority.server()) as relay:
        told_by_mail(relay, authority.path, user="dlp", password=str(password))
    (message,) = relay.messages
    assert "0123456789abcdef" in message
    assert relay.signed_in == [[b"dlp", b"correct horse"]]
    assert relay.heard == ["EHLO", "STARTTLS"], "nothing else in the clear"


def strange(authority, folder):
    """Whom not to trust: another authority's, another host's, yesterday's."""
    other = Authority(folder, "another authority")
    return {
        "authority": other.server(),
        "host": authority.server("127.0.0.2"),
        "date": authority.server(days=-1),
    }


@pytest.mark.parametrize("wrong", ["authority", "host", "date"])
def test_whoever_is_not_vouched_for_is_told_nothing(authority, tmp_path, wrong):
    with Receiver(KEY, tls=strange(authority, tmp_path)[wrong]) as receiver:
        with pytest.raises(UndeliveredError, match="no trusted TLS") as error:
            told_by_webhook(receiver, authority.path)
        assert error.value.down
    relay = Relay(tls=strange(authority, tmp_path)[wrong])
    with relay, pytest.raises(UndeliveredError, match="no trusted TLS"):
        told_by_mail(relay, authority.path)
    assert (receiver.told, relay.messages) == ([], [])
    assert set(relay.heard) == {"EHLO", "STARTTLS"}


def test_a_relay_that_offers_no_tls_gets_no_message(authority):
    with Relay() as relay, pytest.raises(UndeliveredError):
        told_by_mail(relay, authority.path)
    assert relay.messages == []
    assert not {"MAIL", "RCPT", "DATA", "AUTH"} & set(relay.heard)


def test_a_web_server_that_speaks_no_tls_is_told_nothing(authority):
    receiver = Receiver(KEY)
    receiver.url = receiver.url.replace("http:", "https:")
    with receiver, pytest.raises(UndeliveredError, match="no trusted TLS"):
        told_by_webhook(receiver, authority.path)
    assert receiver.told == []
