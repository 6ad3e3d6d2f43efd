"""Reading the structure takes time in proportion to the text, whatever the text."""

import time

import pytest

from dlp.text.reader import read_afresh

LINES = {
    "prose": "The committee met on Thursday and talked at length about the roof of the hall.\n",
    "labels": "Name: Ada   Ward: 4   Date: 3 May\n",
    "bars": "| one |\n",
    "columns": "one  two\n",
    "boxes": "[ ] one [x] two ( ) three ☐ four ● five\n",
    "bullets": "● a thing of note\n",
    "inserts": "INSERT INTO t (a, b) VALUES ('x\n",
    "open brackets": "INSERT INTO t (a, b VALUES\n",
    "creations": "CREATE TABLE t (a INT, b VARCHAR(80\nINSERT INTO t VALUES (1, 'x');\n",
    "blanks": " " * 70 + "x\n",
    "dots": "one . . . . . . . . . . . . . . . . . . . . . . . . two\n",
    "questions": "is it so or is it not so or what is it? what? who?\n",
    "commas": "a, b, c, D, E, F: g, H, I: j, K\n",
    "no line end": "word ",
    "signs": "[[((||::==..__--??",
}


def seconds(text):
    started = time.process_time()
    read_afresh(text)
    return time.process_time() - started


@pytest.mark.parametrize("kind", LINES)
def test_four_times_the_text_takes_no_more_than_twelve_times_the_time(kind):
    line = LINES[kind]
    short, long = line * (8_000 // len(line)), line * (32_000 // len(line))
    seconds(short)
    best = min(seconds(short) for _ in range(3))
    assert min(seconds(long) for _ in range(2)) < 12 * max(best, 0.002)
