package import Diagnostics
import Essentials
package import FileSystem
import ModelChecking
package import ModelLoading
package import ObjectModel
import SQLiteAccess
import SettingsFiles
import StoreFormat
import SwiftDataReading

/// A place to read a model from, as users name it.
///
/// `App.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom` (compiled ones by any name), a store with its embedded model, or
/// a folder or `.app` with exactly one of them, Swift sources with `@Model` classes as a file, a folder, or a target of
/// a package or of an Xcode project; a following `#V2` names a version, a preceding `REV:` a git revision, with git's
/// paths: from the root of the repository, or with `./` from here.
package struct ModelPlace: Sendable, Hashable {
    package let text: String
    /// The folder whose repository has the revision.
    private(set) var folder = "."
    /// What locations in a revision are named instead of the text.
    private(set) var shownName: String?
    /// Whether the revision lacks the submodule of the place.
    private(set) var isBeforeSubmodule = false
    /// The revision, where it is not part of the path.
    private var revision: String?
    package let swift: SwiftSettings
    /// Whether to read the Swift sources below a folder, regardless of its other content.
    private(set) var readsSwift = false

    package init(_ text: String, swift: SwiftSettings = SwiftSettings()) {
        (self.text, self.swift) = (text, swift)
    }

    /// Takes the Swift sources below a folder that has other models too.
    package init(swiftSourcesBelow folder: String, swift: SwiftSettings = SwiftSettings()) {
        (text, self.swift, readsSwift) = (folder, swift, true)
    }

    /// Takes the earlier state of a model on disk in a revision; locations in it are named `REV:path`.
    ///
    /// In a submodule the revision means the commit that it links, unless it is one of the submodule's own (`isOwn`).
    package init(
        _ path: String,
        at revision: String,
        ofOwnRepository isOwn: Bool = false,
        swift: SwiftSettings = SwiftSettings(),
        readsSwift: Bool = false
    ) {
        self.swift = swift
        let place = resolvedPath(path)
        let isRoot = exists(place + "/.git")
        folder = isRoot ? place : parent(of: place)
        let name = isOwn ? revision : PlacedRevision(revision, in: folder).name
        isBeforeSubmodule = name == nil
        text = "\(name ?? revision):./" + (isRoot ? "" : place.split(separator: "/").last ?? "")
        shownName = "\(revision):\(path)"
        (self.revision, self.readsSwift) = (revision, readsSwift)
    }

    /// Whether the revision has something at the place, also under an earlier path; `true` where git fails.
    package var isInRevision: Bool {
        if isAtItsPathInRevision { return true }
        do throws(GitError) { return try earlierPathInRevision() != nil } catch { return true }
    }

    /// Whether the revision has something at this very path; `true` where git fails.
    package var isAtItsPathInRevision: Bool {
        guard !isBeforeSubmodule else { return false }
        guard let place = GitPlace(parts.path) else { return true }
        do throws(GitError) {
            return try GitObjects.shared(at: folder).name(of: place.text) != nil
        } catch { return true }
    }

    /// The absolute path that something moved here had in the revision; `nil` where there was nothing.
    package func earlierPathInRevision() throws(GitError) -> String? {
        guard !isBeforeSubmodule, let place = GitPlace(parts.path), let earlier = try earlier(place)
        else { return nil }
        let root = repositoryFolder(around: resolvedPath(folder)) ?? resolvedPath(folder)
        return "\(root)/\(earlier.path)"
    }

    package var path: String { parts.path }

    package var versionName: String? { parts.version }

    /// Reads the versions with their faults; throws when there is no such model or version.
    package func read() throws(MomtoolError) -> Diagnosed<ModelBundle> {
        do {
            let (path, version) = parts
            var bundle = try read(path).arranged.ofTargets
            // A broken bundle may have lost the version; then its faults tell more.
            if let version, !bundle.hasErrors {
                guard bundle.value.version(named: version) != nil else {
                    throw bundle.value.unknownVersion(version)
                }
            }
            bundle.value.selectedVersionName = version
            return bundle
        } catch { throw MomtoolError(error) }
    }

    /// Reads the versions with all their faults; a named version is the only one.
    package func readChosen() throws(MomtoolError) -> Diagnosed<ModelBundle> {
        var bundle = try read()
        guard bundle.value.selectedVersionName != nil else { return bundle }
        var chosen = try bundle.value.chosenVersion()
        chosen.isCurrent = true
        bundle.value.selectedVersionName = nil
        bundle.value.versions = [chosen]
        bundle.diagnostics.removeAll { !($0.location?.path.hasPrefix(chosen.path + "/") ?? false) }
        return bundle
    }

    /// Reads the versions; `nil` where there is nothing, or no source that declares a model.
    package func readIfThere() throws(MomtoolError) -> Diagnosed<ModelBundle>? {
        guard FileIdentity(of: path) != nil else { return nil }
        do throws(MomtoolError) {
            let read = try readChosen()
            let faults = read.diagnostics.filter { $0.severity == .error }
            let isNone = !faults.isEmpty && faults.allSatisfy(\.saysNoModel)
            return read.value.versions.isEmpty && isNone ? nil : read
        } catch {
            // Of several models one has to be named.
            guard error.kind != .usage, error.diagnostics.allSatisfy(\.saysNoModel) else {
                throw error
            }
            return nil
        }
    }

    /// Reads the usable versions, in the order of the configuration, without unreadable ones where others can be read.
    package func readUsable() throws(MomtoolError) -> Diagnosed<ModelBundle> {
        let read = try read()
        var bundle = read.forUse
        if !bundle.isReadableInParts { bundle = bundle.withoutUnreadableVersions }
        if let name = versionName, !bundle.hasErrors, bundle.value.version(named: name) == nil {
            throw bundle.value.unknownVersion(name)
        }
        guard !bundle.hasErrors || bundle.isReadableInParts, !bundle.value.versions.isEmpty else {
            return bundle
        }
        let settings = try configuration(nil, for: bundle.value.path)
        let order = settings.value.versionOrder
        bundle.value = bundle.value.namingJoinTables(by: settings.value.namingRelationships)
            .choosing(claimants: settings.value.claimants)
        let isKnown = Set(bundle.diagnostics).isSuperset(of: settings.diagnostics)
        if !order.isEmpty { bundle.value = bundle.value.ordered(by: order) }
        let warnings = Set(read.diagnostics.filter { $0.severity == .warning })
        if !warnings.isEmpty {
            bundle.diagnostics = gradedReading(
                bundle.diagnostics,
                warnings: warnings,
                of: bundle.value.versions,
                path: bundle.value.path,
                locked: Set(LockFile(ofModel: bundle.value.path).names(of: bundle.value))
            )
        }
        return Diagnosed(bundle.value, bundle.diagnostics + (isKnown ? [] : settings.diagnostics))
    }

    /// Whether the place has Swift sources, by its name and files without reading these.
    package var holdsSwift: Bool {
        let path = parts.path
        guard let identity = FileIdentity(of: path) else {
            return packageTarget(path) != nil || XcodeTarget(path) != nil
        }
        guard ModelFileKind(at: path) == nil, !path.hasSuffix(".xcmappingmodel") else {
            return false
        }
        guard identity.isFolder else { return path.hasSuffix(".swift") }
        // A folder means the models in it, before sources are looked for.
        return modelNames(inFolder: path).isEmpty && holdsSwiftSources(path)
    }

    private var parts: (path: String, version: String?) {
        guard let mark = text.lastIndex(of: "#"), !Files.exists(at: text)
        else { return (text, nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }

    /// Reads a model from a path; locations in it may be named by another path.
    func read(_ path: String, as name: String? = nil) throws -> Diagnosed<ModelBundle> {
        if readsSwift, shownName == nil { return try readSwiftFolder(path, swift) }
        guard let isFolder = FileIdentity(of: path)?.isFolder else {
            if let target = packageTarget(path) { return try readSwiftFolder(target, swift) }
            if let target = XcodeTarget(path) { return try readSwiftTarget(target, swift) }
            guard let place = GitPlace(path) else {
                if let revision {
                    let reason = GitError(missing: revision).reason
                    throw MomtoolError(.noInput, shownName ?? path, reason, .unreadableFile)
                }
                let wording =
                    wordingOfGoneModel(at: path)
                    ?? "\(absence(of: path))\(suggestion(forPath: path))"
                throw MomtoolError(.noInput, path, saying: wording, .unreadableFile)
            }
            return try read(place)
        }
        if ModelFileKind(at: path) != nil {
            let bundle = readModelBundle(at: trimmedPath(path), namedAs: name)
            // A copy of a revision has no surroundings.
            return name == nil ? bundle.takingCurrentVersionOfProject : bundle
        }
        if path.hasSuffix(".swift"), !isFolder { return try readSwiftFile(path, swift) }
        if isFolder { return try readOnlyModel(in: path, as: name) }
        if InputKind(at: path) == .optimizedModel {
            let message =
                "this is an optimized model (.omo), which only Core Data can read; name the .mom beside it"
            let fault = Diagnostic(.optimizedModel, message, at: FileLocation(path: path))
            return Diagnosed(ModelBundle(path: path, versions: []), [fault])
        }
        return try readEmbeddedModel(ofStore: path)
    }

    private func readOnlyModel(
        in folder: String,
        as name: String?
    ) throws -> Diagnosed<ModelBundle> {
        let names: [String]
        do { names = try Files.names(in: folder).sorted() } catch {
            var error = MomtoolError(error)
            error.kind = .noInput
            throw error
        }
        let models = modelNames(among: names)
        // Sources count before what was compiled beside them, as for a check.
        if models.allSatisfy({ $0.hasSuffix(".mom") || $0.hasSuffix(".momd") }) {
            let bundle = try readSwiftFolder(folder, swift)
            let isSwift = bundle.diagnostics.contains {
                $0.severity == .error && $0.rule != .swiftNoModel || $0.rule == .swiftCondition
            }
            if isSwift && models.isEmpty || !bundle.value.versions.isEmpty { return bundle }
        }
        guard models.count < 2 else { throw MomtoolError(severalModels: models, in: folder) }
        guard !models.isEmpty else {
            let isOptimized = names.contains { $0.hasSuffix(".omo") }
            let message =
                isOptimized
                ? "the folder has only optimized models (.omo), which only Core Data can read"
                : Self.emptyFolderWords(folder)
            let rule: RuleID = isOptimized ? .optimizedModel : .notAModel
            throw MomtoolError(.noInput, folder, message, rule)
        }
        return try read(folder + "/" + models[0], as: name.map { $0 + "/" + models[0] })
    }

    private static func store(at path: String) throws -> StoreFile {
        do { return try StoreFile(path: path) } catch {
            guard case .notADatabase(_, mayBeEncrypted: false) = error else { throw error }
            throw MomtoolError(.badData, path, InputKind.noModelWords(at: path), .notAModel)
        }
    }

    private static func emptyFolderWords(_ folder: String) -> String {
        switch InputKind(at: folder) {
        case .folder, nil: "the folder has no model; name one that does, or the model itself"
        case let kind?: "this is \(kind.rawValue), not a model"
        }
    }

    private func readEmbeddedModel(ofStore path: String) throws -> Diagnosed<ModelBundle> {
        let store = try Self.store(at: path)
        guard let version = try embeddedVersion(of: store) else {
            throw MomtoolError(.noInput, path, "the store has no model", .notAModel)
        }
        return version.map { ModelBundle(path: path, versions: [$0]) }
    }
}

extension ModelBundle {
    /// Returns the version with a name, or the one in the path, or the current one.
    package func chosenVersion(_ name: String? = nil) throws(MomtoolError) -> ModelVersion {
        if let name = name ?? selectedVersionName {
            guard let version = version(named: name) else { throw unknownVersion(name) }
            return version
        }
        guard let version = currentVersion else {
            if let unreadable = unreadableVersions.first(where: \.isCurrent) {
                throw MomtoolError(.badData, saying: unreadable.diagnostics.asNeeded)
            }
            let names = versions.map(\.name).joined(separator: ", ")
            let last = versions.last?.name ?? ""
            let wording: Wording = """
                the bundle does not name its current version; choose one of \(names), or set it permanently: \
                \(.namingCurrent(path: path, version: last))
                """
            throw MomtoolError(.refused, path, saying: wording, .missingCurrentVersion)
        }
        return version
    }

    func unknownVersion(_ name: String) -> MomtoolError {
        if let unreadable = unreadableVersions.first(where: { $0.name == name }) {
            return MomtoolError(.badData, saying: unreadable.diagnostics.asNeeded)
        }
        let names = versions.map(\.name).joined(separator: ", ")
        let message =
            "there is no version '\(name)'\(suggestion(for: name, among: versions.map(\.name)))"
            + "; there are: \(names)"
        return MomtoolError(.usage, path, message, "unknown-version")
    }
}

extension Diagnostic {
    fileprivate var saysNoModel: Bool { [.notAModel, .swiftNoModel].contains(rule) }
}

/// Files around a bundle of sources that add to its own.
extension Diagnosed<ModelBundle> {
    /// The bundle with the current version that a project file names, where the bundle itself names none.
    var takingCurrentVersionOfProject: Diagnosed<ModelBundle> {
        let open = diagnostics.first {
            $0.rule == .missingCurrentVersion && $0.severity == .warning
        }
        guard let open, value.currentVersion == nil else { return self }
        let file = try? readText(value.path + "/.xccurrentversion", limit: 1 << 20)
        let namesOther = file?.contains("_XCCurrentVersionName") == true
        let projects = ProjectFiles(around: value.path).read().value
        for project in projects {
            guard let name = project.currentVersion,
                let index = value.versions.firstIndex(where: { $0.name == name })
            else { continue }
            var copy = self
            copy.value.versions[index].isCurrent = true
            copy.diagnostics.removeAll { $0.rule == .missingCurrentVersion }
            var fault = Diagnostic(
                .missingCurrentVersion,
                "the current version is '\(name)', by the project: the model does not name one",
                severity: .note,
                at: project.location
            )
            if namesOther {
                fault.severity = .warning
                fault.message = "\(open.message): the project names '\(name)'"
            }
            copy.diagnostics.append(fault)
            return copy
        }
        return self
    }

    /// Leaves out that two containers have one file where no target has both: apps share only those of groups.
    var ofTargets: Diagnosed<ModelBundle> {
        let rule: RuleID = "container-drops-classes"
        guard diagnostics.contains(where: { $0.rule == rule }),
            let folder = projectFolder(around: resolvedPath(value.path))
        else { return self }
        let project = AppTargets(folder: folder)
        var copy = self
        copy.diagnostics.removeAll { fault in
            let store = value.swift?.stores.first { $0.source.element == fault.location }
            guard fault.rule == rule, store?.isOfGroup == false else { return false }
            let files = ([fault.location] + fault.notes.map(\.location)).compactMap { $0?.path }
            return project.haveTogether(files) == false
        }
        return copy
    }

    /// The bundle with its versions in the order of creation, by the lock beside it too.
    var arranged: Diagnosed<ModelBundle> {
        guard value.versions.count > 1, value.swift == nil else { return self }
        var copy = self
        copy.value = value.arranged(locked: LockFile(ofModel: value.path).names(of: value))
        return copy
    }
}
