import Diagnostics
import FileSystem
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import SettingsFiles
import StoreFormat
import SwiftDataReading

/// A place that a model is read from, as users name it.
///
/// `App.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom` (compiled ones by any name), a store with its embedded model,
/// or a folder or `.app` that holds exactly one of them, Swift sources with `@Model` classes as a file, a folder or
/// a target of a package; `#V2` behind it names a version, `REV:` before it a git revision.
struct ModelArgument {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The path, without the version behind it.
    var path: String { split().path }

    /// Reads the versions; warnings are said, errors end the command.
    ///
    /// A version that cannot be read is left out where others can be.
    ///
    /// - Parameter hasGaps: whether entities of Swift sources that are not understood may be among them.
    /// - Returns: the versions.
    /// - Throws: `CommandFailure` where they cannot be read.
    func load(allowingGaps hasGaps: Bool = false) throws -> ModelBundle {
        let (path, version) = split()
        var bundle = try checked(read(path), hasGaps: hasGaps)
        if let version {
            guard bundle.version(named: version) != nil else {
                throw unknownVersion(version, in: bundle)
            }
            bundle.selectedVersionName = version
        }
        return try ordered(bundle)
    }

    /// Reads the versions with whatever is wrong with them; a version that is named is the only one.
    func loadWithFaults() throws -> Diagnosed<ModelBundle> {
        let (path, version) = split()
        var bundle = try read(path)
        guard let version else { return bundle }
        guard var chosen = bundle.value.version(named: version) else {
            throw unknownVersion(version, in: bundle.value)
        }
        chosen.isCurrent = true
        bundle.value.versions = [chosen]
        bundle.diagnostics.removeAll {
            !($0.location?.path.hasPrefix(chosen.path + "/") ?? false)
        }
        return bundle
    }

    private func split() -> (path: String, version: String?) {
        guard let mark = text.lastIndex(of: "#"), !FileManager.default.fileExists(atPath: text)
        else { return (text, nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }

    private func read(_ path: String) throws -> Diagnosed<ModelBundle> {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            if let target = packageTarget(path) { return try readSwiftFolder(target) }
            if let revision = GitRevision(path) { return try revision.read() }
            throw CommandFailure(.noInput, path, "no such file or folder", .unreadableFile)
        }
        if ModelFileKind(at: path) != nil { return readModelBundle(at: trimmedPath(path)) }
        if path.hasSuffix(".swift"), !isFolder.boolValue { return try readSwiftFile(path) }
        if isFolder.boolValue { return try readOnlyModel(in: path) }
        return try readEmbeddedModel(ofStore: path)
    }

    private func checked(
        _ bundle: Diagnosed<ModelBundle>,
        hasGaps: Bool
    ) throws -> ModelBundle {
        let bundle = bundle.isReadableInParts ? bundle : bundle.withoutUnreadableVersions
        Console.show(bundle.diagnostics)
        let mayGoOn = hasGaps && bundle.isReadableInParts
        guard !bundle.hasErrors || mayGoOn else {
            let isMissing = bundle.diagnostics.contains { $0.rule == .unreadableFile }
            throw CommandFailure(isMissing ? .noInput : .badData, [])
        }
        return bundle.value
    }

    /// Puts the versions in the order that the configuration says, where it says one.
    private func ordered(_ bundle: ModelBundle) throws -> ModelBundle {
        guard bundle.versions.count > 1 else { return bundle }
        let order = try loadConfiguration(nil, for: bundle.path).versionOrder
        return order.isEmpty ? bundle : bundle.ordered(by: order)
    }

    private func readOnlyModel(in folder: String) throws -> Diagnosed<ModelBundle> {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let models = names.filter { name in
            ["xcdatamodeld", "momd", "momd_precompiled", "xcdatamodel", "mom"].contains {
                name.hasSuffix("." + $0)
            }
        }
        if models.isEmpty {
            let bundle = try readSwiftFolder(folder)
            let isSwift = bundle.diagnostics.contains {
                $0.severity == .error && $0.rule != .swiftNoModel
            }
            if isSwift || !bundle.value.versions.isEmpty { return bundle }
        }
        guard models.count == 1 else {
            let message =
                models.isEmpty
                ? "the folder holds no model"
                : "the folder holds \(models.count) models; name one: \(models.joined(separator: ", "))"
            throw CommandFailure(models.isEmpty ? .noInput : .usage, folder, message, .notAModel)
        }
        return try read(folder + "/" + models[0])
    }

    private func readEmbeddedModel(ofStore path: String) throws -> Diagnosed<ModelBundle> {
        let store = try StoreFile(path: path)
        guard let version = try embeddedVersion(of: store) else {
            throw CommandFailure(.noInput, path, "the store holds no model", .notAModel)
        }
        return version.map { ModelBundle(path: path, versions: [$0]) }
    }
}

extension ModelBundle {
    /// Returns the version of a name, else the one that the path names, else the current one.
    func chosenVersion(_ name: String?) throws -> ModelVersion {
        if let name = name ?? selectedVersionName {
            guard let version = version(named: name) else { throw unknownVersion(name, in: self) }
            return version
        }
        guard let version = currentVersion else {
            let names = versions.map(\.name).joined(separator: ", ")
            let message = "the bundle names no current version; choose one of: \(names)"
            throw CommandFailure(.refused, path, message, .missingCurrentVersion)
        }
        return version
    }
}

private func unknownVersion(_ name: String, in bundle: ModelBundle) -> CommandFailure {
    if let unreadable = bundle.unreadableVersions.first(where: { $0.name == name }) {
        return CommandFailure(.badData, unreadable.diagnostics.map(\.description))
    }
    let names = bundle.versions.map(\.name).joined(separator: ", ")
    let message = "there is no version '\(name)'; there are: \(names)"
    return CommandFailure(.refused, bundle.path, message, "unknown-version")
}

/// Reads the version that a store carries in its model cache, named as the store; `nil` when it carries none.
func embeddedVersion(of store: StoreFile) throws -> Diagnosed<ModelVersion>? {
    guard let archive = try store.modelArchive() else { return nil }
    let name = fileURL(store.path).deletingPathExtension().lastPathComponent
    return readCompiledModel(archive, path: store.path).map { model in
        ModelVersion(name: name, path: store.path, isCurrent: true, model: model)
    }
}
