"""Time every rule on texts made to be hard for it.

In: nothing but the rules.  Out: the slowest rules on stdout.

    python -m bench.worst_case [--strings 200] [--size 100000]

CPU time of this process, which other processes on the machine still stretch: a text at SUSPECT or
more is timed TRIES times and the quickest counts, the validators' kept answers thrown away before
each. RE2's states are warm, as they are in a worker, and so are the shapes a rule has met. The
yardstick (a fixed number of bare matches) says how much slower the machine is than the quiet core
the limit of 50 ms speaks of; it is printed, and no figure is divided by it.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time

import re2

from dlp.detect.identify import telephone, validators
from dlp.detect.identify.identifiers import Finder, default_finder
from tests.support.adversary import UNITS, hard_texts

SUSPECT_SECONDS = 0.02
TRIES = 3
LIMIT_SECONDS = 0.05
YARDSTICK = re2.compile(r"\b\d{1,2}/\d{1,2}/\d{2}\b")
YARDSTICK_SECONDS = 0.0125  # on a quiet core, as tests/detect/test_worst_case.py has it


def cost(finder, text):
    validators.answer.cache_clear()
    telephone.known_number.cache_clear()
    start = time.process_time()
    finder.find(text)
    return time.process_time() - start


def best_cost(finder, text):
    spent = cost(finder, text)
    if spent < SUSPECT_SECONDS:
        return spent
    return min(spent, *(cost(finder, text) for _ in range(TRIES - 1)))


def slowness():
    start = time.process_time()
    assert sum(1 for _ in YARDSTICK.finditer(b"1/1/11 " * 14_286)) == 14_286
    return (time.process_time() - start) / YARDSTICK_SECONDS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strings", type=int, default=200)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--top", type=int, default=12)
    parser.add_argument("--rule", help="this one only")
    options = parser.parse_args()
    validators.preload()
    rules = [rule for rule in default_finder().rules if options.rule in (None, rule.id)]
    gc.freeze()  # as before a worker is forked: what is loaded is not searched for cycles again
    slowest, everything, speeds = [], [], []
    for rule in rules:
        finder = Finder([rule])
        speeds.append(slowness())
        texts = hard_texts(rule, options.size, options.strings)
        costs = [(best_cost(finder, text), number) for number, text in enumerate(texts)]
        everything += costs
        costs.sort()
        high, number = costs[min(len(costs) - 1, int(len(costs) * 0.999))]
        way = UNITS[number % len(UNITS)].__name__
        slowest.append((high, costs[len(costs) // 2][0], rule.id, way))
    report(slowest, sorted(everything), options)
    print(f"yardstick: {min(speeds):.2f} to {max(speeds):.2f} times a quiet core")


def report(slowest, everything, options):
    slowest.sort(reverse=True)
    print("| rule | p99.9 ms | its text | median ms |\n|---|---|---|---|")
    for high, middle, name, way in slowest[: options.top]:
        print(f"| {name} | {high * 1e3:.1f} | {way} | {middle * 1e3:.1f} |")
    over = sum(one >= LIMIT_SECONDS for one, _ in everything)
    print(f"\n{len(everything)} texts of {options.size} characters: ", end="")
    middle, longest = everything[len(everything) // 2][0] * 1e3, everything[-1][0] * 1e3
    print(f"median {middle:.1f} ms, max {longest:.1f} ms, {over} at 50 ms or more")


if __name__ == "__main__":
    sys.exit(main())
