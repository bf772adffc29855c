import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import ObjectModel
import SettingsFiles
import SwiftDataReading

extension ModelPlace {
    /// Reads a model from a git revision, under an earlier path if it was moved since; locations are named `REV:path`.
    func read(
        _ place: GitPlace,
        movedFrom current: GitPlace? = nil
    ) throws -> Diagnosed<ModelBundle> {
        let name = shownName ?? place.text
        guard !isBeforeSubmodule else {
            let message = "this revision does not have the submodule"
            throw MomtoolError(.noInput, name, message, .unreadableFile)
        }
        let files: [GitFile]
        let sources: [GitFile]
        do throws(GitError) {
            let objects = GitObjects.shared(at: folder)
            let isSource = readsSwift || place.path.hasSuffix(".swift")
            files = isSource ? [] : try objects.files(at: place, isNeeded: isPartOfModel)
            sources =
                files.contains(where: \.isModel)
                ? [] : try objects.files(at: place, isNeeded: isSwiftSource)
        } catch {
            if shownName != nil, current == nil, let earlier = try? earlier(place) {
                return try read(earlier, movedFrom: place)
            }
            throw MomtoolError(.noInput, name, error.reason, .unreadableFile)
        }
        if !sources.isEmpty {
            return try readSwift(sources, of: place, at: (current ?? place).path, as: name)
        }
        guard !files.isEmpty else {
            throw MomtoolError(.noInput, name, "the folder has no model", .notAModel)
        }
        let copies = try TemporaryFolder()
        defer { withExtendedLifetime(copies) {} }
        // Some kinds are known by their folder, such as the contents of an .xcdatamodel.
        let parts = place.path.split(separator: "/").map(String.init)
            .filter { $0 != "." && $0 != ".." }
        let inner = parts.isEmpty ? "model" : parts.suffix(2).joined(separator: "/")
        let root = copies.url.appending(path: inner)
        for file in files {
            let target = file.path.isEmpty ? root : root.appending(path: file.path)
            try Files.makeFolder(at: target.deletingLastPathComponent().path)
            try Data(file.bytes).write(to: target)
        }
        do { return renamed(try read(root.path, as: name), below: root.path, as: name) } catch {
            var fault = MomtoolError(error)
            fault.diagnostics = fault.diagnostics.map { renamed($0, below: root.path, as: name) }
            throw fault
        }
    }

    /// Reads Swift sources of a revision with the present settings.
    private func readSwift(
        _ sources: [GitFile],
        of place: GitPlace,
        at inner: String,
        as name: String
    ) throws -> Diagnosed<ModelBundle> {
        let settings = settingsPath(inner)
        let others =
            place.path.hasSuffix(".swift")
            ? [] : try configuredSources(at: place.revision, settingsFor: settings)
        let swiftFiles = sources.map { SwiftSource($0, below: name) }
        let isWhole = others.isEmpty && !place.path.hasSuffix(".swift")
        return try readSwiftBundle(
            others.isEmpty ? swiftFiles : others,
            importers: isWhole ? importers(ofTarget: settings, at: place.revision) : [],
            path: name,
            swift,
            settingsFor: settings
        )
    }

    /// The earlier states of the files of other targets that open or migrate the models of one.
    private func importers(ofTarget target: String, at revision: String) -> [SwiftSource] {
        Momtool.importers(ofTarget: target).compactMap { path in
            gitText(of: path, at: revision).map {
                SwiftSource(path: "\(revision):\(path)", bytes: Array($0.utf8))
            }
        }
    }

    /// The path whose nearest configuration covers the sources at a path of a revision.
    private func settingsPath(_ inner: String) -> String {
        resolvedPath(folder) + "/" + (trimmedPath(inner) == "." ? "Package.swift" : inner)
    }

