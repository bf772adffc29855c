import Essentials
import FileSystem
import MappingInference
package import ModelLoading
package import ObjectModel

extension ModelBundle {
    /// Whether the code of the app mirrors the model to CloudKit, though the model does not say so.
    ///
    /// Xcode's checkbox sets a flag in the model, but only `NSPersistentCloudKitContainer` mirrors: many apps have one
    /// without the other. If entitlements list CloudKit, the sources of the repository are searched, up to a limit, or
    /// without a repository those around the model. A container with another model's name does not count, nor does a
    /// model with configurations, one of which the code may mirror.
    package var isMirroredByApp: Bool {
        guard swift == nil, let current = currentVersion, path.hasSuffix(".xcdatamodeld"),
            current.model.configurations.isEmpty,
            versions.allSatisfy({ $0.model.cloudKitEntities.isEmpty }), exists(path)
        else { return false }
        let model = resolvedPath(path)
        let root = repositoryFolder(around: parent(of: model)) ?? parent(of: model)
        let sources = AppSources.below(root)
        let entitlements = sources.entitlements.prefix(50)
        let isEntitled = entitlements.contains(where: allowsCloudKit)
        guard isEntitled || entitlements.isEmpty else { return false }
        let name = path.split(separator: "/").last?.dropLast(".xcdatamodeld".count) ?? ""
        let place = (isEntitled ? root : Self.neighbourhood(of: model, in: root)) + "/"
        return sources.files.contains { file in
            file.mentions.contains(.mirroringContainer) && file.path.hasPrefix(place)
                && mirrors(String(name), source: file.path)
        }
    }

    package var mirrored: ModelBundle {
        var copy = self
        copy.versions = versions.map(\.mirrored)
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
    package var mirrored: ModelVersion {
        var model = model
        model.documentSettings["usedWithCloudKit"] = "YES"
        return with(model)
    }
}

private let className = Array("NSPersistentCloudKitContainer".utf8)

/// Whether a source makes a mirroring container of a model, or of one whose name is computed.
private func mirrors(_ model: String, source: String) -> Bool {
    guard let bytes = try? readFile(source, limit: SourceMentions.sizeLimit),
        bytes.firstRange(of: className) != nil
    else { return false }
    let lines = bytes.split(separator: 0x0A).lazy.filter { $0.firstRange(of: className) != nil }
    return lines.contains { line in
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: "NSPersistentCloudKitContainer", maxSplits: 1)
        guard !text.drop(while: \.isWhitespace).hasPrefix("//"),
            !(parts.first ?? "").contains("//")
        else { return false }
        // A subclass or a type alias does not create a container; a call has parentheses after it.
        let rest = (parts.last ?? "").drop(while: \.isWhitespace)
        let isMade = rest.hasPrefix("(") || rest.hasPrefix(" alloc]") || rest.hasPrefix("alloc]")
        guard isMade else { return false }
        guard let quote = rest.firstIndex(of: "\"") else { return true }
        let named = rest[rest.index(after: quote)...].prefix { $0 != "\"" }
        return named == model[...]
    }
}
