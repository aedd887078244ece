#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mandoc has nothing to say about the man pages."""
import shutil

import linting


def check(root):
    pages = linting.files(root, "man/*.[157]")
    names = [str(page.relative_to(root)) for page in pages]
    return linting.run(["mandoc", "-T", "lint", "-W", "warning", *names], root) if names else None


PAGE = """\
.Dd January 1, 2024
.Dt A 1
.Os
.Sh NAME
.Nm a
.Nd does a thing
.Sh DESCRIPTION
It does a thing.
"""
GOOD = {"man/a.1": PAGE}
BAD = [
    {"man/b.7": PAGE + ".Pq Qq open\n.El\n"},
    {"man/b.5": PAGE + ".Xx\n"},
    {"man/b.1": "no page\n"},
]

if __name__ == "__main__":
    linting.main(check, GOOD, BAD, None if shutil.which("mandoc") else "mandoc")
