"""Tell people by e-mail, one message for what happened within a minute.

In: a parcel.  Out: a message that the relay took, or UndeliveredError.
"""

from __future__ import annotations

import smtplib
import ssl
from collections import Counter
from contextlib import ExitStack
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path

from dlp.config import Channel
from dlp.errors import ConfigError, UndeliveredError
from dlp.notice import Notice, Parcel
from dlp.private_files import check_private

MOST = 200
SUBMISSION, IMPLICIT_TLS, PLAIN = 587, 465, 25


class Mail:
    most = MOST

    def __init__(self, channel: Channel, link: str) -> None:
        self._channel = channel
        self._link = link
        self.gather_seconds = channel.gather_seconds
        host, _, port = channel.relay.rpartition(":")
        default_port = {"starttls": SUBMISSION, "tls": IMPLICIT_TLS, "none": PLAIN}[channel.tls]
        self._host = host if port.isdigit() and host else channel.relay
        self._port = int(port) if port.isdigit() and host else default_port
        self._password = password_of(channel)

    def deliver(self, parcel: Parcel) -> None:
        message = message_of(parcel, self._channel, self._link)
        try:
            with self._connect() as relay:
                refused = relay.send_message(message)
        except smtplib.SMTPResponseException as error:
            # 4xx means later, 5xx means never: the next parcel meets the same relay either way.
            raise UndeliveredError(f"answered {error.smtp_code}", down=True) from None
        except smtplib.SMTPRecipientsRefused:
            raise UndeliveredError("every recipient was refused", down=True) from None
        except ssl.SSLError:
            raise UndeliveredError("no trusted TLS connection", down=True) from None
        except TimeoutError:
            raise UndeliveredError("no answer in time", down=True) from None
        except (OSError, smtplib.SMTPException) as error:
            raise UndeliveredError(f"no connection: {type(error).__name__}", down=True) from None
        if refused and len(refused) == len(self._channel.to):
            raise UndeliveredError("every recipient was refused", down=True)

    def _connect(self) -> smtplib.SMTP:
        channel = self._channel
        trust = ssl.create_default_context(cafile=channel.authority or None)
        if channel.tls == "tls":
            relay: smtplib.SMTP = smtplib.SMTP_SSL(
                self._host, self._port, timeout=channel.seconds, context=trust
            )
        else:
            relay = smtplib.SMTP(self._host, self._port, timeout=channel.seconds)
        with ExitStack() as trouble:
            trouble.callback(relay.close)
            if channel.tls == "starttls":
                relay.starttls(context=trust)
            if channel.user:
                relay.login(channel.user, self._password)
            trouble.pop_all()
        return relay


def message_of(parcel: Parcel, channel: Channel, link: str) -> EmailMessage:
    number = sum(notice.count for notice in parcel.notices)
    shares = sorted({notice.share for notice in parcel.notices if notice.share})
    message = EmailMessage()
    message["From"] = channel.sender
    message["To"] = ", ".join(channel.to)
    where = f" on {', '.join(shares)}" if shares else ""
    message["Subject"] = f"dlp: {number} event{'s' if number > 1 else ''}{where}"
    message["Date"] = formatdate(parcel.notices[-1].at)
    # The same at every attempt, so that a mailbox shows a repeated one once.
    message["Message-ID"] = f"<{parcel.id}@{channel.sender.rpartition('@')[2] or 'dlp'}>"
    message["Auto-Submitted"] = "auto-generated"
    message["Dlp-Attempt"] = str(parcel.attempt)
    message.set_content("\n".join(body_of(parcel.notices, link)) + "\n")
    return message


def body_of(notices: tuple[Notice, ...], link: str) -> list[str]:
    totals = Counter[str]()
    for notice in notices:
        totals[notice.event] += notice.count
    lines = [f"{event}: {number}" for event, number in sorted(totals.items())] + [""]
    for notice in notices:
        fields = notice.as_object(link)
        words = [fields["at"], fields["event"], fields["item"], fields["share"], fields["level"]]
        if notice.count > 1:
            words.append(f"({notice.count} events; see the ledger)")
        lines += ["  ".join(filter(None, words))]
        lines += [f"    {fields['link']}"] if "link" in fields else []
    return lines


def password_of(channel: Channel) -> str:
    if not channel.password:
        return ""
    path = Path(channel.password)
    check_private(path, "password")
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise ConfigError(
            "the password of a channel cannot be read",
            where=channel.name,
            fix="name a file that belongs to the service, mode 0600",
        ) from None