    /// Whether the Swift sources of the revision may declare models, judging by their words.
    ///
    /// `true` also where git fails, and where a configuration names other sources, which are read instead.
    package var mayHoldSwiftModels: Bool {
        guard !isBeforeSubmodule, let place = GitPlace(path),
            let configured = try? configuration(nil, for: settingsPath(place.path)),
            configured.value.swift.sources.isEmpty,
            let files = try? GitObjects.shared(at: folder).files(at: place, isNeeded: isSwiftSource)
        else { return true }
        var states = SwiftStates(SwiftReadingOptions())
        return files.contains { file in
            let content = states.add(file.bytes)
            return states.facts(of: content).holdsModels
        }
    }

    /// The earlier path of something that was moved; `nil` if a revision does not have it.
    func earlier(_ place: GitPlace) throws(GitError) -> GitPlace? {
        let isBundle = place.path.hasSuffix(".xcdatamodeld") || place.path.hasSuffix(".xcdatamodel")
        let objects = GitObjects.shared(at: folder)
        for path in try earlierPaths(of: place.path, in: folder, ofBundle: isBundle)
        where try objects.name(of: "\(place.revision):\(path)") != nil {
            return GitPlace("\(place.revision):\(path)")
        }
        return nil
    }

    /// The sources that the configuration of a place names, from a revision; none where it names none.
    private func configuredSources(
        at revision: String,
        settingsFor path: String
    ) throws -> [SwiftSource] {
        let settings = try configuration(nil, for: path).value
        guard let file = settings.path, !settings.swift.sources.isEmpty else { return [] }
        var sources: [SwiftSource] = []
        for source in settings.swift.sources {
            let name = "\(revision):\(source)"
            guard let place = GitPlace("\(revision):./\(source)") else { continue }
            do throws(GitError) {
                let objects = GitObjects.shared(at: parent(of: resolvedPath(file)))
                sources += try objects.files(at: place, isNeeded: isSwiftSource)
                    .map { SwiftSource($0, below: name) }
            } catch {
                throw MomtoolError(.noInput, name, error.reason, .unreadableFile)
            }
        }
        return sources
    }

    /// Names locations by the revision in place of the temporary folder.
    private func renamed(
        _ bundle: Diagnosed<ModelBundle>,
        below root: String,
        as name: String
    ) -> Diagnosed<ModelBundle> {
        func renamed(_ path: String) -> String {
            path.hasPrefix(root) ? name + path.dropFirst(root.count) : path
        }
        var bundle = bundle
        bundle.value.path = renamed(bundle.value.path)
        for index in bundle.value.versions.indices {
            bundle.value.versions[index].path = renamed(bundle.value.versions[index].path)
        }
        bundle.diagnostics = bundle.diagnostics.map { self.renamed($0, below: root, as: name) }
        return bundle
    }

    private func renamed(
        _ diagnostic: Diagnostic,
        below root: String,
        as name: String
    ) -> Diagnostic {
        func rename(_ location: inout FileLocation?) {
            location?.path.replace(root, with: name, maxReplacements: 1)
        }
        var diagnostic = diagnostic
        diagnostic.reason = diagnostic.reason.replacing(root, with: name)
        rename(&diagnostic.location)
        for index in diagnostic.notes.indices { rename(&diagnostic.notes[index].location) }
        return diagnostic
    }

    /// The files by which a model on disk is read: while none of them changes, it is the same.
    ///
    /// `nil` where the files are not known beforehand, as of a revision, a store, or a folder with a model in it.
    package var filesRead: [String]? {
        guard versionName == nil else { return nil }
        if ModelFileKind(at: path) != nil { return filePaths(below: path, endingIn: "") }
        guard holdsSwift else { return nil }
        let names = (try? Files.names(in: path)) ?? []
        guard readsSwift || !names.contains(where: { ModelFileKind(at: "\(path)/\($0)") != nil })
        else { return nil }
        return swiftFiles
    }

    /// The Swift sources, and the files with their settings.
    private var swiftFiles: [String]? {
        let target = XcodeTarget(path)
        let folder = target?.folder ?? packageTarget(path) ?? path
        guard var options = try? swiftOptions(at: folder, swift) else { return nil }
        if let target { options = target.applied(to: options) }
        let isFolder = FileIdentity(of: folder)?.isFolder ?? false
        let settings = nearestConfiguration(above: isFolder ? folder + "/Package.swift" : folder)
        return swiftFilePaths(at: folder, options: options) + options.importers
            + entitlementFiles(around: folder) + [settings].compactMap(\.self)
            + (target == nil ? [] : [parent(of: trimmedPath(path)) + "/project.pbxproj"])
    }
}

