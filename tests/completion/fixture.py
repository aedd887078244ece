# SPDX-License-Identifier: Apache-2.0
"""A home folder with the completions installed, and repositories to complete in."""
import os
import pathlib
import subprocess

BASE, LATER, FOREIGN = "1111aaaa", "2222bbbb", "3333cccc"


class World:
    """`completions` is the folder of the source tree, or None to go without them."""

    def __init__(self, root, programs, completions, shell):
        self.root = pathlib.Path(root)
        self.home = self.root / "home"
        self.home.mkdir()
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{programs}:{os.environ['PATH']}",
            "TERM": "xterm",
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": str(self.root),
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
        }
        if completions:
            folder, source, name = shell.INSTALLED
            (self.home / folder).mkdir(parents=True)
            (self.home / folder / name).symlink_to(pathlib.Path(completions) / source)
        self.repository = self.root / "repository"
        self.plain = self.root / "plain"
        self.make_repository()
        (self.home / "home-folder").mkdir()
        (self.home / "home-file").touch()
        (self.plain / "a folder").mkdir(parents=True)
        (self.plain / "afile").touch()

    def git(self, *arguments, folder=None):
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        subprocess.run(
            ["git", *identity, *arguments],
            cwd=folder or self.repository,
            env=self.environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def add_patch(self, store, device, base):
        folder = self.repository / store / device / base
        folder.mkdir(parents=True)
        (folder / f"{base}.patch").write_text("")

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def make_repository(self):
        """A store in HEAD, one device more on `vendor`, one in the working tree."""
        for name in ("docs", "build area", "builds", "deep/inner"):
            (self.repository / name).mkdir(parents=True)
            (self.repository / name / "file").touch()
        # Beside the folders, so that completing file names would do something else.
        for name in ("docs.txt", "build area.txt", "deep/inner.txt", "Nobody_N1"):
            (self.repository / name).touch()
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("base")
        self.git("tag", "v1.0")
        self.git("switch", "--quiet", "--create", "vendor")
        self.add_patch("hardwares", "Vendor_V1", FOREIGN)
        self.commit("vendor")
        self.git("switch", "--quiet", "main")
        self.git("branch", "feature/one")
        for device, base in (
            ("A_X100", BASE),
            ("A_X100", LATER),
            ("A_X200", LATER),
            ("B_Y100", BASE),
        ):
            self.add_patch("hardwares", device, base)
        self.add_patch("other", "O_O1", FOREIGN)
        self.commit("store")
        self.add_patch("hardwares", "W_Tree", BASE)
        (self.repository / "old.txt").touch()
        for name, value in (
            ("fp", "flagscale patch"),
            ("fps", "fp --squash"),
            ("fshell", "!git flagscale unpatch"),
        ):
            self.git("config", f"alias.{name}", value)
