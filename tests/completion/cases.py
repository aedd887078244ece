# SPDX-License-Identifier: Apache-2.0
"""What TAB must do, in groups. A case says where the shell stands, what is typed, and either the
line that TAB must make of it or the words that must (and must not) be listed."""
from fixture import BASE, FOREIGN, LATER


class Case:
    def __init__(self, typed, line=None, offers=(), hides=(), at="repository", after="", shells=None, is_gits=False):
        self.typed = typed
        self.line = line
        self.offers = offers
        self.hides = hides
        self.at = at
        self.after = after
        self.shells = shells
        self.is_gits = is_gits

    def complaint(self, seen):
        """What is wrong with what was seen, or None."""
        if self.line is not None and seen.line.rstrip(" ") != self.line.rstrip(" "):
            return f"line is not {self.line!r}"
        if self.line is not None and self.line != seen.line and self.line.endswith(" "):
            return "no blank after the word"
        if self.line is not None and seen.listed:
            return "something is listed"
        missing = [word for word in self.offers if word not in seen.listed]
        hidden = [word for word in self.hides if word in seen.listed]
        if missing or hidden:
            return f"not listed: {missing}, listed: {hidden}"
        return None


def nothing(typed, **more):
    """TAB has nothing to offer, not even files, and says nothing."""
    return Case(typed, line=typed, **more)


DEVICES = ["A_X100", "A_X200", "B_Y100", "W_Tree"]
SUBCOMMANDS = ["patch", "unpatch", "list", "show", "verify", "hetero"]

