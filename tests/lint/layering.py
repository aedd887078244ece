#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Includes go strictly downward, and libraries stay behind their walls."""
import re

import linting

LAYERS = ["base", "git", "core", "commands", "cli"]

# Subcommands know nothing of each other: a file named after one, or `<name>_...`, is its own. What
# they share stands in files of other names.
SUBCOMMANDS = ["patch", "unpatch", "list", "show", "verify", "hetero"]

# Made by the build.
GENERATED = {"version.h": "cli"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def owner_of(stem):
    """The subcommand that a file of src/commands belongs to, or None for a shared one."""
    for subcommand in SUBCOMMANDS:
        if stem == subcommand or stem.startswith(subcommand + "_"):
            return subcommand
    return None


def complaint_about_own(source, target, src):
    """Why src/<source> must not include "<target>", or None."""
    if target in GENERATED and source.parts[0] == GENERATED[target]:
        return None
    if not (src / target).is_file():
        return "no such file under src/ (includes name their folder)"
    if source.parent.name == "":
        return None if target.startswith("cli/") else "main.cpp includes only cli/"
    layer, target_layer = source.parts[0], target.split("/")[0]
    if layer not in LAYERS or target_layer not in LAYERS:
        return "not one of the layers " + ", ".join(LAYERS)
    if LAYERS.index(target_layer) > LAYERS.index(layer):
        return f"{layer} must not know {target_layer}"
    if target == "git/handle.h" and layer != "git":
        return "git/handle.h is private to src/git"
    if layer == target_layer == "commands":
        owner = owner_of((src / target).stem)
        if owner and owner != owner_of(source.stem):
            return f"this belongs to the subcommand {owner} alone"
    return None


def complaint_about_library(source, target):
    layer = source.parts[0] if len(source.parts) > 1 else ""
    if target == "git2.h" or target.startswith("git2/"):
        if layer != "git":
            return "libgit2 is used in src/git alone"
        if source.suffix == ".h" and source.name != "handle.h":
            return "headers of src/git show no libgit2; git/handle.h does, for the .cpp files"
    if target == "libdeflate.h" and layer != "git":
        return "libdeflate is used in src/git alone"
    if target.startswith("cxxopts") and layer != "cli":
        return "cxxopts is used in src/cli alone"
    return None


def check(root):
    src = root / "src"
    complaints = []
    for path in linting.files(src, "**/*.h", "**/*.cpp"):
        source = path.relative_to(src)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            kind, target = match.groups()
            why = (
                complaint_about_own(source, target, src)
                if kind == '"'
                else complaint_about_library(source, target)
            )
            if why:
                complaints.append(f"src/{source}:{number}: {line.strip()}: {why}")
    return complaints


GOOD = {
    "src/main.cpp": '#include "cli/app.h"\n',
    "src/cli/app.h": '#include <cxxopts.hpp>\n#include "version.h"\n',
    "src/cli/app.cpp": '#include "cli/app.h"\n#include "commands/patch.h"\n#include "base/error.h"\n',
    "src/commands/patch.h": '#include "core/store.h"\n',
    "src/commands/patch.cpp": '#include "commands/patch.h"\n#include "commands/patch_tree.h"\n',
    "src/commands/patch_tree.h": '#include "commands/report.h"\n',
    "src/commands/report.h": "",
    "src/commands/unpatch.h": "",
    "src/core/store.h": '#include "git/odb.h"\n',
    "src/git/odb.h": '#include "base/error.h"\n',
    "src/git/odb.cpp": '#include <git2.h>\n#include "git/handle.h"\n',
    "src/git/handle.h": "#include <git2.h>\n",
    "src/base/error.h": "#include <string>\n",
}
BAD = [
    {"src/main.cpp": '#include "commands/patch.h"\n'},
    {"src/base/a.cpp": '#include "git/odb.h"\n'},
    {"src/base/a.cpp": '#include "version.h"\n'},
    {"src/git/a.cpp": '#include "core/store.h"\n'},
    {"src/core/a.cpp": '#include "commands/report.h"\n'},
    {"src/commands/a.cpp": '#include "cli/app.h"\n'},
    {"src/commands/patch.cpp": '#include "commands/unpatch.h"\n'},
    {"src/commands/unpatch.cpp": '#include "commands/patch_tree.h"\n'},
    {"src/commands/report.cpp": '  #  include "commands/patch.h"\n'},
    {"src/core/a.cpp": "#include <git2.h>\n"},
    {"src/core/a.cpp": "#include <git2/odb.h>\n"},
    {"src/core/a.cpp": '#include "git/handle.h"\n'},
    {"src/git/odb.h": "#include <git2/types.h>\n"},
    {"src/core/a.cpp": "#include <libdeflate.h>\n"},
    {"src/commands/a.cpp": "#include <cxxopts.hpp>\n"},
    {"src/git/a.cpp": '#include "odb.h"\n'},
    {"src/git/a.cpp": '#include "../base/error.h"\n'},
    {"src/other/a.cpp": '#include "base/error.h"\n'},
]

if __name__ == "__main__":
    linting.main(check, GOOD, BAD)
