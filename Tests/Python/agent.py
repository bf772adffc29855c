"""Does some tasks through `momtool mcp` with Python's mcp package: `agent.py MOMTOOL`.

Each task begins with a store that is filled, changes the model with the server's tools as an agent would, migrates a copy of
the store, and compares the rows before and after. Needs `pip install mcp`.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM = os.path.abspath(sys.argv[1])
MODEL = "Shop.xcdatamodeld"
SOURCE = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
    </entity>
    <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
        <attribute name="pages" optional="YES" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    </entity>
</model>
"""
ROWS = {
    "Author": [{"@id": "a", "name": "Ann"}, {"@id": "b", "name": "Bob"}],
    "Book": [
        {"@id": "one", "title": "One", "pages": 10, "author": "Author/a"},
        {"@id": "two", "title": "Two", "pages": 20, "author": "Author/a"},
    ],
}


def objects(rows, entity):
    """An entity's objects with their keys, which a migration keeps; a link by the key of what it leads to."""

    def value(item):
        if isinstance(item, list):
            return sorted(value(part) for part in item)
        return item.rsplit("/", 1)[-1] if isinstance(item, str) else item

    return sorted(({key: value(item) for key, item in row.items()} for row in rows.get(entity, [])), key=json.dumps)


# The name of a task, its edits, and what becomes of the rows.
TASKS = [
    ("add an attribute", [{"add": "attribute Book.isbn", "with": {"attributeType": "String", "optional": "YES"}}], None),
    (
        "rename an entity",
        [{"rename": "entity Author", "to": "Writer"}],
        lambda rows: rows.update(Writer=rows.pop("Author")),
    ),
    (
        "remove an attribute",
        [{"remove": "attribute Book.pages"}],
        lambda rows: [row.pop("pages", None) for row in rows["Book"]],
    ),
    ("change a delete rule", [{"set": "relationship Author.books", "with": {"deletionRule": "Cascade"}}], None),
]
# What is in no hash is written into a version that has shipped.
UNHASHED = {"change a delete rule"}
LOSSES = {"remove an attribute": ["Book.pages"]}


def momtool(folder, *words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=True).stdout


def prepare(folder):
    version = os.path.join(folder, MODEL, "Shop.xcdatamodel")
    os.makedirs(version)
    with open(os.path.join(version, "contents"), "w", encoding="utf-8") as file:
        file.write(SOURCE)
    with open(os.path.join(folder, "Rows.json"), "w", encoding="utf-8") as file:
        json.dump(ROWS, file)
    momtool(folder, "lock", MODEL)
    momtool(folder, "create", "Shop.sqlite", "--model", MODEL, "--rows", "Rows.json")
    return json.loads(momtool(folder, "export", "Shop.sqlite"))


async def call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    failed = getattr(result, "isError", None) or getattr(result, "is_error", None)
    text = "\n".join(part.text for part in result.content)
    assert not failed, f"{tool}: {text}"
    report = getattr(result, "structuredContent", None) or getattr(result, "structured_content", None)
    return report, text


async def refused(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    assert getattr(result, "isError", None) or getattr(result, "is_error", None), f"{tool} was not refused"


async def loop(session, name, edits):
    """What the skill says: look, new version, try, edit, plan, case, check, migrate a copy."""
    before = (await call(session, "inspect", path=MODEL))[0]
    assert before["versions"][0]["current"]
    if name not in UNHASHED:
        await refused(session, "edit_model", model=MODEL, edits=edits)
    await call(session, "new_version", model=MODEL)
    report = (await call(session, "preview_edit", model=MODEL, edits=edits))[0]
    assert ("+++" in report["patch"] or "rename to" in report["patch"]) and report["verdict"], report
    report = (await call(session, "edit_model", model=MODEL, edits=edits))[0]
    assert report["files"], report
    plan = (await call(session, "plan", model=MODEL, store="Shop.sqlite"))[0]
    losses = [loss["name"] for loss in plan.get("losses") or []]
    assert losses == LOSSES.get(name, []), (name, losses)
    await call(session, "write_case", folder="Cases", name="step", model=MODEL)
    copy = {"store": "Shop.sqlite", "model": MODEL, "output": "New.sqlite"}
    if losses:
        await refused(session, "migrate_copy", **copy)
        copy["allow_losses"] = losses
    await call(session, "migrate_copy", **copy)
    found = (await call(session, "check", paths=[MODEL]))[0]
    errors = [item for item in found["findings"] if item["severity"] == "error"]
    assert bool(errors) == bool(losses), errors
    await call(session, "verify", store="New.sqlite", model=MODEL)
    await call(session, "doctor", paths=["New.sqlite"], model=MODEL)
    return (await call(session, "export", store="New.sqlite"))[0]


async def do(name, edits, change):
    with tempfile.TemporaryDirectory() as folder:
        expected = prepare(folder)
        server = StdioServerParameters(command=PROGRAM, args=["mcp", folder])
        async with stdio_client(server) as (reading, writing):
            async with ClientSession(reading, writing) as session:
                await session.initialize()
                after = await loop(session, name, edits)
        if change:
            change(expected)
        for entity in set(expected) | set(after):
            added = {key for row in after.get(entity, []) for key in row} - {
                key for row in expected.get(entity, []) for key in row
            }
            stripped = [{key: value for key, value in row.items() if key not in added} for row in after.get(entity, [])]
            got = objects({**after, entity: stripped}, entity)
            assert got == objects(expected, entity), (name, entity, got, objects(expected, entity))
    print(f"ok    {name}")


async def modern():
    """The newest client finds the server without a handshake."""
    try:
        from mcp.client import Client
    except ImportError:
        return print("skip  the newest client: mcp 2 is not installed")
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        async with Client(stdio_client(StdioServerParameters(command=PROGRAM, args=["mcp", folder]))) as client:
            assert client.protocol_version == "2026-07-28", client.protocol_version
            tools = (await client.list_tools()).tools
            assert len(tools) >= 15
            result = await client.call_tool("diff", {"model": MODEL, "against": "none"})
            assert result.is_error
            result = await client.call_tool("check", {})
            assert result.structured_content["command"] == "check"
            skill = await client.read_resource("momtool://skill")
            assert "What never to do" in skill.contents[0].text
            assert (await client.list_resources()).resources
    print("ok    the newest client")


async def main():
    for task in TASKS:
        await do(*task)
    await modern()
    print(f"{len(TASKS)} tasks done")


asyncio.run(main())
