import Diagnostics
import FileSystem
import MappingInference
import ModelChecking
import ModelDiffing
import ModelLoading
import Momtool
import ObjectModel

extension ProjectCheck {
    /// Says what differs from a git revision, and what its lock says of the versions.
    mutating func compare(_ result: Linter.Result, _ model: String) {
        let bundle = result.bundle
        guard let revision = options.revision, let current = bundle.currentVersion else { return }
        let path = ModelPlace(model).path
        defer { compareLock(bundle, path, at: revision) }
        guard var before = versionBefore(path, model, at: revision) else { return }
        // What the code of the app says is said of both sides.
        if result.isMirrored { before = before.mirrored }
        warnOfUnknown(in: current, knownTo: before, revision)
        findings += differences(from: before, to: current, since: revision)
        findings += enumFindings(from: before, to: current)
        var step = Step(model, from: before, to: current, in: bundle)
        step.from.name = "\(revision):\(before.name)"
        steps.append(step)
    }

    /// The current version of a model as a revision has it; `nil` where the revision has no such model, or none that can be
    /// read, which is told.
    private mutating func versionBefore(
        _ path: String,
        _ model: String,
        at revision: String
    ) -> ModelVersion? {
        let place = ModelPlace(
            path,
            at: revision,
            swift: options.swift,
            readsSwift: contents.swiftFolders.contains(model)
        )
        // A model that is new has nothing to be compared with.
        guard place.isInRevision else { return nil }
        do throws(MomtoolError) {
            let old = try place.readUsable()
            if !old.hasErrors || old.isReadableInParts, let before = old.value.currentVersion {
                return before
            }
            throw MomtoolError(.badData, saying: old.diagnostics.filter { $0.severity == .error })
        } catch {
            let isEmpty = error.diagnostics.contains {
                [.notAModel, "swift-no-model"].contains($0.rule)
            }
            guard !isEmpty else { return nil }
            let reason =
                error.diagnostics.first?.wording ?? error.lines.first
                ?? "no version is the current one"
            let wording: Wording =
                "nothing is compared, as the model at \(revision) cannot be read: \(reason)"
            findings.append(
                Finding(Diagnostic("not-checked", saying: wording, at: SourceLocation(path: path)))
            )
            return nil
        }
    }

    /// Compares the versions with the lock of a revision.
    private mutating func compareLock(_ bundle: ModelBundle, _ path: String, at revision: String) {
        let lock = LockFile(ofModel: path).path
        guard let text = gitText(of: lock, at: revision) else { return }
        compare(bundle, with: text, at: lock, revision)
    }

    /// Reports the locks of the revision that are gone although their models are there, and compares with them.
    mutating func checkRemovedLocks() {
        guard let revision = options.revision else { return }
        for folder in contents.folders {
            let before = LockFile.all(at: revision, below: folder)
            let known = Set(before.map(\.path))
            for (lock, text) in before where FileIdentity(of: lock) == nil {
                guard let model = LockFile.model(ofLock: lock), FileIdentity(of: model) != nil,
                    let read = try? ModelPlace(model, swift: options.swift).readChosen(),
                    !read.value.versions.isEmpty
                else { continue }
                compare(read.value, with: text, at: lock, revision)
                guard !isLocked(model, knownBefore: known) else { continue }
                let message =
                    "since \(revision): this lock was removed, so nothing keeps the versions of '\(model)' that "
                    + "shipped from being edited: bring it back, or lock the model again"
                let place = SourceLocation(path: lock)
                findings.append(
                    Finding(Diagnostic("missing-lock", message, severity: .warning, at: place))
                )
            }
        }
    }

    /// Whether a lock is about all sources at a path, or a new one about a part of them.
    private func isLocked(_ model: String, knownBefore known: Set<String>) -> Bool {
        let own = resolvedPath(model)
        return contents.locks.contains { lock in
            guard let other = LockFile.model(ofLock: lock).map(resolvedPath) else { return false }
            return own == other || own.hasPrefix(other + "/")
                || !known.contains(lock) && other.hasPrefix(own + "/")
        }
    }

