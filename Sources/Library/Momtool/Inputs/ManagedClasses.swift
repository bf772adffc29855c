import ObjectModel

package import ModelLoading

extension ModelBundle {
    /// The bundle with what the app's classes of Core Data require: optional attributes that they declare as not optional.
    ///
    /// Nothing fails when Core Data adds one, but the app crashes when it reads an old row. Swift makes numbers, texts and
    /// data of `nil`, so that these do not count.
    package var requiringValues: ModelBundle {
        guard let sources = appCode?.sources else { return self }
        let properties = sources.requiredProperties
        guard !properties.isEmpty else { return self }
        var copy = self
        for (index, version) in versions.enumerated() {
            guard let model = version.model.requiring(properties) else { continue }
            copy.versions[index] = version.with(model)
        }
        return copy
    }
}

extension ManagedObjectModel {
    fileprivate func requiring(_ properties: Set<String>) -> ManagedObjectModel? {
        var (copy, isChanged) = (self, false)
        for index in entities.indices {
            let name = entities[index].className?.split(separator: ".").last
            guard let name else { continue }
            for place in entities[index].attributes.indices {
                let attribute = entities[index].attributes[place]
                guard properties.contains("\(name).\(attribute.name)"), attribute.isOptional,
                    attribute.defaultValue == nil, !attribute.isTransient,
                    [.uuid, .date, .uri].contains(attribute.type)
                else { continue }
                copy.entities[index].attributes[place].enumCases.isRequiredByClass = true
                isChanged = true
            }
        }
        return isChanged ? copy : nil
    }
}

extension AppSources {
    /// The properties that classes of Core Data declare as not optional, such as `Person.id`, wherever they declare them.
    fileprivate var requiredProperties: Set<String> {
        var (required, others): (Set<String>, Set<String>) = ([], [])
        let kinds = ["class ", "struct ", "enum ", "actor ", "extension "]
        for path in files(mentioning: .managedObject) where path.hasSuffix(".swift") {
            var owner = ""
            for line in codeLines(of: path) {
                guard line.contains("@NSManaged") else {
                    owner = declaredName(line, after: kinds) ?? owner
                    continue
                }
                guard let name = declaredName(line, after: ["var "]),
                    let type = line.split(separator: ":", maxSplits: 1).last
                else { continue }
                let isRequired = ["UUID", "Date", "URL"].contains(type.filter { !$0.isWhitespace })
                if isRequired {
                    required.insert("\(owner).\(name)")
                } else {
                    others.insert("\(owner).\(name)")
                }
            }
        }
        return required.subtracting(others)
    }
}
