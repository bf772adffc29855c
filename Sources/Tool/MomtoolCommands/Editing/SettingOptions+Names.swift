import Essentials

extension SettingOptions {
    /// The options by the names that sources, and the classes of Core Data, have for what they set.
    private static let optionsByName = [
        "attributeType": "type", "defaultDateTimeInterval": "default", "defaultValue": "default",
        "defaultValueString": "default", "deleteRule": "delete", "deletionRule": "delete",
        "destinationEntity": "to", "elementID": "renaming-id", "inverseName": "inverse",
        "inverseRelationship": "inverse", "isOptional": "optional",
        "isToMany": "many", "maxCount": "max", "maxDateTimeInterval": "max",
        "maxValueString": "max", "minCount": "min", "minDateTimeInterval": "min",
        "minValueString": "min", "renamingIdentifier": "renaming-id",
        "toMany": "many", "versionHashModifier": "hash-modifier",
    ]

    /// The option that was meant by the name of a setting; empty where none was.
    static func advice(forSetting option: String, among options: Set<String>) -> String {
        let setting = String(option.drop { $0 == "-" })
        if longNames.contains(setting), options.contains("--set") {
            return "; write --set \(setting)=VALUE"
        }
        guard let name = optionsByName[setting], options.contains("--\(name)") else { return "" }
        return "; did you mean '--\(name)'"
    }
}
