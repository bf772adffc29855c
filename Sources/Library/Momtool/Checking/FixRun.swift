package import Diagnostics
import Essentials
import FileSystem
import MappingInference
package import ModelChecking
import ModelHashing
import ModelLoading
import ObjectModel

/// What the fixes of findings make of the files of a model; nothing is written here.
package struct FixRun: Sendable {
    package struct File: Sendable, Hashable {
        package var path: String
        package var bytes: [UInt8]
    }

    package private(set) var files: [File] = []
    package private(set) var made: [Fix] = []
    /// What was left out and why, and what is left to do by hand, a line each.
    package private(set) var remarks: [Wording] = []

    package init(
        _ result: Linter.Result,
        _ swift: SwiftSettings = SwiftSettings()
    ) throws(MomtoolError) {
        let (bundle, lock) = (result.bundle, result.lockFile)
        let fixes = result.findings.compactMap(\.fix)
        noteHarms(of: result.findings)
        let edited = fixes.filter { $0.isOfSource && !$0.isOfSwift }
        let sources = Dictionary(grouping: edited, by: \.path)
        for path in sources.keys.sorted() { fix(path, sources[path] ?? []) }
        writeInverses(fixes.filter(\.isOfSwift), bundle.path, swift)
        try list(in: bundle, fixes)
        for fix in fixes.filter({ !$0.isOfSource }) {
            for change in fix.changes {
                switch change.edit {
                case .nameCurrent(let name):
                    try take(VersionChange.namingCurrent(name, of: bundle), by: [fix])
                case .renameInLock where !files.contains { $0.path == lock.path }:
                    guard let read = try lock.read(), !read.hasErrors else { continue }
                    let text = read.value.lock.following(bundle.versions).lock.text
                    files.append(File(path: lock.path, bytes: Array(text.utf8)))
                    made.append(fix)
                default: break
                }
            }
        }
        noteObstacles(of: result.findings)
    }

    private mutating func fix(_ path: String, _ fixes: [Fix]) {
        guard let bytes = try? readFile(path, limit: .max) else { return }
        let fixed = applying(fixes, to: bytes)
        guard !fixed.made.isEmpty else { return }
        files.append(File(path: path, bytes: fixed.text))
        made += fixed.made
    }

    /// Edits Swift sources, all or none: they are read again, and every version must be the same as before.
    private mutating func writeInverses(_ fixes: [Fix], _ path: String, _ swift: SwiftSettings) {
        let inverses = fixes.flatMap(\.changes).compactMap { change in
            if case .writeInverse(let entity, let property) = change.edit {
                SwiftSourceEditor.Inverse(at: change.location, entity: entity, property: property)
            } else {
                nil
            }
        }
        guard !inverses.isEmpty else { return }
        do throws(MomtoolError) {
            var editor = try SwiftSourceEditor(path, swift, isDry: true)
            try editor.write(inverses)
            for case .write(let path, let bytes) in editor.changes {
                files.append(File(path: path, bytes: bytes))
            }
            made += fixes
        } catch { remarks.append("\(path): left alone: \(error.lines.joined(separator: "\n"))") }
    }

    /// Lists versions in the projects; notes projects that another tool makes or that cannot be edited safely.
    private mutating func list(in bundle: ModelBundle, _ fixes: [Fix]) throws(MomtoolError) {
        var names: [String] = []
        var current: String?
        var listing: [Fix] = []
        for fix in fixes {
            for case .enterInProject(let name, let isCurrent) in fix.changes.map(\.edit)
            where !names.contains(name) {
                names.append(name)
                listing.append(fix)
                if isCurrent { current = name }
            }
        }
        guard !names.isEmpty else { return }
        let change = VersionChange.listing(names, current: current, of: bundle)
        take(change, by: change.changes.isEmpty ? [] : listing)
    }

    private mutating func take(_ change: VersionChange, by fixes: [Fix]) {
        for case .write(let path, let bytes) in change.changes {
            files.append(File(path: path, bytes: bytes))
        }
        made += fixes
        remarks += change.remarks.map { Wording($0) }
    }

    private mutating func noteHarms(of findings: [Finding]) {
        remarks = findings.compactMap { finding in
            guard case .harm(let reason, let place)? = finding.obstacle else { return nil }
            let rule = finding.diagnostic.rule
            return Diagnostic(rule, "not fixed: \(reason)", severity: .note, at: place).printed
        }
    }

    private mutating func noteObstacles(of findings: [Finding]) {
        let left = findings.count { finding in
            finding.fix == nil && finding.diagnostic.severity > .note
                && Rule.named(finding.diagnostic.rule.rawValue)?.fix != nil
                && finding.diagnostic.location?.path.hasSuffix(".swift") == true
        }
        if left > 0 {
            remarks.append(
                "\(left.counted("finding")) in Swift sources must be fixed by hand: only inverses are written there"
            )
        }
        var reasons: [String: Int] = [:]
        for case .movesHash(let reason)? in findings.map(\.obstacle) {
            reasons[reason, default: 0] += 1
        }
        remarks += reasons.sorted { $0.key < $1.key }.map { reason, count in
            """
            \(count.counted("fix", "fixes")) would change the hash of a version and \(count == 1 ? "is" : "are") left out, as \(reason)
            """
        }
    }
}

