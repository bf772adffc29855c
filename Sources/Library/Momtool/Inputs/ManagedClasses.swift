package import ModelLoading
import ObjectModel

extension ModelBundle {
    /// The bundle with what the app's classes of Core Data require: optional attributes that they declare as not optional.
    ///
    /// The app crashes when it reads NULL from an old row; numbers, texts and data do not count, as Swift makes them of `nil`.
    package var requiringValues: ModelBundle {
        // Code that migrates stores itself may fill them.
        guard let properties = appCode?.sources.requiredProperties, !properties.isEmpty,
            migratorInCode == nil
        else { return self }
        var copy = self
        copy.versions = versions.map { version in
            var model = version.model
            for (index, entity) in model.entities.enumerated() {
                let name = entity.className?.split(separator: ".").last ?? ""
                for (place, attribute) in entity.attributes.enumerated()
                where properties.contains("\(name).\(attribute.name)") && attribute.isOptional
                    && attribute.defaultValue == nil && !attribute.isTransient
                    && [.uuid, .date, .uri].contains(attribute.type)
                { model.entities[index].attributes[place].enumCases.isRequiredByClass = true }
            }
            return version.with(model)
        }
        return copy
    }
}

extension AppSources {
    /// The properties that classes of Core Data declare as not optional, such as `Person.id`, wherever they declare them.
    fileprivate var requiredProperties: Set<String> {
        var types: [String: Set<Bool>] = [:]
        let kinds = ["class ", "struct ", "enum ", "actor ", "extension "]
        for path in files(mentioning: .managedProperty) where path.hasSuffix(".swift") {
            var owner = ""
            let lines = codeLines(of: path)
            // It fills what an old row lacks.
            let isFilled = lines.contains { $0.contains("awakeFromFetch") }
            for line in lines {
                let parts = line.split(separator: "@NSManaged", omittingEmptySubsequences: false)
                let declared = parts.first.flatMap { declaredName($0, after: kinds) }
                // A `class func` is in the same class.
                owner = declared.flatMap { ["func", "var"].contains($0) ? nil : $0 } ?? owner
                for part in parts.dropFirst() {
                    guard let name = declaredName(part, after: ["var "]) else { continue }
                    let end = part.split(separator: ":").last?.prefix { !";}".contains($0) }
                    let type = end?.filter { !$0.isWhitespace } ?? ""
                    let isRequired = ["UUID", "Date", "URL"]
                        .contains(type.trimmingPrefix("Foundation."))
                    types["\(owner).\(name)", default: []].insert(isRequired && !isFilled)
                }
            }
        }
        return Set(types.filter { $0.value == [true] }.keys)
    }
}
