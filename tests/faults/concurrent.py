#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs two commands at once in one repository, over and over.

Either may be refused, with a message. What is done must be done wholly, and the rest must be as it
was: no commit lost, HEAD, index and working tree in agreement, the user's edits there, no lock and
nothing temporary left.

usage: concurrent.py BIN_DIR [--rounds N] [--pair NAME]
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from sweep import Sweep

USERS_OWN = {" M src/f5.py", "?? notes.txt"}
MESSAGE = re.compile(r"^(fatal|error): \S", re.M)


class Pairs(Sweep):
    """Commands are (words, what tells that it is done)."""

    def patch(self, device, work):
        branch = f"flagscale/{device}/"
        return (["git", "flagscale", "patch", "--device-type", device, "--base-commit-id", "base",
                 "--current-commit-id", work],
                lambda repo: any(branch in line and self.tree_has(repo, line.split()[0], device)
                                 for line in self.git(repo, "for-each-ref").splitlines()))

    def tree_has(self, repo, commit, device):
        return f"hardwares/{device}/" in self.git(repo, "ls-tree", "-r", "--name-only", commit)

    def unpatch(self, device):
        return (["git", "flagscale", "unpatch", "--device-type", device, "--commit-id", "base"],
                lambda repo: self.head_was(repo, self.tree_id(repo, "work-" + device[0].lower())))

    def unpatch_dir(self, device):
        output = f"build/{device}/repo"
        return (["git", "flagscale", "unpatch", "--device-type", device, "--commit-id", "base",
                 "--dir", "build"],
                lambda repo: self.head_tree(os.path.join(repo, output)) ==
                self.head_tree(repo, "work-" + device[0].lower()) and
                not self.git(os.path.join(repo, output), "status", "--porcelain"))

    def commit(self):
        """Of a file of its own, on whatever HEAD is on."""
        return (["sh", "-c", "echo mine >src/mine.py && git add src/mine.py && "
                             "git commit -qm mine src/mine.py"],
                lambda repo: "mine" in self.git(repo, "log", "-g", "--format=%s", "HEAD"))

    def tree_id(self, repo, revision):
        return self.head_tree(repo, revision)

    def head_was(self, repo, tree):
        """Whether HEAD is or was, by its reflog, at a commit with this tree."""
        return tree in self.git(repo, "log", "-g", "--format=%T", "HEAD").split()

    def pairs(self):
        return {
            "two patches": (self.patch("N_One", "work-a"), self.patch("M_Two", "work-b")),
            "the same patch": (self.patch("N_One", "work-a"), self.patch("N_One", "work-a")),
            "patch and unpatch": (self.patch("N_One", "work-a"), self.unpatch("A_X100")),
            "two unpatches": (self.unpatch("A_X100"), self.unpatch("B_Y100")),
            "one folder": (self.unpatch_dir("A_X100"), self.unpatch_dir("A_X100")),
            "two folders": (self.unpatch_dir("A_X100"), self.unpatch_dir("B_Y100")),
            "patch and commit": (self.patch("N_One", "work-a"), self.commit()),
            "unpatch and commit": (self.unpatch("A_X100"), self.commit()),
        }

    def run_both(self, repo, commands, pause):
        started = []
        for words, _ in commands:
            started.append(subprocess.Popen(words, cwd=repo, env=self.env,
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.PIPE))
            time.sleep(pause)
        said = [child.communicate(timeout=120)[1].decode(errors="replace") for child in started]
        return [(child.returncode, text) for child, text in zip(started, said)]

    def agrees(self, repo):
        """Complaints where HEAD, index and working tree do not agree."""
        status = set(self.git(repo, "status", "--porcelain", "-uall").splitlines())
        # A commit that was refused leaves its file, staged or not.
        wrong = {line for line in status - USERS_OWN if not line.startswith(("?? build/", "!!"))
                 and line not in ("A  src/mine.py", "?? src/mine.py")}
        complaints = ["HEAD and working tree differ: " + ", ".join(sorted(wrong)[:4])] \
            if wrong else []
        if not USERS_OWN <= status:
            complaints.append("the user's own: " + ", ".join(sorted(status)[:6]))
        return complaints

    def round(self, name, pause):
        """(what is wrong, how many commands were refused)"""
        commands = self.pairs()[name]
        folder, repo = self.fresh("pair", [])
        before = set(self.git(repo, "rev-list", "--all").split())
        outcomes = self.run_both(repo, commands, pause)
        wrong = self.work_lost(repo) + self.agrees(repo)
        wrong += ["left " + path for path in self.litter(folder)[:3]]
        refused = 0
        for (words, is_done), (status, text) in zip(commands, outcomes):
            if status == 0 and not is_done(repo):
                wrong.append(" ".join(words[1:4]) + " said it was done")
            if status != 0:
                refused += 1
                if not MESSAGE.search(text) or status not in (1, 128):
                    wrong.append(f"exit {status} and no clear message: {text.strip()[:150]!r}")
        fsck = self.run(repo, "git", "fsck", "--no-dangling", check=False)
        if fsck.returncode != 0:
            wrong.append("fsck: " + fsck.stdout.decode(errors="replace")[:200])
        if not before <= set(self.git(repo, "rev-list", "--all", "--reflog").split()):
            wrong.append("commits were lost")
        if refused == 2 and name != "the same patch":
            wrong.append("both were refused: " + " / ".join(t.strip()[:150] for _, t in outcomes))
        if wrong:
            said = " || ".join(f"{s}: {t.strip()[-200:]}" for s, t in outcomes)
            wrong.append(f"(pause {pause:.4f}; said {said!r})")
        shutil.rmtree(folder)
        return wrong, refused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--pair", default="")
    args = parser.parse_args()
    root = tempfile.mkdtemp(prefix="flagscale-concurrent-")
    failures = rounds = 0
    try:
        pairs = Pairs(args.bin_dir, root)
        pairs.make_template()
        for name in pairs.pairs():
            if args.pair and name != args.pair:
                continue
            refusals = 0
            for number in range(args.rounds):
                # Now side by side, now in one another's last moments.
                pause = random.Random(number).choice([0, 0.002, 0.01, 0.02, 0.03, 0.05])
                wrong, refused = pairs.round(name, pause)
                rounds += 1
                refusals += refused
                if wrong:
                    failures += 1
                    print(f"{name}, round {number}: {'; '.join(wrong)}", flush=True)
            print(f"{name}: {args.rounds} rounds, {refusals} commands refused", flush=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"{rounds} rounds, {failures} with damage")
    sys.exit(1 if failures or not rounds else 0)


if __name__ == "__main__":
    main()
