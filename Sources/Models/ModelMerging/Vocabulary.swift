import ObjectModel

/// What elements of a model's `contents` are to each other (SourceFormat, "Vocabulary").
enum Vocabulary {
    /// The name under which an element stands for itself among its siblings.
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

    /// Containers that are the same as nothing when they are empty.
    static let transparent: Set = [
        "userInfo", "elements", "uniquenessConstraints", "compoundIndexes",
    ]

    /// Elements whose parts are merged each by itself; all others are one thing with what is in them.
    static let containers: Set =
        transparent.union(["model", "entity", "composite", "configuration"])

    /// Elements whose children are a list in an order that counts.
    static let lists: Set = ["fetchIndex", "uniquenessConstraint", "compoundIndex"]

    /// Children without a name, which are what they hold: a change is one removed and one added.
    static let nameless: Set = ["uniquenessConstraint", "compoundIndex"]

    /// Xcode's diagram, whose places never contradict each other.
    static let layout: Set = ["elements", "element"]

    /// Attributes of the model that say with what it was saved; the later of two is taken.
    static let tools: Set = [
        "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "documentVersion",
        "iOSVersion", "macOSVersion",
    ]

    /// Attributes that belong together: a change of one of them on one side meets one of any on the other.
    private static let groups: [String: [Set<String>]] = [
        "attribute": [
            ["derived", "derivationExpression"], ["defaultValueString", "defaultDateTimeInterval"],
        ],
        "relationship": [
            ["destinationEntity", "inverseName", "inverseEntity"],
            ["toMany", "maxCount", "minCount", "ordered"],
        ],
    ]

    /// What the type of an attribute gives its meaning.
    static let typed: Set = [
        "defaultValueString", "defaultDateTimeInterval", "minValueString", "maxValueString",
        "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
        "valueTransformerName", "customClassName", "composite", "derived", "derivationExpression",
        "usesScalarValueType", "allowsExternalBinaryDataStorage",
    ]

    /// Returns the attributes that contradict each other when both sides changed some of them.
    ///
    /// - Parameters:
    ///   - element: the name of the element.
    ///   - ours: the attributes that our side changed.
    ///   - theirs: the attributes that their side changed.
    /// - Returns: sets of names, in each of which both sides changed something.
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

    /// Returns what a value means, so that two ways to write one thing are one; `nil` is what absence means.
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

    /// What the value of a flag means; what is no truth value means itself.
    private static func truth(of value: String) -> String? {
        if ["YES", "true", "1"].contains(value) { return "YES" }
        return ["NO", "false", "0", ""].contains(value) ? nil : value
    }

    /// Attributes that Xcode adds by itself, and that make no difference to what is taken away beside them.
    static let incidental: Set = ["syncable", "usesScalarValueType"]

    /// The attributes that name an entity.
    static func namesEntity(_ attribute: String, of element: String) -> Bool {
        switch (element, attribute) {
        case ("relationship", "destinationEntity"), ("relationship", "inverseEntity"),
            ("entity", "parentEntity"), ("memberEntity", "name"), ("fetchRequest", "entity"),
            ("element", "name"):
            true
        default: false
        }
    }

    /// The attributes that name a property of the entity that they stand in.
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

    /// Whether an attribute declares a name space.
    static func isNameSpace(_ attribute: String) -> Bool {
        attribute == "xmlns" || attribute.hasPrefix("xmlns:")
    }
}
