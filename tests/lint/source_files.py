#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Source files are short, say their licence, and are text that every editor agrees on."""
import linting

LONG = 300
# Tables of cases may run on.
TOO_LONG = 600
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def complaints_about(path, name):
    text = path.read_text()
    lines = text.splitlines()
    if len(lines) > TOO_LONG:
        yield f"{name}: {len(lines)} lines, at most {TOO_LONG} are allowed"
    elif len(lines) > LONG:
        print(f"warning: {name}: {len(lines)} lines, better at most {LONG}")
    if not any(LICENCE in line for line in lines[:2]):
        yield f"{name}:1: no '{LICENCE}'"
    if path.suffix == ".h" and "#pragma once" not in lines:
        yield f"{name}: no '#pragma once'"
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield f"{name}: does not end in exactly one line end"
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip() or "\t" in line:
            yield f"{name}:{number}: blanks at the end of the line, a tab or a CR"


def check(root):
    complaints = []
    for path in linting.files(
        root, "src/**/*.h", "src/**/*.cpp", "tests/**/*.h", "tests/**/*.cpp", "tests/**/*.py"
    ):
        complaints += complaints_about(path, path.relative_to(root))
    return complaints


HEAD = f"// {LICENCE}\n"
GOOD = {
    "src/a.h": HEAD + "#pragma once\n",
    "tests/lint/a.py": f"#!/usr/bin/env python3\n# {LICENCE}\n",
    "tests/a.cpp": HEAD + "\n" * (TOO_LONG - 2) + "int a;\n",
}
BAD = [
    {"tests/a.cpp": HEAD + "\n" * (TOO_LONG - 1) + "int a;\n"},
    {"src/a.cpp": "int a;\n"},
    {"src/a.h": HEAD},
    {"src/a.cpp": HEAD + "int a;"},
    {"src/a.cpp": HEAD + "int a;\n\n"},
    {"src/a.cpp": HEAD + "int a; \n"},
    {"src/a.cpp": HEAD + "\tint a;\n"},
]

if __name__ == "__main__":
    linting.main(check, GOOD, BAD)