extension Linter.Result {
    /// Returns the result with only the permitted fixes; the findings of the others say why not.
    ///
    /// Reports and `lint --fix` both go by it: no fix writes into a version that shipped, moves a hash that it must
    /// not, leaves a new fault, or makes a step lose what it keeps now.
    func guardingFixes() -> Linter.Result {
        var result = self
        let locked = Set(lock?.versions.map(\.name) ?? [])
        lazy var places = RelationshipPlaces(bundle.versions)
        for index in findings.indices {
            guard let obstacle = obstacle(to: findings[index], locked, places) else { continue }
            result.refuse(index, obstacle)
        }
        let open = result.findings.indices.filter { index in
            result.findings[index].fix.map { $0.isOfSource && !$0.isOfSwift } ?? false
        }
        for (path, own) in Dictionary(grouping: open, by: { result.findings[$0].fix?.path ?? "" }) {
            guard let bytes = try? readFile(path, limit: 64 << 20) else {
                for index in own { result.refuseHarm(index, "the file could not be read again") }
                continue
            }
            func harm(of indices: [Int]) -> String? {
                self.harm(of: indices.compactMap { result.findings[$0].fix }, in: path, bytes)
            }
            guard let whole = harm(of: own) else { continue }
            // One of the fixes is harmful; try each alone.
            for index in own {
                let reason = own.count == 1 ? whole : harm(of: [index])
                if let reason { result.refuseHarm(index, reason) }
            }
            let rest = own.filter { result.findings[$0].fix != nil }
            guard rest.count > 1, let together = harm(of: rest) else { continue }
            for index in rest { result.refuseHarm(index, together) }
        }
        return result
    }

    private mutating func refuse(_ index: Int, _ obstacle: Finding.Obstacle) {
        findings[index].obstacle = obstacle
        findings[index].fix = nil
    }

    private mutating func refuseHarm(_ index: Int, _ reason: String) {
        let place = findings[index].fix?.changes.first?.location
        refuse(index, .harm(reason, at: place))
    }

    /// Why the lock forbids a fix; `nil` for nothing.
    ///
    /// Stores are known by the hash: a version that shipped and gets another hash opens none of them. Without a lock it
    /// is not known what shipped.
    private func obstacle(
        to finding: Finding,
        _ locked: Set<String>,
        _ places: @autoclosure () -> RelationshipPlaces
    ) -> Finding.Obstacle? {
        // Files beside the versions are not part of them.
        guard let fix = finding.fix, fix.isOfSource else { return nil }
        guard !fix.movesHash else {
            let name = finding.version ?? ""
            if locked.isEmpty { return .movesHash("'\(name)' may have shipped, as no lock says") }
            if locked.contains(name) { return .movesHash("'\(name)' is locked") }
            guard bundle.versions.last?.name == name else {
                return .movesHash("'\(name)' is not the newest version")
            }
            return nil
        }
        let place = fix.changes.first?.location
        let owners =
            fix.isOfSwift
            ? place.map { places().owners(of: $0).map(\.version.name) } ?? []
            : [finding.version].compactMap(\.self)
        return owners.first(where: locked.contains).map { name in
            .harm("'\(name)' is locked, and stores in the field have it", at: place)
        }
    }

    /// The harm that fixes of a file do to its version and the steps from and to it; `nil` for none.
    private func harm(of fixes: [Fix], in path: String, _ bytes: [UInt8]) -> String? {
        let text = applying(fixes, to: bytes).text
        let (before, after) = (
            readModel(source: bytes, path: path), readModel(source: text, path: path)
        )
        guard after.errorCount <= before.errorCount else {
            return "the version could not be read afterwards"
        }
        // A model with errors has neither hashes nor steps.
        guard !before.hasErrors else { return nil }
        let versions = bundle.versions
        let index = versions.firstIndex { path == $0.path || path.hasPrefix($0.path + "/") }
        let name = index.map { versions[$0].name } ?? ""
        let old = ModelVersion(name: name, path: path, model: before.value)
        let new = ModelVersion(name: name, path: path, model: after.value)
        guard old.hashes == new.hashes || fixes.contains(where: \.movesHash) else {
            return "it would change the version '\(name)'"
        }
        // A rewrite changes the form of the file, not its meaning.
        let isForm = fixes.allSatisfy { $0.changes.allSatisfy { $0.edit == .rewrite } }
        guard let index, !isForm else { return nil }
        var lost: [StepLoss] = []
        if index > 0 {
            let source = versions[index - 1]
            lost += losses(source, new, beyond: { stepLosses(from: source, to: old) })
        }
        if index + 1 < versions.count {
            let target = versions[index + 1]
            lost += losses(new, target, beyond: { stepLosses(from: old, to: target) })
        }
        return lost.first.map { "\($0.name): \($0.effect)" }
    }

    private func losses(
        _ source: ModelVersion,
        _ target: ModelVersion,
        beyond known: () -> [StepLoss]
    ) -> [StepLoss] {
        let all = stepLosses(from: source, to: target)
        guard !all.isEmpty else { return [] }
        let names = Set(known().map(\.name))
        return all.filter { !names.contains($0.name) }
    }
}

extension Diagnosed {
    fileprivate var errorCount: Int { diagnostics.count { $0.severity == .error } }
}

extension Fix {
    var isOfSource: Bool {
        changes.allSatisfy { change in
            switch change.edit {
            case .tag, .rewrite, .writeInverse: true
            case .enterInProject, .nameCurrent, .renameInLock: false
            }
        }
    }

    var isOfSwift: Bool { path.hasSuffix(".swift") }
}
