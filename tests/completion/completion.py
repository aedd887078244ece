#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""completion.py SHELL PROGRAMS GROUP...|--self-test: TAB in a real interactive bash or zsh.

PROGRAMS is the folder of the program. With --self-test, the completions are not installed, and
each case must fail: one that cannot fail is worth nothing.
"""
import pathlib
import sys
import tempfile

from cases import GROUPS
from fixture import World
from shells import SHELLS, missing

SKIPPED = 77
COMPLETIONS = pathlib.Path(__file__).resolve().parents[2] / "completions"


def try_case(shell, world, case):
    """(what was seen, the complaint or None)"""
    shell.run(f"cd '{world.root / case.at}'")
    seen = shell.press_tab(case.typed, case.after)
    if case.offers and not seen.listed:
        # zsh stops at what the candidates have in common.
        seen = shell.press_tab_again()
    return seen, case.complaint(seen)


def main():
    name, programs, *groups = sys.argv[1:]
    lack = missing(name)
    if lack:
        print(f"skipped: there is no {lack}")
        return SKIPPED
    self_test = groups == ["--self-test"]
    cases = [case for group in (GROUPS if self_test else groups) for case in GROUPS[group]]
    failed = 0
    with tempfile.TemporaryDirectory() as root:
        world = World(root, programs, None if self_test else COMPLETIONS, SHELLS[name])
        with SHELLS[name](world.environment, root) as shell:
            for case in cases:
                if case.only not in (None, name):
                    continue
                seen, complaint = try_case(shell, world, case)
                if self_test:
                    wrong = complaint is None and name not in case.by_default
                else:
                    wrong = complaint is not None
                failed += wrong
                milliseconds = round(seen.seconds * 1000)
                print("not ok" if wrong else "ok", f"- {case.typed!r} ({milliseconds} ms)")
                if wrong:
                    print(f"  {complaint or 'the same without the completions'}; {seen}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
