import Essentials
import FileSystem
import MappingInference
package import ModelLoading
package import ObjectModel

extension ModelBundle {
    /// Whether the code of the app mirrors the model to CloudKit, though the model does not say so.
    ///
    /// Xcode's checkbox sets a flag in the model, but only `NSPersistentCloudKitContainer` mirrors: many apps have the one
    /// without the other. Where entitlements list CloudKit the sources of the repository are searched, up to a limit, and
    /// where there are none those around the model. A container of another model's name says nothing. Neither is anything
    /// said of a model with configurations, of which the code may mirror one.
    package var isMirroredByApp: Bool {
        guard swift == nil, let current = currentVersion, path.hasSuffix(".xcdatamodeld"),
            current.model.configurations.isEmpty,
            versions.allSatisfy({ $0.model.cloudKitEntities.isEmpty }), exists(path)
        else { return false }
        let model = resolvedPath(path)
        let root = repositoryFolder(around: parent(of: model)) ?? parent(of: model)
        let entitlements = filePaths(below: root, endingIn: ".entitlements").prefix(50)
        let isEntitled = entitlements.contains(where: allowsCloudKit)
        guard isEntitled || entitlements.isEmpty else { return false }
        let name = path.split(separator: "/").last?.dropLast(".xcdatamodeld".count) ?? ""
        var search = ContainerSearch(model: String(name))
        search.look(below: isEntitled ? root : Self.neighbourhood(of: model, in: root), depth: 0)
        return search.isFound
    }

    /// Returns the bundle as it is judged where the app mirrors it.
    package var mirrored: ModelBundle {
        var copy = self
        copy.versions = versions.map(\.mirrored)
        return copy
    }

    /// The folder above that of the model, where it is not the root of the repository; else that of the model.
    private static func neighbourhood(of model: String, in root: String) -> String {
        let folder = parent(of: model)
        let above = parent(of: folder)
        return above.hasPrefix(root + "/") ? above : folder
    }
}

extension ModelVersion {
    /// The version as it is judged where the app mirrors it.
    package var mirrored: ModelVersion {
        var model = model
        model.documentSettings["usedWithCloudKit"] = "YES"
        var copy = ModelVersion(
            name: name,
            path: path,
            place: place,
            isCurrent: isCurrent,
            model: model
        )
        (copy.namingRelationships, copy.claimants) = (namingRelationships, claimants)
        return copy
    }
}

/// A walk through the sources of an app.
private struct ContainerSearch {
    /// The name of the model.
    let model: String
    private(set) var isFound = false
    private var files = 0

    init(model: String) {
        self.model = model
    }

    private static let fileLimit = 4000
    private static let className = Array("NSPersistentCloudKitContainer".utf8)

    mutating func look(below folder: String, depth: Int) {
        guard depth < 32 else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where !isPassedOver(name) {
            guard !isFound, files < Self.fileLimit else { return }
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where !name.contains(".xc"): look(below: path, depth: depth + 1)
            case S_IFREG where [".swift", ".m", ".mm"].contains(where: name.hasSuffix):
                files += 1
                guard status.st_size <= 512 << 10,
                    let bytes = try? readFile(path, limit: 512 << 10)
                else { continue }
                isFound = loadsModel(bytes)
            default: break
            }
        }
    }

    /// Whether a source makes a mirroring container of this model, or of one whose name it works out.
    private func loadsModel(_ bytes: [UInt8]) -> Bool {
        guard bytes.firstRange(of: Self.className) != nil else { return false }
        let lines = bytes.split(separator: 0x0A).lazy.filter {
            $0.firstRange(of: Self.className) != nil
        }
        return lines.contains { line in
            let text = String(decoding: line, as: UTF8.self)
            let parts = text.split(separator: "NSPersistentCloudKitContainer", maxSplits: 1)
            guard !text.drop(while: \.isWhitespace).hasPrefix("//"),
                !(parts.first ?? "").contains("//")
            else { return false }
            // A subclass or a type alone makes no container; what makes one stands in brackets behind it.
            let rest = (parts.last ?? "").drop(while: \.isWhitespace)
            let isMade =
                rest.hasPrefix("(") || rest.hasPrefix(" alloc]") || rest.hasPrefix("alloc]")
            guard isMade else { return false }
            guard let quote = rest.firstIndex(of: "\"") else { return true }
            let named = rest[rest.index(after: quote)...].prefix { $0 != "\"" }
            return named == model[...]
        }
    }
}
