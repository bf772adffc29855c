import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
package import ModelChecking
import ModelEditing
package import ModelLoading
import ObjectModel
import SettingsFiles

/// The versions of a model that no store has any more, taken out of all that names them.
///
/// The folders of the versions go, with the entries of projects, mapping models that lead from or to nothing else, and
/// what the configuration, stages files and cases say of them. The lock keeps their hashes, so that their stores are
/// still named.
package struct Pruning: Sendable {
    /// Which versions are pruned.
    package struct Choice: Sendable {
        /// All versions before this one.
        package var end: String?
        /// These versions.
        package var names: [String]

        /// Creates a choice.
        package init(before end: String? = nil, _ names: [String] = []) {
            (self.end, self.names) = (end, names)
        }
    }

    /// The versions that are taken out, from the oldest to the newest.
    package private(set) var versions: [ModelVersion] = []
    /// The locked versions that were gone already, and are marked as pruned.
    package private(set) var missing: [ModelLock.Version] = []
    /// What has to be written.
    package private(set) var change: VersionChange
    /// What becomes of stores, a line each.
    package private(set) var consequences: [String] = []
    /// What goes beside the versions, a line each.
    package private(set) var company: [String] = []

    let bundle: ModelBundle
    let configuration: ToolConfiguration
    let surroundings: PruningSurroundings
    let contents: ProjectContents
    let others: [[ModelVersion]]
    /// The mapping models of the project, where versions go.
    private(set) var mappingModels = MappingModels()
    private var lock: ModelLock
    private let lockPath: String

    /// Works out what has to change.
    ///
    /// - Parameters:
    ///   - choice: the versions.
    ///   - bundle: the model.
    ///   - day: the day that the lock gets, as `2026-11-24`.
    /// - Throws: ``MomtoolError`` for the current version, for versions without which stores that are kept find no way,
    ///   and for a file that names a version in a form that is not edited surely.
    package init(
        _ choice: Choice,
        of bundle: ModelBundle,
        on day: String
    ) throws(MomtoolError) {
        let configuration = try settings(for: bundle.path)
        let order = configuration.versionOrder
        self.bundle = order.isEmpty ? bundle : bundle.ordered(by: order)
        self.configuration = configuration
        surroundings = PruningSurroundings(of: bundle.path)
        contents = surroundings.contents
        others = Self.others(in: contents, than: bundle.path)
        change = VersionChange.ofNothing(in: bundle)
        let file = LockFile(ofModel: bundle.path)
        lockPath = file.path
        let read = try file.read()
        if let read, read.hasErrors { throw MomtoolError(.badData, saying: read.diagnostics) }
        lock = read?.value.lock.following(bundle.versions).lock ?? ModelLock()
        try choose(choice)
        guard !versions.isEmpty || !missing.isEmpty else {
            throw refusal("no version is pruned: there is none before '\(choice.end ?? "")'")
        }
        guard bundle.swift == nil || versions.isEmpty else { throw swiftRefusal() }
        try plan(on: day)
    }

    /// The model at a path of which only the lock is left; `nil` for any other path.
    package static func goneModel(at text: String) -> ModelBundle? {
        let path = trimmedPath(text)
        guard LockFile(ofModel: path).exists else { return nil }
        do throws(MomtoolError) {
            let read = try ModelPlace(lockedAt: path).readIfThere()
            return read == nil ? ModelBundle(path: path, versions: []) : nil
        } catch {
            return nil
        }
    }

    func refusal(_ wording: Wording) -> MomtoolError {
        MomtoolError(.refused, bundle.path, saying: wording, .impossibleEdit)
    }

    /// The versions that stay.
    var kept: [ModelVersion] {
        let names = Set(versions.map(\.name))
        return bundle.versions.filter { !names.contains($0.name) }
    }

    /// Looks the versions up, in the model and in the lock.
    private mutating func choose(_ choice: Choice) throws(MomtoolError) {
        guard choice.end != nil || !choice.names.isEmpty else {
            throw MomtoolError(
                .usage,
                saying: "name the versions, or \(.firstKept)",
                "usage"
            )
        }
        guard !bundle.versions.isEmpty else { return try chooseGone(choice) }
        guard let current = bundle.currentVersion ?? bundle.versions.only else {
            throw refusal(
                "no version is current, so none is known to stay; \(.currentVersion) says which is"
            )
        }
        var chosen = Set(choice.names)
        let gone = lock.versions.filter { bundle.version(named: $0.name) == nil }
        if let name = choice.end {
            let end = try bundle.chosenVersion(name)
            let index = bundle.versions.firstIndex { $0.name == end.name } ?? 0
            chosen.formUnion(bundle.versions[..<index].map(\.name))
            let last = lock.versions.firstIndex { $0.name == end.name } ?? lock.versions.count
            chosen.formUnion(
                lock.versions[..<last].map(\.name).filter { old in gone.contains { $0.name == old }
                }
            )
        }
        guard !chosen.contains(current.name) else {
            throw refusal(
                "'\(current.name)' is the current version, which is never pruned: new stores are made of it"
            )
        }
        versions = bundle.versions.filter { chosen.contains($0.name) }
        missing = gone.filter { chosen.contains($0.name) }
        let known = Set(versions.map(\.name) + missing.map(\.name))
        for name in choice.names where !known.contains(name) {
            try requireUnpruned(name)
            _ = try bundle.chosenVersion(name)
        }
    }

    /// Looks the versions of a model that is gone up in the lock that is left of it.
    private mutating func chooseGone(_ choice: Choice) throws(MomtoolError) {
        guard choice.end == nil else {
            throw refusal("the model is gone, and no version of it stays: name the versions")
        }
        missing = lock.versions.filter { choice.names.contains($0.name) }
        let known = lock.versions.map(\.name)
        for name in choice.names where !known.contains(name) {
            try requireUnpruned(name)
            let names = known.joined(separator: ", ")
            let message =
                "the lock has no version '\(name)'\(suggestion(for: name, among: known)); there are: \(names)"
            throw MomtoolError(.usage, lockPath, message, "unknown-version")
        }
    }

    private func requireUnpruned(_ name: String) throws(MomtoolError) {
        guard let pruned = lock.prunedVersions.first(where: { $0.name == name }) else { return }
        throw refusal("'\(name)' was pruned on \(pruned.prunedDay ?? "") already")
    }

    /// Says what to do where versions are declared by Swift.
    private func swiftRefusal() -> MomtoolError {
        let faults = versions.map { version in
            Diagnostic(
                .impossibleEdit,
                "'\(version.name)' is declared by Swift, which is not pruned: delete its enum, its entry in schemas "
                    + "and the stages of the plan that lead from or to it; then the same command marks it in the lock",
                at: version.model.source.element ?? FileLocation(path: bundle.path)
            )
        }
        return MomtoolError(.refused, saying: faults)
    }

    /// Collects all that changes.
    private mutating func plan(on day: String) throws(MomtoolError) {
        if !versions.isEmpty {
            mappingModels = try MappingModels(around: bundle.path, configuration)
        }
        let mappings = deadMappingModels
        try requireRoutes(without: Set(mappings.map(\.path)))
        let files = mappings.map(\.path).filter(surroundings.holds).map(pathFromHere)
        if !versions.isEmpty {
            guard let current = bundle.currentVersion ?? bundle.versions.only else { return }
            change = try .removing(versions, leaving: current, with: files, of: bundle)
        }
        for mapping in mappings where !surroundings.holds(mapping.path) {
            change.note(
                "\(mapping.path): leads from or to pruned versions alone; remove it by hand"
            )
        }
        company += files.map { "\($0): leads from or to pruned versions alone, and goes" }
        try pruneSettings(mappings)
        let old = lock.text
        let frozen = versions.map { lock.version(named: $0.name) ?? ModelLock.Version($0) }
        lock.prune(frozen + missing, among: bundle.versions.map(\.name), on: day)
        if lock.text != old { change.write(Array(lock.text.utf8), to: lockPath) }
        consequences = tellConsequences()
    }

    /// Writes a settings file anew, or removes it where nothing is left.
    mutating func take(
        _ result: SettingsPruning.Result,
        of path: String,
        removing place: String? = nil
    ) throws(MomtoolError) {
        guard result.faults.isEmpty else { throw MomtoolError(.refused, saying: result.faults) }
        guard let text = result.text else { return }
        let shown = pathFromHere(path)
        if text.isEmpty {
            let place = place ?? shown
            change.remove(place)
            company.append("\(place): names pruned versions alone, and goes")
        } else {
            change.write(Array(text.utf8), to: shown)
            company.append("\(shown): without \(result.removed.listed(most: 5))")
        }
    }

    /// What becomes of the stores of pruned versions.
    private func tellConsequences() -> [String] {
        let gone = versions.map { ($0.name, $0.hashes) } + missing.map { ($0.name, $0.hashes) }
        var lost: [String] = []
        var lines: [String] = []
        for (name, hashes) in gone {
            if let twin = kept.last(where: { $0.hashes == hashes }) {
                lines.append(
                    "stores of '\(name)' have the hashes of '\(twin.name)', and still migrate"
                )
            } else {
                lost.append("'\(name)'")
            }
        }
        guard !lost.isEmpty else { return lines }
        return ["cannot be migrated any more: stores of \(lost.joined(separator: ", "))"] + lines
    }
}

extension Array {
    /// The element of an array that has one.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
