#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hardening.py BUILD_FOLDER | --self-test: the program is built with the defences that meson.build asks for.

What counts is what came out: readelf reads the program, and our own objects on their own, since
libgit2 is linked into the program and brings guarded functions along.
"""
import json
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77


def program_complaints(text):
    """`text`: what `readelf -W -h -l -d` says of the program."""
    wrong = []
    if "DYN (" not in text:
        wrong.append("it is not position independent (PIE)")
    if "GNU_RELRO" not in text:
        wrong.append("there is no read-only segment for relocations (RELRO)")
    if "BIND_NOW" not in text and not any(
        "FLAGS" in line and "NOW" in line for line in text.splitlines()
    ):
        wrong.append("symbols are bound late (no -z now)")
    stack = [line for line in text.splitlines() if "GNU_STACK" in line]
    if not stack or "E" in stack[0].split()[-2]:
        wrong.append("the stack is executable")
    if any(line.split()[0] == "LOAD" and "RWE" in line for line in text.splitlines() if line.strip()):
        wrong.append("memory is writable and executable")
    return wrong


def object_complaints(symbols):
    """`symbols`: what `readelf -W -s` says of our objects."""
    undefined = {line.split()[-1] for line in symbols.splitlines() if " UND " in line}
    wrong = []
    if not any(name.startswith("__stack_chk_fail") for name in undefined):
        wrong.append("no stack protector in our objects")
    if not any(name.startswith("__") and name.endswith("_chk") for name in undefined):
        wrong.append("no function of the C library is fortified in our objects")
    if not any("glibcxx_assert_fail" in name for name in undefined):
        wrong.append("no assertions of the C++ library in our objects")
    return wrong


def command_complaints(commands, flags):
    """`commands`: compile_commands.json; `flags`: what leaves no trace that readelf could show."""
    wrong = []
    for entry in commands:
        missing = [flag for flag in flags if flag not in entry["command"].split()]
        if missing:
            wrong.append(f"{entry['file']} is compiled without {' '.join(missing)}")
    return wrong


def readelf(*words):
    done = subprocess.run(["readelf", *words], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode(errors="replace")


def check(build, flags):
    src = build / "src"
    commands = json.loads((build / "compile_commands.json").read_text())
    return [
        *program_complaints(readelf("-W", "-h", "-l", "-d", str(src / "git-flagscale"))),
        *object_complaints(readelf("-W", "-s", str(src / "libflagscale.a"))),
        *command_complaints(commands, flags),
    ]


GOOD_PROGRAM = """  Type:                              DYN (Position-Independent Executable file)
  LOAD           0x000000 0x0000000000000000 0x0000000000000000 0x00b0f0 0x00b0f0 R   0x1000
  GNU_STACK      0x000000 0x0000000000000000 0x0000000000000000 0x000000 0x000000 RW  0x10
  GNU_RELRO      0x5a9c30 0x00000000005aac30 0x00000000005aac30 0x00e3d0 0x00e3d0 R   0x1
 0x000000000000001e (FLAGS)              BIND_NOW
"""
BAD_PROGRAMS = [
    ("DYN (Position-Independent Executable file)", "EXEC (Executable file)"),
    ("GNU_RELRO", "GNU_OTHER"),
    ("BIND_NOW", "SYMBOLIC"),
    (" RW  0x10", " RWE 0x10"),
    (" R   0x1000", " RWE 0x1000"),
]
GOOD_OBJECTS = """   47: 0000000000000000     0 NOTYPE  GLOBAL DEFAULT  UND __stack_chk_fail
   48: 0000000000000000     0 NOTYPE  GLOBAL DEFAULT  UND __memcpy_chk
   49: 0000000000000000     0 NOTYPE  GLOBAL DEFAULT  UND _ZSt21__glibcxx_assert_failPKciS0_S0_
"""
BAD_OBJECTS = [
    ("UND __stack_chk_fail", "  7 __stack_chk_fail"),
    ("__memcpy_chk", "memcpy"),
    ("_ZSt21__glibcxx_assert_failPKciS0_S0_", "abort"),
]
GOOD_COMMANDS = [{"file": "a.cpp", "command": "c++ -fstack-clash-protection -c a.cpp"}]
BAD_COMMANDS = [*GOOD_COMMANDS, {"file": "b.cpp", "command": "c++ -c b.cpp"}]


def self_test():
    flags = ["-fstack-clash-protection"]
    wrong = [
        *program_complaints(GOOD_PROGRAM),
        *object_complaints(GOOD_OBJECTS),
        *command_complaints(GOOD_COMMANDS, flags),
    ]
    for old, new in BAD_PROGRAMS:
        if not program_complaints(GOOD_PROGRAM.replace(old, new)):
            wrong.append(f"does not complain about {new}")
    for old, new in BAD_OBJECTS:
        if not object_complaints(GOOD_OBJECTS.replace(old, new)):
            wrong.append(f"does not complain about objects without {old}")
    if len(command_complaints(BAD_COMMANDS, flags)) != 1:
        wrong.append("does not complain about a missing flag")
    return wrong


def main():
    if sys.argv[1] == "--self-test":
        complaints = self_test()
    elif not shutil.which("readelf"):
        print("skipped: there is no readelf")
        sys.exit(SKIPPED)
    else:
        complaints = check(pathlib.Path(sys.argv[1]), sys.argv[2:])
    for line in complaints:
        print(line)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
