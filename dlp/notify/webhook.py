"""Tell a web service, signed so that it can tell us from anybody else.

In: a parcel of one notice.  Out: a POST that was answered with 2xx, or UndeliveredError.

    Dlp-Id: the notice's id, the same at every attempt
    Dlp-Signature: t=UNIX-TIME,v1=HEX of HMAC-SHA256(key, "UNIX-TIME.BODY")
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import ssl
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import dlp
from dlp.config import Channel
from dlp.errors import UndeliveredError
from dlp.notice import Parcel

ANSWER_BYTES = 65_536  # read and thrown away, so that a connection ends politely
BUSY = frozenset({408, 425, 429})  # and 5xx: the service, not the notice, is the trouble


class Webhook:
    most = 1
    gather_seconds = 0.0

    def __init__(
        self, channel: Channel, key: bytes, link: str, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._channel = channel
        self._key = key
        self._link = link
        self._clock = clock
        address = urlsplit(channel.url)
        self._host, self._port = address.hostname or "", address.port
        self._target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        self._tls = None
        if address.scheme == "https":
            self._tls = ssl.create_default_context(cafile=channel.authority or None)

    def deliver(self, parcel: Parcel) -> None:
        (notice,) = parcel.notices
        body = json.dumps(notice.as_object(self._link), separators=(",", ":")).encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"dlp/{dlp.__version__}",
            "Dlp-Id": notice.id,
            "Dlp-Attempt": str(parcel.attempt),
            "Dlp-Signature": signature(self._key, body, int(self._clock())),
        }
        connection = self._connect()
        try:
            connection.request("POST", self._target, body, headers)
            answer = connection.getresponse()
            answer.read(ANSWER_BYTES)
        except ssl.SSLError:
            raise UndeliveredError("no trusted TLS connection", down=True) from None
        except TimeoutError:
            raise UndeliveredError("no answer in time", down=True) from None
        except (OSError, http.client.HTTPException) as error:
            raise UndeliveredError(f"no connection: {type(error).__name__}", down=True) from None
        finally:
            connection.close()
        if not 200 <= answer.status < 300:  # a redirection is none of ours to follow
            down = answer.status in BUSY or answer.status >= 500
            raise UndeliveredError(f"answered {answer.status}", down=down)

    def _connect(self) -> http.client.HTTPConnection:
        seconds = self._channel.seconds
        if self._tls is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=seconds)
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=seconds, context=self._tls
        )


def signature(key: bytes, body: bytes, at: int) -> str:
    # The time is signed too, so that a recorded request cannot be played again next week.
    mac = hmac.new(key, f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={mac}"
