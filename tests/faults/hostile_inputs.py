# SPDX-License-Identifier: Apache-2.0
"""Patch files, sidecars, mappings and words made to hurt: what hostile.py tries."""

import base64
import hashlib
import json
import zlib

HEADER = (b"From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n"
          b"From: A <a@example.com>\nDate: Wed, 1 Jan 2025 00:00:00 +0000\nSubject: [PATCH] s\n\n"
          b"---\n")
# More than a terminal should ever be shown.
STEERING = b"\x1b]0;owned\x07\x1b[2J\x9b31m\x08\x7f\r\xe2\x80\xae"


def mail(*diffs):
    return HEADER + b"".join(diffs) + b"\n"


def new(path, text=b"evil\n", mode=b"100644", quote=True):
    """A diff that makes a file."""
    name = c_quoted(path) if quote else path
    a, b = (b'"a/' + name[1:], b'"b/' + name[1:]) if name[:1] == b'"' else (b"a/" + name, b"b/" + name)
    lines = text.splitlines(keepends=True)
    body = b"".join(b"+" + line for line in lines)
    if text and not text.endswith(b"\n"):
        body += b"\n\\ No newline at end of file\n"
    return (b"diff --git " + a + b" " + b + b"\nnew file mode " + mode +
            b"\n--- /dev/null\n+++ " + b + b"\n@@ -0,0 +1,%d @@\n" % len(lines) + body)


def c_quoted(path):
    if all(32 <= byte < 127 and byte not in b'"\\' for byte in path):
        return path
    out = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}"
                  for byte in path)
    return b'"' + out.encode() + b'"'


def rename(old, to, kind=b"rename"):
    return (b"diff --git a/" + old + b" b/" + to + b"\nsimilarity index 100%\n" + kind + b" from " +
            old + b"\n" + kind + b" to " + to + b"\n")


def hunks(headers, path=b"src/f0.py"):
    return (b"diff --git a/" + path + b" b/" + path + b"\n--- a/" + path + b"\n+++ b/" + path +
            b"\n" + headers)


