#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every row of docs/situations.md names a test, and every test of these files has its row."""
import re

import linting

TABLE = "docs/situations.md"
TESTS = "tests/cli/environment_*_test.cpp"
COLUMNS = 4
TEST_CASE = re.compile(r'^TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"\s*\)', re.M)


def rows(text):
    """(line number, cells) of the tables' rows, without their heads."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("|") or set(line) <= set("|- "):
            continue
        if number < len(lines) and set(lines[number]) <= set("|- ") and lines[number]:
            continue
        yield number, [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def test_names(root):
    """{name: file}"""
    names = {}
    for path in linting.files(root, TESTS):
        for name in TEST_CASE.findall(path.read_text()):
            names[name] = path.relative_to(root)
    return names


def check(root):
    table = root / TABLE
    if not table.exists():
        return None
    tests = test_names(root)
    complaints = []
    seen = set()
    for number, cells in rows(table.read_text()):
        where = f"{TABLE}:{number}"
        if len(cells) != COLUMNS or not all(cells):
            complaints.append(f"{where}: not {COLUMNS} cells with something in each")
            continue
        name = cells[-1].strip("`")
        if name in seen:
            complaints.append(f"{where}: a second row for '{name}'")
        elif name not in tests:
            complaints.append(f"{where}: there is no test '{name}'")
        seen.add(name)
    complaints += [f"{path}: '{name}' has no row in {TABLE}"
                   for name, path in tests.items() if name not in seen]
    if not seen:
        complaints.append(f"{TABLE}: no rows")
    return complaints


HEAD = "| situation | git | we | test |\n| --- | --- | --- | --- |\n"
TEST_FILE = "tests/cli/environment_a_test.cpp"
GOOD = {
    TABLE: f"# Situations\n\n{HEAD}| a | b | c | `x: y` |\n",
    TEST_FILE: 'TEST_CASE("x: y") {\n}\n',
}
BAD = [
    {TABLE: f"{HEAD}"},
    {TABLE: f"{HEAD}| a | b | c | `x: z` |\n"},
    {TABLE: f"{HEAD}| a | b |  | `x: y` |\n"},
    {TABLE: f"{HEAD}| a | b | `x: y` |\n"},
    {TABLE: f"{HEAD}| a | b | c | `x: y` |\n| a | b | c | `x: y` |\n"},
    {TEST_FILE: 'TEST_CASE("x: y") {\n}\nTEST_CASE(\n    "x: z") {\n}\n'},
    {TEST_FILE: ""},
]

if __name__ == "__main__":
    linting.main(check, GOOD, BAD)
