#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Option tables, man pages, completions and README say the same.

docs_in_sync.py ROOT | --self-test

The table is what `git-flagscale <command> -h` prints. Every option in it occurs in OPTIONS and
SYNOPSIS of its man page and is offered by completion, and nothing else is; every command has a page
and stands in git-flagscale(1) and README; every option, page and file that the documents name is
there. The program is the git-flagscale in FLAGSCALE_BIN_DIR.
"""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lint"))
import linting  # what checks of the project share

LONG = re.compile(r"^ {4}(?:-(\w), )?--([a-z-]+)", re.M)
COMMAND = re.compile(r"^ {4}([a-z]+) +\S", re.M)
# Not in every synopsis, as with git's own pages.
UNSAID = {"help"}
# Options of other programs in lines that also name ours.
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md",
             "hardwares/README.md", "docs/decisions/*.md")


class Program:
    """The program under test."""

    def __init__(self, path):
        self.path = path

    def answer(self, *words):
        done = subprocess.run([self.path, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        return done.stdout.decode()

    def commands(self):
        return [name for name in COMMAND.findall(self.answer("-h")) if name != "help"]

    def options(self, command):
        """{long name: letter or ''}"""
        return {name: letter for letter, name in LONG.findall(self.answer(command, "-h"))}

    def offered(self, command):
        """Long options that the completions of the shells get to offer."""
        lines = self.answer("__complete", "1", command, "--").splitlines()[1:]
        return {line.split("\t")[0].removeprefix("--") for line in lines if line.startswith("--")}


def section(page, name):
    match = re.search(rf"^\.Sh {name}\n(.*?)(?=^\.Sh |\Z)", page, re.M | re.S)
    return match.group(1) if match else ""


def page_options(page):
    """{long name: letter or ''} of the items in OPTIONS."""
    found = {}
    for line in re.findall(r"^\.It (Fl .*)$", section(page, "OPTIONS"), re.M):
        letters = re.findall(r"Fl (\w)\b", line)
        for name in re.findall(r"Fl -([a-z-]+)", line):
            found[name] = letters[0] if letters else ""
    return found


def synopsis_options(page, table):
    """Long names of the options in SYNOPSIS; letters count as their options."""
    by_letter = {letter: name for name, letter in table.items() if letter}
    words = re.findall(r"Fl (-?[a-z-]+)", section(page, "SYNOPSIS"))
    return {by_letter.get(word, word) if len(word) == 1 else word.removeprefix("-")
            for word in words}


def differ(what, where, found, wanted):
    for name in sorted(wanted - found):
        yield f"{where}: lacks {what} {name}"
    for name in sorted(found - wanted):
        yield f"{where}: has {what} {name}, which the program does not know"


def check_command(program, command, page, where):
    table = program.options(command)
    if not table:
        yield f"{command} -h lists no options"
    documented = page_options(page)
    yield from differ("option", f"{where}, OPTIONS", set(documented), set(table))
    for name in sorted(documented.keys() & table.keys()):
        if documented[name] != table[name]:
            yield f"{where}: --{name} has the letter '{documented[name]}', not '{table[name]}'"
    yield from differ("option", f"{where}, SYNOPSIS",
                      synopsis_options(page, table) - UNSAID, set(table) - UNSAID)
    yield from differ("option", f"completion of {command}", program.offered(command), set(table))


def command_lines(text):
    """Every `git flagscale ...` in a document, up to the end of the code that it stands in."""
    text = text.replace("\\\n> ", " ").replace("\\e\n> ", " ").replace("\\-", "-")
    return re.findall(r"\bflagscale ([a-z]+)([^`\n|]*)", text)


def check_mentions(name, text, tables):
    """Options after `git flagscale <command>` are options of that command, or begin one."""
    for command, rest in command_lines(text):
        if command not in tables:
            continue
        for option in re.findall(r"(?<=\s)--([a-z-]+)", rest):
            if not any(known.startswith(option) for known in tables[command]):
                yield f"{name}: '{command}' has no option --{option}"


def check_links(root, path, text):
    name = path.relative_to(root)
    if path.suffix == ".md":
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            if not (path.parent / target).exists():
                yield f"{name}: links to {target}, which is not there"
        for target in re.findall(r"`((?:src|tests|scripts|docs|man)/[A-Za-z0-9_./-]+)`", text):
            if not (root / target).exists() and not target.endswith("PAGE"):
                yield f"{name}: names {target}, which is not there"
    for page, number in re.findall(r"\b(git-?flagscale[a-z-]*)(?:\((\d)\)| \d)", text):
        number = number or re.search(rf"{page} (\d)", text).group(1)
        if not (root / f"man/{page}.{number}").exists():
            yield f"{name}: refers to {page}({number}), which is not there"


def check(root, program):
    complaints = []
    commands = program.commands()
    if len(commands) < 2:
        complaints.append("the program lists no commands")
    tables = {command: set(program.options(command)) for command in commands}
    overview = (root / "man/git-flagscale.1").read_text()
    listed = set(re.findall(r"^\.It Xr git-flagscale-(\w+) 1$", section(overview, "COMMANDS"), re.M))
    complaints += differ("command", "man/git-flagscale.1, COMMANDS", listed, set(commands))
    readme = (root / "README.md").read_text()
    complaints += differ("page of", "README.md", set(re.findall(r"man/git-flagscale-(\w+)\.1", readme)),
                         set(commands))
    installed = set(re.findall(r"'([\w-]+\.\d)'", (root / "man/meson.build").read_text()))
    pages = {path.name for path in root.glob("man/*.[157]")}
    complaints += differ("page", "man/meson.build", installed, pages)
    for command in commands:
        path = root / f"man/git-flagscale-{command}.1"
        if not path.exists():
            complaints.append(f"{path.relative_to(root)} is missing")
            continue
        complaints += check_command(program, command, path.read_text(), str(path.relative_to(root)))
    documents = [path for pattern in (*DOCUMENTS, "man/*.[157]") for path in root.glob(pattern)]
    for path in sorted(documents):
        text = path.read_text()
        complaints += check_mentions(path.relative_to(root), text, tables)
        complaints += check_links(root, path, text)
    return complaints


class FakeProgram(Program):
    """Two commands for the self-test."""

    def __init__(self, changed=None):
        super().__init__("fake")
        self.answers = {
            ("-h",): "usage: x\n\n    a   does a\n    b   does b\n    help   x\n",
            ("a", "-h"): "    -n, --dry-run   x\n    --dir <folder>   x\n    -h, --help   x\n",
            ("b", "-h"): "    -h, --help   x\n",
            ("__complete", "1", "a", "--"): "options\n--dry-run\tx\n--dir\tx\n--help\tx\n",
            ("__complete", "1", "b", "--"): "options\n--help\tx\n",
        } | (changed or {})

    def answer(self, *words):
        return self.answers[words]


PAGE_A = (".Sh SYNOPSIS\n.Op Fl n\n.Op Fl -dir Ar folder\n.Sh OPTIONS\n.It Fl n , Fl -dry-run\n"
          ".It Fl -dir Ar folder\n.It Fl h , Fl -help\n")
GOOD = {
    "man/git-flagscale.1": ".Sh COMMANDS\n.It Xr git-flagscale-a 1\n.It Xr git-flagscale-b 1\n",
    "man/git-flagscale-a.1": PAGE_A,
    "man/git-flagscale-b.1": ".Sh SYNOPSIS\n.Sh OPTIONS\n.It Fl h , Fl -help\n",
    "man/meson.build": "'git-flagscale.1' 'git-flagscale-a.1' 'git-flagscale-b.1'",
    "README.md": "[a](man/git-flagscale-a.1) [b](man/git-flagscale-b.1) `git flagscale a --dry`",
}
BAD = [
    {"man/git-flagscale-a.1": PAGE_A.replace(".It Fl -dir Ar folder\n", "")},
    {"man/git-flagscale-a.1": PAGE_A + ".It Fl -more\n"},
    {"man/git-flagscale-a.1": PAGE_A.replace(".It Fl n ,", ".It Fl d ,")},
    {"man/git-flagscale-a.1": PAGE_A.replace(".Op Fl n\n", "")},
    {"man/git-flagscale-a.1": PAGE_A.replace(".Op Fl n\n", ".Op Fl n\n.Op Fl -more\n")},
    {"man/git-flagscale-a.1": PAGE_A + ".Sh SEE ALSO\n.Xr git-flagscale-c 1\n"},
    {"man/git-flagscale.1": GOOD["man/git-flagscale.1"].replace("-b", "-c")},
    {"man/git-flagscale-c.1": ""},
    {"man/meson.build": "'git-flagscale.1' 'git-flagscale-a.1'"},
    {"README.md": "[a](man/git-flagscale-a.1)"},
    {"README.md": GOOD["README.md"] + "`git flagscale a --dryer`"},
    {"README.md": GOOD["README.md"] + "[x](docs/x.md)"},
    {"README.md": GOOD["README.md"] + "`src/x.cpp`"},
]
BAD_ANSWERS = [
    {("-h",): "    a   does a\n    b   does b\n    c   does c\n", ("c", "-h"): ""},
    {("a", "-h"): "    -n, --dry-run   x\n    -h, --help   x\n"},
    {("__complete", "1", "a", "--"): "options\n--dry-run\tx\n--help\tx\n"},
    {("__complete", "1", "b", "--"): "options\n--help\tx\n--more\tx\n"},
    {("b", "-h"): ""},
]


def main():
    if sys.argv[1] == "--self-test":
        complaints = linting.self_test(lambda root: check(root, FakeProgram()), GOOD, BAD)
        for answers in BAD_ANSWERS:
            complaints += linting.self_test(
                lambda root, answers=answers: [] if check(root, FakeProgram(answers)) else
                [f"does not complain about {answers}"], GOOD, [])
    else:
        folder = os.environ["FLAGSCALE_BIN_DIR"]
        complaints = check(pathlib.Path(sys.argv[1]).resolve(), Program(f"{folder}/git-flagscale"))
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
