import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelHashing
import ModelLoading
import ObjectModel
import SwiftDataReading

extension SwiftSourceEditor {
    /// Freezes after the fact the version that the sources had at a revision, with its hashes and its own classes.
    ///
    /// In the plan it comes before what is newer; a stage that led there leads from it, with its functions, or to it
    /// where it did so at the revision. The lock gets its name.
    package mutating func restoreVersion(
        of revision: String,
        named name: String? = nil
    ) throws(MomtoolError) {
        let current = try version
        let folder = resolvedPath(path).split(separator: "/").last.map(String.init) ?? path
        let origin = "\(revision):\(path == "." || path.hasPrefix("..") ? folder : path)"
        let read = try ModelPlace(path, at: revision, readsSwift: true).readUsable()
        guard !read.hasErrors else { throw MomtoolError(.badData, saying: read.diagnostics) }
        let shipped = try read.value.chosenVersion()
        if let known = bundle.versions.first(where: { $0.hashes == shipped.hashes }) {
            throw refusal("'\(known.name)' has the hashes of \(origin) already")
        }
        let fresh = try newName(name ?? typeName(after: revision))
        let isListed = bundle.swift?.schemas.contains(current.name) == true
        if !isListed { try requireNoVersions() }
        let planned = try isListed ? plannedVersions(upTo: current) : [current]
        let place = successor(of: revision, among: planned)
        let former = place > 0 ? planned[place - 1] : nil
        let numbers = numbers(of: shipped, after: former, isListed: isListed)
        let earlier = (bundle: read.value, origin: origin)
        let text = try frozenText(of: shipped, named: fresh, identifier: numbers, in: earlier)
        let frozen = FrozenVersion(fresh, shipped.hashes, number: numbers[0], text)
        if isListed {
            let isAsThen = read.value.swift?.plans.flatMap(\.stages).contains {
                $0.from == former?.name && $0.to == shipped.name
            }
            try enter(
                frozen,
                before: planned[place],
                after: former,
                upTo: current,
                isAsThen == true
            )
        } else {
            try startFirstVersions(of: current, after: frozen, named: nil)
        }
        guard let file = try LockFile(ofModel: path).read(), !file.hasErrors else { return }
        let (lock, renamed) = file.value.lock.following(bundle.versions)
        guard lock.versions.contains(where: { $0.isSame(as: shipped) }) else {
            return remarks.append("its hashes are those of no version in the lock")
        }
        guard !renamed.isEmpty else { return }
        lockChange = .write(path: file.value.path, bytes: Array(lock.text.utf8))
        remarks += renamed.map { "'\($0.oldName)' in the lock is '\($0.newName)' now" }
    }

    /// Puts a version into the plans that end with the current one, before one of their versions.
    private mutating func enter(
        _ frozen: FrozenVersion,
        before next: ModelVersion,
        after former: ModelVersion?,
        upTo current: ModelVersion,
        _ leadsToIt: Bool
    ) throws(MomtoolError) {
        var edits: [Int: [SwiftEdit]] = [:]
        for plan in plans(endingWith: current) {
            let (file, offset) = try position(of: plan.source.element)
            let edit = SwiftEdit.enterInPlan(
                at: offset,
                version: frozen.name,
                before: next.name.lastName,
                after: former?.name.lastName,
                leadsToIt: leadsToIt
            )
            edits[file, default: []].append(edit)
            let stage = plan.stages.first { $0.from == former?.name && $0.to == next.name }
            if let former, stage?.kind == .custom {
                let end = leadsToIt ? "leads to" : "starts from"
                remarks.append(
                    "the stage from '\(former.name)' now \(end) '\(frozen.name)': its functions must fetch the classes of '\(frozen.name)'"
                )
            }
        }
        let (home, _) = try position(of: current.model.source.element)
        var files = try edited(edits)
        let text = indented(frozen.text, by: unit(of: home))
        let path = folder(of: sources[home].path) + "/\(frozen.name).swift"
        files.append(SwiftSource(path: path, bytes: Array(text.utf8)))
        try take(files, editing: current.name) { _ in false }
        try requireHashes([(frozen.name, frozen.hashes), (next.name, next.hashes)])
    }

    private func plans(endingWith version: ModelVersion) -> [SwiftMigrationPlan] {
        (bundle.swift?.plans ?? []).filter { $0.schemas.last == version.name }
    }

    /// The versions of the plan that ends with one, which must be there.
    private func plannedVersions(
        upTo version: ModelVersion
    ) throws(MomtoolError) -> [ModelVersion] {
        guard let plan = plans(endingWith: version).first else {
            throw refusal("no plan ends with '\(version.name)'; by hand: \(versionsByHand)")
        }
        return plan.schemas.compactMap { bundle.version(named: $0) }
    }

    /// The place of the first version that the history until a revision lacks, and the whole one has; else of the last.
    private func successor(of revision: String, among versions: [ModelVersion]) -> Int {
        func hashes(_ range: String?) -> Set<ModelHashes> {
            Set((try? ModelHistory(of: path, range: range))?.versions.map(\.hashes) ?? [])
        }
        let last = versions.count - 1
        guard last > 0 else { return last }
        let (before, all) = (hashes(revision), hashes(nil))
        return versions.dropLast().firstIndex {
            !before.contains($0.hashes) && all.contains($0.hashes)
        } ?? last
    }

    /// The identifier of a version that shipped; where another version has it, one behind that of the version before.
    private func numbers(
        of shipped: ModelVersion,
        after former: ModelVersion?,
        isListed: Bool
    ) -> [Int] {
        func numbers(_ version: ModelVersion?) -> [Int]? {
            let text = version?.model.versionIdentifiers.first ?? ""
            let parts = text.split(separator: ".").compactMap { Int($0) }
            return parts.count == 3 ? parts : nil
        }
        let taken = isListed ? bundle.versions.compactMap(numbers) : []
        var own = numbers(shipped) ?? [1, 0, 0]
        if taken.contains(own) { own = numbers(former) ?? [0, 0, 0] }
        while taken.contains(own), own[2] < .max { own[2] += 1 }
        return own
    }

    /// The name of a version that is called after a revision, as `SchemaV1_4` after `v1.4`.
    private func typeName(after revision: String) -> String {
        let name = revision.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return "Schema" + (name.first?.uppercased() ?? "") + String(name.dropFirst())
    }
}

extension String {
    /// The name of a version without the types around it.
    fileprivate var lastName: String { split(separator: ".").last.map(String.init) ?? self }
}
