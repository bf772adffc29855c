"""Hashes and compiles the models of Fixtures/Vectors a second time, by the rules that the pages VersionHashes and
CompiledModels state, and writes MODEL.json and MODEL.mom beside each: vectors.py [--check] [FOLDER].

Nothing of momtool is used here, so that tests compare two implementations that share nothing but the pages. With --check
nothing is written, and the status is 1 when a file is not what it should be.
"""
import base64, hashlib, json, os, re, struct, sys
import xml.etree.ElementTree as XML

TYPES = {None: 0, "Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400, "Double": 500,
         "Float": 600, "String": 700, "Boolean": 800, "Date": 900, "Binary": 1000, "UUID": 1100, "URI": 1200,
         "Transformable": 1800, "Composite": 2100}
CLASSES = {**dict.fromkeys([100, 200, 300, 500, 600, 800], "NSNumber"), 400: "NSDecimalNumber", 700: "NSString",
           900: "NSDate", 1000: "NSData", 1100: "NSUUID", 1200: "NSURL", 2100: "NSDictionary"}
RULES = {"No Action": 0, "Nullify": 1, "Cascade": 2, "Deny": 3}


def on(element, name):
    return element.get(name) == "YES"


def counts(relationship):
    many = on(relationship, "toMany")
    return int(relationship.get("minCount", 0)), int(relationship.get("maxCount", 0 if many else 1))


class Model:
    def __init__(self, path):
        self.root = XML.parse(os.path.join(path, "contents")).getroot()
        self.entities = {e.get("name"): e for e in self.root.findall("entity")}
        self.composites = {c.get("name"): c for c in self.root.findall("composite")}

    def lineage(self, entity):
        yield entity
        while entity.get("parentEntity"):
            entity = self.entities[entity.get("parentEntity")]
            yield entity


# ---- hashes: the page VersionHashes

