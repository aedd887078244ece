#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/check-ranges finds nothing in a repository of odd things, and would find what is wrong.

usage: ranges.py SOURCE_DIR BIN_DIR
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

NAMES = [
    b"a", b"src/b.c", b"src/with space.c", b"tab\there", b"new\nline", b'quo"te', b"back\\slash",
    "中文/é".encode(), b"\xd6\xd0\xff", b"a/f", b"b/f", b"-- x", b"trailing ", b"deep/e/f/g",
    b"case", b"Case", b"crlf.txt", b"id.c",
]
TEXTS = [
    b"one\ntwo\nthree\n", b"no end", b"", b"CR\r\nLF\r\nmixed\n", b"\x00\x01binary\xff\n" * 30,
    "文\n".encode("gbk") * 9, "text\n".encode("utf-16"), b"diff --git a/x b/x\n--- a/x\n+++ b/x\n",
    b"From 0 Mon Sep 17 00:00:00 2001\nFrom: x\n", b"$Id$\n" * 3, b"\f\v\n", b"w" * 9000 + b"\n",
]
ATTRIBUTES = [
    b"*.c ident\n*.txt text eol=crlf\n", b"* -diff\n", b"*.txt -text\n* text=auto\n",
    b"src/* binary\n", b"a working-tree-encoding=UTF-16LE\n",
]
LINES = [
    b"plain", b"[Tag] x", b"[PATCH 1/2] y", b"Re: z", b"---", b"--- ", b"--- a/f", b"----",
    b"--- >8 ---", b"diff --git a/f b/f", b"diff -", b"Index: f", b"Index:",
    b"From %040d Mon Sep 17 00:00:00 2001" % 0, b"From me", b">From x", b"From: Else <e@e.e>",
    b"Subject: other", b"subject: x", b"a: b", b"::", b"Date: Thu, 1 Jan 1998 00:00:00 +0000",
    b"Content-Type: text/plain; charset=latin1", b"-- ", b"--", b"-- >8 --", b"@@ -1 +1 @@",
    b"+x", b"-x", b" x", b"\tx", b"", b"", b"", b"x \t ", "é".encode(), "中文 🚀".encode(),
    b"=?UTF-8?q?=C3=A9?=", b"=?nonsense", b"# no comment", b"x" * 1200, b"ab c " * 250,
    "é ".encode() * 100, b"CR\r", b"\r", b"a\rb", b"\v", b"\f", b"=41 = =3D=",
    b"GIT binary patch", b"Binary files a and b differ", b"Signed-off-by: A <a@a.a>", b"\xff",
    b"\xe6\x97", b"\xef\xbf\xbf", b"a  b   c", b"\x1b[31m", b'"q" <w> (p)', b"\\", b">",
    b"> quoted", b"_ _", b"?=",
]
PEOPLE = [
    b"A", "Jürgen Ä".encode(), b'The "B", C.', b"", "张三".encode(), b"L\xe4tin", b"A (the one)",
    b"x@y.z", b"=?UTF-8?q?x?=", b"a\\b", b"O'N", b"[bot]", b"a: b; c", b"tab\there", b"a  b",
    b"long " * 30 + b"name", "é".encode() * 60, b"Re: x", b"-- ", b"trailing.",
]
MAILS = [
    b"a@a.a", b"j@b.c", b"none", b"a b@c.d", "é@é.é".encode(), b"a@b@c", b"a+b%c@d.e", b'"q"@d.e',
]
ZONES = [b"+0000", b"+0545", b"-0330", b"+1400", b"-1200"]


