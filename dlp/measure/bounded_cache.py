"""Answers kept for questions that come back.

In: a function of one question.  Out: a dictionary that asks it for what it does not hold yet.

Files speak of the same few conditions again and again. An answer costs a look into a dictionary;
`lru_cache` touches three more places in memory for each, which after a file of other work are cold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")
MOST = 8192


class Remembered(dict[Question, Answer]):
    """Starts afresh when it is full."""

    __slots__ = ("_work_out",)

    def __init__(self, work_out: Callable[[Question], Answer]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, question: Question) -> Answer:
        answer = self._work_out(question)
        if len(self) >= MOST:
            self.clear()
        self[question] = answer
        return answer
