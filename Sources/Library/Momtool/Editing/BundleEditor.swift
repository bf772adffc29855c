import Diagnostics
package import FileSystem
package import MigrationPlanning
import ModelChecking
import ModelCompiling
package import ModelEditing
package import ModelLoading
package import ObjectModel

/// Changes one version of an Xcode model in source form, and writes nothing before ``write()``.
package struct BundleEditor: Sendable {
    package let path: String
    package private(set) var bundle: ModelBundle
    /// The version as on disk; for a new version, the one that it is made from.
    package private(set) var source: ModelVersion
    package private(set) var version: ModelVersion
    package private(set) var file: String
    /// The file that a new version is copied from, and its own; `nil` where none is made.
    package private(set) var origin: (file: String, copy: String)?
    package private(set) var original: [UInt8]
    package private(set) var contents: [UInt8]
    /// The version that is made for the edits; `nil` where they change an existing one.
    package private(set) var fresh: VersionChange?
    /// Warnings about the edits that do not forbid them.
    package private(set) var findings: [Diagnostic] = []
    /// What became of the changes of a command that was killed; `nil` where there was none.
    package let remark: String?
    /// The turn to change the model, if it is held from reading to writing; `nil` if it is taken only to write.
    package let turn: ChangeTurn?
    package let lockedNames: [String]
    package let lockPath: String

    /// Reads a version; with `keepsTurn` other processes that change the model wait as long as the editor lives.
    package init(
        _ text: String,
        version name: String? = nil,
        isDry: Bool,
        keepsTurn: Bool = true
    ) throws(MomtoolError) {
        let named = try onlyModel(at: Self.bundled(text))
        let place = ModelPlace(named)
        path = trimmedPath(place.path)
        try Self.requireSource(path)
        let turn = try isDry ? nil : changeTurn(around: path)
        defer { withExtendedLifetime(turn) {} }
        self.turn = keepsTurn ? turn : nil
        remark = try settledChanges(of: path, isDry: isDry)
        let read = try Self.read(place, name)
        let version = try read.chosenVersion(name)
        file = Self.file(of: version, path)
        guard !file.hasSuffix("/elements") else {
            let wording: Wording =
                "the version is in the format of Xcode 3; first convert it: \(.conversion(of: path))"
            throw MomtoolError(.refused, file, saying: wording, .impossibleEdit)
        }
        try Self.requireInside(file, of: path)
        let lock = LockFile(ofModel: path)
        lockPath = lock.path
        let locked = try Self.locked(lock, read)
        lockedNames = locked
        bundle = read
        (source, self.version) = (version, version)
        do throws(FileFault) { original = try readFile(file, limit: 16 << 20) } catch {
            throw MomtoolError(.noInput, file, error.reason, .unreadableFile)
        }
        contents = original
    }

    /// Adds a version, copied from the one that was read, for the following edits; by default with the next name.
    package mutating func startVersion(
        named name: String? = nil,
        makesCurrent: Bool = true
    ) throws(MomtoolError) {
        try requireBundle()
        let name = try bundle.checkedVersionName(name ?? bundle.nextVersionName(after: source.name))
        fresh = try .adding(name, contents: contents, to: bundle, makesCurrent: makesCurrent)
        let path = "\(bundle.path)/\(name).xcdatamodel"
        origin = (origin?.file ?? file, path + "/contents")
        file = path + "/contents"
        version = source
        (version.name, version.path, version.isCurrent) = (name, path, makesCurrent)
    }

    package func requireBundle() throws(MomtoolError) {
        guard ModelFileKind(at: path) != .versionedSource else { return }
        let message =
            "this is a single version without a bundle; put it into an .xcdatamodeld folder to add others"
        throw MomtoolError(.refused, path, message, .impossibleEdit)
    }

    /// Applies edits, all or none; `forced` lets pass what Xcode only warns about, `mayLackInverses` makes a new
    /// relationship without inverse a warning.
    package mutating func apply(
        _ edits: [ModelEdit],
        forced isForced: Bool = false,
        lackingInverses mayLackInverses: Bool = false
    ) throws(MomtoolError) {
        let result: EditedSource
        do throws(EditFault) {
            result = try EditedSource(contents, edits, path: file, knowsAll: !isForced)
        } catch { throw MomtoolError(.refused, file, saying: error.wording, .impossibleEdit) }
        if !isForced { try requireNoLooseEnds(result.looseEnds) }
        let new = readModel(source: result.bytes, path: file)
        var added = EditJudgement(
            of: readModel(source: contents, path: file),
            new,
            hasRenamings: edits.contains(where: \.isRenaming)
        ).findings
        for index in added.indices where mayLackInverses && added[index].rule == "missing-inverse" {
            added[index].severity = .warning
        }
        let lone = added.filter { $0.rule == "missing-inverse" && $0.severity == .warning }
        try requireNoNewFaults(added.filter { !lone.contains($0) }, forced: isForced)
        var changed = ModelVersion(
            name: version.name,
            path: version.path,
            place: version.place,
            isCurrent: version.isCurrent,
            model: new.value
        )
        changed.namingRelationships = version.namingRelationships
        changed.claimants = version.claimants
        if fresh == nil { try requireUnlocked(for: changed) }
        findings += added.filter { $0.severity == .warning }
        (contents, version) = (result.bytes, changed)
    }

    /// A warning where the edited version may have shipped; `nil` for a new one, and where there is a lock.
    package var doubt: Diagnostic? {
        guard fresh == nil, !exists(lockPath) else { return nil }
        return shippingDoubt(of: source, edited: version, in: file, model: path)
    }

    /// Refuses new faults in the result; only those that Xcode still builds can be forced.
    private func requireNoNewFaults(
        _ added: [Diagnostic],
        forced isForced: Bool
    ) throws(MomtoolError) {
        let faults = added.filter { $0.severity == .error || Self.refused.contains($0.rule) }
            .map(\.asError)
        let isOnlyWarned = faults.allSatisfy { Self.forceable.contains($0.rule) }
        guard !faults.isEmpty, !(isForced && isOnlyWarned) else { return }
        var error = MomtoolError(.refused, saying: faults)
        if isOnlyWarned {
            for index in error.diagnostics.indices { error.diagnostics[index].advice = [.force] }
        }
        let weight = isOnlyWarned ? "; Xcode only warns about it" : ""
        error.remarks.append("nothing was written: the result would have the errors above\(weight)")
        throw error
    }

    /// The step that stores take to the version: from the previous one, or from the version before the edits.
    package var step: (from: ModelVersion, to: ModelVersion) {
        if fresh != nil { return (source, version) }
        let before = try? bundle.predecessor(of: source)
        return (before ?? source, version)
    }

    package var result: ModelBundle {
        var result = bundle
        if fresh != nil {
            if version.isCurrent {
                for index in result.versions.indices { result.versions[index].isCurrent = false }
            }
            var added = version
            added.place = result.versions.count
            result.versions.append(added)
            result.statedOrder = result.versions.map(\.name)
        } else if let index = result.versions.firstIndex(where: { $0.name == version.name }) {
            result.versions[index] = version
        }
        result.selectedVersionName = nil
        return result
    }

    package var changes: [FileChange] {
        guard let fresh else {
            return contents == original ? [] : [.write(path: file, bytes: contents)]
        }
        return fresh.writing(contents).changes
    }

    /// Writes all changes, or nothing; later edits continue from there.
    package mutating func write() throws(MomtoolError) {
        let held: ChangeTurn
        if let turn { held = turn } else { held = try changeTurn(around: path) }
        try requireUnchanged()
        try asked { try make(changes, of: path, in: held) }
        let written = result
        if fresh != nil, version.isCurrent { bundle.namedCurrentVersion = version.name }
        bundle.versions = written.versions
        bundle.statedOrder = written.statedOrder
        source = written.versions.first { $0.name == version.name } ?? version
        (original, fresh, origin) = (contents, nil, nil)
    }

    private func requireUnchanged() throws(MomtoolError) {
        let source = origin?.file ?? file
        var isSame = (try? readFile(source, limit: 16 << 20)) == original
        if let fresh, isSame, turn == nil {
            let isCurrent = version.isCurrent
            isSame =
                try fresh.writing(contents)
                == .adding(version.name, contents: contents, to: bundle, makesCurrent: isCurrent)
        }
        guard isSame else {
            let message = "the file was changed while it was edited; nothing was written"
            throw MomtoolError(.refused, source, message, .impossibleEdit)
        }
    }

    private static func bundled(_ text: String) -> String {
        guard exists(text) else { return text }
        var path = trimmedPath(text)
        if path.hasSuffix(".xcdatamodel/contents") { path = parent(of: path) }
        let folder = parent(of: path)
        guard path.hasSuffix(".xcdatamodel"), folder.hasSuffix(".xcdatamodeld"),
            let name = path.split(separator: "/").last
        else { return text }
        return "\(folder)#\(name.dropLast(".xcdatamodel".count))"
    }

    private static func requireSource(_ path: String) throws(MomtoolError) {
        switch ModelFileKind(at: path) {
        case .versionedSource, .source, .contents: return
        case .compiledBundle, .compiledVersion:
            let wording: Wording = "this is a compiled model; \(.source)"
            throw MomtoolError(.usage, path, saying: wording, .notAModel)
        case nil:
            guard !ModelPlace(path).holdsSwift else { throw byHand(path) }
            guard FileIdentity(of: path) != nil else {
                let wording =
                    wordingOfGoneModel(at: path)
                    ?? "\(absence(of: path))\(suggestion(forPath: path))"
                throw MomtoolError(.noInput, path, saying: wording, .unreadableFile)
            }
            let message =
                "this is not a model; name an .xcdatamodeld, an .xcdatamodel, Swift sources with @Model"
                + " classes, or a folder with one model"
            throw MomtoolError(.badData, path, message, .notAModel)
        }
    }

    /// Reads the versions, also one with faults, so that edits can remove these.
    private static func read(
        _ place: ModelPlace,
        _ name: String?
    ) throws(MomtoolError) -> ModelBundle {
        if let usable = try? place.readUsable(), !usable.hasErrors,
            (try? usable.value.chosenVersion(name)) != nil
        {
            return usable.value
        }
        let read = try place.read()
        guard !read.value.versions.isEmpty else {
            throw MomtoolError(.badData, saying: read.diagnostics)
        }
        return read.value
    }

    private static func file(of version: ModelVersion, _ path: String) -> String {
        guard FileIdentity(of: version.path)?.isFolder == true else { return path }
        return version.path + "/" + sourceName(in: version.path)
    }

    /// Refuses a file whose link leads out of the model.
    private static func requireInside(_ file: String, of model: String) throws(MomtoolError) {
        guard file != model else { return }
        let expected = resolvedPath(model) + file.dropFirst(model.count)
        guard resolvedPath(file) != expected else { return }
        let message = "the model is behind a symbolic link; name its real path"
        throw MomtoolError(.refused, file, message, .impossibleEdit)
    }

    private static func locked(
        _ lock: LockFile,
        _ bundle: ModelBundle
    ) throws(MomtoolError) -> [String] {
        guard let read = try lock.read() else { return [] }
        guard !read.hasErrors else { throw MomtoolError(.badData, saying: read.diagnostics) }
        return read.value.lock.following(bundle.versions).lock.versions.map(\.name)
    }
}

