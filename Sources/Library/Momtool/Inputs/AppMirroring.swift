import FileSystem
import MappingInference
package import ModelLoading
package import ObjectModel

extension ModelBundle {
    /// The configurations that the code of the app mirrors to CloudKit, though the model does not say so; empty for the
    /// whole model, `nil` for none.
    ///
    /// Xcode's checkbox sets a flag in the model, but only `NSPersistentCloudKitContainer` mirrors: many apps have one
    /// without the other. If entitlements list CloudKit, the sources of the repository are searched, up to a limit, or
    /// without a repository those around the model. A container with another model's name does not count. Of a model with
    /// configurations those count whose description gets options of CloudKit.
    package var mirroredByApp: Set<String>? {
        guard swift == nil, let current = currentVersion, path.hasSuffix(".xcdatamodeld"),
            versions.allSatisfy({ $0.model.cloudKitEntities.isEmpty }), exists(path)
        else { return nil }
        let model = resolvedPath(path)
        let root = repositoryFolder(around: parent(of: model)) ?? parent(of: model)
        let sources = AppSources.below(root)
        let entitlements = sources.entitlements.prefix(50)
        let isEntitled = entitlements.contains(where: allowsCloudKit)
        guard isEntitled || entitlements.isEmpty else { return nil }
        let name = path.split(separator: "/").last?.dropLast(".xcdatamodeld".count) ?? ""
        let place = (isEntitled ? root : Self.neighbourhood(of: model, in: root)) + "/"
        let files = sources.files(mentioning: .mirroringContainer)
            .filter { $0.hasPrefix(place) }.map { codeLines(of: $0) }
        guard files.contains(where: { $0.contains { mirrors(String(name), code: $0) } }) else {
            return nil
        }
        let configurations = Set(current.model.configurations.map(\.name))
        guard !configurations.isEmpty else { return [] }
        let mirrored = configurations.intersection(files.flatMap(mirroredConfigurations))
        return mirrored.isEmpty ? nil : mirrored
    }

    package func mirrored(_ configurations: Set<String>?) -> ModelBundle {
        var copy = self
        copy.versions = versions.map { $0.mirrored(configurations) }
        return copy
    }

    /// The folder above that of the model, but not above the root of the repository.
    private static func neighbourhood(of model: String, in root: String) -> String {
        let folder = parent(of: model)
        let above = parent(of: folder)
        return above.hasPrefix(root + "/") ? above : folder
    }
}

extension ModelVersion {
    /// The version as configurations are mirrored: the whole for an empty set, none for `nil`.
    package func mirrored(_ configurations: Set<String>?) -> ModelVersion {
        guard let configurations else { return self }
        var model = model
        if configurations.isEmpty { model.documentSettings["usedWithCloudKit"] = "YES" }
        for index in model.configurations.indices
        where configurations.contains(model.configurations[index].name) {
            model.configurations[index].isUsedWithCloudKit = true
        }
        return with(model)
    }
}

/// Whether a line makes a mirroring container of a model, or of one whose name is computed.
private func mirrors(_ model: String, code: Substring) -> Bool {
    let parts = code.split(
        separator: "NSPersistentCloudKitContainer",
        omittingEmptySubsequences: false
    )
    // A subclass or a type alias does not create a container; a call has parentheses after it.
    return parts.dropFirst().contains { part in
        let rest = part.drop(while: \.isWhitespace)
        guard rest.hasPrefix("(") || rest.hasPrefix("alloc]") else { return false }
        guard let quote = rest.firstIndex(of: "\"") else { return true }
        let named = rest[rest.index(after: quote)...].prefix { $0 != "\"" }
        return named == model[...]
    }
}

/// The configurations of descriptions of stores that get options of CloudKit, by the names of their variables.
private func mirroredConfigurations(in code: [Substring]) -> [String] {
    var descriptions: [Substring: (configuration: String?, isMirrored: Bool)] = [:]
    var found: [String] = []
    for line in code {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        // Another variable may have the name.
        if let index = words.firstIndex(where: { $0 == "let" || $0 == "var" }),
            index + 1 < words.count
        {
            descriptions[words[index + 1]] = nil
        }
        func owner(of property: String) -> (name: Substring, value: Substring)? {
            guard let dot = line.firstRange(of: "." + property),
                let equals = line.firstIndex(of: "="),
                dot.upperBound < equals
            else { return nil }
            let name = line[..<dot.lowerBound].split { !($0.isLetter || $0.isNumber || $0 == "_") }
                .last
            return name.map { ($0, line[line.index(after: equals)...]) }
        }
        var changed: Substring?
        if let (name, value) = owner(of: "configuration") {
            let parts = value.split(separator: "\"", omittingEmptySubsequences: false)
            descriptions[name, default: (nil, false)].configuration =
                parts.count > 2 ? String(parts[1]) : nil
            changed = name
        } else if let (name, value) = owner(of: "cloudKitContainerOptions") {
            descriptions[name, default: (nil, false)].isMirrored = !value.contains("nil")
            changed = name
        }
        if let changed, let all = descriptions[changed], all.isMirrored,
            let name = all.configuration
        {
            found.append(name)
        }
    }
    return found
}
