#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What README says about installing works: its commands are run, in an empty home folder.

install.py ROOT | --self-test

Only compiling is left out: the program that was built already (FLAGSCALE_BIN_DIR) is put where
meson would have made it. The other shell lines of README and CONTRIBUTING name scripts and
suites that exist.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PLACES = [
    "bin/git-flagscale",
    "share/man/man1/git-flagscale.1",
    "share/man/man1/git-flagscale-patch.1",
    "share/man/man5/git-flagscale-format.5",
    "share/man/man7/gitflagscale-tutorial.7",
    "share/bash-completion/completions/git-flagscale",
    "share/zsh/site-functions/_git-flagscale",
]


def shell_lines(text):
    """The lines of the blocks of the kind `sh`."""
    return [line.split("  #")[0].rstrip() for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
            for line in block.splitlines()]


def install_lines(text):
    """The lines that set up, install and uninstall, which share one build folder."""
    return [line for line in shell_lines(text) if "build-install" in line]


def unknown_lines(root, text):
    for line in shell_lines(text):
        words = line.split()
        if "build-install" in line:
            continue
        if words[0].startswith("./"):
            if not os.access(root / words[0], os.X_OK):
                yield f"{words[0]} is not there"
        elif words[:2] not in (["meson", "setup"], ["meson", "compile"], ["meson", "test"]):
            yield f"nobody runs: {line}"
        elif "--suite" in words and not suite_exists(root, words[-1]):
            yield f"there is no suite {words[-1]}"


def suite_exists(root, suite):
    return any(f"'{suite}'" in path.read_text() for path in root.glob("tests/**/meson.build"))


def run(command, folder, environment):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode(errors="replace")
    return output, [] if done.returncode == 0 else [f"$ {command}", output]


def missing(prefix):
    return [f"README: {place} is not installed" for place in PLACES
            if not (prefix / place).is_file()]


def check_installed(folder, environment):
    """As README says it, with the new program first in PATH."""
    home = pathlib.Path(environment["HOME"])
    complaints = missing(home / ".local")
    environment = dict(environment, PATH=f"{home}/.local/bin:{environment['PATH']}",
                       MANPATH=f"{home}/.local/share/man:", MANPAGER="cat", GIT_PAGER="cat")
    output, failures = run("git flagscale --version", folder, environment)
    complaints += failures
    if not output.startswith("git-flagscale version "):
        complaints.append(f"git flagscale --version says {output!r}")
    if shutil.which("man") and not failures:
        output, failures = run("git help flagscale", folder, environment)
        # Some systems have a man that shows nothing.
        if "git-flagscale-patch" not in output and "minimized" not in output:
            complaints += failures or [f"git help flagscale shows {output!r}"]
    return complaints


def install(root, lines, bin_dir):
    if [line.split()[0:2] for line in lines] != [["meson", "setup"], ["meson", "install"],
                                                 ["ninja", "-C"]]:
        return [f"README: setup, install and uninstall expected, there are {lines}"]
    setup, install_line, uninstall = lines
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {"PATH": os.environ["PATH"], "HOME": f"{folder}/home", "LC_ALL": "C.UTF-8"}
        (folder / "home").mkdir()
        _, complaints = run(setup.replace("build-install", f"build-install '{root}'"), folder, environment)
        if complaints:
            return complaints
        shutil.copy(f"{bin_dir}/git-flagscale", folder / "build-install/src/git-flagscale")
        staged = dict(environment, DESTDIR=f"{folder}/stage")
        _, complaints = run(f"{install_line} --no-rebuild", folder, staged)
        complaints += missing(folder / f"stage{folder}/home/.local")
        if (folder / "home/.local").exists():
            complaints.append("DESTDIR is not heeded")
        complaints += run(f"{install_line} --no-rebuild", folder, environment)[1]
        complaints += check_installed(folder, environment)
        complaints += run(uninstall, folder, environment)[1]
        left = [str(path) for path in (folder / "home").rglob("*") if path.is_file()
                and ".local" in path.parts]
        return complaints + [f"left behind: {path}" for path in left]


def check(root, bin_dir):
    readme = (root / "README.md").read_text()
    contributing = (root / "CONTRIBUTING.md").read_text()
    complaints = [*unknown_lines(root, readme), *unknown_lines(root, contributing)]
    return complaints + install(root, install_lines(readme), bin_dir)


def self_test():
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "tests").mkdir()
        (root / "tests/meson.build").write_text("suite: 'unit'")
        (root / "good").write_text("#!/bin/sh\n")
        (root / "good").chmod(0o755)
        block = "```sh\n{}\n```\n"
        good = ["./good", "meson test -C build --suite unit", "meson setup build   # x"]
        wrong += [f"complains without reason: {line}"
                  for text in good for line in unknown_lines(root, block.format(text))]
        for text in ("./bad", "meson test --suite bad", "make"):
            if not list(unknown_lines(root, block.format(text))):
                wrong.append(f"does not complain about {text}")
        if not install(root, ["meson setup build-install"], ""):
            wrong.append("does not miss installing and uninstalling")
        if len(missing(root)) != len(PLACES):
            wrong.append("does not miss files")
    return wrong


def main():
    if sys.argv[1] == "--self-test":
        complaints = self_test()
    elif not shutil.which("meson"):
        print("skipped: there is no meson in PATH")
        return 77
    else:
        complaints = check(pathlib.Path(sys.argv[1]).resolve(), os.environ["FLAGSCALE_BIN_DIR"])
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
