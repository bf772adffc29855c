"""Checks JSON reports by their schemas with Python's jsonschema, each object closed: `schemas.py FILE`.

FILE holds a list of {command, schema, report}. Objects are closed here so that a key that no schema describes is found;
the schemas themselves are open, so that a new key is no break.
"""

import json
import sys

from jsonschema import Draft202012Validator


def closed(schema):
    if isinstance(schema, dict):
        schema = {key: closed(value) for key, value in schema.items()}
        if "properties" in schema and schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)
        return schema
    return [closed(item) for item in schema] if isinstance(schema, list) else schema


with open(sys.argv[1], encoding="utf-8") as file:
    pairs = json.load(file)
faults = 0
for pair in pairs:
    Draft202012Validator.check_schema(pair["schema"])
    for error in Draft202012Validator(closed(pair["schema"])).iter_errors(pair["report"]):
        faults += 1
        print(f"{pair['command']}: {error.json_path}: {error.message[:300]}")
print(f"{len(pairs)} reports, {faults} faults")
sys.exit(1 if faults else 0)
