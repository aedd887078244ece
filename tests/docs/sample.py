#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sample store in hardwares/ is what scripts/make-sample makes, byte for byte.

sample.py ROOT | --self-test
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("A_X100", "B_Y100", "hetero")


def make(folder):
    environment = dict(os.environ)
    bin_dir = environment.get("FLAGSCALE_BIN_DIR")
    if bin_dir:
        environment["PATH"] = f"{bin_dir}:{environment['PATH']}"
    subprocess.run([ROOT / "scripts/make-sample", folder], check=True, env=environment)


def contents(folder):
    """Name and bytes of every file of a store, without what stands beside the sample."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for part in PARTS
        for path in (folder / part).rglob("*")
        if path.is_file()
    }


def differences(stored, made):
    complaints = [f"hardwares/{name}: is not made by scripts/make-sample"
                  for name in sorted(stored.keys() - made.keys())]
    complaints += [f"hardwares/{name}: is missing" for name in sorted(made.keys() - stored.keys())]
    complaints += [f"hardwares/{name}: differs from what scripts/make-sample makes"
                   for name in sorted(made.keys() & stored.keys()) if made[name] != stored[name]]
    return complaints


def check(root):
    with tempfile.TemporaryDirectory() as folder:
        made_folder = pathlib.Path(folder)
        make(made_folder)
        made = contents(made_folder)
    complaints = differences(contents(root / "hardwares"), made)
    if len(made) < 7:
        complaints.append(f"the sample has only {len(made)} files")
    return complaints


def self_test():
    """Each way to be out of step is seen."""
    good = {"A_X100/a": b"1", "hetero/b": b"2"}
    wrong = differences(good, dict(good))
    for bad in ({"A_X100/a": b"1"}, {**good, "A_X100/c": b""}, {**good, "hetero/b": b"2\r"}):
        if not differences(bad, good):
            wrong.append(f"does not complain about {bad}")
    return wrong


def main():
    complaints = self_test() if sys.argv[1] == "--self-test" else check(pathlib.Path(sys.argv[1]))
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