/// The error where a source of Core Data is edited and Swift sources have to be edited by hand.
func byHand(_ path: String) -> MomtoolError {
    let wording: Wording = """
        edit Swift sources by hand, in the @Model classes and the plan, or undo changes with git; \
        \(.newVersion(of: path)) creates the next version
        """
    return MomtoolError(.usage, path, saying: wording, .impossibleEdit)
}

/// A version made between two others, because Core Data refuses the step from one to the other.
package struct BridgeChange: Sendable {
    package var name: String
    /// What to write: the version, and the renaming identifiers of the newer one.
    package var change: VersionChange
    package var bridge: BridgingVersion

    /// Works out the version between: its source is that of the newer version, edited, so that every other byte stays.
    package init(
        from older: String,
        to editor: BundleEditor,
        named name: String? = nil
    ) throws(MomtoolError) {
        func refusal(_ message: String) -> MomtoolError {
            MomtoolError(.refused, editor.path, message, .impossibleEdit)
        }
        try editor.requireBundle()
        let (old, new) = (try editor.bundle.chosenVersion(older), editor.source)
        let plan = MigrationPlan(from: old, to: new)
        let step = "'\(old.name)' → '\(new.name)'"
        guard !plan.isLegal else {
            throw refusal("Core Data infers the step \(step), so it needs no bridging version")
        }
        guard let bridge = BridgingVersion(for: plan) else {
            throw refusal(
                "no version between them makes \(step) possible; write a mapping model or a map"
            )
        }
        self.bridge = bridge
        self.name = try editor.bundle.checkedVersionName(
            name ?? editor.bundle.nameBetween(old.name, new.name)
        )
        let contents = try Self.edited(editor, to: bridge.model)
        var change = try VersionChange.adding(
            self.name,
            contents: contents,
            to: editor.bundle,
            makesCurrent: false
        )
        if !bridge.renamings.isEmpty {
            change.write(try Self.edited(editor, to: bridge.next), to: editor.file)
        }
        self.change = change
    }

    private static func edited(
        _ editor: BundleEditor,
        to model: ManagedObjectModel
    ) throws(MomtoolError) -> [UInt8] {
        let texts = [editor.source.model, model].map { Array(modelContents(of: $0).value.utf8) }
        let result: [UInt8]
        do throws(EditFault) {
            // New elements are placed as Xcode places them, wherever the model lists them.
            let found = try edits(from: texts[0], to: texts[1], path: editor.file).filter {
                if case .order = $0 { false } else { true }
            }
            result = try ModelEditing.edited(editor.contents, found, path: editor.file)
        } catch {
            throw MomtoolError(.refused, editor.file, saying: error.wording, .impossibleEdit)
        }
        let read = readModel(source: result, path: editor.file).value
        guard
            ModelVersion(name: "", model: read).checksum
                == ModelVersion(name: "", model: model).checksum
        else {
            let message = "the source of '\(editor.source.name)' cannot be edited safely"
            throw MomtoolError(.refused, editor.file, message, .impossibleEdit)
        }
        return result
    }
}

extension ModelBundle {
    /// A name that sorts after an older version and directly before a newer one, such as `Shop 8.5` before `Shop 9`.
    func nameBetween(_ older: String, _ newer: String) -> String {
        let digits = newer.reversed().prefix { $0.isASCII && $0.isNumber }.count
        guard let number = Int(newer.suffix(digits)), number > 0 else {
            return "\(older) to \(newer)"
        }
        let stem = newer.dropLast(digits)
        let taken = versions.map { $0.name.lowercased() }
        let half = "\(stem)\(number - 1).5"
        return taken.contains(half.lowercased()) ? "\(older) to \(newer)" : half
    }
}
