#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every *_test.cpp below a folder is among the files that are built.

all_listed.py FOLDER [FILE...] | --self-test
"""
import pathlib
import sys
import tempfile


def unlisted(folder, listed):
    found = {str(path.relative_to(folder)) for path in folder.rglob("*_test.cpp")}
    return sorted(found - set(listed))


def self_test():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "unit").mkdir()
        for file in ("unit/a_test.cpp", "unit/b_test.cpp", "unit/helper.cpp"):
            (folder / file).touch()
        wrong = []
        if unlisted(folder, ["unit/a_test.cpp", "unit/b_test.cpp"]):
            wrong.append("complains without reason")
        if unlisted(folder, ["unit/b_test.cpp"]) != ["unit/a_test.cpp"]:
            wrong.append("does not see a file that is not listed")
        return wrong


def main():
    if sys.argv[1] == "--self-test":
        complaints = self_test()
    else:
        missing = unlisted(pathlib.Path(sys.argv[1]), sys.argv[2:])
        complaints = [f"{name} is not listed in tests/meson.build" for name in missing]
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
