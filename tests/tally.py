#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tally.py TESTLOG [FAILED_ELSEWHERE] | --self-test: prints `N passed, M failed` from meson's testlog.json.

A test program counts as many tests as it has test cases, any other test counts one. Skipped tests
count nothing. The exit status is 0 only if something passed and nothing failed.
"""
import json
import re
import sys

SUMMARY = re.compile(r"^\[doctest\] test cases: *\d+ *\| *(\d+) passed *\| *(\d+) failed", re.M)


def count(test):
    """(passed, failed) of one line of the log."""
    if test["result"] == "SKIP":
        return 0, 0
    good = test["result"] in ("OK", "EXPECTEDFAIL")
    summary = SUMMARY.search(re.sub(r"\x1b\[[0-9;]*m", "", test.get("stdout", "")))
    if not summary:
        return (1, 0) if good else (0, 1)
    passed, failed = (int(number) for number in summary.groups())
    # A program can fail after its summary, in a destructor or by a sanitizer's report.
    return passed, failed if good or failed else 1


def self_test():
    summary = "[doctest] test cases: 5 | {} passed | {} failed | 1 skipped\n"
    samples = [
        ("OK", "", (1, 0)),
        ("SKIP", "", (0, 0)),
        ("FAIL", "", (0, 1)),
        ("TIMEOUT", "", (0, 1)),
        ("OK", summary.format(5, 0), (5, 0)),
        ("OK", "\x1b[0;36m[doctest] \x1b[0mtest cases:  5 |  5 passed | 0 failed |\n", (5, 0)),
        ("FAIL", summary.format(3, 2), (3, 2)),
        ("FAIL", summary.format(5, 0), (5, 1)),
    ]
    wrong = [
        sample
        for sample in samples
        if count({"result": sample[0], "stdout": sample[1]}) != sample[2]
    ]
    print(*wrong, sep="\n")
    return 1 if wrong else 0


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    try:
        with open(sys.argv[1], encoding="utf-8") as log:
            counts = [count(json.loads(line)) for line in log]
    except OSError:
        counts = [(0, 1)]
    passed = sum(pair[0] for pair in counts)
    failed = sum(pair[1] for pair in counts) + (int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
