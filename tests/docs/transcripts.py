#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the sessions in a document and compares what comes out with what the document shows.

transcripts.py DOCUMENT            run it, fail on every difference
transcripts.py --accept DOCUMENT   write what comes out into the document
transcripts.py --self-test

A session is a block of lines `$ command`, each followed by its output (stdout and stderr as they
come). In Markdown it is a fenced block of the kind `console`, in a man page a literal display. A
line `> ...` right after a command goes on with it; an output line `...` stands for any lines; blanks
at line ends do not count. All
sessions of a document run one after the other in one bash, in the world that WORLDS names, with
fixed names and dates, so that ids are real and always the same. Folders of this machine are shown
as /home/me. A command that fails must show something.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HOME = "/home/me"
MARK = "\x01transcript"

# The function of worlds.sh that makes what a document's sessions start from.
WORLDS = {
    "README.md": "fresh",
    "man/git-flagscale.1": "adapted",
    "man/git-flagscale-patch.1": "adapted",
    "man/git-flagscale-unpatch.1": "published",
    "man/git-flagscale-list.1": "published",
    "man/git-flagscale-show.1": "published",
    "man/git-flagscale-verify.1": "published",
    "man/git-flagscale-hetero.1": "published",
    "man/git-flagscale-format.5": "published",
    "man/gitflagscale-tutorial.7": "fresh",
}


class Step:
    """A command, its lines in the document, and the output shown."""

    def __init__(self, command, line):
        self.command = command
        self.line = line
        self.end = line + 1
        self.output = []


# The few escapes that the pages use in literal text, in the order in which they are undone.
ROFF = [(r"\(aq", "'"), (r"\(dq", '"'), (r"\(ha", "^"), (r"\(ti", "~"), (r"\(ga", "`"),
        (r"\-", "-"), (r"\&", ""), (r"\e", "\\")]


def from_roff(text):
    return re.sub(r"\\(\(..|.)", lambda m: dict(ROFF)[m.group(0)], text)


def to_roff(text):
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    text = text.replace("^", r"\(ha").replace("~", r"\(ti").replace("`", r"\(ga")
    return r"\&" + text if text.startswith((".", r"\(aq")) else text


def blocks(path, lines):
    """(first, last) of the lines of each block that may be a session."""
    if path.suffix == ".md":
        opening, closing = re.compile(r"^```console$"), "```"
    else:
        opening, closing = re.compile(r"^\.Bd -literal"), ".Ed"
    at = 0
    while at < len(lines):
        if opening.match(lines[at]):
            end = lines.index(closing, at)
            yield at + 1, end
            at = end
        at += 1


def parse(path, text):
    """The steps of all sessions in the document."""
    lines = text.split("\n")
    decode = (lambda line: line) if path.suffix == ".md" else from_roff
    steps = []
    for first, last in blocks(path, lines):
        inside = [decode(line) for line in lines[first:last]]
        if not any(line.startswith("$ ") for line in inside):
            continue
        if not inside[0].startswith("$ "):
            raise SystemExit(f"{path}:{first + 1}: a session begins with a command")
        for number, line in enumerate(inside, first):
            if line.startswith("$ "):
                steps.append(Step(line[2:], number))
            elif (line == ">" or line.startswith("> ")) and not steps[-1].output:
                steps[-1].command += "\n" + line[2:]
                steps[-1].line = number
            else:
                steps[-1].output.append(line)
            steps[-1].end = number + 1
    return steps


