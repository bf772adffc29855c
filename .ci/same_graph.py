"""Compares two keyed archives, or two folders of them, as graphs: MADE REAL. Says what differs, and ends with 1 then.

The numbers of objects and the order of dictionaries and sets do not count; which objects are one does. What the
compiler records of itself (CDMCompiler...) and leftovers of other systems (.omo) are left out.
"""
import os, plistlib, sys
from plistlib import UID

SELF = ("CDMCompilerToolVersion", "CDMCompilerXcodeVersion")


class Archive:
    def __init__(self, path):
        with open(path, "rb") as file:
            content = plistlib.load(file)
        self.objects, self.root = content["$objects"], content["$top"]["root"]

    def __getitem__(self, place):
        return self.objects[place.data]

    def chain(self, thing):
        return tuple(self[thing["$class"]]["$classes"])

    def label(self, place):
        thing = self[place]
        if isinstance(thing, dict) and "NSEntityName" in thing:
            return str(self[thing["NSEntityName"]])
        return repr(thing) if not isinstance(thing, dict) else ""


def differences(one, two):
    found, pairs, back, open_pairs = [], {}, {}, [(one.root, two.root, "")]

    def value(left, right, path):
        if isinstance(left, UID) and isinstance(right, UID):
            open_pairs.append((left, right, path))
        elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            for index, (a, b) in enumerate(zip(left, right)):
                value(a, b, f"{path}[{index}]")
        elif type(left) is not type(right) or left != right:
            found.append(f"{path}: {left!r} and {right!r}")

    def entries(left, right, path):
        for key in sorted(set(left) | set(right)):
            if key in left and key in right:
                open_pairs.append((left[key], right[key], f"{path}{{{key}}}"))
            else:
                found.append(f"{path}{{{key}}}: only in the {'first' if key in left else 'second'}")

    while open_pairs:
        first, second, path = open_pairs.pop()
        left, right = one[first], two[second]
        if not (isinstance(left, dict) and isinstance(right, dict) and "$class" in left and "$class" in right):
            if left != right:
                found.append(f"{path}: {left!r} and {right!r}")
            continue
        if first.data in pairs or second.data in back:
            if pairs.get(first.data) != second.data or back.get(second.data) != first.data:
                found.append(f"{path}: another object")
            continue
        pairs[first.data], back[second.data] = second.data, first.data
        if one.chain(left) != two.chain(right):
            found.append(f"{path}: {one.chain(left)} and {two.chain(right)}")
        elif one.chain(left)[0].endswith("Dictionary"):
            entries(
                {one.label(key): item for key, item in zip(left["NS.keys"], left["NS.objects"])},
                {two.label(key): item for key, item in zip(right["NS.keys"], right["NS.objects"])},
                path,
            )
        elif one.chain(left)[0].endswith("Set"):
            entries(
                {one.label(item): item for item in left["NS.objects"]},
                {two.label(item): item for item in right["NS.objects"]},
                path,
            )
        else:
            for key in sorted((set(left) | set(right)) - {"$class", *SELF}):
                value(left.get(key), right.get(key), f"{path}.{key}")
    return found


def plist(path):
    with open(path, "rb") as file:
        return plistlib.load(file)


def info(one, two, name):
    """Compilers of each time wrote other entries; what both have must be equal."""
    for key in sorted(set(one) ^ set(two)):
        notes.append(f"{key} {'is new' if key in one else 'is missing'}")
    return [f"{name} {key}: {one[key]!r} and {two[key]!r}" for key in sorted(set(one) & set(two)) if one[key] != two[key]]


notes = []


def compare(made, real):
    if not os.path.isdir(real):
        return differences(Archive(made), Archive(real))
    names = sorted({name for folder in (made, real) for name in os.listdir(folder) if not name.endswith(".omo")})
    found = []
    for name in names:
        one, two = os.path.join(made, name), os.path.join(real, name)
        if not (os.path.exists(one) and os.path.exists(two)):
            found.append(f"{name}: only in one")
        elif name.endswith(".plist"):
            found += info(plist(one), plist(two), name)
        else:
            found += [f"{name}{line}" for line in differences(Archive(one), Archive(two))]
    return found


if __name__ == "__main__":
    lines = compare(sys.argv[1], sys.argv[2])
    print("\n".join(lines[:20]) or "; ".join(["equal"] + notes))
    sys.exit(1 if lines else 0)
