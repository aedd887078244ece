# SPDX-License-Identifier: Apache-2.0
"""What TAB must do, in groups."""
from fixture import BASE, FOREIGN, LATER


class Case:
    """What is typed in a folder, with the cursor before `after`, and what TAB must make of it: the
    line with `adds` at the cursor, or a list with the words of `offers` and none of `hides`.

    `only` names the one shell that can do it, `by_default` the shells that do it without our
    completions, too.
    """

    def __init__(
        self, typed, adds=None, *, offers=(), hides=(), at="repository", after="", only=None,
        by_default=()
    ):
        self.typed = typed
        self.line = None if adds is None else typed + adds + after
        self.offers = offers
        self.hides = hides
        self.at = at
        self.after = after
        self.only = only
        self.by_default = by_default

    def complaint(self, seen):
        """What is wrong with what was seen, or None."""
        if self.line is not None and self.comparable(seen.line) != self.comparable(self.line):
            return f"line is not {self.line!r}"
        if self.line is not None and seen.listed:
            return "something is listed"
        missing = [word for word in self.offers if word not in seen.listed]
        hidden = [word for word in self.hides if word in seen.listed]
        if missing or hidden:
            return f"not listed: {missing}, listed: {hidden}"
        return None

    def comparable(self, line):
        # Where a blank follows, shells differ in whether they add one.
        return line.split() if self.after else line


def nothing(typed, **more):
    """TAB has nothing to offer, not even files, and says nothing."""
    return Case(typed, "", **more)


SUBCOMMANDS = ["patch", "unpatch", "list", "show", "verify", "hetero", "help"]
DEVICES = ["A_X100", "A_X200", "B_Y100", "W_Tree"]
ALL_DEVICES = "A_X100 A_X200 B_Y100 W_Tree"
UNPATCH = "git flagscale unpatch"

