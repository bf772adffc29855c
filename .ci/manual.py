"""Writes a page of man for each command, from what --experimental-dump-help says: VERSION TIME FOLDER."""
import json, sys, time

version, moment, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
day = time.strftime("%Y-%m-%d", time.gmtime(moment))


def plain(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def names(argument):
    if argument["kind"] == "positional":
        return argument["valueName"].upper()
    words = [("-" if name["kind"] == "short" else "--") + name["name"] for name in argument.get("names", [])]
    value = "" if argument["kind"] == "flag" else " " + argument.get("valueName", "value").upper()
    return ", ".join(word + value for word in words)


def page(command, path):
    title = "-".join(path)
    lines = [f'.TH {title.upper()} 1 "{day}" "momtool {version}"', ".SH NAME"]
    lines += [plain(f"{title} - {command.get('abstract', '').rstrip('.')}"), ".SH SYNOPSIS", f".B {plain(' '.join(path))}"]
    arguments = [item for item in command.get("arguments", []) if item.get("shouldDisplay", True)]
    commands = [item for item in command.get("subcommands", []) if item.get("shouldDisplay", True)]
    for item in arguments:
        word = names(item).split(", ")[0]
        if item.get("isRepeating"):
            word += " ..."
        lines.append(plain(f"[{word}]" if item.get("isOptional") else word))
    if commands:
        lines.append(plain("COMMAND"))
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", ".nf", plain(command["discussion"]), ".fi"]
    if arguments:
        lines.append(".SH ARGUMENTS")
    for item in arguments:
        lines += [".TP", f".B {plain(names(item))}", plain(item.get("abstract", ""))]
        if item.get("allValues"):
            lines.append(plain("One of " + ", ".join(item["allValues"]) + "."))
    if commands:
        lines.append(".SH COMMANDS")
    for item in commands:
        lines += [".TP", f".BR {plain('-'.join(path + [item['commandName']]))} (1)", plain(item.get("abstract", ""))]
    with open(f"{folder}/{title}.1", "w") as file:
        file.write("\n".join(line for line in lines if line) + "\n")
    for item in commands:
        if item["commandName"] != "help":
            page(item, path + [item["commandName"]])


page(json.load(sys.stdin)["command"], ["momtool"])
