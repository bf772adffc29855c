/// The order in which Xcode writes the XML attributes of a model source.
///
/// One order per element fits every version of Xcode; only `<model>` itself has changed over the years. Attributes that
/// Xcode has never been seen to write come last, in their given order.
package enum SourceOrder {
    package static let attributes: [String: [String]] = [
        "attribute": [
            "name", "optional", "transient", "attributeType", "valueTransformerName",
            "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
            "defaultDateTimeInterval", "defaultValueString", "regularExpressionString",
            "allowsExternalBinaryDataStorage", "allowsCloudEncryption", "derived",
            "derivationExpression", "usesScalarValueType", "indexed", "customClassName",
            "elementID", "spotlightIndexingEnabled", "versionHashModifier", "storedInTruthFile",
            "preserveAfterDeletion", "syncable", "isSyncIdentityProperty", "composite",
        ],
        "relationship": [
            "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule",
            "ordered", "destinationEntity", "inverseName", "inverseEntity", "indexed", "elementID",
            "spotlightIndexingEnabled", "versionHashModifier", "storedInTruthFile", "syncable",
        ],
        "fetchedProperty": [
            "name", "optional", "transient", "elementID", "versionHashModifier", "syncable",
        ],
        "entity": [
            "name", "representedClassName", "isAbstract", "parentEntity", "elementID",
            "versionHashModifier", "coreSpotlightDisplayNameExpression", "syncable",
            "codeGenerationType",
        ],
        "fetchRequest": [
            "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
            "includeSubentities", "includePropertyValues", "includesPendingChanges",
            "returnObjectsAsFaults", "returnDistinctResults",
        ], "fetchIndex": ["name", "partialIndexPredicate"],
        "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
        "element": ["name", "positionX", "positionY", "width", "height"],
        "entry": ["key", "value"], "configuration": ["name", "usedWithCloudKit"],
    ]

    private static let ranks = attributes.mapValues { names in
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }

    /// Returns the attributes of an element in Xcode's order; unchanged for elements whose order is not known.
    package static func sorted<Attribute>(
        _ attributes: [Attribute],
        of element: String,
        name: (Attribute) -> String
    ) -> [Attribute] {
        guard let ranks = ranks[element] else { return attributes }
        return attributes.enumerated().sorted { left, right in
            (ranks[name(left.element)] ?? .max, left.offset)
                < (ranks[name(right.element)] ?? .max, right.offset)
        }.map(\.element)
    }
}
