import CodeGeneration
import Diagnostics
import Essentials
package import FileSystem
import ModelChecking
import ModelCompiling
import ModelEditing
package import ModelLoading
import ObjectModel
import SettingsFiles
import SwiftDataReading

/// What has to change for a bundle to have other versions: folders, the current version, the projects that list them.
package struct VersionChange: Sendable, Hashable {
    package private(set) var changes: [FileChange] = []
    package private(set) var done: [String] = []
    package private(set) var remarks: [String] = []

    private let bundle: String

    private init(_ bundle: String) { self.bundle = bundle }

    package static func adding(
        _ name: String,
        contents: [UInt8],
        to bundle: ModelBundle,
        makesCurrent: Bool
    ) throws(MomtoolError) -> VersionChange {
        var change = VersionChange(bundle.path)
        let folder = "\(bundle.path)/\(name).xcdatamodel"
        change.changes.append(.makeFolder(path: folder, files: ["contents": contents]))
        change.editProjects([.add(name, makesCurrent: makesCurrent)])
        if makesCurrent { try change.writeCurrent(name) }
        return change
    }

    package static func makingCurrent(
        _ name: String,
        of bundle: ModelBundle
    ) throws(MomtoolError) -> VersionChange {
        var change = VersionChange(bundle.path)
        change.editProjects([.setCurrent(name)])
        try change.writeCurrent(name)
        return change
    }

    /// Lists versions of the bundle in projects that lack them; `current` is the current one among them, if any.
    static func listing(
        _ names: [String],
        current: String?,
        of bundle: ModelBundle
    ) -> VersionChange {
        var change = VersionChange(bundle.path)
        change.editProjects(names.map { .add($0, makesCurrent: $0 == current) })
        return change
    }

    static func namingCurrent(
        _ name: String,
        of bundle: ModelBundle
    ) throws(MomtoolError) -> VersionChange {
        var change = VersionChange(bundle.path)
        try change.writeCurrent(name)
        return change
    }

    package static func renaming(
        _ version: ModelVersion,
        to name: String,
        of bundle: ModelBundle
    ) throws(MomtoolError) -> VersionChange {
        var change = VersionChange(bundle.path)
        let target = "\(bundle.path)/\(name).xcdatamodel"
        change.changes.append(.renameFolder(path: version.path, to: target))
        change.editProjects([.rename(version.name, to: name)])
        if bundle.namedCurrentVersion == version.name { try change.writeCurrent(name) }
        change.notePlaces(naming: version.name, in: bundle)
        return change
    }

    package static func removing(
        _ version: ModelVersion,
        leaving next: ModelVersion,
        of bundle: ModelBundle
    ) throws(MomtoolError) -> VersionChange {
        var change = VersionChange(bundle.path)
        let named = bundle.path + "/.xccurrentversion"
        if bundle.versions.count == 2, Self.isNewSinceHead(named, in: bundle.path) {
            // A bundle of one version needs no current version, and had none before the second one.
            change.changes.append(.removeFolder(path: named))
        } else if version.isCurrent || version.name == bundle.namedCurrentVersion {
            try change.writeCurrent(next.name)
        }
        change.editProjects([.remove(version.name, current: next.name)])
        change.changes.append(.removeFolder(path: version.path))
        change.notePlaces(naming: version.name, in: bundle)
        return change
    }

    private mutating func notePlaces(naming version: String, in bundle: ModelBundle) {
        let maps = NearbyMappingModels.items(of: bundle.path)
            .filter { $0.names(version, of: bundle.path) }.map { pathFromHere($0.path) }
        let places = (bundle.placesNaming(version) + maps).listed(most: 8)
        if !places.isEmpty { note("'\(version)' is still named in \(places)") }
    }

    /// Whether a file of a model is new since the last commit of its repository, which has the model.
    private static func isNewSinceHead(_ file: String, in bundle: String) -> Bool {
        FileIdentity(of: file) != nil
            && ModelPlace(bundle, at: "HEAD", ofOwnRepository: true).isInRevision
            && !ModelPlace(file, at: "HEAD", ofOwnRepository: true).isInRevision
    }

    func writing(_ contents: [UInt8]) -> VersionChange {
        var copy = self
        for index in copy.changes.indices {
            guard case .makeFolder(let path, _) = copy.changes[index] else { continue }
            copy.changes[index] = .makeFolder(path: path, files: ["contents": contents])
        }
        return copy
    }

    package mutating func write(_ bytes: [UInt8], to path: String) {
        changes.append(.write(path: path, bytes: bytes))
    }

    package mutating func note(_ remark: String) { remarks.append(remark) }

    /// Records the current version as Xcode does.
    private mutating func writeCurrent(_ name: String) throws(MomtoolError) {
        let path = bundle + "/.xccurrentversion"
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw MomtoolError(.refused, path, "this is not a regular file", .impossibleEdit)
        }
        let bytes = Array(currentVersionFile(naming: name + ".xcdatamodel").utf8)
        guard (try? readFile(path, limit: 1 << 20)) != bytes else { return }
        changes.append(.write(path: path, bytes: bytes))
    }

    /// Edits every project that lists the versions; one that cannot be edited safely is left alone, with a remark.
    private mutating func editProjects(_ edits: [ProjectEdit]) {
        let files = ProjectFiles(around: bundle)
        noteManifests(edits, in: files)
        let place = resolvedPath(bundle)
        for path in files.paths where path.hasSuffix(".pbxproj") {
            let project = parent(of: path)
            let folder = parent(of: project)
            guard let model = relativePath(of: place, from: folder) else { continue }
            let shown = pathFromHere(path)
            do throws(EditFault) {
                guard let bytes = draft(of: shown) ?? (try? readFile(path, limit: 64 << 20)) else {
                    throw EditFault("it cannot be read")
                }
                guard let result = try edited(project: bytes, edits, model: model, path: shown),
                    result != bytes
                else { continue }
                if let generator = Self.generator(beside: project, in: files.paths) {
                    remarks.append(
                        "\(shown): not changed, as \(generator) generates it: run it again"
                    )
                    continue
                }
                guard resolvedPath(path) == path else {
                    throw EditFault("it is behind a symbolic link")
                }
                changes.removeAll { $0.path == shown }
                changes.append(.write(path: shown, bytes: result))
                done.append(
                    "\(edits.contains(where: \.isRemoval) ? "removed from" : "added to") \(shown)"
                )
            } catch {
                remarks.append(
                    "\(shown): not changed, as it cannot be edited safely: \(error.message)"
                )
                remarks += edits.flatMap(\.instructions).map { "  " + $0 }
            }
        }
    }

    /// Tells which manifests, which are not edited, name another current version.
    private mutating func noteManifests(_ edits: [ProjectEdit], in files: ProjectFiles) {
        for manifest in files.read().value where !manifest.location.path.hasSuffix(".pbxproj") {
            guard let named = manifest.currentVersion,
                let wanted = edits.compactMap({ $0.current(after: named) }).last, wanted != named
            else { continue }
            note(
                "\(manifest.location): the manifest names '\(named)' as the current version of the project made from it: "
                    + "write '\(wanted)' there"
            )
        }
    }

    /// The content of a file after the changes so far.
    private func draft(of path: String) -> [UInt8]? {
        for case .write(path, let bytes) in changes { return bytes }
        return nil
    }

    /// The tool that generates a project, by the manifest beside it.
    private static func generator(beside project: String, in paths: [String]) -> String? {
        let folder = parent(of: project)
        if paths.contains(folder + "/project.yml") { return "XcodeGen" }
        return paths.contains(folder + "/Project.swift") ? "Tuist" : nil
    }
}

