extension SettingOptions {
    /// The options by the names of their settings in sources and the classes of Core Data.
    private static let optionsByName = [
        "attributeType": "type", "defaultDateTimeInterval": "default", "defaultValue": "default",
        "defaultValueString": "default", "deleteRule": "delete", "deletionRule": "delete",
        "destinationEntity": "to", "elementID": "renaming-id", "inverseName": "inverse",
        "inverseRelationship": "inverse", "isOptional": "optional", "isToMany": "many",
        "maxCount": "max", "maxDateTimeInterval": "max", "maxValueString": "max", "minCount": "min",
        "minDateTimeInterval": "min", "minValueString": "min", "renamingIdentifier": "renaming-id",
        "toMany": "many", "versionHashModifier": "hash-modifier",
    ]

    static func advice(forSetting option: String, among options: Set<String>) -> String {
        let setting = String(option.drop { $0 == "-" })
        if longNames.contains(setting), options.contains("--set") {
            return "; write --set \(setting)=VALUE"
        }
        let plain = setting.replacing("-", with: "").lowercased()
        guard let name = optionsByName.first(where: { $0.key.lowercased() == plain })?.value,
            options.contains("--\(name)")
        else { return "" }
        return "; did you mean '--\(name)'"
    }
}
