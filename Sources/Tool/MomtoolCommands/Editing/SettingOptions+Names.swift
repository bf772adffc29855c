extension SettingOptions {
    /// The options by the names that sources, and the classes of Core Data, have for what they set.
    static let optionsByName = [
        "allowsCloudEncryption": "encrypted", "allowsExternalBinaryDataStorage": "external",
        "attributeType": "type", "codeGenerationType": "codegen", "customClassName": "class",
        "defaultDateTimeInterval": "default", "defaultValue": "default",
        "defaultValueString": "default", "deleteRule": "delete", "deletionRule": "delete",
        "derivationExpression": "derivation", "destinationEntity": "to",
        "elementID": "renaming-id", "inverseName": "inverse", "inverseRelationship": "inverse",
        "isAbstract": "abstract", "isOptional": "optional", "isOrdered": "ordered",
        "isToMany": "many", "isTransient": "transient", "maxCount": "max",
        "maxDateTimeInterval": "max", "maxValueString": "max", "minCount": "min",
        "minDateTimeInterval": "min", "minValueString": "min", "optional": "optional",
        "ordered": "ordered", "parentEntity": "parent", "partialIndexPredicate": "predicate",
        "predicateString": "predicate", "preserveAfterDeletion": "preserved",
        "regularExpressionString": "regex", "renamingIdentifier": "renaming-id",
        "representedClassName": "class", "spotlightIndexingEnabled": "spotlight",
        "toMany": "many", "usesScalarValueType": "scalar",
        "valueTransformerName": "transformer", "versionHashModifier": "hash-modifier",
    ]

    /// The option that was meant by the name of a setting; empty where none was.
    static func advice(forSetting option: String, among options: Set<String>) -> String {
        guard let name = optionsByName[String(option.drop { $0 == "-" })],
            options.contains("--\(name)")
        else { return "" }
        return "; did you mean '--\(name)'"
    }
}
