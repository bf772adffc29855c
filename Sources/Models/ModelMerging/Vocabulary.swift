import ObjectModel

/// The relations between elements of a model's `contents` (SourceFormat, "Vocabulary").
enum Vocabulary {
    /// The name that identifies an element among its siblings.
    static func key(of element: SourceElement) -> String {
        let name = element.formerName ?? element["name"] ?? ""
        return switch element.name {
        case "attribute", "relationship", "fetchedProperty": "property \(name)"
        case "userInfo", "elements", "uniquenessConstraints", "compoundIndexes": element.name
        case "entry": "entry \(element["key"] ?? "")"
        case "uniquenessConstraint", "compoundIndex":
            element.name + element.children.map { " \($0["value"] ?? "")" }.joined()
        default: "\(element.name) \(name)"
        }
    }

    /// Containers that are equivalent to nothing when they are empty.
    static let transparent: Set = [
        "userInfo", "elements", "uniquenessConstraints", "compoundIndexes",
    ]

    /// Elements whose parts are merged individually; all others are merged as units.
    static let containers: Set =
        transparent.union(["model", "entity", "composite", "configuration"])

    /// Elements whose children are a list in an order that counts.
    static let lists: Set = ["fetchIndex", "uniquenessConstraint", "compoundIndex"]

    /// Children without a name, identified by their content: a change is one removed and one added.
    static let nameless: Set = ["uniquenessConstraint", "compoundIndex"]

    /// Xcode's diagram, whose positions never contradict each other.
    static let layout: Set = ["elements", "element"]

    /// Attributes of the model that record its tools; the later of the two wins.
    static let tools: Set = [
        "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "documentVersion",
        "iOSVersion", "macOSVersion",
    ]

    /// Attributes that belong together: a change of one on one side conflicts with one of any on the other.
    private static let groups: [String: [Set<String>]] = [
        "attribute": [
            ["derived", "derivationExpression"], ["defaultValueString", "defaultDateTimeInterval"],
        ],
        "relationship": [
            ["destinationEntity", "inverseName", "inverseEntity"],
            ["toMany", "maxCount", "minCount", "ordered"],
        ],
    ]

    /// The attributes whose meaning depends on the type.
    static let typed: Set = [
        "defaultValueString", "defaultDateTimeInterval", "minValueString", "maxValueString",
        "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
        "valueTransformerName", "customClassName", "composite", "derived", "derivationExpression",
        "usesScalarValueType", "allowsExternalBinaryDataStorage",
    ]

    /// Returns the sets of attributes of an element that contradict each other, as both sides changed some in each.
    static func entangled(
        in element: String,
        ours: Set<String>,
        theirs: Set<String>
    ) -> [Set<String>] {
        var found = (groups[element] ?? []).filter {
            !$0.isDisjoint(with: ours) && !$0.isDisjoint(with: theirs)
        }
        let type: Set = ["attributeType"]
        if element == "attribute",
            ours.contains("attributeType") && !typed.isDisjoint(with: theirs)
                || theirs.contains("attributeType") && !typed.isDisjoint(with: ours)
        {
            found.append(type.union(typed.intersection(ours.union(theirs))))
        }
        return found
    }

    /// Returns the meaning of a value, so that equivalent spellings are equal; `nil` is the meaning of absence.
    static func meaning(of value: String?, of attribute: String) -> String? {
        guard let value else { return nil }
        switch attribute {
        case "optional", "transient", "isAbstract", "toMany", "ordered", "derived",
            "usedWithCloudKit":
            return truth(of: value)
        case let name where PropertyFlag(sourceName: name) != nil: return truth(of: value)
        case "minCount": return value == "0" ? nil : value
        case "maxCount" where value == "0": return nil
        case "representedClassName" where value == "NSManagedObject": return nil
        case "versionHashModifier" where value.isEmpty, "elementID" where value.isEmpty,
            "userDefinedModelVersionIdentifier" where value.isEmpty:
            return nil
        default: return value
        }
    }

    /// The meaning of a flag's value; other values mean themselves.
    private static func truth(of value: String) -> String? {
        if ["YES", "true", "1"].contains(value) { return "YES" }
        return ["NO", "false", "0", ""].contains(value) ? nil : value
    }

    /// Attributes that Xcode adds automatically, and that do not matter in what is removed.
    static let incidental: Set = ["syncable", "usesScalarValueType"]

    static func namesEntity(_ attribute: String, of element: String) -> Bool {
        switch (element, attribute) {
        case ("relationship", "destinationEntity"), ("relationship", "inverseEntity"),
            ("entity", "parentEntity"), ("memberEntity", "name"), ("fetchRequest", "entity"),
            ("element", "name"):
            true
        default: false
        }
    }

    static func namesOwnProperty(_ attribute: String, of element: String) -> Bool {
        switch (element, attribute) {
        case ("fetchIndexElement", "property"), ("constraint", "value"), ("index", "value"): true
        default: false
        }
    }

    /// Whether an attribute is a predicate or an expression, which names properties by key paths.
    static func namesProperties(_ attribute: String, of element: String) -> Bool {
        switch (element, attribute) {
        case ("attribute", "derivationExpression"), ("fetchRequest", "predicateString"),
            ("fetchIndex", "partialIndexPredicate"), ("fetchIndexElement", "expression"):
            true
        default: false
        }
    }

    static func isNameSpace(_ attribute: String) -> Bool {
        attribute == "xmlns" || attribute.hasPrefix("xmlns:")
    }
}
