public import Diagnostics
import Essentials
import ModelHashing
import ModelLoading
package import ObjectModel
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

extension RepairOptions {
    /// Takes the decisions in advice, without those for other calls; throws for names and values that no model has.
    package init(
        following advice: [Advice],
        in model: ManagedObjectModel,
        of store: StoreFile
    ) throws(MomtoolError) {
        self = RepairOptions(Set(advice))
        isOwnModel = store.carries(model)
        for advice in advice {
            switch advice {
            case .setValue(let name, let text): values[name] = try model.value(text, of: name)
            case .clearValues(let name): try model.requireOptional(name)
            case .dropOwnerless(let entity): try model.require(entity)
            case .pruneHistory(let days):
                guard days >= 0, days.isFinite else {
                    throw MomtoolError(usage: "the age of history is a number of days, 0 or more")
                }
                historyStart = Date().timeIntervalSinceReferenceDate - days * 24 * 60 * 60
            default: break
            }
        }
        let both = values.keys.sorted().first { decisions.contains(.clearValues(of: $0)) }
        guard let name = both else { return }
        throw MomtoolError(usage: "'\(name)' cannot be both nil and a value; give only one")
    }
}

extension StoreFile {
    /// Whether a store without records of its version carries a model, which is then the one that wrote it.
    fileprivate func carries(_ model: ManagedObjectModel) -> Bool {
        guard (try? metadata().saysVersion) != true || (try? primaryKeys()) == nil,
            let own = try? embeddedVersion(of: self), !own.hasErrors
        else { return false }
        return own.value.hashes == versionHashes(of: model)
    }
}

extension ManagedObjectModel {
    fileprivate func require(_ entity: String) throws(MomtoolError) {
        let known = entities.map(\.name)
        guard known.contains(entity) else {
            let nearest = suggestion(for: entity, among: known)
            throw MomtoolError(usage: "there is no entity '\(entity)'\(nearest)")
        }
    }

    fileprivate func value(_ text: String, of name: String) throws(MomtoolError) -> AttributeValue {
        let attribute = try attribute(name)
        let isDate = attribute.type == .date
        let value =
            isDate
            ? storedDate(text).map { .date($0) }
            : attributeValue(ofText: text, type: attribute.type)
        guard let value else {
            let type = attribute.type.sourceName ?? "Undefined"
            let form = isDate ? "; write it as 2024-02-29 or 2024-02-29T12:30:00Z" : ""
            throw MomtoolError(usage: "'\(text)' is not a value of type \(type)\(form)")
        }
        return value
    }

    fileprivate func requireOptional(_ name: String) throws(MomtoolError) {
        guard try !attribute(name).isOptional else { return }
        throw MomtoolError(usage: "'\(name)' is required and cannot be nil; give it a value")
    }

    private func attribute(_ name: String) throws(MomtoolError) -> Attribute {
        let names = name.split(separator: ".").map(String.init)
        let entity = entities.first { $0.name == names.first }
        let attribute = entity?.attributes.first { $0.name == names.last }
        guard names.count == 2, let attribute else {
            let known = entities.flatMap { entity in
                entity.attributes.map { "\(entity.name).\($0.name)" }
            }
            let nearest = suggestion(for: name, among: known)
            throw MomtoolError(usage: "there is no attribute '\(name)'\(nearest)")
        }
        return attribute
    }
}