    /// Compares versions with the text of a lock that a revision has.
    private mutating func compare(
        _ bundle: ModelBundle,
        with text: String,
        at lock: String,
        _ revision: String
    ) {
        let read = ModelLock.parse(text, path: "\(revision):\(lock)")
        guard !read.hasErrors else { return }
        let located = LocatedLock(
            withoutPruned(read.value, bundle, revision),
            path: "\(revision):\(lock)"
        )
        let known = Set(findings.map(\.diagnostic.message))
        findings += checkLock(bundle.versions, path: bundle.path, lock: located).filter {
            $0.diagnostic.severity == .error && !known.contains($0.diagnostic.message)
        }
    }

    /// Returns the lock of a revision without what was pruned since on purpose, which is told as a note.
    private mutating func withoutPruned(
        _ lock: ModelLock,
        _ bundle: ModelBundle,
        _ revision: String
    ) -> ModelLock {
        guard let now = bundle.lock(), !now.prunedVersions.isEmpty else { return lock }
        var lock = lock
        let path = LockFile(ofModel: bundle.path).path
        lock.versions.removeAll { old in
            guard let pruned = now.prunedVersion(withHashes: old.hashes), pruned.name == old.name
            else { return false }
            let message =
                "since \(revision): '\(old.name)' was pruned: its stores cannot be migrated any more"
            let line = SourceLocation(path: path, line: pruned.line)
            findings.append(
                Finding(
                    Diagnostic("changed-since", message, severity: .note, at: line),
                    version: old.name
                )
            )
            return true
        }
        return lock
    }
}

extension ProjectCheck {
    /// Raises what keeps an entity of Swift sources from being compared that was understood at a revision.
    ///
    /// A lock says the same; without one nobody would notice that the gate lost the entity.
    private mutating func warnOfUnknown(
        in current: ModelVersion,
        knownTo before: ModelVersion,
        _ revision: String
    ) {
        let known = Set(before.model.entities.filter(\.gaps.isEmpty).map(\.name))
        let lost = current.model.entities.filter { known.contains($0.name) }.flatMap(\.gaps)
            .map(\.description)
        guard !lost.isEmpty else { return }
        for index in findings.indices {
            let diagnostic = findings[index].diagnostic
            guard diagnostic.rule == "swift-not-understood", diagnostic.severity == .note,
                lost.contains(diagnostic.message)
            else { continue }
            findings[index].diagnostic.severity = .warning
            let note = "it was understood at \(revision); nothing compares it any more"
            findings[index].diagnostic.notes.append(Diagnostic.Note(note))
        }
    }
}

/// What differs between two versions, each difference a note.
private func differences(
    from old: ModelVersion,
    to new: ModelVersion,
    since revision: String
) -> [Finding] {
    inferMapping(from: old, to: new).judgements.filter { $0.verdict > .noEffectOnHash }
        .map { judgement in
            let element = judgement.change.subject.path ?? "the model"
            return Finding(
                Diagnostic(
                    "changed-since",
                    "since \(revision): \(element): \(judgement.effect)",
                    severity: .note,
                    at: judgement.change.toLocation ?? new.model.source.element
                        ?? SourceLocation(path: new.path),
                    element: element,
                    notes: judgement.cloudKit.map { [Diagnostic.Note($0.line)] } ?? []
                ),
                version: new.name
            )
        }
}

/// Reads a file as a git revision has it; `nil` when that has none.
private func gitText(of path: String, at revision: String) -> String? {
    let folder = parent(of: resolvedPath(path))
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let place = GitPlace("\(revision):./\(name)"),
        let files = try? GitObjects.shared(at: folder)
            .files(at: place, isNeeded: { _, _ in false })
    else { return nil }
    return files.first.map { String(decoding: $0.bytes, as: UTF8.self) }
}
