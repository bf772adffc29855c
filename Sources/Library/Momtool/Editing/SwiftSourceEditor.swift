package import Diagnostics
package import FileSystem
import ModelChecking
package import ModelLoading
package import ObjectModel
import SettingsFiles
import SwiftDataReading

/// Makes versions of Swift sources and writes inverses into them; writes nothing before ``write()``.
///
/// Sources are edited by their syntax, and every other byte stays. After each edit they are read again: hashes that
/// must not change must be the same.
package struct SwiftSourceEditor: Sendable {
    package let path: String
    package private(set) var bundle: ModelBundle
    package private(set) var versionName: String
    /// What became of the changes of a command that was killed; `nil` where there was none.
    package let remark: String?
    /// The turn to change the sources, if held from reading to writing; `nil` if taken only to write, or not at all.
    package let turn: ChangeTurn?
    package internal(set) var remarks: [String] = []
    /// The lock with the present names of its versions, where it changes too.
    var lockChange: FileChange?
    /// The locked versions by their present names.
    let locked: [ModelLock.Version]
    private let options: SwiftReadingOptions
    private var original: [SwiftSource]
    private(set) var sources: [SwiftSource]
    private var faults: [Diagnostic]

    /// Reads sources with a `@Model` class; with `keepsTurn` others that change them wait as long as the editor lives.
    package init(
        _ text: String,
        _ swift: SwiftSettings = SwiftSettings(),
        version name: String? = nil,
        isDry: Bool,
        keepsTurn: Bool = true
    ) throws(MomtoolError) {
        let place = ModelPlace(text, swift: swift)
        let named = trimmedPath(place.path)
        path = exists(named) ? named : packageTarget(named) ?? named
        let turn = try isDry ? nil : changeTurn(around: path)
        defer { withExtendedLifetime(turn) {} }
        self.turn = keepsTurn ? turn : nil
        options = try swiftOptions(at: path, swift)
        var read = swiftSources(at: path, options: options)
        remark = try settledChanges(of: path, read.value.map(\.path), isDry: isDry)
        if remark != nil { read = swiftSources(at: path, options: options) }
        original = read.value
        sources = read.value
        let found = readSwiftBundle(read.value, path: path, options: options)
        guard !found.value.versions.isEmpty else {
            throw MomtoolError(.badData, saying: read.diagnostics + found.diagnostics)
        }
        bundle = found.value
        faults = found.diagnostics.filter { $0.severity == .error }
        versionName = try bundle.chosenVersion(name ?? place.versionName).name
        let lock = try LockFile(ofModel: path).read()
        locked = lock?.value.lock.following(bundle.versions).lock.versions ?? []
    }

    package var version: ModelVersion {
        get throws(MomtoolError) { try bundle.chosenVersion(versionName) }
    }

    /// Refuses to keep a version that was edited since it shipped: no version would have the hashes of its stores.
    func requireAsShipped(_ old: ModelVersion) throws(MomtoolError) {
        let known = locked.first { $0.name == old.name }
        let released = try locked.isEmpty ? released(old) : nil
        guard old.isWhole, let shipped = known ?? released?.version, !shipped.entities.isEmpty,
            !bundle.versions.contains(where: { shipped.isSame(as: $0) })
        else { return }
        let place: Wording = released.map { "shipped in \($0.tag)" } ?? "is locked"
        throw refusal(
            """
            '\(old.name)' \(place) and was edited since: the new version would keep the edit, and no version would have the \
            hashes of stores in the field; undo the edit (git diff shows it), start again with \
            \(.newVersion(of: path)), and make the edit in the new version; or keep it, and freeze what shipped: \
            \(.freezing(of: path, asOf: released?.tag))
            """
        )
    }

    /// A version as the last release has it, where stages lead to it and no lock says what shipped.
    private func released(
        _ version: ModelVersion
    ) throws(MomtoolError) -> (version: ModelLock.Version, tag: String)? {
        let settings = try settings(for: path)
        guard !version.isMigratedUnasked,
            let (tag, past) = bundle.lastReleased(
                by: ModelPlace(swiftSourcesBelow: path),
                settings
            ),
            let found = past.readVersions.first(where: { $0.name == version.name }), found.isWhole
        else { return nil }
        return (ModelLock.Version(found), tag)
    }

    var versionText: String {
        let classes = (try? version.model.entities) ?? []
        let paths = Set(classes.compactMap { $0.source.element?.path })
        return sources.filter { paths.contains($0.path) }
            .map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n")
    }

    mutating func forgetRemarks() { remarks = [] }

    func refusal(_ wording: Wording) -> MomtoolError {
        MomtoolError(.refused, path, saying: wording, .impossibleEdit)
    }

    func position(of location: FileLocation?) throws(MomtoolError) -> (file: Int, offset: Int) {
        var lines: [Int: [Int]] = [:]
        return try position(of: location, &lines)
    }

    /// Finds one of many positions; `lines` keeps the offsets at which lines begin, by file.
    func position(
        of location: FileLocation?,
        _ lines: inout [Int: [Int]]
    ) throws(MomtoolError) -> (file: Int, offset: Int) {
        guard let location, let line = location.line, let column = location.column,
            let file = sources.firstIndex(where: { $0.path == location.path })
        else { throw refusal("the sources do not say where it is declared") }
        let starts = lines[file] ?? lineStarts(of: sources[file].bytes)
        lines[file] = starts
        return (file, starts[max(1, min(line, starts.count)) - 1] + column - 1)
    }

    /// Replaces the files, and checks that there are no new faults and only the intended versions have other hashes.
    mutating func take(
        _ files: [SwiftSource],
        editing current: String,
        _ isMeant: (String) -> Bool
    ) throws(MomtoolError) {
        let read = readSwiftBundle(files, path: path, options: options)
        let known = Set(faults.map(\.message))
        let new = read.diagnostics.filter { $0.severity == .error && !known.contains($0.message) }
        guard new.isEmpty else {
            var error = MomtoolError(.refused, saying: new)
            error.remarks.append("nothing was written: the result would have the errors above")
            throw error
        }
        for version in bundle.versions where !isMeant(version.name) {
            guard read.value.version(named: version.name)?.hashes == version.hashes else {
                throw refusal("nothing was written: it would change '\(version.name)' too")
            }
        }
        sources = files
        bundle = read.value
        versionName = current
        faults = read.diagnostics.filter { $0.severity == .error }
    }

    func edited(_ edits: [Int: [SwiftEdit]]) throws(MomtoolError) -> [SwiftSource] {
        var files = sources
        for (file, list) in edits.sorted(by: { $0.key < $1.key }) {
            do throws(SwiftEditFault) {
                files[file].bytes = try SwiftDataReading.edited(swift: files[file], list)
            } catch { throw refusal(Wording(error.message)) }
        }
        return files
    }

    package var changes: [FileChange] {
        let old = Dictionary(firstOf: original.map { ($0.path, $0.bytes) })
        return sources.filter { old[$0.path] != $0.bytes }.map {
            .write(path: $0.path, bytes: $0.bytes)
        } + [lockChange].compactMap(\.self)
    }

    /// Writes all changes, or nothing; later edits continue from there.
    package mutating func write() throws(MomtoolError) {
        let held: ChangeTurn
        if let turn { held = turn } else { held = try changeTurn(around: path) }
        for source in original {
            let now = try? readFile(source.path, limit: 8 << 20)
            guard now == source.bytes else {
                let message = "the file was changed while it was edited; nothing was written"
                throw MomtoolError(.refused, source.path, message, .impossibleEdit)
            }
        }
        for source in sources where !original.contains(where: { $0.path == source.path }) {
            guard !exists(source.path) else {
                throw MomtoolError(
                    .refused,
                    source.path,
                    "this file already exists",
                    .impossibleEdit
                )
            }
        }
        try asked { try make(changes, of: path, in: held) }
        original = sources
    }

    /// The inverse of a relationship that is not written.
    package struct Inverse: Sendable, Hashable {
        package var place: FileLocation
        package var entity: String
        package var property: String

        package init(at place: FileLocation, entity: String, property: String) {
            (self.place, self.entity, self.property) = (place, entity, property)
        }
    }

    /// Writes inverses that SwiftData finds without them; throws where one has moved or hashes would change.
    package mutating func write(_ inverses: [Inverse]) throws(MomtoolError) {
        var edits: [Int: [SwiftEdit]] = [:]
        var lines: [Int: [Int]] = [:]
        for inverse in inverses {
            let (file, offset) = try position(of: inverse.place, &lines)
            edits[file, default: []].append(
                .writeInverse(propertyAt: offset, class: inverse.entity, property: inverse.property)
            )
        }
        try take(try edited(edits), editing: versionName) { _ in false }
    }
}