/// The meaning of a git revision for a path.
///
/// In a submodule it is the commit that the enclosing repository's revision links, as a branch or tag with the same name in
/// the submodule would differ. The revision belongs to the repository of the current folder if the path is below it, or to
/// the outermost one; if it is missing there, it may belong to the innermost one.
package enum PlacedRevision: Sendable, Hashable {
    /// A revision of the repository at hand, by its name.
    case own(String)
    /// The commit of a submodule that a revision of the repository around it names.
    case linked(commit: String)
    case beforeSubmodule

    package init(_ revision: String, in folder: String) {
        self = .own(revision)
        let here = repositoryFolder(around: resolvedPath("."))
        guard var root = repositoryFolder(around: resolvedPath(folder)) else { return }
        var inner: [String] = []
        while root != here, let outer = repositoryFolder(around: parent(of: root)),
            submodulePaths(of: outer).contains(where: { "\(outer)/\($0)" == root })
        {
            inner.append(root)
            root = outer
        }
        guard !inner.isEmpty, isKnown(revision, in: root) else { return }
        var commit = revision
        for submodule in inner.reversed() {
            let path = String(submodule.dropFirst(root.count + 1))
            do throws(GitError) {
                let objects = GitObjects.shared(at: root)
                guard let next = try objects.submoduleCommit(of: commit, at: path) else {
                    // A repository that is not here does not tell what it links.
                    self = isKnown(commit, in: root) ? .beforeSubmodule : .linked(commit: commit)
                    return
                }
                commit = next
            } catch { return }
            root = submodule
        }
        self = .linked(commit: commit)
    }

    package var name: String? {
        switch self {
        case .own(let name): name
        case .linked(let commit): commit
        case .beforeSubmodule: nil
        }
    }

    /// Whether the enclosing repository of a folder has the revision, or does not need it.
    package func isHere(in folder: String) -> Bool { name.map { isKnown($0, in: folder) } ?? true }
}

private func isKnown(_ revision: String, in folder: String) -> Bool {
    (try? GitObjects.shared(at: folder).hasRevision(revision)) == true
}

package func gitText(of path: String, at revision: String) -> String? {
    let folder = parent(of: resolvedPath(path))
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let revision = PlacedRevision(revision, in: folder).name,
        let place = GitPlace("\(revision):./\(name)"),
        let files = try? GitObjects.shared(at: folder).files(at: place, isNeeded: { _, _ in false })
    else { return nil }
    return files.first.map { String(decoding: $0.bytes, as: UTF8.self) }
}

extension SwiftSource {
    init(_ file: GitFile, below name: String) {
        self.init(path: file.path.isEmpty ? name : "\(name)/\(file.path)", bytes: file.bytes)
    }
}

extension GitFile {
    /// Whether it is, or may be, a model of its own, unlike a list of versions.
    var isModel: Bool {
        path.isEmpty || path.hasSuffix("contents") || path.hasSuffix("/elements")
            || path == "elements" || path.hasSuffix(".mom") || path.hasSuffix(".omo")
    }
}

func isPartOfModel(_ path: String, _ isFolder: Bool) -> Bool {
    if isFolder {
        return [".xcdatamodeld", ".xcdatamodel", ".momd", ".momd_precompiled"]
            .contains(where: path.hasSuffix)
    }
    let name = path.split(separator: "/").last ?? ""
    return ["contents", "elements", ".xccurrentversion", "VersionInfo.plist"].contains(name)
        || name.hasSuffix(".mom") || name.hasSuffix(".omo")
}

func isSwiftSource(_ path: String, _ isFolder: Bool) -> Bool {
    guard isFolder || path.hasSuffix(".swift") else { return false }
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:))
    return !isPassedOver(String(path[(start ?? path.startIndex)...]))
}
