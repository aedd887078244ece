#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C++ is formatted by clang-format 14 (other versions would format some lines otherwise)."""
import pathlib
import re
import shutil
import subprocess

import linting

VERSION = "14"
STYLE = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"


def find_tool():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        tool = shutil.which(name)
        if not tool:
            continue
        output = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, check=True).stdout
        found = re.search(rb"version (\d+)", output)
        if found and found.group(1).decode() == VERSION:
            return tool
    return None


TOOL = find_tool()


def check(root):
    sources = linting.files(
        root, "src/**/*.h", "src/**/*.cpp", "tests/**/*.h", "tests/**/*.cpp"
    )
    names = [str(path.relative_to(root)) for path in sources]
    return linting.run([TOOL, "--dry-run", "-Werror", "--style=file", *names], root)


GOOD = {".clang-format": STYLE.read_text(), "src/a.cpp": "int a;\n"}
BAD = [{"src/b.cpp": "int  b ;\n"}, {"tests/unit/b.h": "int* a;\nint *b;\n"}]

if __name__ == "__main__":
    linting.main(check, GOOD, BAD, None if TOOL else f"clang-format {VERSION}")