def blob_id(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest().encode()


def binary(path, packed, size, new_id=b"1" * 40, method=b"literal"):
    lines = b"".join(
        (chr(64 + len(part)) if len(part) < 27 else chr(70 + len(part))).encode() +
        base64.b85encode(part, pad=True) + b"\n"
        for part in (packed[at:at + 52] for at in range(0, len(packed), 52)))
    return (b"diff --git a/" + path + b" b/" + path + b"\nnew file mode 100644\nindex " + b"0" * 40 +
            b".." + new_id + b"\nGIT binary patch\n" + method + b" %d\n" % size + lines + b"\n"
            b"literal 0\nHcmV?d00001\n\n")


def zeros(size):
    """So many zeros, packed."""
    packer = zlib.compressobj(9)
    piece = bytes(1 << 20)
    out = b"".join(packer.compress(piece[:min(len(piece), size - at)])
                   for at in range(0, size, len(piece)))
    return out + packer.flush()


def paths():
    """(name, patch): paths that no patch may write to."""
    git_names = [b".git", b".GIT", b".giT", b"git~1", b"GIT~1", b"Git~1", b".git ", b".git.", b".git...",
                 b".git . .", b".git:x", b".git::$INDEX_ALLOCATION", b".g\xe2\x80\x8cit",
                 b".\xe2\x81\xaagit", b"\xef\xbb\xbf.git", b".gi\xe2\x80\x8dt", b".git\xe2\x80\x8e"]
    for name in git_names:
        paths_of_it = [name + b"/config", name + b"/hooks/post-checkout", b"src/" + name + b"/config", name]
        # What HFS+ folds, and what NTFS takes for a folder, are never the same.
        if name.isascii():
            paths_of_it.append(b"src\\" + name + b"\\config")
        for path in paths_of_it:
            yield path, mail(new(path))
        yield name + b" link", mail(new(name, b"/tmp", b"120000"))
        yield name + b" submodule", mail(new(name, b"Subproject commit " + b"1" * 40 + b"\n",
                                             b"160000"))
        yield name + b" renamed", mail(rename(b"src/f0.py", name + b"/config"))
        yield name + b" copied", mail(rename(b"src/f0.py", name + b"/config", b"copy"))
    for path in (b"../evil", b"../../evil", b"src/../../evil", b"src/../src/evil", b"..", b".", b"./x",
                 b"src/./x", b"/evil", b"//evil", b"src//x", b"src/", b"", b"a/..", b"x\0y", b"a" * 5000):
        yield path[:40], mail(new(path))
        # git reads doubled slashes of a rename as one, and so do we.
        if path != b"src//x":
            yield path[:40] + b" renamed", mail(rename(b"src/f0.py", path))
    for name in (b".gitmodules", b".GITMODULES", b"gitmod~1", b"GI7EBA~1", b".gitmodules ",
                 b".gitmodules:x", b".git\xe2\x80\x8cmodules"):
        yield name + b" link", mail(new(name, b"/evil", b"120000"))
    yield b"through a link of the base", mail(new(b"out/evil"))
    yield b"through a link to a folder", mail(new(b"src/link/evil"))
    yield b"through a new link", mail(new(b"way", b"../..", b"120000"), new(b"way/evil"))
    yield b"through a link of another mail", mail(new(b"way", b"../..", b"120000")) + mail(new(b"way/evil"))
    yield b"through a renamed link", mail(rename(b"out", b"way"), new(b"way/evil"))
    yield b"edit through a link", mail(hunks(b"@@ -1 +1 @@\n-precious\n+evil\n", b"out/canary"))
    yield b"removal through a link", mail(
        b"diff --git a/out/canary b/out/canary\ndeleted file mode 100644\n--- a/out/canary\n"
        b"+++ /dev/null\n@@ -1 +0,0 @@\n-precious\n")
    yield b"removal outside", mail(
        b"diff --git a/../canary b/../canary\ndeleted file mode 100644\n--- a/../canary\n"
        b"+++ /dev/null\n@@ -1 +0,0 @@\n-precious\n")


def counts():
    for number in (2**31, 2**32, 2**32 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**40):
        for text in (b"-%d +1", b"-1,%d +1", b"-1 +%d", b"-1 +1,%d", b"-0,0 +1,%d"):
            header = b"@@ " + text % number + b" @@\n-line 0 0\n+x\n"
            yield b"count " + text % number, mail(hunks(header))
        yield b"literal %d" % number, mail(binary(b"big", zlib.compress(b"x"), number))
        yield b"delta %d" % number, mail(binary(b"big", zlib.compress(b"x"), number, method=b"delta"))
    yield b"mode", mail(new(b"x", mode=b"777777777777777777777"))
    yield b"mode of a folder", mail(new(b"x", mode=b"040000"))


def sizes(scale):
    """Inputs that are large for what they are; `scale` 1 is all of them."""
    many = int(100000 * scale)
    yield b"hunks that do not fit", mail(hunks(b"@@ -5,3 +5,3 @@\n a\n-b\n+c\n d\n" * many))
    yield b"hunks far from where they say", mail(
        new(b"big", b"".join(b"%d\n" % i for i in range(many)))) + mail(
        hunks(b"".join(b"@@ -%d,3 +%d,3 @@\n %d\n-%d\n+x\n nowhere\n" %
                       (many - i, many - i, i, i + 1) for i in range(1, many, 2)), b"big"))
    yield b"hunks on lines that are all alike", mail(new(b"big", b"x\n" * many)) + mail(
        hunks(b"@@ -%d,3 +%d,3 @@\n x\n-x\n+x\n y\n" % (many // 2, many // 2) * (many // 10), b"big"))
    yield b"mails", mail(new(b"x")) * (10 * many)
    yield b"mails without a diff", HEADER * (10 * many)
    yield b"files that are not there", mail(
        b"".join(hunks(b"@@ -1 +1 @@\n-a\n+b\n", b"no/%d" % i) for i in range(many)))
    yield b"a path of many folders", mail(new(b"a/" * 3000 + b"x"))
    yield b"headers", b"From x\n" + b"X-Y: z\n" * (10 * many)
    yield b"a long header", b"From: " + b"a" * (100 * many) + b"\n\n"
    yield b"parts of a mail", b"From: a <a@b>\nContent-Type: multipart/mixed; boundary=B\n\n" + \
        b"--B\nContent-Type: multipart/mixed; boundary=C\n\n" * many
    yield b"a long line", mail(hunks(b"@@ -1 +1 @@\n-" + b"a" * (1000 * many) + b"\n+b\n"))
    yield b"NULs", bytes(100 * many)
    big = int(scale * 600) << 20
    yield b"a bomb", mail(binary(b"big", zeros(big), max(big, 513 << 20)))
    half = int(scale * 400) << 20
    packed = zeros(half)
    digest = hashlib.sha1(b"blob %d\0" % half)
    for _ in range(half >> 20):
        digest.update(bytes(1 << 20))
    one = digest.hexdigest().encode()
    yield b"three bombs in a mail", mail(*(binary(b"big%d" % i, packed, half, one) for i in range(3)),
                                        new(b".git/x"))


def sidecars(good):
    """(name, text) of sidecars that are to be refused; `good` is one that is right."""
    fields = json.loads(good)

    def changed(**values):
        return json.dumps({**fields, **values}).encode()

    yield b"depth", b'{"version": 1, "x": ' + b"[" * 500000 + b"]" * 500000 + b"}"
    yield b"objects in objects", b'{"a":' * 100000 + b"1" + b"}" * 100000
    yield b"size", good[:-2] + b" " * (1 << 20) + b"}\n"
    yield b"no end", b'{"version": 1, "x": "' + b"a" * 1000000
    yield b"a number without end", b'{"version": ' + b"1" * 900000 + b"}"
    yield b"an exponent", b'{"version": 1e999999999}'
    yield b"NaN", b'{"version": NaN}'
    yield b"BOM", b"\xef\xbb\xbf" + good
    yield b"UTF-16", good.decode().encode("utf-16")
    yield b"NUL", good.replace(b'"version"', b'"ver\0sion"')
    yield b"no UTF-8", good.replace(b'"device_type": "', b'"device_type": "\xff\xfe')
    yield b"doubled key", good.replace(b'"version": 1,', b'"version": 1, "version": 1,', 1)
    yield b"trailing text", good + b"{}"
    yield b"empty", b""
    for key, value in (("version", 2), ("version", 2**64), ("version", -1), ("base", "../../evil"),
                       ("base", "f" * 40), ("base", ""), ("device_type", "../../evil"),
                       ("device_type", STEERING.decode(errors="ignore")), ("commit", "0" * 40),
                       ("commit", "--output=x"), ("tree", 7), ("patch", []),
                       ("patch", {"blob": "0" * 40, "commits": 2**64, "files_changed": -1})):
        yield f"{key} {str(value)[:30]!r}".encode(), changed(**{key: value})


def mappings(base):
    """(path below the top, text) of combinations that are to be refused."""
    folder = b"hardwares/hetero/" + base[:8] + b"/"

    def combination(devices, **more):
        return json.dumps({"version": 1, "base": base.decode(), "devices": devices, **more}).encode()

    yield folder + b"x.json", combination(["../A", "B_Y100"])
    yield folder + b"x.json", combination(["A_X100", "--upload-pack=touch x"])
    yield folder + b"x.json", combination(["A_X100", "a" * 100000 + "_b"])
    yield folder + b"x.json", combination([STEERING.decode(errors="ignore"), "B_Y100"])
    yield folder + b"x.json", combination(["A_X100"] * 50000)
    yield folder + b"x.json", combination(["B_Y100", "A_X100"])
    yield folder + b"x.json", b"[" * 1000000
    yield folder + b"x.json", combination(["A_X100", "B_Y100"], base="../" * 10)
    yield b"patch/hetero.txt", b"../../x: A_X100 B_Y100\n"
    yield b"patch/hetero.txt", base[:8] + b": ../A B_Y100\n"
    yield b"patch/hetero.txt", base[:8] + b": " + STEERING + b" B_Y100\n"
    yield b"patch/hetero.txt", base[:8] + b": " + b"A_X100 " * 200000 + b"\n"
    yield b"patch/hetero.txt", b":" * 1000000
    yield b"patch/hetero.txt", b"\n" * (1 << 21)
    yield b"tools/patch/hetero.txt", b"-1: A_X100 B_Y100\n"


def words():
    """Arguments that are no such thing as they are given for."""
    bad_revisions = ["--upload-pack=touch owned", "--output=owned", "-x", "--exec=touch owned", "--all",
                     "-", "--", "HEAD:src", "HEAD^{/" + "a" * 20000 + "}", "$(touch owned)", "`touch owned`",
                     "base;touch owned", "../../../etc/passwd", "ext::sh -c touch% owned", "@{-1000000000}",
                     "HEAD~99999999999999999999", "a" * 100000, "\x1b[2J", "base..work-a", "^base"]
    for bad in bad_revisions:
        yield ["patch", "--device-type", "N_One", "--base-commit-id=" + bad]
        yield ["patch", "--device-type", "N_One", "--base-commit-id", "base", "--current-commit-id=" + bad]
        yield ["patch", "--device-type", "N_One", "--base-commit-id", "base", "--current-commit-id",
               "work-a", "--onto=" + bad]
        yield ["unpatch", "--device-type", "A_X100", "--commit-id=" + bad]
        yield ["unpatch", "--device-type", "A_X100", "--commit-id", "base", "--from=" + bad]
        yield ["list", "--from=" + bad]
    for bad in ["--upload-pack=x", "../A_X100", "A_X100/..", "hetero", ".git", "A_X100/../../x", "-A_B", "A_",
                "_B", "A__B", "a" * 5000 + "_b", "A_\x1b[2J", "A_B\n", ""]:
        yield ["patch", "--device-type=" + bad, "--base-commit-id", "base", "--current-commit-id", "work-a"]
        yield ["unpatch", "--device-type=" + bad, "--commit-id", "base", "--dir", "build"]
    for bad in ["-f", "--detach", "../x", "a..b", "x.lock", "HEAD^", "x y", "\x1b[2J", "", "refs/../x"]:
        yield ["unpatch", "--device-type", "A_X100", "--commit-id", "base", "--branch=" + bad]
    for bad in ["/etc", "..", "../x", ".git", ".git/x", "src/../..", "GIT~1", "a\\..\\b/.git", ""]:
        yield ["patch", "--device-type", "N_One", "--base-commit-id", "base", "--current-commit-id", "work-a",
               "--hardware-dir=" + bad]
