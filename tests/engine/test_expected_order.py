"""Who forks workers begins with the order of any scan, and again if it is told another one."""

from __future__ import annotations

import pytest

from dlp.__main__ import head_start
from dlp.config import Settings, load
from dlp.decode.contract import Limits
from dlp.engine import order
from dlp.engine.nursery import Awaited, Brood, Nursery
from dlp.engine.order import expected_order, order_of
from dlp.engine.protocol import receive, send
from dlp.engine.worker import Terms

USUAL = {"full": False, "told": True, "values": False, "masks": False}
TERMS = Terms(Limits(), 1_000_000)


def test_what_is_expected_is_what_a_scan_without_settings_tells():
    assert expected_order() == order_of(load(None), **USUAL), "dlp rules prepare"
    assert expected_order() != order_of(Settings(decode={"max_depth": 3}), **USUAL)


def test_without_what_was_prepared_nothing_is_expected(monkeypatch):
    monkeypatch.setattr(order, "USUAL", b"an order nobody wrote down")
    assert expected_order() is None


@pytest.mark.parametrize("expected, begun", [(None, [7]), ({"n": 7}, [7]), ({"n": 6}, [6, 7])])
def test_what_is_told_counts_whatever_was_expected(tmp_path, expected, begun):
    noted = tmp_path / "warmed"

    def brood_of(told):
        def warm():
            with noted.open("a") as notes:
                notes.write(f"{told['n']}\n")

        return Brood(lambda _ref, _source: {"n": told["n"]}, TERMS, warm, None)

    nursery = Nursery(Awaited(lambda: None, brood_of, lambda: expected))
    try:
        nursery.tell({"n": 7})
        nursery.until_ready()
        _, channel = nursery.spawn()
        channel.setblocking(True)
        assert receive(channel)[0]["accepted"] in {True, False}
        with (tmp_path / "file").open("w+b") as file:
            ref = {"share": "", "path": "x", "device": 1, "inode": 1, "size_bytes": 0}
            send(channel, {**ref, "mtime_ns": 0, "ctime_ns": 0, "sha256": ""}, file.fileno())
            assert receive(channel)[0]["record"] == {"n": 7}
        channel.close()
    finally:
        nursery.close()
    assert [int(line) for line in noted.read_text().split()] == begun


@pytest.mark.parametrize(
    "said, usual",
    [
        (["scan", "/srv", "--no-catalogue"], True),
        (["scan", "/srv", "--jobs", "2", "--format", "jsonl", "--no-catalogue"], True),
        (["scan", "/srv", "--no-catalogue", "--config", "a.toml"], False),
        (["scan", "/srv", "--no-catalogue", "--config=a.toml"], False),
        (["scan", "/srv", "--no-catalogue", "--profile", "sokolova2009"], False),
        (["scan", "/srv", "--no-catalogue", "--full"], False),
        (["scan", "/srv", "--no-catalogue", "--values"], False),
    ],
)
def test_nothing_is_expected_where_something_else_is_said(monkeypatch, said, usual):
    asked = []
    monkeypatch.setattr(order, "nursery_ahead", lambda *, usual, many: asked.append(usual))
    head_start(said)
    assert asked == [usual]
