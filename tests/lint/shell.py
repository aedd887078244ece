#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shell scripts and completions: shellcheck is content, and zsh can parse its own."""
import shutil

import linting


def shell_of(path):
    """The shell that a script names in its first line, or None."""
    with path.open("rb") as script:
        first = script.readline().decode(errors="replace").split()
    if not first or not first[0].startswith("#!"):
        return None
    shell = first[-1].rsplit("/", 1)[-1]
    return shell if shell in ("sh", "bash") else None


def check(root):
    complaints = []
    for path in linting.files(root, "scripts/*", ".ci/*", "tests/**/*.sh", "completions/*.bash"):
        shell = "bash" if path.suffix == ".bash" else shell_of(path)
        if shell:
            name = str(path.relative_to(root))
            complaints += linting.run(["shellcheck", f"--shell={shell}", name], root)
    if shutil.which("zsh"):
        for path in linting.files(root, "completions/_*"):
            complaints += linting.run(["zsh", "-n", str(path.relative_to(root))], root)
    return complaints


GOOD = {
    "scripts/a": '#!/bin/sh\necho "$1"\n',
    "scripts/b": "#!/usr/bin/env python3\nprint($1)\n",
    "completions/a.bash": "_a() { COMPREPLY=(); }\n",
    "completions/_a": "#compdef a\n_arguments\n",
}
BAD = [
    {"scripts/a": "#!/bin/sh\nrm $1\n"},
    {".ci/run": "#!/usr/bin/env bash\ncd $1\n"},
    {"tests/x/a.sh": "#!/bin/sh\necho $1\n"},
    {"scripts/a": "#!/bin/sh\n[[ -n $1 ]]\n"},
    {"completions/a.bash": "_a() { COMPREPLY=($(echo $1)); }\n"},
]
if shutil.which("zsh"):
    BAD.append({"completions/_a": "if true; then\n"})

if __name__ == "__main__":
    linting.main(check, GOOD, BAD, None if shutil.which("shellcheck") else "shellcheck")
