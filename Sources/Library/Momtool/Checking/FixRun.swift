package import Diagnostics
import Essentials
import FileSystem
package import ModelChecking
import ModelLoading

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