class History:
    """A stream for fast-import: 80 commits, a third of them merges."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.trees, self.heads = [], []
        self.stream = bytearray()
        for _ in range(80):
            self.commit()

    def edit(self, tree):
        choose = self.random.choice
        kind = self.random.randrange(10)
        name = choose(NAMES)
        inside = any(other.startswith(name + b"/") or name.startswith(other + b"/") for other in tree)
        if kind == 0 and tree:
            del tree[choose(sorted(tree))]
        elif kind == 1 and tree:
            old = choose(sorted(tree))
            mode, text = tree[old]
            tree[old] = ({b"100644": b"100755", b"100755": b"100644"}.get(mode, mode), text)
        elif kind == 2:
            tree[b".gitattributes"] = (b"100644", choose(ATTRIBUTES))
        elif kind == 3:
            tree[b"hardwares/B_Y100/notes"] = (b"100644", choose(TEXTS))
        elif kind == 4 and tree and not inside:
            tree[name] = tree.pop(choose(sorted(tree)))
        elif kind == 5 and self.trees:
            tree.update(choose(self.trees))
            for path in sorted(tree):
                if any(path.startswith(other + b"/") for other in tree):
                    del tree[path]
        elif kind == 6 and not inside:
            tree[name] = choose([(b"120000", b"target"), (b"160000", b"%040x" % 7)])
        elif not inside:
            tree[name] = (b"100644", choose(TEXTS) + choose(TEXTS))

    def commit(self):
        choose, number = self.random.choice, len(self.trees)
        # The heads of some lines of work, which are merged now and then; in the end all of them.
        if not number or number < 70 and self.random.random() < 0.2:
            parents = [self.random.randrange(number)] if number else []
        else:
            parents = [self.heads.pop(self.random.randrange(len(self.heads)))]
            while self.heads and (self.random.random() < 0.2 or number > 75):
                parents.append(self.heads.pop())
        self.heads.append(number)
        tree = dict(self.trees[parents[0]]) if parents else {}
        for _ in range(self.random.randrange(5)):
            self.edit(tree)
        self.trees.append(tree)
        # Real git, too, can do nothing with nobody's work.
        person = (choose(PEOPLE), choose(MAILS)) if number % 20 else (b"", b"")
        author = b"%s <%s> %d %s" % (*person, 1700000000 + 3600 * number, choose(ZONES))
        message = b"\n".join(choose(LINES) for _ in range(self.random.choice([1, 1, 3, 6])))
        message += choose([b"\n", b"\n", b"", b"\n\n"])
        self.stream += b"commit refs/heads/main\nmark :%d\nauthor %s\n" % (number + 1, author)
        self.stream += b"committer C <c@c.c> %d +0000\n" % (1700000000 + 3600 * number)
        if number % 9 == 5:
            self.stream += b"encoding ISO-8859-1\n"
        self.stream += b"data %d\n%s\n" % (len(message), message)
        for word, parent in zip([b"from"] + [b"merge"] * 20, parents):
            self.stream += b"%s :%d\n" % (word, parent + 1)
        self.stream += b"deleteall\n"
        for path, (mode, text) in tree.items():
            quoted = b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'
            if mode == b"160000":
                self.stream += b"M 160000 %s %s\n" % (text, quoted)
            else:
                self.stream += b"M %s inline %s\ndata %d\n%s\n" % (mode, quoted, len(text), text)


def wrapper(folder, real, body):
    """A folder with a git-flagscale that is not quite the real one."""
    folder.mkdir()
    script = folder / "git-flagscale"
    script.write_text(f"#!/bin/sh\nreal={real}/git-flagscale\n{body}\n")
    script.chmod(0o755)
    return folder


WRONG = {
    # It leaves the newest commit out.
    "short": """
        parent=$(git rev-parse --quiet --verify "$7^")
        case $1 in patch) set -- "$1" "$2" "$3" "$4" "$5" "$6" "$parent" "$8" ;; esac
        exec "$real" "$@" """,
    # It names a commit that it has not made.
    "liar": """
        case $1 in unpatch) "$real" "$@" | sed "s/ [0-9a-f]/ 0/; s/ 0[0-9a-f]/ 01/" ;;
        *) exec "$real" "$@" ;; esac""",
    "lazy": 'echo no >&2; exit 1',
}


def main():
    source, real = map(pathlib.Path, sys.argv[1:3])
    env = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}

    def check(bin_dir, count):
        command = [sys.executable, "-B", str(source / "scripts/check-ranges"), "--bin", str(bin_dir),
                   "--length", "12", str(repo), str(count)]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
        print(f"--- {bin_dir.name}: exit {done.returncode}\n{done.stdout.decode(errors='replace')}")
        last = done.stdout.decode(errors="replace").splitlines()[-1]
        counts = re.fullmatch(r"(\d+) ranges, (\d+) differing, (\d+) refused", last)
        return [done.returncode] + [int(number) for number in counts.groups()] if counts else []

    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        repo = root / "repo.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(repo)], env=env, check=True)
        subprocess.run(["git", "-C", str(repo), "fast-import", "--quiet"], env=env,
                       input=bytes(History(1).stream), check=True)
        good = check(real, 32)
        wrong = [] if good[:3] == [0, 32, 0] and 0 < good[3] < 16 else ["not as expected"]
        for what, body in WRONG.items():
            result = check(wrapper(root / what, real, body), 4)
            if result[:2] != [1, 4] or result[2] == 0:
                wrong.append(f"{what}: not noticed")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
