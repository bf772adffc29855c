import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import ModelHashing
import ObjectModel

/// What the fixes of findings make of the files of a model; nothing is written here.
///
/// No fix is believed: a source whose hashes it changes though it should not, or in which it leaves a new error, stays as
/// it is.
package struct FixRun: Sendable {
    /// A file as it will be.
    package struct File: Sendable, Hashable {
        /// Its path.
        package var path: String
        /// Its content.
        package var bytes: [UInt8]
    }

    /// The files that change.
    package private(set) var files: [File] = []
    /// The number of fixes that are carried out.
    package private(set) var count = 0
    /// What was left out and why, and what is left to do by hand, a line each.
    package private(set) var remarks: [String] = []

    /// Carries out fixes.
    ///
    /// - Parameters:
    ///   - result: the model with its findings.
    ///   - lock: the lock that the model was compared with.
    /// - Throws: ``MomtoolError`` for a file beside the model that cannot be written.
    package init(_ result: Linter.Result, _ lock: LockFile) throws(MomtoolError) {
        let bundle = result.bundle
        let (fixes, refused) = result.safeFixes()
        remarks = refused.map(\.description)
        let sources = Dictionary(grouping: fixes.filter(\.isOfSource), by: \.path)
        for path in sources.keys.sorted() { fix(path, sources[path] ?? []) }
        try list(in: bundle, fixes)
        for fix in fixes.filter({ !$0.isOfSource }) {
            for change in fix.changes {
                switch change.edit {
                case .nameCurrent(let name):
                    try take(VersionChange.namingCurrent(name, of: bundle), fixing: 1)
                case .renameInLock where !files.contains { $0.path == lock.path }:
                    guard let read = try lock.read(), !read.hasErrors else { continue }
                    let text = read.value.lock.following(bundle.versions).lock.text
                    files.append(File(path: lock.path, bytes: Array(text.utf8)))
                    count += 1
                default: break
                }
            }
        }
        noteObstacles(of: result.findings)
    }

    private mutating func fix(_ path: String, _ fixes: [Fix]) {
        guard let bytes = try? readFile(path, limit: .max) else { return }
        let fixed = applying(fixes, to: bytes)
        guard fixed.count > 0 else { return }
        let (old, new) = (
            readModel(source: bytes, path: path), readModel(source: fixed.text, path: path)
        )
        let isOther =
            ModelVersion(name: "", model: old.value).hashes
            != ModelVersion(name: "", model: new.value).hashes
        // A model with errors has no hashes that stores could have.
        let isMeant = old.hasErrors || fixes.contains(where: \.movesHash)
        let errors = { (read: Diagnosed<ManagedObjectModel>) in
            read.diagnostics.count { $0.severity == .error }
        }
        guard !isOther || isMeant, errors(new) <= errors(old) else {
            remarks.append("\(path): left alone, as its fixes would make it another model")
            return
        }
        files.append(File(path: path, bytes: fixed.text))
        count += fixed.count
    }

    /// Lists versions in the projects; what another tool makes or is not edited surely is told.
    private mutating func list(in bundle: ModelBundle, _ fixes: [Fix]) throws(MomtoolError) {
        var names: [String] = []
        var current: String?
        for edit in fixes.flatMap(\.changes).map(\.edit) {
            guard case .enterInProject(let name, let isCurrent) = edit, !names.contains(name) else {
                continue
            }
            names.append(name)
            if isCurrent { current = name }
        }
        guard !names.isEmpty else { return }
        let change = VersionChange.listing(names, current: current, of: bundle)
        take(change, fixing: change.changes.isEmpty ? 0 : names.count)
    }

    private mutating func take(_ change: VersionChange, fixing fixes: Int) {
        for case .write(let path, let bytes) in change.changes {
            files.append(File(path: path, bytes: bytes))
        }
        count += fixes
        remarks += change.remarks
    }

    private mutating func noteObstacles(of findings: [Finding]) {
        var reasons: [String: Int] = [:]
        for reason in findings.compactMap(\.obstacle) { reasons[reason, default: 0] += 1 }
        remarks += reasons.sorted { $0.key < $1.key }.map { reason, count in
            "\(count.counted("cure")) would move the hash of a version and \(count == 1 ? "is" : "are") left "
                + "out, as \(reason)"
        }
    }
}

extension Fix {
    /// Whether it edits the source of a version, rather than what lies beside it.
    var isOfSource: Bool {
        changes.allSatisfy { change in
            switch change.edit {
            case .rename, .remove, .add, .set, .replace, .removeTwin, .rewrite: true
            case .enterInProject, .nameCurrent, .renameInLock: false
            }
        }
    }
}
