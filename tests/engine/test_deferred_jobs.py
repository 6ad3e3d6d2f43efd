"""A worker that is warm is changed only when enough files wait for what it lacks."""

from dlp.engine.pool import COMPANY, CROWD, DeferredJobs

MODEL = frozenset({"model"})
NOTHING = frozenset()


def waiting(count):
    lacking = DeferredJobs()
    for _ in range(count):
        lacking.add("model", object())
    return lacking


def test_the_first_worker_is_changed_for_a_few_files():
    others = (NOTHING, NOTHING)
    assert not waiting(COMPANY - 1).is_due(NOTHING, MODEL, others, idle=False)
    assert waiting(COMPANY).is_due(NOTHING, MODEL, others, idle=False)


def test_a_second_worker_is_changed_for_many_files_only():
    others = (NOTHING, MODEL)
    assert not waiting(CROWD - 1).is_due(NOTHING, MODEL, others, idle=False)
    assert waiting(CROWD).is_due(NOTHING, MODEL, others, idle=False)


def test_a_worker_with_nothing_else_to_do_is_changed_at_once():
    assert waiting(1).is_due(NOTHING, MODEL, (NOTHING, MODEL), idle=True)


def test_nobody_is_changed_for_what_is_not_loaded_or_already_had():
    assert not waiting(CROWD).is_due(NOTHING, NOTHING, (NOTHING,), idle=True)
    assert not waiting(CROWD).is_due(MODEL, MODEL, (MODEL,), idle=True)
