#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stdout that is full, whose reader is gone, or that is closed, for every command that prints.

A full one is an error that is told; a reader that is gone ends the program silently, as SIGPIPE
does; of one that is closed no file of the repository may take the place.

usage: output.py BIN_DIR
"""

import os
import shutil
import signal
import sys
import tempfile
import subprocess

from sweep import Sweep

ONE = ["--device-type", "A_X100", "--commit-id", "base"]
NEW = ["patch", "--device-type", "N_One", "--base-commit-id", "base", "--current-commit-id",
       "work-a"]
COMMANDS = [
    ["--version"], ["-h"], ["help"], ["help", "list"], ["list", "-h"],
    ["list"], ["list", "--json"], ["show", "A_X100"], ["show", "--patch", "A_X100"],
    ["show", "--json", "A_X100"], ["verify"], ["verify", "--json"], ["hetero", "list"],
    ["hetero", "list", "--json"], ["hetero", "remove", "A_X100", "B_Y100", "--commit-id", "base"],
    NEW, [*NEW, "--no-switch"], [*NEW, "--json"], ["unpatch", *ONE],
    ["unpatch", *ONE, "--dir", "build"],
    ["unpatch", *ONE, "--dir", "build", "--json"],
    # Errors as JSON go to stdout, too.
    ["unpatch", "--device-type", "No_Such", "--commit-id", "base", "--json"],
]


class Output(Sweep):
    def attempt(self, words, stdout, start=()):
        folder, repo = self.fresh("output", [])
        done = subprocess.run([*start, "git-flagscale", *words], cwd=repo, env=self.env,
                              check=False, stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, timeout=120)
        wrong = ["left " + path for path in self.litter(folder)] + self.work_lost(repo)
        fsck = self.run(repo, "git", "fsck", "--no-dangling", check=False)
        if fsck.returncode != 0:
            wrong.append("fsck: " + fsck.stdout.decode(errors="replace")[:200])
        shutil.rmtree(folder)
        return done.returncode, done.stderr.decode(errors="replace"), wrong

    def full(self, words):
        with open("/dev/full", "wb") as full:
            status, said, wrong = self.attempt(words, full)
        told = "fatal: cannot write 'standard output'" in said or "No_Such" in said
        if status not in (1, 128) or not told:
            wrong.append(f"exit {status}, said {said[-100:]!r}")
        return wrong

    def gone(self, words):
        reader, writer = os.pipe()
        os.close(reader)
        status, said, wrong = self.attempt(words, writer)
        os.close(writer)
        if status != -signal.SIGPIPE or "fatal:" in said or "error:" in said:
            wrong.append(f"exit {status}, said {said[-100:]!r}")
        return wrong

    def closed(self, words):
        """Neither stdin nor stdout nor stderr."""
        start = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]
        status, _, wrong = self.attempt(words, subprocess.DEVNULL, start)
        if status not in (1, 128):
            wrong.append(f"exit {status}")
        return wrong


def main():
    root = tempfile.mkdtemp(prefix="flagscale-output-")
    tried = failures = 0
    try:
        output = Output(sys.argv[1], root)
        output.make_template()
        for words in COMMANDS:
            for check in (output.full, output.gone, output.closed):
                tried += 1
                wrong = check(words)
                if wrong:
                    failures += 1
                    print(f"{check.__name__}: {' '.join(words)}: {'; '.join(wrong)}", flush=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"{tried} tried, {failures} wrong")
    sys.exit(1 if failures or not tried else 0)


if __name__ == "__main__":
    main()
