#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A filter that keeps contents elsewhere and leaves pointers in git, as Git LFS does.

pointer_filter.py FOLDER clean|smudge|process: one file on stdin, or git's long-running protocol.
"""
import hashlib
import os
import sys

HEAD = b"pointer to "


def clean(folder, data):
    if data.startswith(HEAD):
        return data
    name = hashlib.sha256(data).hexdigest()
    with open(os.path.join(folder, name), "wb") as out:
        out.write(data)
    return HEAD + name.encode() + b"\n"


def smudge(folder, data):
    if not data.startswith(HEAD):
        return data
    with open(os.path.join(folder, data[len(HEAD):].decode().strip()), "rb") as kept:
        return kept.read()


def read_packet():
    size = sys.stdin.buffer.read(4)
    if not size:
        sys.exit(0)
    return sys.stdin.buffer.read(int(size, 16) - 4) if size != b"0000" else None


def read_packets():
    return list(iter(read_packet, None))


def write_packets(*packets):
    for packet in packets:
        sys.stdout.buffer.write(b"%04x" % (len(packet) + 4) + packet)
    sys.stdout.buffer.write(b"0000")
    sys.stdout.buffer.flush()


def process(folder):
    read_packets()
    write_packets(b"git-filter-server\n", b"version=2\n")
    read_packets()
    write_packets(b"capability=clean\n", b"capability=smudge\n")
    while True:
        command = read_packets()[0]
        data = b"".join(read_packets())
        data = (clean if command == b"command=clean\n" else smudge)(folder, data)
        write_packets(b"status=success\n")
        write_packets(*(data[at:at + 60000] for at in range(0, len(data), 60000)))
        write_packets()


def main():
    folder, what = sys.argv[1:]
    if what == "process":
        process(folder)
    data = sys.stdin.buffer.read()
    sys.stdout.buffer.write((clean if what == "clean" else smudge)(folder, data))


if __name__ == "__main__":
    main()
