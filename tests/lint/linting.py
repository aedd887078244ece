# SPDX-License-Identifier: Apache-2.0
"""What the lint tests share.

A lint is a function from the root of a source tree to complaints (None where there is nothing to
look at), together with samples that it must complain about. `LINT ROOT` runs it on a tree,
`LINT --self-test` on the samples: a check that cannot fail is worth nothing.
"""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77


def files(root, *patterns):
    """The files below root that match one of the patterns, in order."""
    return sorted({path for pattern in patterns for path in root.glob(pattern) if path.is_file()})


def run(command, root):
    """Runs a tool in root; its output as complaints if it fails, else none."""
    done = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode == 0:
        return []
    output = done.stdout.decode(errors="replace").splitlines()
    return output or [f"{command[0]} failed with status {done.returncode}"]


def make_tree(root, tree):
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def self_test(check, good, bad):
    """Whether the check is content with `good` and complains about each tree of `bad`."""
    wrong = []
    for number, tree in enumerate([good, *({**good, **extra} for extra in bad)]):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            make_tree(root, tree)
            with contextlib.redirect_stdout(io.StringIO()):
                complaints = check(root)
        if number == 0:
            wrong += [f"complains without reason: {line}" for line in complaints]
        elif not complaints:
            wrong.append(f"does not complain about {bad[number - 1]}")
    return wrong


def main(check, good, bad, missing=None):
    """`missing` names a tool that the lint needs and this machine lacks."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ROOT | --self-test")
    if missing:
        print(f"skipped: there is no {missing}")
        sys.exit(SKIPPED)
    if sys.argv[1] == "--self-test":
        complaints = self_test(check, good, bad)
    else:
        complaints = check(pathlib.Path(sys.argv[1]))
    if complaints is None:
        print("skipped: nothing to look at")
        sys.exit(SKIPPED)
    for line in complaints:
        print(line)
    sys.exit(1 if complaints else 0)