extension ProjectEdit {
    fileprivate var isRemoval: Bool {
        switch self {
        case .remove: true
        case .add, .setCurrent, .rename: false
        }
    }

    /// The current version that a project has after the edit; `nil` where it keeps the present one.
    fileprivate func current(after present: String) -> String? {
        switch self {
        case .add(let name, makesCurrent: true), .setCurrent(let name): name
        case .rename(present, to: let name), .remove(present, current: let name): name
        case .add, .rename, .remove: nil
        }
    }

    /// The lines that a person enters, with `<id>` for the identifier.
    fileprivate var instructions: [String] {
        switch self {
        case .add(let name, let makesCurrent):
            let file = "\(name).xcdatamodel"
            let lines = [
                "in the section PBXFileReference: <new id> /* \(file) */ = {isa = PBXFileReference; "
                    + "lastKnownFileType = wrapper.xcdatamodel; path = \"\(file)\"; "
                    + "sourceTree = \"<group>\"; };",
                "first in the children of the model's XCVersionGroup: <new id> /* \(file) */,",
            ]
            return makesCurrent
                ? lines + ["in that group: currentVersion = <new id> /* \(file) */;"] : lines
        case .setCurrent(let name):
            return [
                "in the model's XCVersionGroup: currentVersion = <id> /* \(name).xcdatamodel */;"
            ]
        case .rename(let old, let name):
            return ["write \(name).xcdatamodel for \(old).xcdatamodel in its path and comments"]
        case .remove(let name, let current):
            return [
                "remove the lines of \(name).xcdatamodel in PBXFileReference and in the "
                    + "XCVersionGroup, whose currentVersion is \(current).xcdatamodel"
            ]
        }
    }
}

extension ModelBundle {
    /// The lines in the configuration, stages files and cases that name a version.
    fileprivate func placesNaming(_ version: String) -> [String] {
        guard let settings = try? settings(for: path) else { return [] }
        let cases = ProjectContents(below: settings.path.map(parent) ?? parent(of: path)).cases
        let files = [settings.path].compactMap(\.self) + settings.stagesFiles + cases
        return files.flatMap { file in
            ((try? readText(file, limit: 1 << 20)) ?? "").split(
                omittingEmptySubsequences: false,
                whereSeparator: \.isNewline
            ).enumerated().filter { _, line in
                line.split { "[]{},:\"'".contains($0) }.map { String($0).trimmed }
                    .contains { [version, "- " + version].contains($0) }
            }.map { index, _ in "\(pathFromHere(file)):\(index + 1)" }
        }
    }

