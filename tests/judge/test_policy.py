"""A new install only observes; what moves a file is written down, and an error never does."""

from datetime import date

import pytest

from dlp.config import Policy, Suppress
from dlp.judge.breaker import Breaker
from dlp.judge.ignore import Ignore
from dlp.judge.policy import decide
from dlp.measure.risk_levels import level_of
from dlp.model import Container, Gap, GapCode, Person, Verdict

TODAY = date(2027, 3, 1)
PRINT = "phone:0123456789abcdef"
LEAK = Person("p1", frozenset({PRINT, "email:99"}), identifiability=1.0, sensitivity=0.9)
OTHER = Person("p2", frozenset({"phone:ffff"}), identifiability=0.01, sensitivity=0.005)
STRICT = {
    "phi": {"critical": "quarantine", "high": "sanitise", "medium": "notify"},
    "probable": "notify",
}


def verdict(container=Container.PHI, persons=(LEAK,), gaps=(), readers=1000):
    privacy = max((p.privacy for p in persons), default=0.0)
    unread = tuple(Gap(code, "x") for code in gaps)
    return Verdict(container, "", persons, unread, "r", privacy, readers=readers)


def decided(policy=None, *, path=b"a/b.txt", owner=1000, ignored=False, **parts):
    policy = Policy(**(policy if policy is not None else STRICT))
    return decide(
        policy,
        verdict(**parts),
        path=path,
        owner=owner,
        today=TODAY,
        level_of=level_of,
        ignored=ignored,
    )


@pytest.mark.parametrize("container", Container)
def test_by_default_nothing_is_touched(container):
    assert decided({}, container=container).action == "observe"


def test_container_and_level_choose_the_action():
    assert decided().action == "quarantine"
    assert decided(persons=(OTHER,)).action == "observe"
    assert [decided(readers=readers).level for readers in (1, 10, 100, 1000)] == [
        "low", "medium", "high", "critical",
    ]  # fmt: skip
    assert decided(container=Container.PROBABLE).action == "notify"
    assert decided(container=Container.IMPOSSIBLE, persons=()).action == "observe"
    assert decided({"phi": "sanitise"}).fallback == "quarantine"


@pytest.mark.parametrize("code", [GapCode.CHANGED, GapCode.VANISHED])
def test_a_file_that_changed_while_it_was_read_is_not_moved(code):
    assert decided(gaps=(code,)).action == "notify"


def test_an_error_of_ours_alone_moves_no_file():
    policy = {"possible": "quarantine"}
    alone = decided(policy, container=Container.POSSIBLE, persons=(), gaps=(GapCode.INTERNAL,))
    assert alone.action == "notify"


@pytest.mark.parametrize("code", sorted(set(GapCode) - {GapCode.CHANGED, GapCode.VANISHED}))
def test_no_unread_part_protects_a_leak(code):
    """An attachment on which a reader fails must not keep the rest of an archive in place."""
    assert decided(gaps=(code,)).action == "quarantine"
    assert decided({"phi": "sanitise"}, gaps=(code,)).action == "quarantine"


def test_a_file_read_in_part_is_not_called_clean_by_sanitising_it():
    assert decided({"phi": "sanitise"}, gaps=(GapCode.ENCRYPTED,)).action == "quarantine"
    assert (
        decided(
            {"gaps": "notify"}, container=Container.POSSIBLE, persons=(), gaps=(GapCode.TIMEOUT,)
        ).action
        == "notify"
    )


@pytest.mark.parametrize("path", [b"hr/claims", b"hr/claims/x.txt"])
def test_permitted_folders_and_owners_are_seen_and_left(path):
    policy = STRICT | {"permitted_folders": ("/hr/claims/",), "permitted_owners": (77,)}
    assert decided(policy, path=path).why == "permitted folder"
    assert decided(policy, path=b"hr/claims-old/x.txt").action == "quarantine"
    assert decided(policy, owner=77).why == "permitted owner"
    assert decided(ignored=True).why == "ignored"


def test_a_suppression_covers_its_person_until_it_expires():
    entry = Suppress(fingerprint=PRINT, reason="front desk", owner="security", expires=TODAY)
    policy = STRICT | {"suppress": (entry,)}
    assert decided(policy).why == "suppressed"
    assert decided(policy, persons=(LEAK, OTHER)).level == "low", "the others still count"
    late = entry.model_copy(update={"expires": date(2027, 2, 28)})
    assert decided(STRICT | {"suppress": (late,)}).action == "quarantine"


@pytest.mark.parametrize(
    "line, hit, miss",
    [
        (b"*.log", b"a/b.log", b"a/b.log.txt"),
        (b"/top.txt", b"top.txt", b"a/top.txt"),
        (b"tmp/", b"a/tmp/x", b"a/tmp"),
        (b"a/*/c", b"a/b/c/d", b"a/b/x/c"),
        (b"a/**/c", b"a/b/x/c", b"b/a/c"),
        (b"**/z", b"x/y/z", b"x/zz"),
        (b"data?.csv", b"data1.csv", b"data/.csv"),
        (b"\\#x", b"#x", b"x"),
        (b"a.b", b"a.b", b"aXb"),
        (b"\xff*", b"\xffname\n", b"name"),
    ],
)
def test_ignore_patterns(line, hit, miss):
    assert hit in Ignore(line)
    assert miss not in Ignore(line)


def test_the_last_pattern_wins_and_comments_do_not_count():
    ignore = Ignore(b"# all\n*.csv\n!keep.csv\n\nkeep.csv/deep\n")
    assert b"a.csv" in ignore
    assert b"x/keep.csv" not in ignore


def breaker():
    return Breaker(actions=5, seconds=60, error_rate=0.5, error_sample=4)


def test_too_many_actions_open_the_breaker_for_good():
    guard = breaker()
    for second in range(5):
        assert guard.allows(second)
        guard.note(second, ok=True)
    assert not guard.allows(6)
    assert not guard.allows(1e9), "a person closes it, not time"
    guard.reset()
    assert guard.allows(1e9)


def test_slow_work_never_opens_it():
    guard = breaker()
    for minute in range(100):
        assert guard.allows(minute * 20)
        guard.note(minute * 20, ok=True)


def test_failures_open_it_after_a_fair_sample():
    guard = breaker()
    for second in range(3):
        guard.note(second, ok=False)
    assert guard.allows(3)
    guard.note(3, ok=False)
    assert not guard.allows(3)
    assert guard.reason == "4 of 4 actions failed"


def test_a_restart_does_not_wipe_the_count():
    guard = breaker()
    guard.seed([1, 2, 3, 4, 5])
    assert not guard.allows(6)
