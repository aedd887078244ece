#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails or kills the program at its state-changing system calls, one at a time.

For each scenario the system calls that change something are counted once; then the command is run
again for each of them, in a fresh copy, with that call failing (ENOSPC, EIO, EACCES, EMFILE in
turn) or killing the process, by strace's fault injection. strace counts calls per process, so a
point is "the n-th such call of every process", the git processes that are started included.

After an error: exit status not 0 and nothing changed, or 0 and the job done; no lock, no
temporary. Where the failure also strikes every attempt to mend it, a switch may stay half-way:
then the user's work must be intact and the same command must complete it. After a kill:
`git fsck` is clean, refs and HEAD are old or new, and the same command
run again (stale locks of git removed, as git itself asks for) does the job. After SIGTERM or
SIGINT: it ends by that signal with everything as it was, or has done the job; no lock, no temporary.

usage: sweep.py BIN_DIR [--step N] [--scenario NAME] [--only error|signal|kill] [--progress]
"""

import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

CALLS = ["openat", "write", "rename", "renameat2", "link", "linkat", "symlinkat", "mkdir",
         "mkdirat", "unlink", "unlinkat", "rmdir", "fsync", "chmod", "fchmod", "utimensat",
         "ftruncate"]
SIGNALS = [signal.SIGTERM, signal.SIGINT]
ERRORS = ["ENOSPC", "EIO", "EACCES", "EMFILE"]
# Whose failures may stay half-way, when they also strike all that is tried to mend them.
SWITCHES = ["patch", "unpatch"]
BASE_ENV = {
    "LC_ALL": "C", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@a.example",
    "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@a.example",
    "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
}


class Sweep:
    def __init__(self, bin_dir, root):
        self.root = root
        self.env = dict(BASE_ENV, PATH=bin_dir + ":" + os.environ["PATH"], HOME=root)
        self.serial = 0
        self.half_way = 0
        self.notes = []
        self.template = os.path.join(root, "template")

    def run(self, folder, *words, check=True):
        done = subprocess.run(words, cwd=folder, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if check and done.returncode != 0:
            sys.exit(f"{' '.join(words)}: {done.stdout.decode(errors='replace')}")
        return done

    def git(self, folder, *words):
        return self.run(folder, "git", *words).stdout.decode(errors="replace")

    def make_template(self):
        repo = os.path.join(self.template, "repo")
        os.makedirs(repo)
        self.git(repo, "init", "-q", "-b", "main")
        self.git(repo, "config", "gc.auto", "0")

        def put(name, text):
            os.makedirs(os.path.dirname(os.path.join(repo, name)) or repo, exist_ok=True)
            with open(os.path.join(repo, name), "w", encoding="utf-8") as out:
                out.write(text)

        for number in range(6):
            put(f"src/f{number}.py", "".join(f"line {number} {i}\n" for i in range(30)))
        self.git(repo, "add", "-A")
        self.git(repo, "commit", "-qm", "base")
        self.git(repo, "tag", "base")
        for device in ("a", "b"):
            self.git(repo, "checkout", "-q", "-B", "work-" + device, "base")
            put("src/f1.py", "".join(f"{device} {i}\n" for i in range(30)))
            put(f"src/new-{device}.py", "new\n")
            self.git(repo, "add", "-A")
            self.git(repo, "commit", "-qm", "adapt " + device)
        self.git(repo, "flagscale", "patch", "-q", "--device-type", "A_X100", "--base-commit-id",
                 "base", "--current-commit-id", "work-a")
        self.git(repo, "flagscale", "patch", "-q", "--device-type", "A_X100", "B_Y100",
                 "--base-commit-id", "base", "--current-commit-id", "work-b")
        put("notes.txt", "untracked and precious\n")
        with open(os.path.join(repo, "src/f5.py"), "a", encoding="utf-8") as out:
            out.write("an edit\n")

    def scenarios(self):
        """Name, commands that lead there, the command, what tells that the job is done."""
        def unpatched(device):
            return lambda repo: self.head_tree(os.path.join(repo, "build", device, "repo")) == \
                self.head_tree(repo, "work-" + device[0].lower())

        both = (lambda repo: unpatched("A_X100")(repo) and unpatched("B_Y100")(repo))
        new = ["patch", "--device-type", "N_One", "--base-commit-id", "base",
               "--current-commit-id", "work-a"]
        one = ["unpatch", "--device-type", "A_X100", "--commit-id", "base"]
        return [
            ("patch", [], new, lambda repo: self.on_branch(repo, "N_One")),
            ("patch-no-switch", [], new + ["--no-switch"],
             lambda repo: "N_One" in self.git(repo, "for-each-ref")),
            ("unpatch", [], one,
             lambda repo: self.head_tree(repo) == self.head_tree(repo, "work-a")),
            ("unpatch-dir", [], one + ["--dir", "build"], unpatched("A_X100")),
            ("unpatch-dir-again", [one + ["--dir", "build"]], one + ["--dir", "build"],
             unpatched("A_X100")),
            ("unpatch-dir-two", [], ["unpatch", "--device-type", "A_X100", "B_Y100", "--commit-id",
                                     "base", "--dir", "build"], both),
        ]

    def head_tree(self, repo, revision="HEAD"):
        if not os.path.isdir(repo):
            return None
        done = self.run(repo, "git", "rev-parse", "-q", "--verify", revision + "^{tree}",
                        check=False)
        return done.stdout.decode().strip() if done.returncode == 0 else None

    def on_branch(self, repo, device):
        head = self.run(repo, "git", "symbolic-ref", "-q", "HEAD", check=False).stdout.decode()
        return device in head and not self.git(repo, "diff", "--name-only", "HEAD", "--",
                                               "hardwares")

    def fresh(self, name, before):
        self.serial += 1
        folder = os.path.join(self.root, f"{name}-{self.serial}")
        shutil.copytree(self.template, folder, symlinks=True)
        repo = os.path.join(folder, "repo")
        self.run(repo, "git", "update-index", "-q", "--refresh", check=False)
        for words in before:
            self.git(repo, "flagscale", *words)
        return folder, repo

    def snapshot(self, repo):
        parts = [self.git(repo, "for-each-ref"), self.git(repo, "ls-files", "-s"),
                 open(os.path.join(repo, ".git/HEAD"), encoding="utf-8").read()]
        for top, folders, files in os.walk(repo):
            folders[:] = sorted(f for f in folders if f not in ("objects", "logs"))
            for name in sorted(files):
                path = os.path.join(top, name)
                if os.path.islink(path):
                    parts.append(path[len(repo):] + " -> " + os.readlink(path))
                elif name != "index":
                    with open(path, "rb") as data:
                        parts.append(path[len(repo):] + " " +
                                     hashlib.sha1(data.read()).hexdigest())
        return "\n".join(parts)

    @staticmethod
    def work_lost(repo):
        lost = []
        for path, text in (("notes.txt", "precious"), ("src/f5.py", "an edit")):
            with open(os.path.join(repo, path), encoding="utf-8") as data:
                if text not in data.read():
                    lost.append("lost the work in " + path)
        return lost

    @staticmethod
    def litter(folder):
        found = []
        for top, folders, files in os.walk(folder):
            for name in folders + files:
                if name != "flagscale-output" and re.search(
                        r"\.lock$|^tmp_|^\.repo\.new|^flagscale-......$", name):
                    found.append(os.path.join(top, name)[len(folder):])
        return found

    def strace(self, repo, options, words, follow=True):
        """On one processor, since then the program starts no threads."""
        log = os.path.join(self.root, "trace")
        done = subprocess.run(
            ["taskset", "-c", "0", "strace", *(["-f"] if follow else []), "-o", log, "-e",
             "trace=" + ",".join(CALLS), *options, "git-flagscale", *words],
            cwd=repo, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, check=False, timeout=120)
        with open(log, encoding="utf-8", errors="replace") as lines:
            return done, lines.read()

    def points(self, name, before, words, follow):
        """All (call, n) at which some process makes a call that changes something."""
        folder, repo = self.fresh(name, before)
        done, log = self.strace(repo, [], words, follow)
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stderr.decode(errors='replace')}")
        counts, points = {}, set()
        for line in log.splitlines():
            match = re.match(r"(?:(\d+)\s+)?(\w+)\(", line)
            if not match or match[2] not in CALLS:
                continue
            key = (match[1], match[2])
            counts[key] = counts.get(key, 0) + 1
            if match[2] != "openat" or re.search("O_WRONLY|O_RDWR|O_CREAT", line):
                points.add((match[2], counts[key]))
        shutil.rmtree(folder)
        return sorted(points)

    def check_error(self, name, before, words, done_check, call, point, error):
        folder, repo = self.fresh(name, before)
        old = self.snapshot(repo)
        done, log = self.strace(repo, ["-e", f"inject={call}:error={error}:when={point}"], words)
        wrong = []
        if "INJECTED" not in log:
            shutil.rmtree(folder)
            return None
        stderr = done.stderr.decode(errors="replace")
        if done.returncode < 0 or done.returncode > 129:
            wrong.append(f"ended by {done.returncode}")
        elif done.returncode == 0:
            if not done_check(repo):
                wrong.append("exit 0, but the job is not done")
        else:
            if not stderr.strip() and call != "write":
                wrong.append("failed without a word")
            now = self.snapshot(repo)
            if now != old and not (call == "write" and "standard output" in stderr and
                                   done_check(repo)):
                # The failure stayed, since it strikes git's and our attempts to mend it, too.
                self.half_way += 1
                changed = " | ".join(sorted(set(now.split("\n")) ^ set(old.split("\n")))[:4])
                self.notes.append(f"{name}: {error} at {call} #{point} stayed: {changed}; said "
                                  f"{self.says(done)}")
                wrong += self.work_lost(repo)
                again = self.run(repo, "git", "flagscale", *words, check=False)
                if again.returncode != 0 or not done_check(repo) or name not in SWITCHES:
                    wrong.append("changed: " + changed)
        # What cannot be removed stays.
        if call not in ("unlink", "unlinkat", "rmdir"):
            wrong += ["left " + path for path in self.litter(folder)[:3]]
        shutil.rmtree(folder)
        return wrong, stderr

    @staticmethod
    def says(done):
        return done.stderr.decode(errors="replace").strip().replace("\n", " / ")[:200]

    def ended_well(self, done, number, repo, old, done_check):
        """What is wrong with how a command took a signal."""
        wrong = self.work_lost(repo)
        if done.returncode == 0:
            if not done_check(repo):
                wrong.append("exit 0, but the job is not done")
        elif done.returncode != -number:
            wrong.append(f"ended by {done.returncode}, not by the signal: {self.says(done)}")
        elif not done_check(repo):
            changed = set(self.snapshot(repo).split("\n")) ^ set(old.split("\n"))
            if changed:
                wrong.append("half-way: " + " | ".join(sorted(changed)[:4]))
        return wrong

    def check_signal(self, name, before, words, done_check, call, point, number):
        folder, repo = self.fresh(name, before)
        old = self.snapshot(repo)
        done, log = self.strace(
            repo, ["-e", f"inject={call}:signal={number.value}:when={point}"], words, follow=False)
        if number.name not in log:
            shutil.rmtree(folder)
            return None
        wrong = self.ended_well(done, number, repo, old, done_check)
        wrong += ["left " + path for path in self.litter(folder)[:3]]
        shutil.rmtree(folder)
        return wrong, ""

    def check_kill(self, name, before, words, done_check, call, point):
        folder, repo = self.fresh(name, before)
        _, log = self.strace(repo, ["-e", f"inject={call}:signal=KILL:when={point}"], words,
                              follow=False)
        if "KILL" not in log:
            shutil.rmtree(folder)
            return None
        wrong = []
        fsck = self.run(repo, "git", "fsck", "--no-dangling", check=False)
        if fsck.returncode != 0:
            wrong.append("fsck: " + fsck.stdout.decode(errors="replace")[:200])
        wrong += self.work_lost(repo)
        # git leaves its locks behind when it is killed, and asks people to remove them.
        for top, _, files in os.walk(os.path.join(repo, ".git")):
            for name_ in files:
                if name_.endswith(".lock"):
                    os.unlink(os.path.join(top, name_))
        again = self.run(repo, "git", "flagscale", *words, check=False)
        if again.returncode != 0:
            wrong.append("again: " + again.stdout.decode(errors="replace").strip()[:200])
        elif not done_check(repo):
            wrong.append("run again, the job is not done")
        shutil.rmtree(folder)
        return wrong, ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--scenario", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--progress", action="store_true")
    args = parser.parse_args()
    if not shutil.which("strace") or not shutil.which("taskset"):
        print("strace or taskset is missing")
        sys.exit(77)
    root = tempfile.mkdtemp(prefix="flagscale-faults-")
    tried = {"error": 0, "signal": 0, "kill": 0}
    failures = 0
    try:
        sweep = Sweep(args.bin_dir, root)
        sweep.make_template()
        for name, before, words, done_check in sweep.scenarios():
            if args.scenario and args.scenario != name:
                continue
            for kind in tried:
                if args.only and args.only != kind:
                    continue
                # Errors also strike the git processes that are started; kills and signals only
                # strike us, since git's own processes then go on to their end.
                points = sweep.points(name, before, words, follow=kind == "error")
                if args.progress:
                    print(f"{name}: {len(points)} points for {kind}", flush=True)
                # A sample takes every n-th point, from a start of its own for each scenario.
                for at in range(sum(map(ord, name)) % args.step, len(points), args.step):
                    call, point = points[at]
                    if kind == "error":
                        result = sweep.check_error(name, before, words, done_check, call, point,
                                                   ERRORS[at % len(ERRORS)])
                    elif kind == "signal":
                        result = sweep.check_signal(name, before, words, done_check, call, point,
                                                    SIGNALS[at % len(SIGNALS)])
                    else:
                        result = sweep.check_kill(name, before, words, done_check, call, point)
                    if result is None:
                        continue
                    tried[kind] += 1
                    if result[0]:
                        failures += 1
                        print(f"{name}: {kind} at {call} #{point}: {'; '.join(result[0])}",
                              flush=True)
                        if result[1]:
                            print("    said: " + result[1].strip()[:300].replace("\n", " / "))
    finally:
        shutil.rmtree(root, ignore_errors=True)
    if args.progress:
        print(*sweep.notes, sep="\n")
    print(f"{tried['error']} errors, {tried['signal']} signals and {tried['kill']} kills tried, "
          f"{failures} with damage; "
          f"{sweep.half_way} failures that stayed left a switch half-way, which running the command "
          "again completed")
    if sum(tried.values()) == 0:
        sys.exit("nothing was tried")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