    /// The name of a version made from another: its number is increased, or a number is added.
    package func nextVersionName(after name: String) -> String {
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let stem = digits == 0 ? name + " " : String(name.dropLast(digits))
        let taken = versions.map(\.name) + unreadableVersions.map(\.name)
        // Names of the same stem are counted on: `Shop 10` follows `Shop 9`.
        let numbers = taken.compactMap { other -> Int? in
            guard other.hasPrefix(stem) else { return nil }
            let rest = other.dropFirst(stem.count)
            return rest.allSatisfy { $0.isASCII && $0.isNumber } ? Int(rest) : nil
        }
        let width = name.suffix(digits).first == "0" ? digits : 0
        var next = numbers.max() ?? 1
        while true {
            guard next < .max else { return name + " copy" }
            next += 1
            let number = String(next)
            let padding = String(repeating: "0", count: Swift.max(0, width - number.count))
            let candidate = stem + padding + number
            let isTaken = taken.contains { $0.lowercased() == candidate.lowercased() }
            if !isTaken { return candidate }
        }
    }

    /// Checks the name of a version to be made, which becomes that of a folder; returns it without its extension.
    package func checkedVersionName(_ text: String) throws(MomtoolError) -> String {
        let ending = ".xcdatamodel"
        let name = text.hasSuffix(ending) ? String(text.dropLast(ending.count)) : text
        guard !name.isEmpty else {
            let message = "a version needs a name; '' is not a valid one"
            throw MomtoolError(.usage, path, message, .impossibleEdit)
        }
        let isPlain = !name.isObeyed && !name.utf8.contains { $0 == 0x0A || $0 == 0x09 }
        guard isPlain, !name.contains("/"), !name.hasPrefix("."),
            name.utf8.count <= 200, name.first != " ", name.last != " "
        else {
            let message =
                "'\(name)' is not a valid version name: as a folder name, it must not contain / or a line"
                + " end, begin with . or a space, end with a space, or have more than 200 bytes"
            throw MomtoolError(.usage, path, message, .impossibleEdit)
        }
        // A version is named after `#`, in git after `:`, and where an option may be.
        guard !name.hasPrefix("-"), !name.contains(where: { "#:".contains($0) }) else {
            let message =
                "'\(name)' is not a valid version name: it must not begin with - or contain # or :"
            throw MomtoolError(.usage, path, message, .impossibleEdit)
        }
        let names = versions.map(\.name) + unreadableVersions.map(\.name)
        let pruned = lock()?.prunedVersions.map(\.name) ?? []
        for (taken, why) in [(names, "already exists"), (pruned, "shipped and was pruned")] {
            // A Mac has one folder for both.
            guard !taken.contains(where: { $0.lowercased() == name.lowercased() }) else {
                let message = "the version '\(name)' \(why); choose another name"
                throw MomtoolError(.refused, path, message, .impossibleEdit)
            }
        }
        return name
    }
}

/// Refuses to write generated classes over a Swift file with code that people wrote, or over another file.
package func requireReplaceable(_ path: String, byGenerated text: String) throws(MomtoolError) {
    guard exists(path) else { return }
    let old = try readText(path, limit: 16 << 20)
    guard old != text, old.contains(where: { !$0.isWhitespace }) else { return }
    let missing: [String]
    do throws(SwiftEditFault) {
        missing = try handwrittenCode(
            in: SwiftSource(path: path, bytes: Array(old.utf8)),
            missingFrom: SwiftSource(path: path, bytes: Array(text.utf8))
        )
    } catch { throw refusal(path, "its content is unknown: \(error.message)") }
    guard missing.isEmpty else {
        let names = missing.listed(most: 12)
        throw refusal(path, "it has code that would be lost: \(names)")
    }
    guard old.hasPrefix(writtenByMomtool) || old.contains("@Model") else {
        throw refusal(path, "it has no @Model class")
    }
}

/// Refuses to write a version that another file in the folder declares at its top level: two do not compile.
package func requireSoleDeclaration(of name: String, at path: String) throws(MomtoolError) {
    let folder = parent(of: path)
    for (other, _) in folderEntries(of: folder) ?? [] where other.hasSuffix(".swift") {
        let file = folder == "." ? other : "\(folder)/\(other)"
        let text =
            resolvedPath(file) == resolvedPath(path) ? nil : try? readText(file, limit: 16 << 20)
        let lines = text?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        let starts = ["enum \(name):", "public enum \(name):"]
        guard let line = lines.firstIndex(where: { starts.contains(where: $0.hasPrefix) }) else {
            continue
        }
        let wording: Wording = """
            '\(name)' is declared in \(file):\(line + 1) too, and two declarations do not compile: name that file with \
            \(.elsewhere), or remove it there first; \(.advice(.force))
            """
        throw MomtoolError(.refused, path, saying: wording, "file-exists")
    }
}

private func refusal(_ path: String, _ reason: String) -> MomtoolError {
    MomtoolError(
        .refused,
        path,
        saying: """
            the existing file is not replaced: \(reason); name another file with \(.elsewhere) and copy what \
            you need; \(.advice(.force))
            """,
        "file-exists"
    )
}