def environment(root):
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "TMPDIR")
            if name in os.environ}
    kept |= {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    bin_dir = os.environ.get("FLAGSCALE_BIN_DIR")
    if bin_dir:
        kept["PATH"] = f"{bin_dir}:{kept['PATH']}"
    kept |= {
        "HOME": f"{root}/home",
        "FLAGSCALE_SOURCE": str(HERE.parent.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(root),
        "GIT_AUTHOR_DATE": "2025-01-01T12:00:00+0800",
        "GIT_COMMITTER_DATE": "2025-01-01T18:00:00+0800",
        "GIT_PAGER": "cat",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
    }
    return kept


def run(steps, world):
    """[(status, output lines)] of the steps."""
    with tempfile.TemporaryDirectory(prefix="transcripts.") as name:
        root = pathlib.Path(name).resolve()
        (root / "home").mkdir()
        script = [f'. "{HERE}/worlds.sh"', "set -e", f"world_{world} >&2", "set +e", "exec 2>&1"]
        for step in steps:
            script += [step.command, f"printf '{MARK} %s\\n' $?"]
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", "\n".join(script)],
            cwd=root / "home", env=environment(root), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        )
        output = done.stdout.decode(errors="backslashreplace").replace(f"{root}/home", HOME)
    results, lines = [], []
    for line in output.split("\n"):
        text, mark, status = line.partition(f"{MARK} ")
        if not mark:
            lines.append(line.rstrip())
            continue
        results.append((int(status), lines + ([text.rstrip()] if text else [])))
        lines = []
    if len(results) != len(steps):
        said = done.stderr.decode(errors="replace") + output
        raise SystemExit(f"the session ended early (status {done.returncode}):\n{said}")
    return results


def matches(shown, real):
    """Whether the output shown, in which `...` is any lines, is the real one."""
    if "..." not in shown:
        return shown == real
    at = shown.index("...")
    if shown[:at] != real[:at]:
        return False
    return any(matches(shown[at + 1 :], real[i:]) for i in range(at, len(real) + 1))


def shown_output(step):
    """Without the blank line that may separate it from the next command."""
    output = step.output
    return output[:-1] if output and output[-1] == "" else output


def check(name, steps, results):
    complaints = []
    for step, (status, real) in zip(steps, results):
        shown = shown_output(step)
        if not matches(shown, real):
            complaints += [f"{name}:{step.line + 1}: $ {step.command}",
                           *(f"  -{line}" for line in shown), *(f"  +{line}" for line in real)]
        elif status != 0 and not real:
            complaints.append(f"{name}:{step.line + 1}: $ {step.command}: status {status}")
    return complaints


def accept(path, text, steps, results):
    lines = text.split("\n")
    encode = (lambda line: line) if path.suffix == ".md" else to_roff
    for step, (_, real) in reversed(list(zip(steps, results))):
        output = shown_output(step) if matches(shown_output(step), real) else real
        blank = [""] if step.output and step.output[-1] == "" else []
        lines[step.line + 1 : step.end] = [encode(line) for line in output] + blank
        first = step.line - step.command.count("\n")
        command = ("$ " + step.command.replace("\n", "\n> ")).split("\n")
        lines[first : step.line + 1] = [encode(line.rstrip()) for line in command]
    path.write_text("\n".join(lines))


def main():
    words = sys.argv[1:]
    if words == ["--self-test"]:
        return self_test()
    path = pathlib.Path(words[-1]).resolve()
    name = str(path.relative_to(HERE.parent.parent))
    text = path.read_text()
    steps = parse(path, text)
    if not steps:
        print(f"{name}: no session")
        return 1
    results = run(steps, WORLDS[name])
    if words[0] == "--accept":
        accept(path, text, steps, results)
        return 0
    complaints = check(name, steps, results)
    for line in complaints:
        print(line)
    print(f"{len(steps)} commands run")
    return 1 if complaints else 0


def self_test():
    good = "```console\n$ echo a; echo b >&2\na\nb\n\n$ cat <<E\n> c\n> E\nc\n$ false || pwd\n/home/me\n```\n"
    page = ".Bd -literal\n$ echo \\(aq.\\-\\e\\(aq\n\\&.\\-\\e\n.Ed\n"
    bad = [
        good.replace("\na\n", "\nx\n"),
        good.replace("\nb\n", "\n"),
        good.replace("```\n", "$ false\n```\n").removesuffix("$ false\n```\n"),
        "```console\n$ false\n```\n",
        "```console\n$ printf 'a\\nb\\n'\n...\na\n```\n",
        "```console\n$ true\n...\nb\n```\n",
    ]
    wrong = []

    def complaints(text, suffix):
        path = pathlib.Path(f"x{suffix}")
        steps = parse(path, text)
        return check(path, steps, run(steps, "empty"))

    for text, suffix in ((good, ".md"), (page, ".1"),
                         (good.replace("a\nb\n\n", "...\nb\n\n"), ".md")):
        wrong += complaints(text, suffix)
    bad[2] = good.replace("$ false ||", "$ false\n$ ")
    for text in bad:
        if not complaints(text, ".md"):
            wrong.append(f"does not complain about {text!r}")
    if from_roff(to_roff("'a-b\\c^~`.")) != "'a-b\\c^~`.":
        wrong.append("escapes do not come back")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.md"
        stale = bad[0].replace("\nc\n$", "\n$")
        steps = parse(path, stale)
        accept(path, stale, steps, run(steps, "empty"))
        if path.read_text() != good:
            wrong.append(f"accepts {path.read_text()!r}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
