"""Address, names and TLS of the console; plain HTTP is refused outside loopback.

In: settings, the command line.  Out: a checked Endpoint, or what to change.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from dlp.config import Console
from dlp.errors import ConfigError

LOCAL = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Endpoint:
    address: str = "127.0.0.1"
    port: int = 8464  # 0: any free one
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    behind_proxy: bool = False

    @classmethod
    def of(cls, console: Console, given: Mapping[str, Any] | None = None) -> Self:
        """As the settings say, unless the command line says otherwise."""
        values = console.model_dump(exclude={"beside"})
        values |= {name: value for name, value in (given or {}).items() if value}
        if given and given.get("port") == 0:
            values["port"] = 0
        for name in ("certificate", "key"):
            values[name] = Path(values[name]) if values[name] else None
        return cls(**values)

    def check(self) -> None:
        try:
            local = ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            raise ConfigError(
                "not an IP address", where=self.address, fix="say 127.0.0.1, or one of this host"
            ) from None
        if not local and not self.tls:
            raise ConfigError(
                "passwords would cross the network in the clear",
                where=self.address,
                fix="give --certificate and --key, or --behind-proxy when a proxy adds TLS",
            )
        if self.certificate is not None:
            self._check_certificate(self.certificate)

    def _check_certificate(self, certificate: Path) -> None:
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
                certificate, self.key, password=lambda: ""
            )
        except (OSError, ValueError) as error:  # an encrypted key, another key, no PEM, no file
            reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or "no PEM"
            raise ConfigError(
                f"certificate and key do not work together: {reason}",
                where=f"{certificate}, {self.key or certificate}",
                fix="give the PEM with its chain, and its own key without a passphrase",
            ) from None

    @property
    def tls(self) -> bool:
        """Whether browsers speak to us over TLS, here or at the proxy."""
        return self.certificate is not None or self.behind_proxy

    @property
    def hosts(self) -> tuple[str, ...]:
        shown = f"[{self.address}]" if ":" in self.address else self.address
        return (*LOCAL, shown, *self.names)