GROUPS = {
    "subcommands": [
        Case("git flagsc", "ale ", by_default=["bash", "zsh"]),
        Case("git flagscale pa", "tch "),
        Case("git flagscale ", offers=SUBCOMMANDS, hides=["__complete", "docs"]),
        Case("git flagscale help unp", "atch "),
        Case("git flagscale help tu", "torial "),
        Case("git flagscale hetero ", offers=["list", "add", "remove", "import"], hides=DEVICES),
        Case("git flagscale hetero im", "port "),
        nothing("git flagscale nonsense "),
    ],
    "options": [
        Case("git flagscale patch --", offers=["--device-type", "--squash", "--onto", "--json"]),
        Case("git flagscale patch --sq", "uash "),
        Case("git flagscale patch ", offers=["--device-type"], hides=["docs"]),
        Case("git flagscale patch --squash --", offers=["--onto"], hides=["--squash"]),
        Case("git flagscale patch --", after=" --squash", offers=["--onto"], hides=["--squash"]),
        Case(f"{UNPATCH} --b", "ranch "),
        nothing("git flagscale patch -m "),
        nothing("git flagscale patch --message=", by_default=["zsh"]),
        nothing("git flagscale patch --no-such=", by_default=["zsh"]),
        nothing(f"{UNPATCH} --branch "),
    ],
    "devices": [
        Case(f"{UNPATCH} --device-type ", offers=DEVICES, hides=["Vendor_V1"]),
        Case(f"{UNPATCH} --device-type B", "_Y100 "),
        Case(f"{UNPATCH} --device-type=B", "_Y100 "),
        Case(f"{UNPATCH} --dev B", "_Y100 "),
        Case(
            f"{UNPATCH} --device-type A_X100 ",
            offers=["A_X200", "B_Y100"],
            hides=["A_X100", "docs", "--dir"],
        ),
        Case(f"{UNPATCH} --device-type A_X100 B", "_Y100 "),
        Case(f"{UNPATCH} --device-type {ALL_DEVICES} --d", offers=["--device-type", "--dir"]),
        Case(f"{UNPATCH} --device-type {ALL_DEVICES} ", offers=["--dir"], hides=["docs"]),
        Case(
            f"{UNPATCH} --commit-id {LATER} --device-type ",
            offers=["A_X100", "A_X200"],
            hides=["B_Y100"],
        ),
        Case(f"{UNPATCH} --from vendor --device-type ", "Vendor_V1 "),
        Case(f"{UNPATCH} --device-type ", "Vendor_V1", after=" --from=vendor"),
        Case(f"{UNPATCH} --hardware-dir other --device-type ", "O_O1 "),
        Case("git flagscale show W", "_Tree "),
        Case("git flagscale verify A_X100 B", "_Y100 "),
        Case(f"git flagscale hetero add {LATER} A_X100 ", "A_X200 "),
        nothing(f"{UNPATCH} --device-type Nobody_N"),
        nothing(f"{UNPATCH} --from no-such --device-type "),
    ],
    "bases": [
        Case(f"{UNPATCH} --device-type A_X100 --commit-id ", offers=[BASE, LATER]),
        Case(f"{UNPATCH} --device-type A_X100 --commit-id {LATER[0]}", LATER[1:] + " "),
        Case(f"{UNPATCH} --device-type A_X100 B_Y100 --commit-id ", BASE + " "),
        Case(f"{UNPATCH} --device-type A_X100 B_Y100 --commit-id=", BASE + " "),
        Case(f"{UNPATCH} --from vendor --commit-id ", FOREIGN + " "),
        Case("git flagscale show B_Y100 ", BASE + " "),
        Case("git flagscale hetero remove ", offers=[BASE, LATER], hides=DEVICES),
        Case(f"{UNPATCH} --device-type A_X100 --commit-id v", offers=["v1.0", "vendor"]),
    ],
    "commits": [
        Case("git flagscale patch --base-commit-id v", offers=["v1.0", "vendor"]),
        Case("git flagscale patch --base v1", ".0 "),
        Case("git flagscale patch --current-commit-id fe", "ature/one "),
        Case("git flagscale patch --onto=fe", "ature/one "),
        Case(f"{UNPATCH} --from HE", "AD "),
        Case("git flagscale list --from ven", "dor "),
    ],
    "folders": [
        Case(f"{UNPATCH} --dir do", "cs/"),
        Case(f"{UNPATCH} --dir=do", "cs/"),
        Case(f"{UNPATCH} --dir deep/", "inner/"),
        Case(f"{UNPATCH} --dir build\\ ", "area/"),
        Case(f"{UNPATCH} --dir ~/ho", "me-folder/"),
        Case("git flagscale patch --hardware-dir o", "ther/", at="repository/deep"),
        Case("git flagscale hetero import ol", "d.txt ", by_default=["zsh"]),
        nothing(f"{UNPATCH} --dir old"),
    ],
    "elsewhere": [
        Case("git -C repository flagscale unpatch --device-type B", "_Y100 ", at="."),
        Case("git -C ~/../repository flagscale unpatch --device-type B", "_Y100 ", at="plain"),
        Case(
            "git -C plain -C ../repository flagscale unpatch --device-type B",
            "_Y100 ",
            at=".",
            only="bash",
        ),
        Case("git -C repository flagscale patch --onto v1", ".0 ", at="."),
        Case("git -C repository flagscale unpatch --dir deep/i", "nner/", at="."),
        Case("git --git-dir=repository/.git flagscale show A_X1", "00 ", at="."),
        Case(f"{UNPATCH} --device-type B", "_Y100 ", at="repository/deep/inner"),
    ],
    "aliases": [
        Case("git fp --sq", "uash "),
        Case("git fp --", offers=["--device-type", "--onto"], hides=["--dir"]),
        Case("git fp --device-type A_X100 B", "_Y100 "),
        Case("git fshell --di", "r "),
        # zsh's completion of git reads no alias of an alias, and none after -C.
        Case("git fps --", offers=["--onto"], hides=["--squash"], only="bash"),
        Case("git -C repository fp --sq", "uash ", at=".", only="bash"),
    ],
    "dashed": [
        Case("git-flagscale pa", "tch "),
        Case("git-flagscale unpatch --device-type A_X100 B", "_Y100 "),
        Case("git-flagscale patch --onto v1", ".0 "),
        Case("git-flagscale unpatch --dir do", "cs/"),
    ],
    "silence": [
        nothing(f"{UNPATCH} --device-type ", at="plain"),
        nothing(f"{UNPATCH} --commit-id ", at="plain"),
        nothing("git flagscale patch --hardware-dir ", at="plain"),
        nothing("git -C /no/such/folder flagscale unpatch --device-type ", at="plain"),
        nothing("git-flagscale unpatch --device-type ", at="plain"),
        Case("git flagscale unp", "atch ", at="plain"),
        Case(f"{UNPATCH} --dir a", "\\ folder/", at="plain"),
    ],
}