def digest(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def text(value):
    return (value or "").encode()


def flag(value):
    return b"\x01" if value else b"\x00"


def word(number):
    return struct.pack("<i", number)


def expression_text(source):
    operator = re.fullmatch(r"(\w+)\.@(\w+)", source)
    return f"{operator[2]}:({operator[1]})" if operator else source


def common_hash(element):
    return digest(text(element.get("name")), flag(on(element, "optional")), flag(on(element, "transient")),
                  text(element.get("versionHashModifier")))


def attribute_hash(model, attribute):
    if on(attribute, "derived"):
        return digest(text(expression_text(attribute.get("derivationExpression"))))
    if attribute.get("attributeType") == "Composite":
        elements = model.composites[attribute.get("composite")].findall("attribute")
        return digest(*[attribute_hash(model, e) for e in sorted(elements, key=lambda e: e.get("name"))])
    flags = [b"\x01" for name in ("allowsExternalBinaryDataStorage", "preserveAfterDeletion") if on(attribute, name)]
    return digest(common_hash(attribute), word(TYPES[attribute.get("attributeType")]), *flags)


def relationship_hash(relationship, owner):
    own = relationship.get("inverseName") == relationship.get("name") and relationship.get("inverseEntity") == owner
    low, high = counts(relationship)
    return digest(common_hash(relationship), text(relationship.get("destinationEntity")),
                  b"" if own else text(relationship.get("inverseName")), word(high), word(low),
                  b"\x01\x00" if on(relationship, "ordered") else b"")


def entity_hash(model, entity):
    properties = {}
    for owner in model.lineage(entity):
        for element in owner.findall("attribute") + owner.findall("relationship"):
            if not on(element, "transient"):
                properties[element.get("name")] = (
                    attribute_hash(model, element) if element.tag == "attribute"
                    else relationship_hash(element, owner.get("name")))
    parent = entity.get("parentEntity")
    constraints = sorted(".".join(c.get("value") for c in u.findall("constraint"))
                         for u in entity.iter("uniquenessConstraint"))
    return digest(text(entity.get("name")), flag(on(entity, "isAbstract")),
                  entity_hash(model, model.entities[parent]) if parent else b"",
                  *[properties[name] for name in sorted(properties)],
                  text(entity.get("versionHashModifier")), *[text(c) for c in constraints])


def hashes(model):
    every = {name: entity_hash(model, model.entities[name]) for name in sorted(model.entities)}
    whole = hashlib.sha512(b"".join(text(name) + every[name] for name in every)).digest()
    return {"entities": {name: every[name].hex() for name in every},
            "checksum": base64.b64encode(digest(*every.values())).decode(),
            "digest": base64.b64encode(whole).decode()}


# ---- archives: the page CompiledModels

class Reference(int):
    """The number of an object in the archive."""


class Single(float):
    """A real number of four bytes."""


CHAINS = {
    "NSAttributeDescription": ["NSPropertyDescription"],
    "NSDerivedAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSCompositeAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSRelationshipDescription": ["NSPropertyDescription"], "NSFetchedPropertyDescription": ["NSPropertyDescription"],
    "NSFetchRequest": ["NSPersistentStoreRequest"], "NSComparisonPredicate": ["NSPredicate"],
    "NSCompoundPredicate": ["NSPredicate"], "NSComparisonPredicateOperator": ["NSPredicateOperator"],
    "NSEqualityPredicateOperator": ["NSPredicateOperator"], "NSSelfExpression": ["NSExpression"],
    "NSConstantValueExpression": ["NSExpression"], "NSFunctionExpression": ["NSExpression"],
    "NSKeyPathSpecifierExpression": ["NSExpression"],
    "NSKeyPathExpression": ["NSFunctionExpression", "NSExpression"], "NSMutableDictionary": ["NSDictionary"],
    "NSMutableArray": ["NSArray"], "NSDecimalNumberPlaceholder": ["NSDecimalNumber", "NSNumber", "NSValue"],
}
NIL = Reference(0)


class Archive:
    def __init__(self, model):
        self.model, self.objects, self.classes, self.shared = model, ["$null"], {}, {}
        self.root = self.reserve()
        self.places = {name: self.reserve() for name in model.entities}
        self.properties = {(name, p.get("name")): self.reserve() for name, e in model.entities.items()
                           for p in e if p.tag in ("attribute", "relationship", "fetchedProperty")}
        self.fill(self.root, "NSManagedObjectModel", self.model_values())
        for entity in model.entities.values():
            self.add_entity(entity)

    def reserve(self):
        self.objects.append(None)
        return Reference(len(self.objects) - 1)

    def plain(self, value):
        self.objects.append(value)
        return Reference(len(self.objects) - 1)

    def text(self, value):
        return NIL if value is None else self.plain(value)

    def fill(self, place, name, values):
        if name not in self.classes:
            self.classes[name] = self.plain(
                {"$classname": name, "$classes": [name] + CHAINS.get(name, []) + ["NSObject"]})
        self.objects[place] = {**values, "$class": self.classes[name]}
        return place

    def add(self, name, **values):
        return self.fill(self.reserve(), name, values)

    def array(self, items, name="NSArray"):
        return self.fill(self.reserve(), name, {"NS.objects": list(items)})

    def dictionary(self, entries, name="NSMutableDictionary"):
        return self.fill(self.reserve(), name, {"NS.keys": [self.plain(k) for k, _ in entries],
                                                "NS.objects": [v for _, v in entries]})

    def once(self, key, make):
        if key not in self.shared:
            self.shared[key] = make()
        return self.shared[key]

    def user_info(self, element):
        entries = [(e.get("key"), self.plain(e.get("value"))) for e in element.findall("userInfo/entry")]
        return self.dictionary(entries, "NSDictionary") if entries else self.once(
            "no user info", lambda: self.dictionary([], "NSDictionary"))

    def model_values(self):
        root = self.model.root
        requests = [(r.get("name"), self.request(r)) for r in root.findall("fetchRequest")]
        sets = [(c.get("name"), self.array([self.places[m.get("name")] for m in c], "NSSet"))
                for c in root.findall("configuration")]
        identifier = self.plain(root.get("userDefinedModelVersionIdentifier", ""))
        values = {"NSEntities": self.dictionary(list(self.places.items())),
                  "NSFetchRequestTemplates": self.dictionary(requests) if requests else NIL,
                  "NSVersionIdentifiers": self.array([identifier], "NSSet")}
        if sets:
            values["NSConfigurations"] = self.dictionary(sets)
        return values

    def add_entity(self, entity):
        name = entity.get("name")
        children = [(c, self.places[c]) for c, e in self.model.entities.items() if e.get("parentEntity") == name]
        self.mirrored = {i[0].get("property") for i in entity.findall("fetchIndex")
                         if len(i) == 1 and i[0].get("order") == "ascending"}
        for element in entity:
            if element.tag == "attribute":
                self.attribute(element, name, self.properties[name, element.get("name")])
            elif element.tag == "relationship":
                self.relationship(element, name)
            elif element.tag == "fetchedProperty":
                self.fetched_property(element, name)
        values = {"NSEntityName": self.plain(name), "NSClassNameForEntity": self.text(entity.get("representedClassName")),
                  "NSManagedObjectModel": self.root,
                  "NSSuperentity": self.places.get(entity.get("parentEntity"), NIL),
                  "NSSubentities": self.dictionary(children),
                  "NSProperties": self.dictionary([(p, place) for (e, p), place in self.properties.items() if e == name]),
                  "NSUserInfo": self.user_info(entity),
                  "NSVersionHashModifier": self.text(entity.get("versionHashModifier")),
                  "NSRenamingIdentifier": self.plain(entity.get("elementID", name))}
        if on(entity, "isAbstract"):
            values["NSIsAbstract"] = True
        tuples = [[c.get("value") for c in u] for u in entity.iter("uniquenessConstraint")]
        if tuples:
            values["NSUniqueTuples"] = self.lists(tuples)
        self.add_indexes(entity, values)
        self.fill(self.places[name], "NSEntityDescription", values)

    def lists(self, tuples):
        return self.array([self.array([self.plain(n) for n in t], "NSMutableArray") for t in tuples], "NSMutableArray")

    def add_indexes(self, entity, values):
        indexes = [self.index(i.get("name"), [(e.get("property"), e.get("order") == "ascending") for e in i],
                              self.places[entity.get("name")]) for i in entity.findall("fetchIndex")]
        indexes += [self.index(a.get("name"), [(a.get("name"), True)], NIL)
                    for a in entity.findall("attribute") if on(a, "indexed")]
        if indexes:
            values["NSFetchIndexDescriptions"] = self.array(indexes, "NSMutableArray")
            values["NSCompoundIndexes"] = self.lists(
                [[e.get("property") for e in i] for i in entity.findall("fetchIndex") if len(i) > 1])

    def index(self, name, elements, owner):
        place = self.reserve()
        parts = [self.add("NSFetchIndexElementDescription", NSPropertyName=self.plain(p), NSFetchIndexElementType=0,
                          NSAscending=up, NSFetchIndexDescription=place) for p, up in elements]
        return self.fill(place, "NSFetchIndexDescription", {
            "NSIndexName": self.plain(name), "NSPartialIndexPredicate": NIL, "NSEntity": owner,
            "NSIndexElements": self.array(parts)})

    def common(self, element, owner, read_only=False, transient=False, validated=False, ordered=False):
        name, bits, values = element.get("name"), 0x001, {}
        settings = [(0x002, on(element, "optional"), "NSIsOptional"), (0x004, read_only, "NSIsReadOnly"),
                    (0x008, transient or on(element, "transient"), "NSIsTransient"), (0x030, not validated, None),
                    (0x040, element.find("userInfo") is None, None),
                    (0x080, not element.get("versionHashModifier"), None),
                    (0x100, on(element, "spotlightIndexingEnabled"), "NSIndexedBySpotlight"),
                    (0x200, on(element, "storedInTruthFile"), "NSIsStoredInTruth"), (0x400, ordered, None)]
        for bit, is_set, key in settings:
            bits |= bit if is_set else 0
            if is_set and key:
                values[key] = True
        values.update({"NSEntity": self.places[owner], "NSPropertyName": self.plain(name), "_P": bits,
                       "NSRenamingIdentifier": self.plain(element.get("elementID", name))})
        if element.find("userInfo") is not None:
            values["NSUserInfo"] = self.user_info(element)
        if element.get("versionHashModifier"):
            values["NSVersionHashModifier"] = self.plain(element.get("versionHashModifier"))
        if on(element, "indexed") and element.tag == "attribute" or name in self.mirrored:
            values["NSIsIndexed"] = True
        return values

    def attribute(self, element, owner, place):
        kind, derived = TYPES[element.get("attributeType")], on(element, "derived")
        limits = self.limits(element, kind)
        values = self.common(element, owner, read_only=derived, validated=bool(limits))
        transformer = element.get("valueTransformerName")
        if transformer == "NSSecureUnarchiveFromDataTransformerName":
            transformer = "NSSecureUnarchiveFromData"
        values.update({
            "NSAttributeType": kind,
            "NSAttributeValueClassName": self.text(element.get("customClassName") if kind == 1800 else CLASSES.get(kind)),
            "NSDefaultValue": NIL if derived else self.default(element, kind),
            "NSValueTransformerName": self.text(transformer),
            "NSFlagsKey": (4 if on(element, "allowsExternalBinaryDataStorage") else 0)
            + (16 if on(element, "preserveAfterDeletion") else 0)})
        if limits:
            values["NSValidationPredicates"] = self.array([p for p, _ in limits])
            values["NSValidationWarnings"] = self.array([self.plain(code) for _, code in limits])
        name = "NSAttributeDescription"
        if derived:
            name = "NSDerivedAttributeDescription"
            values["NSDerivationExpression"] = self.expression(element.get("derivationExpression"))
            values["NSFilteringPredicate"] = NIL
        elif kind == 2100:
            name = "NSCompositeAttributeDescription"
            elements = self.model.composites[element.get("composite")]
            values["NSCompositeElements"] = self.array(
                [self.attribute(e, owner, self.reserve()) for e in elements], "NSMutableArray")
        return self.fill(place, name, values)

    def default(self, element, kind):
        if kind == 900 and element.get("defaultDateTimeInterval"):
            return self.add("NSDate", **{"NS.time": float(element.get("defaultDateTimeInterval"))})
        value = element.get("defaultValueString")
        if value is None:
            return NIL
        if kind == 400:
            return self.decimal(value)
        return self.plain({800: lambda v: v == "YES", 700: str, 500: float, 600: Single}.get(kind, int)(value))

    def decimal(self, value):
        whole, _, fraction = value.lstrip("-").partition(".")
        mantissa = int(whole + fraction)
        return self.add("NSDecimalNumberPlaceholder", **{
            "NS.mantissa": mantissa.to_bytes(16, "little"), "NS.mantissa.bo": 1,
            "NS.length": (mantissa.bit_length() + 15) // 16, "NS.exponent": -len(fraction),
            "NS.negative": value.startswith("-"), "NS.compact": False})

    def limits(self, element, kind):
        found = []
        for key, operator, code in (("minValueString", 3, 1620), ("maxValueString", 1, 1610)):
            if element.get(key) is not None:
                constant = self.constant(float(element.get(key)) if kind == 500 else int(element.get(key)))
                comparison = self.add("NSComparisonPredicateOperator", NSModifier=0, NSOptions=0,
                                      NSOperatorType=operator, NSVariant=operator)
                found.append((self.comparison(self.itself(), constant, comparison), code))
        return found

    def relationship(self, element, owner):
        low, high = counts(element)
        values = self.common(element, owner, ordered=on(element, "ordered"))
        inverse = (element.get("inverseEntity"), element.get("inverseName"))
        values.update({
            "NSDestinationEntity": self.places[element.get("destinationEntity")],
            "_NSDestinationEntityName": self.plain(element.get("destinationEntity")),
            "NSInverseRelationship": self.properties.get(inverse, NIL),
            "_NSInverseRelationshipName": self.text(inverse[1]),
            "NSDeleteRule": RULES[element.get("deletionRule")], "NSMinCount": low, "NSMaxCount": high})
        if on(element, "ordered"):
            values["NSIsOrdered"] = True
        self.fill(self.properties[owner, element.get("name")], "NSRelationshipDescription", values)

    def fetched_property(self, element, owner):
        request = element.find("fetchRequest")
        values = self.common(element, owner, read_only=True, transient=True)
        values.update({"NSFetchRequest": self.request(request),
                       "_NSFetchRequestEntityName": self.plain(request.get("entity"))})
        self.fill(self.properties[owner, element.get("name")], "NSFetchedPropertyDescription", values)

    def request(self, element):
        predicate = element.get("predicateString")
        values = dict.fromkeys(["NSSortDescriptors", "NSValuesToFetch", "NSValuesToGroupBy", "NSHavingPredicate",
                                "NSRelationshipKeyPathsForPrefetching"], NIL)
        return self.add("NSFetchRequest", **values, NSEntity=self.places[element.get("entity")],
                        NSPredicate=self.predicate(predicate) if predicate else NIL, NSFetchOffset=0,
                        NSFetchLimit=int(element.get("fetchLimit", 0)), NSBatchSize=0, NSResultType=0,
                        NSHasFetchRequestFlags=True, NSFetchRequestFlags=30, NSAllocationType=0)

    def predicate(self, source):
        """Only what the models use: comparisons of a key path with a constant by ==, joined by AND."""
        parts = [self.equality(*part.split(" == ")) for part in source.split(" AND ")]
        return parts[0] if len(parts) == 1 else self.add(
            "NSCompoundPredicate", NSCompoundPredicateType=1, NSSubpredicates=self.array(parts))

    def equality(self, path, constant):
        operator = self.add("NSEqualityPredicateOperator", NSModifier=0, NSNegate=False, NSOptions=0, NSOperatorType=4)
        return self.comparison(self.key_path(path), self.constant(json.loads(constant)), operator)

    def comparison(self, left, right, operator):
        return self.add("NSComparisonPredicate", NSLeftExpression=left, NSRightExpression=right,
                        NSPredicateOperator=operator)

    def constant(self, value):
        return self.add("NSConstantValueExpression", NSExpressionType=0, NSConstantValue=self.plain(value))

    def itself(self):
        return self.once("self", lambda: self.add("NSSelfExpression", NSExpressionType=1))

    def key_path(self, path):
        specifier = self.add("NSKeyPathSpecifierExpression", NSExpressionType=10, NSKeyPath=self.plain(path))
        return self.add("NSKeyPathExpression", NSExpressionType=3, NSOperand=self.itself(),
                        NSSelectorName=self.plain("valueForKeyPath:" if "." in path else "valueForKey:"),
                        NSArguments=self.array([specifier], "NSMutableArray"))

    def expression(self, source):
        call = re.fullmatch(r"(\w+:?)\((\w*)\)", expression_text(source))
        if not call:
            return self.key_path(source)
        utilities = self.add("NSConstantValueExpression", NSExpressionType=0,
                             NSConstantValueClassName=self.plain("_NSPredicateUtilities"))
        arguments = [self.key_path(call[2])] if call[2] else []
        return self.add("NSFunctionExpression", NSExpressionType=4, NSOperand=utilities,
                        NSSelectorName=self.plain(call[1]),
                        NSArguments=self.array(arguments, "NSArray" if ".@" in source else "NSMutableArray"))

    def data(self):
        return binary_list({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": self.root},
                            "$objects": self.objects})


# ---- binary property lists; Python's own writer knows no real of four bytes

def binary_list(top):
    flat, bodies = [], []

    def collect(value):
        flat.append(value)
        place = len(flat) - 1
        children = list(value) + list(value.values()) if isinstance(value, dict) else (
            value if isinstance(value, list) else [])
        bodies.append(None)
        bodies[place] = [collect(child) for child in children]
        return place

    collect(top)
    width = 2 if len(flat) < 1 << 16 else 4
    out, offsets = bytearray(b"bplist00"), []
    for value, children in zip(flat, bodies):
        offsets.append(len(out))
        out += encoded(value) + b"".join(child.to_bytes(width, "big") for child in children)
    table = len(out)
    out += b"".join(offset.to_bytes(4, "big") for offset in offsets)
    return bytes(out + struct.pack(">6xBBQQQ", 4, width, len(flat), 0, table))


def marked(kind, count):
    return bytes([kind | count]) if count < 15 else bytes([kind | 15]) + encoded(count)


def encoded(value):
    if isinstance(value, bool):
        return b"\x09" if value else b"\x08"
    if isinstance(value, Reference):
        return b"\x81" + value.to_bytes(2, "big")
    if isinstance(value, int):
        width = 8 if value < 0 or value >> 32 else 4 if value >> 16 else 2 if value >> 8 else 1
        return bytes([0x10 | (width.bit_length() - 1)]) + value.to_bytes(width, "big", signed=value < 0)
    if isinstance(value, float):
        return b"\x22" + struct.pack(">f", value) if isinstance(value, Single) else b"\x23" + struct.pack(">d", value)
    if isinstance(value, bytes):
        return marked(0x40, len(value)) + value
    if isinstance(value, str):
        return marked(0x50, len(value)) + value.encode("ascii")
    return marked(0xD0 if isinstance(value, dict) else 0xA0, len(value))


def main(arguments):
    here = os.path.dirname(os.path.abspath(__file__))
    folder = next((a for a in arguments if not a.startswith("-")), os.path.join(here, "..", "..", "Fixtures", "Vectors"))
    stale = False
    for path, kind in sorted(os.path.splitext(os.path.join(folder, name)) for name in os.listdir(folder)):
        if kind != ".xcdatamodel":
            continue
        model = Model(path + kind)
        listing = json.dumps(hashes(model), indent=2, sort_keys=True) + "\n"
        for file, content in ((path + ".json", listing.encode()), (path + ".mom", Archive(model).data())):
            if "--check" not in arguments:
                with open(file, "wb") as out:
                    out.write(content)
            elif not os.path.exists(file) or open(file, "rb").read() != content:
                stale = True
                print(f"{file} is stale: run Tests/Python/vectors.py")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
