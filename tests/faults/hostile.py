#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds the commands what hostile_inputs.py makes, and looks at what they leave, take and print.

Each input must be refused (exit 1, 128, or 129 for words), in bounded time and memory, without a
file, an object or a reference being written anywhere, and without a control character being
printed. Paths and counts must be refused by real `git am`, too: what git lets in and we do not is
counted.

usage: hostile.py BIN_DIR [--scale PART] [--group NAME]
"""

import argparse
import collections
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

import hostile_inputs
from hostile_inputs import STEERING
from sweep import Sweep

MAX_SECONDS = 60
MAX_MIB = 2600
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|[^\x80-\xff][\x80-\xbf]")
ONE = ["unpatch", "--device-type", "E_Vil", "--commit-id"]
BOTH = ["unpatch", "--device-type", "A_X100", "B_Y100", "--commit-id"]


class Hostile(Sweep):
    def __init__(self, bin_dir, root):
        super().__init__(bin_dir, root)
        self.wrong, self.tried = [], collections.Counter()
        self.let_in = 0
        self.worst = {"seconds": (0, ""), "MiB": (0, "")}
        self.git_refused = self.git_took = 0

    def make(self):
        self.make_template()
        self.folder, self.repo = self.fresh("hostile", [])
        outside = os.path.join(self.folder, "outside")
        os.mkdir(outside)
        with open(os.path.join(outside, "canary"), "w", encoding="utf-8") as out:
            out.write("precious\n")
        os.symlink("../outside", os.path.join(self.repo, "out"))
        os.symlink("../../outside", os.path.join(self.repo, "src/link"))
        self.git(self.repo, "checkout", "-q", "--detach", "base")
        self.git(self.repo, "add", "out", "src/link")
        self.git(self.repo, "commit", "-qm", "links")
        self.base = self.git(self.repo, "rev-parse", "HEAD").strip()
        self.git(self.repo, "tag", "links")
        self.clone = os.path.join(self.root, "clone")
        self.git(self.root, "clone", "-q", self.repo, self.clone)
        self.git(self.clone, "checkout", "-q", "--detach", self.base)

    def state(self):
        """Everything below the folder that holds repository and outside."""
        parts = [self.snapshot(self.repo)]
        for top, folders, files in os.walk(self.folder):
            parts += [os.path.join(top, name) for name in sorted(folders + files)]
        with open(os.path.join(self.folder, "outside/canary"), encoding="utf-8") as canary:
            parts.append(canary.read())
        return "\n".join(parts)

    def measured(self, words):
        """Exit status, output, seconds of processor time and MiB of one run."""
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen(["git-flagscale", *words], cwd=self.repo, env=self.env,
                                     stdin=subprocess.DEVNULL, stdout=output,
                                     stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            seconds = usage.ru_utime + usage.ru_stime
            output.seek(0)
            return child.returncode, output.read(), seconds, usage.ru_maxrss / 1024

    def attempt(self, group, name, words, refused=(1, 128), may_pass=False):
        """Runs a command that must be refused and leave no trace; `may_pass`: it may be content."""
        shown = f"{group}: {name[:60]!r}: {' '.join(words[:2])}"
        old = self.state()
        status, output, seconds, mib = self.measured(words)
        wrong = []
        if status not in refused and not (may_pass and status == 0):
            wrong.append(f"exit {status}: {output[-200:]!r}")
        if self.state() != old:
            changed = set(self.state().split("\n")) ^ set(old.split("\n"))
            wrong.append("written: " + " | ".join(sorted(changed)[:4]))
        if found := CONTROL.search(output):
            wrong.append(f"printed {output[max(0, found.start() - 30):found.end() + 10]!r}")
        if seconds > MAX_SECONDS or mib > MAX_MIB:
            wrong.append(f"took {seconds:.1f} s and {mib:.0f} MiB")
        for unit, amount in (("seconds", seconds), ("MiB", mib)):
            self.worst[unit] = max(self.worst[unit], (amount, shown))
        self.tried[group] += 1
        if wrong:
            self.let_in += 1
            print(f"{shown}: {'; '.join(wrong)}", flush=True)

    def place(self, path):
        return os.path.join(self.repo, "hardwares/E_Vil", self.base[:8], self.base[:8] + path)

    def put(self, path, data):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(data)

    def ask_git(self, patch, group, name):
        done = subprocess.run(
            ["git", "-c", "core.protectHFS=true", "-c", "core.protectNTFS=true", "am", "-q",
             "--keep-non-patch", "--keep-cr"], cwd=self.clone, env=self.env, input=patch,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            self.git_refused += 1
            self.run(self.clone, "git", "am", "--abort", check=False)
        else:
            self.git_took += 1
            print(f"note: {group}: {name[:60]!r}: git takes it, we do not")
        self.git(self.clone, "reset", "-q", "--hard", self.base)

    def patches(self, group, inputs, oracle):
        for name, patch in inputs:
            self.put(self.place(".patch"), patch)
            self.attempt(group, name, [*ONE, self.base[:8], "--dir", "build"])
            if oracle:
                self.attempt(group, name, [*ONE, self.base[:8]])
                self.ask_git(patch, group, name)
            shutil.rmtree(os.path.join(self.repo, "hardwares/E_Vil"))

    def sidecars(self):
        diff = hostile_inputs.new(b"x")
        self.put(self.place(".patch"), hostile_inputs.mail(diff))
        good = self.git(self.repo, "cat-file", "blob", self.blob_like("*.json", "A_X100"))
        good = good.replace("A_X100", "E_Vil").replace(self.full("base"), self.base).encode()
        for name, text in hostile_inputs.sidecars(good):
            self.put(self.place(".json"), text)
            self.attempt("sidecars", name, [*ONE, self.base[:8], "--dir", "build"])
        shutil.rmtree(os.path.join(self.repo, "hardwares/E_Vil"))

    def full(self, revision):
        return self.git(self.repo, "rev-parse", revision).strip()

    def patch_branch(self, device):
        return self.git(self.repo, "for-each-ref", "--format=%(objectname)",
                        f"refs/heads/flagscale/{device}/").split()[0]

    def blob_like(self, pattern, device):
        listing = self.git(self.repo, "ls-tree", "-r", self.patch_branch(device), "hardwares/" + device)
        ending = self.full("base")[:8] + pattern[1:]
        return next(line.split()[2] for line in listing.splitlines() if line.endswith(ending))

    def commit_with(self, entries):
        """A commit like B_Y100's with these (mode, path, bytes) on top of it."""
        index = dict(self.env, GIT_INDEX_FILE=os.path.join(self.root, "index"))

        def git(*words, data=None):
            done = subprocess.run(["git", *words], cwd=self.repo, env=index, input=data, check=True,
                                  stdout=subprocess.PIPE)
            return done.stdout.decode().strip()

        tip = self.patch_branch("B_Y100")
        git("read-tree", tip)
        for mode, path, data in entries:
            blob = git("hash-object", "-w", "--stdin", data=data)
            git("rm", "-rfq", "--cached", "--ignore-unmatch", path)
            git("update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}")
        return git("commit-tree", "-m", "x", "-p", tip, git("write-tree"))

    def mappings(self):
        old_base = self.full("base")
        for path, text in hostile_inputs.mappings(old_base.encode()):
            commit = self.commit_with([("100644", path.decode(), text)])
            name = path + b" " + text
            self.attempt("mappings", name, ["hetero", "list", "--from", commit])
            self.attempt("mappings", name, [*BOTH, "base", "--from", commit, "--dir", "build"],
                         may_pass=False)
            self.attempt("mappings", name, ["verify", "--from", commit])

    def raw_tree(self, entries):
        data = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
        done = subprocess.run(["git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
                              cwd=self.repo, env=self.env, input=data, stdout=subprocess.PIPE, check=True)
        return done.stdout.decode().strip()

    def stores(self):
        b8 = self.full("base")[:8]
        tip = self.patch_branch("A_X100")
        inner = self.full(f"{tip}:hardwares/A_X100/{b8}")
        patch = self.full(f"{tip}:hardwares/A_X100/{b8}/{b8}.patch").encode().decode()
        target = self.git(self.repo, "hash-object", "-w", "out/canary").strip()
        device = self.raw_tree([(b"40000", b8.encode(), inner)])
        empty = self.raw_tree([])

        def store(*entries):
            return [(b"40000", b"hardwares", self.raw_tree(entries))]

        def base_folder(*entries):
            return store((b"40000", b"A_X100", self.raw_tree(
                [(b"40000", b8.encode(), self.raw_tree(entries))])))

        trees = [
            [(b"120000", b"hardwares", target)], [(b"160000", b"hardwares", tip)],
            [(b"100644", b"hardwares", target)], store((b"120000", b"A_X100", target)),
            store((b"160000", b"A_X100", tip)), store((b"100644", b"A_X100", target)),
            store((b"40000", b"..", device)), store((b"40000", b".", device)),
            store((b"40000", b"A_X100/../../x", device)), store((b"40000", b".git", device)),
            store((b"40000", b"A_X100\n", device)), store((b"40000", STEERING, device)),
            store((b"40000", b"", device)), store((b"40000", b"A_X100", self.raw_tree(
                [(b"40000", b"../" + b8.encode(), inner)]))),
            base_folder((b"120000", b8.encode() + b".patch", target)),
            base_folder((b"160000", b8.encode() + b".patch", tip)),
            base_folder((b"40000", b8.encode() + b".patch", empty)),
            base_folder((b"100644", b8.encode() + b".patch", "1" * 40)),
            base_folder((b"100644", b8.encode() + b".json", patch), (b"100644", b8.encode() + b".patch", patch)),
            base_folder((b"120000", b8.encode() + b".json", target), (b"100644", b8.encode() + b".patch", patch)),
        ]
        for number, entries in enumerate(trees):
            tree = self.raw_tree(entries)
            commit = self.git(self.repo, "commit-tree", "-m", "x", tree).strip()
            name = f"tree {number}".encode()
            self.attempt("stores", name, ["unpatch", "--device-type", "A_X100", "--commit-id", b8,
                                          "--from", commit, "--dir", "build"])
            for words in (["list"], ["verify"], ["hetero", "list"]):
                self.attempt("stores", name, [*words, "--from", commit], may_pass=True)
        self.folder_stores()

    def folder_stores(self):
        """In the working tree: what is no plain file is not read, and nothing is waited for."""
        place = self.place(".patch")
        command = [*ONE, self.base[:8], "--dir", "build"]
        good = hostile_inputs.mail(hostile_inputs.new(b"x"))
        real = os.path.join(self.folder, "outside", "E_Vil", self.base[:8], self.base[:8] + ".patch")
        self.put(real, good)
        vil = os.path.join(self.repo, "hardwares/E_Vil")
        os.makedirs(os.path.dirname(vil), exist_ok=True)
        os.symlink(os.path.dirname(os.path.dirname(real)), vil)
        self.attempt("stores", b"a link to a device type's folder", command)
        os.unlink(vil)
        os.makedirs(vil)
        os.symlink(os.path.dirname(real), os.path.dirname(place))
        self.attempt("stores", b"a link to a base's folder", command)
        os.unlink(os.path.dirname(place))
        os.makedirs(os.path.dirname(place))
        os.symlink(real, place)
        self.attempt("stores", b"a link to a patch file", command)
        os.unlink(place)
        os.mkfifo(place)
        self.attempt_unseen(b"a pipe", command)
        os.unlink(place)
        with open(place, "wb") as out:
            out.truncate(1 << 42)
        self.attempt_unseen(b"a patch file of 4 TiB", command)
        shutil.rmtree(vil)
        shutil.rmtree(os.path.join(self.folder, "outside", "E_Vil"))

    def attempt_unseen(self, name, command):
        """For what a snapshot cannot read either."""
        status, output, seconds, mib = self.measured(command)
        self.tried["stores"] += 1
        if status not in (1, 128) or seconds > MAX_SECONDS or mib > MAX_MIB:
            self.let_in += 1
            print(f"stores: {name!r}: exit {status}, {seconds} s, {mib} MiB: {output[-200:]!r}")

    def words(self):
        for words in hostile_inputs.words():
            words = ["git-flagscale", *words][1:]
            self.attempt("words", " ".join(words).encode()[:80], words, refused=(1, 128, 129))

    def printing(self):
        """What people are shown of a patch file that is otherwise in order."""
        name = hostile_inputs.new(b"src/" + STEERING)
        patch = hostile_inputs.mail(name).replace(b"[PATCH] s", b"[PATCH] =?UTF-8?q?" + b"".join(
            b"=%02X" % byte for byte in STEERING if byte not in b"\r") + b"?=").replace(
            b"From: A <a", b"From: A" + STEERING.replace(b"\r", b"") + b" <a")
        vendor = b'{"version": 1, "device_type": "E_Vil", "vendor": "E", "chip": "Vil", "contact": "%s"}'
        shown = b"\\u001b[2J\\u0007\\u009b31m\xc2\x9b1m"
        path = f"hardwares/E_Vil/{self.base[:8]}/{self.base[:8]}.patch"
        commit = self.commit_with([("100644", path, patch),
                                   ("100644", "hardwares/E_Vil/vendor.json", vendor % shown)])
        for words in (["list"], ["list", "--json"], ["show", "E_Vil"], ["show", "E_Vil", "--json"],
                      ["verify"], ["verify", "--json"], [*ONE, self.base[:8], "-n"],
                      [*ONE, self.base[:8], "-n", "--json"]):
            self.attempt("printing", b"steering", [*words, "--from", commit], may_pass=True)

    def settings(self):
        """Settings and hooks that run commands: none of ours needs them."""
        strike = os.path.join(self.folder, "owned")
        command = f"touch {strike}; false"
        for key in ("core.pager", "core.editor", "diff.external", "diff.x.textconv", "diff.x.command",
                    "merge.x.driver", "filter.x.clean", "core.sshCommand", "core.gitProxy",
                    "core.askPass", "credential.helper", "gpg.program", "uploadpack.packObjectsHook",
                    "alias.rev-parse", "alias.cat-file", "pager.flagscale", "pager.config",
                    "interactive.diffFilter", "sequence.editor", "trailer.x.command", "sendemail.smtpServer"):
            self.git(self.repo, "config", key, ("!" if "alias" in key else "") + command)
        self.git(self.repo, "config", "remote.origin.url", f"ext::sh -c touch% {strike}")
        with open(os.path.join(self.repo, ".git/info/attributes"), "w", encoding="utf-8") as out:
            out.write("* diff=x merge=x\n")
        hooks = os.path.join(self.repo, ".git/hooks")
        os.makedirs(hooks, exist_ok=True)
        for hook in ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "applypatch-msg",
                     "pre-applypatch", "post-applypatch", "pre-push", "pre-rebase", "post-rewrite",
                     "pre-auto-gc", "post-merge", "fsmonitor-watchman"):
            path = os.path.join(hooks, hook)
            with open(path, "w", encoding="utf-8") as out:
                out.write("#!/bin/sh\n" + command)
            os.chmod(path, stat.S_IRWXU)
        tip = ["--from", self.patch_branch("B_Y100")]
        for words in (["list", *tip], ["show", "A_X100", *tip], ["verify", *tip],
                      ["show", "A_X100", "--patch", *tip], ["hetero", "list", *tip],
                      ["patch", "--device-type", "N_One", "--base-commit-id", "base",
                       "--current-commit-id", "work-a"],
                      ["unpatch", "--device-type", "A_X100", "--commit-id", "base"],
                      ["unpatch", "--device-type", "A_X100", "--commit-id", "base", "--dir", "build"]):
            status, output, _, _ = self.measured(words)
            self.tried["settings"] += 1
            if status != 0 or os.path.exists(strike):
                self.let_in += 1
                print(f"settings: {' '.join(words)}: exit {status}, a command was "
                      f"{'run' if os.path.exists(strike) else 'not run'}: {output[-200:]!r}")

    def groups(self, scale):
        return {
            "paths": lambda: self.patches("paths", hostile_inputs.paths(), True),
            "counts": lambda: self.patches("counts", hostile_inputs.counts(), True),
            "sizes": lambda: self.patches("sizes", hostile_inputs.sizes(scale), False),
            "sidecars": self.sidecars,
            "mappings": self.mappings,
            "stores": self.stores,
            "words": self.words,
            "printing": self.printing,
            # The last one, since its commands do their work.
            "settings": self.settings,
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--group", default="")
    args = parser.parse_args()
    root = tempfile.mkdtemp(prefix="flagscale-hostile-")
    try:
        hostile = Hostile(args.bin_dir, root)
        hostile.make()
        for name, group in hostile.groups(args.scale).items():
            if args.group in ("", name):
                group()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    total = sum(hostile.tried.values())
    print(", ".join(f"{name} {count}" for name, count in hostile.tried.items()))
    for unit, (amount, shown) in hostile.worst.items():
        print(f"worst: {amount:.1f} {unit} ({shown})")
    print(f"git am refused {hostile.git_refused} of {hostile.git_refused + hostile.git_took} that we refused")
    print(f"{total} hostile inputs tried, {hostile.let_in} let in")
    sys.exit(1 if hostile.let_in or not total else 0)


if __name__ == "__main__":
    main()