GROUPS = {
    "subcommands": [
        # Not ours: the program is found.
        Case("git flagsc", line="git flagscale ", is_gits=True),
        Case("git flagscale pa", line="git flagscale patch "),
        Case("git flagscale ", offers=SUBCOMMANDS, hides=["__complete", "docs"]),
        Case("git flagscale help unp", line="git flagscale help unpatch "),
        Case("git flagscale hetero ", offers=["list", "add", "remove", "import"], hides=["A_X100"]),
        Case("git flagscale hetero im", line="git flagscale hetero import "),
        nothing("git flagscale nonsense "),
    ],
    "options": [
        Case("git flagscale patch --", offers=["--device-type", "--squash", "--onto", "--json"]),
        Case("git flagscale patch --sq", line="git flagscale patch --squash "),
        Case("git flagscale patch ", offers=["--device-type"], hides=["docs"]),
        Case("git flagscale patch --squash --", offers=["--onto"], hides=["--squash"]),
        Case("git flagscale patch --", after=" --squash", offers=["--onto"], hides=["--squash"]),
        Case("git flagscale unpatch --b", line="git flagscale unpatch --branch "),
        nothing("git flagscale patch -m "),
        nothing("git flagscale patch --message="),
        nothing("git flagscale unpatch --branch "),
        nothing("git flagscale patch --no-such="),
    ],
    "devices": [
        Case("git flagscale unpatch --device-type ", offers=[*DEVICES, "Vendor_V1"][:4]),
        Case("git flagscale unpatch --device-type B", line="git flagscale unpatch --device-type B_Y100 "),
        Case("git flagscale unpatch --device-type=B", line="git flagscale unpatch --device-type=B_Y100 "),
        Case("git flagscale unpatch --dev B", line="git flagscale unpatch --dev B_Y100 "),
        Case(
            "git flagscale unpatch --device-type A_X100 ",
            offers=["A_X200", "B_Y100"],
            hides=["A_X100", "docs", "--dir"],
        ),
        Case(
            "git flagscale unpatch --device-type A_X100 B",
            line="git flagscale unpatch --device-type A_X100 B_Y100 ",
        ),
        Case(
            "git flagscale unpatch --device-type A_X100 A_X200 B_Y100 W_Tree --d",
            offers=["--device-type", "--dir", "--dry-run"],
        ),
        Case(
            "git flagscale unpatch --device-type A_X100 A_X200 B_Y100 W_Tree ",
            offers=["--device-type", "--dir", "--commit-id"],
            hides=["docs"],
        ),
        Case(
            f"git flagscale unpatch --commit-id {LATER} --device-type ",
            offers=["A_X100", "A_X200"],
            hides=["B_Y100"],
        ),
        Case(
            "git flagscale unpatch --from vendor --device-type ",
            line="git flagscale unpatch --from vendor --device-type Vendor_V1 ",
        ),
        Case(
            "git flagscale unpatch --device-type ",
            after=" --from=vendor",
            line="git flagscale unpatch --device-type Vendor_V1 --from=vendor",
        ),
        Case(
            "git flagscale unpatch --hardware-dir other --device-type ",
            line="git flagscale unpatch --hardware-dir other --device-type O_O1 ",
        ),
        Case("git flagscale show W", line="git flagscale show W_Tree "),
        Case("git flagscale verify A_X100 B", line="git flagscale verify A_X100 B_Y100 "),
        Case(
            f"git flagscale hetero add {LATER} A_X100 ",
            line=f"git flagscale hetero add {LATER} A_X100 A_X200 ",
        ),
        nothing("git flagscale unpatch --device-type Nobody_N"),
        nothing("git flagscale unpatch --from no-such --device-type "),
    ],
    "bases": [
        Case("git flagscale unpatch --device-type A_X100 --commit-id ", offers=[BASE, LATER]),
        Case(
            "git flagscale unpatch --device-type A_X100 --commit-id 2",
            line=f"git flagscale unpatch --device-type A_X100 --commit-id {LATER} ",
        ),
        Case(
            "git flagscale unpatch --device-type A_X100 B_Y100 --commit-id ",
            line=f"git flagscale unpatch --device-type A_X100 B_Y100 --commit-id {BASE} ",
        ),
        Case(
            "git flagscale unpatch --device-type A_X100 B_Y100 --commit-id=",
            line=f"git flagscale unpatch --device-type A_X100 B_Y100 --commit-id={BASE} ",
        ),
        Case(
            "git flagscale unpatch --from vendor --commit-id ",
            line=f"git flagscale unpatch --from vendor --commit-id {FOREIGN} ",
        ),
        Case("git flagscale show B_Y100 ", line=f"git flagscale show B_Y100 {BASE} "),
        Case("git flagscale hetero remove ", offers=[BASE, LATER], hides=["A_X100"]),
        Case(
            "git flagscale unpatch --device-type A_X100 --commit-id v",
            offers=["v1.0", "vendor"],
        ),
    ],
    "commits": [
        Case("git flagscale patch --base-commit-id v", offers=["v1.0", "vendor"]),
        Case("git flagscale patch --base v1", line="git flagscale patch --base v1.0 "),
        Case("git flagscale patch --current-commit-id fe",
             line="git flagscale patch --current-commit-id feature/one "),
        Case("git flagscale patch --onto=fe", line="git flagscale patch --onto=feature/one "),
        Case("git flagscale unpatch --from HE", line="git flagscale unpatch --from HEAD "),
        Case("git flagscale list --from ven", line="git flagscale list --from vendor "),
    ],
    "folders": [
        Case("git flagscale unpatch --dir do", line="git flagscale unpatch --dir docs/"),
        Case("git flagscale unpatch --dir=do", line="git flagscale unpatch --dir=docs/"),
        Case("git flagscale unpatch --dir deep/", line="git flagscale unpatch --dir deep/inner/"),
        Case("git flagscale unpatch --dir build\\ ",
             line="git flagscale unpatch --dir build\\ area/"),
        Case("git flagscale unpatch --dir old", line="git flagscale unpatch --dir old"),
        Case("git flagscale patch --hardware-dir o", line="git flagscale patch --hardware-dir other/",
             at="repository/deep"),
        Case("git flagscale hetero import ol", line="git flagscale hetero import old.txt "),
        Case("git flagscale unpatch --dir ~/ho", line="git flagscale unpatch --dir ~/home-folder/"),
    ],
    "elsewhere": [
        Case("git -C repository flagscale unpatch --device-type B",
             line="git -C repository flagscale unpatch --device-type B_Y100 ", at="."),
        Case("git -C repository flagscale patch --onto v1",
             line="git -C repository flagscale patch --onto v1.0 ", at="."),
        Case("git -C repository flagscale unpatch --dir deep/i",
             line="git -C repository flagscale unpatch --dir deep/inner/", at="."),
        Case("git --git-dir=repository/.git flagscale unpatch --device-type A_X1",
             line="git --git-dir=repository/.git flagscale unpatch --device-type A_X100 ", at="."),
        Case("git flagscale unpatch --device-type B",
             line="git flagscale unpatch --device-type B_Y100 ", at="repository/deep/inner"),
    ],
    "aliases": [
        Case("git fp --sq", line="git fp --squash "),
        Case("git fp --", offers=["--device-type", "--onto"], hides=["--dir"]),
        Case("git fp --device-type A_X100 B", line="git fp --device-type A_X100 B_Y100 "),
        Case("git fps --", offers=["--onto"], hides=["--squash"], shells=["bash"]),
        Case("git fshell --di", line="git fshell --dir "),
        Case("git -C repository fp --sq", line="git -C repository fp --squash ", at=".",
             shells=["bash"]),
    ],
    "dashed": [
        Case("git-flagscale pa", line="git-flagscale patch "),
        Case("git-flagscale unpatch --device-type A_X100 B",
             line="git-flagscale unpatch --device-type A_X100 B_Y100 "),
        Case("git-flagscale patch --onto v1", line="git-flagscale patch --onto v1.0 "),
        Case("git-flagscale unpatch --dir do", line="git-flagscale unpatch --dir docs/"),
    ],
    "silence": [
        nothing("git flagscale unpatch --device-type ", at="plain"),
        nothing("git flagscale unpatch --commit-id ", at="plain"),
        nothing("git flagscale list ''", at="plain"),
        nothing("git flagscale patch --hardware-dir ", at="plain"),
        nothing("git -C /no/such/folder flagscale unpatch --device-type ", at="plain"),
        nothing("git-flagscale unpatch --device-type ", at="plain"),
        Case("git flagscale unp", line="git flagscale unpatch ", at="plain"),
        Case("git flagscale unpatch --dir a", line="git flagscale unpatch --dir a\\ folder/",
             at="plain"),
    ],
}
