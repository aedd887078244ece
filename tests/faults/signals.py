#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ends the commands by SIGTERM and Ctrl-C at each of the git processes that they start.

A stand-in for git counts; at the n-th start it signals: SIGTERM to the program alone, as `kill`
does, or SIGINT to the whole process group, as a terminal does, before git runs or after it has.
Filters and hooks signal from within a checkout. The command must then end by that signal with
everything as it was and nothing left behind, or have wholly done its job.

usage: signals.py BIN_DIR [--step N]
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from sweep import Sweep

STAND_IN = """#!/bin/sh
echo x >>"$GIT_COUNT"
strike=
[ "$(wc -l <"$GIT_COUNT")" != "$GIT_AT" ] || strike=$GIT_STRIKE
[ "$GIT_MOMENT" != before ] || eval "$strike"
"$REAL_GIT" "$@"
status=$?
[ "$GIT_MOMENT" != after ] || eval "$strike"
exit $status
"""
STRIKES = {signal.SIGTERM: 'kill -TERM "$(cat "$PID_FILE")"', signal.SIGINT: "kill -INT 0"}
START = 'echo $$ >"$PID_FILE"; exec git-flagscale "$@"'


class Signals(Sweep):
    def __init__(self, bin_dir, root):
        super().__init__(bin_dir, root)
        self.stand_in = os.path.join(root, "bin")
        self.count = os.path.join(root, "count")
        os.mkdir(self.stand_in)
        path = os.path.join(self.stand_in, "git")
        with open(path, "w", encoding="utf-8") as out:
            out.write(STAND_IN)
        os.chmod(path, 0o755)

    def start(self, repo, words, moment, number, at):
        """Runs the program in a process group of its own; its outcome and git's starts."""
        if os.path.exists(self.count):
            os.unlink(self.count)
        env = dict(self.env, GIT_COUNT=self.count, GIT_AT=str(at), GIT_MOMENT=moment,
                   GIT_STRIKE=STRIKES[number], REAL_GIT=shutil.which("git"),
                   PID_FILE=os.path.join(self.root, "pid"),
                   PATH=self.stand_in + ":" + self.env["PATH"])
        done = subprocess.run(["sh", "-c", START, "sh", *words], cwd=repo, env=env, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True, timeout=120)
        if not os.path.exists(self.count):
            return done, 0
        with open(self.count, encoding="utf-8") as lines:
            return done, len(lines.readlines())

    def check(self, scenario, moment, number, at, prepare=None):
        """None when the signal's moment does not come; else what is wrong."""
        name, before, words, done_check = scenario
        folder, repo = self.fresh(name, before)
        if prepare:
            prepare(repo)
        old = self.snapshot(repo)
        done, starts = self.start(repo, words, moment, number, at)
        wrong = None
        if at <= starts or moment == "within":
            wrong = self.ended_well(done, number, repo, old, done_check)
            wrong += ["left " + path for path in self.litter(folder)[:3]]
        shutil.rmtree(folder)
        return wrong

    def check_within(self, scenario, number):
        """The signal comes from a filter and from a hook, while git checks out."""
        strike = STRIKES[number]

        def by_filter(repo):
            self.git(repo, "config", "filter.strike.smudge",
                     f"cat; test -e ../struck || {{ touch ../struck; {strike}; }}")
            with open(os.path.join(repo, ".git/info/attributes"), "w", encoding="utf-8") as out:
                out.write("new-* filter=strike\n*.patch filter=strike\n")

        def by_hook(repo):
            hook = os.path.join(repo, ".git/hooks/post-checkout")
            os.makedirs(os.path.dirname(hook), exist_ok=True)
            with open(hook, "w", encoding="utf-8") as out:
                out.write(f"#!/bin/sh\n{strike}\n")
            os.chmod(hook, 0o755)

        for prepare in (by_filter, by_hook):
            yield prepare.__name__, self.check(scenario, "within", number, 0, prepare)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("--step", type=int, default=1)
    args = parser.parse_args()
    root = tempfile.mkdtemp(prefix="flagscale-signals-")
    tried = failures = 0
    try:
        signals = Signals(args.bin_dir, root)
        signals.make_template()
        for scenario in signals.scenarios():
            for number in STRIKES:
                results = [(f"{scenario[0]}: {number.name} {place}", wrong)
                           for place, wrong in signals.check_within(scenario, number)]
                for moment in ("before", "after"):
                    at = 1
                    while (wrong := signals.check(scenario, moment, number, at)) is not None:
                        results.append((f"{scenario[0]}: {number.name} {moment} git #{at}", wrong))
                        at += args.step
                tried += len(results)
                for place, wrong in results:
                    if wrong:
                        failures += 1
                        print(f"{place}: {'; '.join(wrong)}", flush=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"{tried} signals, {failures} with damage")
    sys.exit(1 if failures or not tried else 0)


if __name__ == "__main__":
    main()
