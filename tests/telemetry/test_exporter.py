"""Three pages on loopback; a silent client costs nothing, an unknown page is refused."""

import socket
import urllib.error
import urllib.request

import pytest

from dlp.errors import ConfigError
from dlp.measure.risk_levels import level_of
from dlp.telemetry.metrics import Exporter, Metrics


@pytest.fixture
def state():
    return {"ready": (False, "starting")}


@pytest.fixture
def exporter(state):
    registry = Metrics(["ward"], version="0", rules="r", level_of=level_of).registry
    one = Exporter(
        registry, healthy=lambda: (True, "alive"), ready=lambda: state["ready"],
        address="127.0.0.1", port=0,
    )  # fmt: skip
    yield one
    one.close()


def get(exporter, page):
    with urllib.request.urlopen(f"http://127.0.0.1:{exporter.port}{page}", timeout=5) as answer:
        return answer.status, answer.read().decode()


def test_pages(exporter, state):
    assert "dlp_build_info" in get(exporter, "/metrics")[1]
    assert get(exporter, "/healthz") == (200, "alive\n")
    with pytest.raises(urllib.error.HTTPError) as starting:
        get(exporter, "/readyz")
    assert starting.value.code == 503
    starting.value.close()
    state["ready"] = (True, "degraded: watch_limit")
    assert get(exporter, "/readyz") == (200, "degraded: watch_limit\n")
    with pytest.raises(urllib.error.HTTPError) as unknown:
        get(exporter, "/etc/passwd")
    assert unknown.value.code == 404
    unknown.value.close()


def test_silent_clients_do_not_keep_others_out(exporter):
    silent = [socket.create_connection(("127.0.0.1", exporter.port)) for _ in range(20)]
    assert get(exporter, "/healthz")[0] == 200
    for one in silent:
        one.close()


def test_a_taken_port_is_a_plain_error(exporter):
    with pytest.raises(ConfigError, match="cannot listen"):
        Exporter(
            Metrics(["ward"], version="0", rules="r", level_of=level_of).registry, healthy=lambda: (True, ""),
            ready=lambda: (True, ""), address="127.0.0.1", port=exporter.port,
        )  # fmt: skip
