#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""validate_json.py SCHEMA [FILE]: says in what FILE (or standard input) does not match a JSON Schema.

Exits with 1 when it does not match, with 77 when there is no validator on this machine.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            value = json.load(file)
    else:
        value = json.load(sys.stdin)
    errors = list(jsonschema.Draft7Validator(schema).iter_errors(value))
    for error in errors:
        print("/".join(map(str, error.absolute_path)) or ".", error.message, sep=": ")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
