public import Diagnostics
import Essentials
import ObjectModel
package import StoreFormat
package import StoreMigration

extension Doctor {
    /// What a repair did.
    public struct Repair: Sendable, Hashable {
        /// What was done, a line each; empty where there was nothing to do.
        public var steps: [String]
        /// Faults that remain, as no repair of them is known.
        public var remaining: [Diagnostic]
    }

    /// Repairs a copy of a store into a new file; the store itself is only read.
    ///
    /// Missing tables, columns, indexes and numbers come back, wrong keys and counters are computed again, and links
    /// that one side still has are written on the other. Nothing is invented: the error's ``MomtoolError/advice`` asks
    /// for missing values.
    ///
    /// ```swift
    /// let advice: [Advice] = [.clearLinks, .setValue(of: "Book.title", to: "untitled")]
    /// let repair = try Doctor(model).repair("Shop.sqlite", to: "Repaired.sqlite", following: advice)
    /// print(repair.steps, repair.remaining)
    /// ```
    ///
    /// The store may lack its metadata; the new file must not exist. Throws if a decision is needed; then there is no
    /// new file.
    public func repair(
        _ path: String,
        to output: String,
        following advice: [Advice] = [],
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> Repair {
        try repair(MigrationTarget(store: path, output: output), advice, progress)
    }

    /// Repairs a store where it is, in one transaction.
    ///
    /// `backup` is the path of a copy of the store before a repair, which must not exist. Throws where a decision is
    /// needed; then the store is unchanged. The rest is as of ``repair(_:to:following:progress:)``.
    public func repairInPlace(
        _ path: String,
        backup: String?,
        following advice: [Advice] = [],
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> Repair {
        try repair(MigrationTarget(store: path, backup: backup), advice, progress)
    }

    private func repair(
        _ target: MigrationTarget,
        _ advice: [Advice],
        _ progress: ProgressHandler?
    ) throws(MomtoolError) -> Repair {
        let (relay, cancellation) = (ProgressRelay(progress), MigrationCancellation.current)
        do {
            // Where a model is named, missing tables that make a database a store can be made again.
            let file = try StoreFile(path: target.store, requiringSystemTables: model == nil)
            let content = try content(of: file, advice)
            let repair = try StoreRepair(
                of: file,
                against: content,
                options: RepairOptions(following: advice, in: content, of: file),
                cancellation: cancellation,
                progress: relay.counting("look")
            )
            guard repair.obstacles.isEmpty else { throw refusal(of: repair, file) }
            let hasUpkeep = advice.contains(.removeFiles) || advice.contains(.compact)
            // Changes that only upkeep makes need a backup, too.
            if target.output != nil || !repair.steps.isEmpty || hasUpkeep && target.backup != nil {
                try target.run(repair, of: file, cancellation, relay.counting("repair"))
            }
            if hasUpkeep {
                try StoreUpkeep.run(
                    at: target.output ?? target.store,
                    against: content,
                    removingFiles: advice.contains(.removeFiles),
                    compacting: advice.contains(.compact)
                )
            }
            relay?.finish()
            return Repair(steps: repair.steps.map(\.purpose), remaining: repair.remaining)
        } catch { throw MomtoolError(error).following(advice) }
    }

    /// The open decisions, each with the advice that takes it.
    private func refusal(of repair: StoreRepair, _ file: StoreFile) -> MomtoolError {
        let versions = file.saysVersion ? [] : fitting(file)
        return MomtoolError(
            .refused,
            saying: repair.obstacles.map { obstacle in
                Diagnostic(
                    "repair-needs-decision",
                    saying: "\(obstacle.problem): \(obstacle.remedy)",
                    at: FileLocation(path: file.path),
                    element: obstacle.asksFor,
                    advice: obstacle.advice + versions.map { .takeVersion($0) }
                )
            }
        )
    }

    /// The model for the repair of a store: the named version, or the one that wrote it; if that is not recorded, the
    /// store's own model if it fits, otherwise the current version.
    private func content(
        of file: StoreFile,
        _ advice: [Advice]
    ) throws(MomtoolError) -> ManagedObjectModel {
        for case .takeVersion(let name) in advice.reversed() {
            guard let model else {
                let message = "name the model with the version '\(name)'"
                throw MomtoolError(.usage, file.path, message, .notAModel, advice: [.nameModel])
            }
            return try model.version(name).model
        }
        if model != nil, !file.saysVersion, let own = try? embeddedVersion(of: file),
            !own.hasErrors, StoreRepair.fits(own.value.model, in: file, isOwn: true)
        {
            return own.value.model
        }
        return try file.content(by: model)
    }

    /// The newest version of the model that fits every table of a store; none where the current one does, or none fits.
    private func fitting(_ file: StoreFile) -> [String] {
        guard let model, let current = try? model.version(),
            !StoreRepair.fits(current.model, in: file),
            let version = model.versions.last(where: { StoreRepair.fits($0.model, in: file) })
        else { return [] }
        return [version.name]
    }
}

extension MigrationTarget {
    /// Repairs a copy of the store into the output, or the store itself.
    package func run(
        _ repair: StoreRepair,
        of file: StoreFile,
        _ cancellation: MigrationCancellation?,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(StoreMigrationError) {
        if let output {
            try repair.run(
                from: file,
                toNewFile: output,
                cancellation: cancellation,
                progress: progress
            )
        } else {
            try repair.run(
                inPlace: store,
                backup: backup,
                cancellation: cancellation,
                progress: progress
            )
        }
    }
}

extension StoreFile { fileprivate var saysVersion: Bool { (try? metadata().saysVersion) == true } }

extension Doctor.Repair: CustomStringConvertible {
    /// How many steps there were and what remains, on one line.
    public var description: String {
        let left = remaining.isEmpty ? "" : ", \(remaining.count.counted("finding")) left"
        return steps.count.counted("step") + left
    }
}
