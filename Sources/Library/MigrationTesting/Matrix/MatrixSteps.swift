package import Diagnostics
import Essentials
import MappingInference
import MigrationPlanning
import ModelDiffing
import ModelHashing
package import ModelLoading
package import Momtool
import ObjectModel
import SettingsFiles
import StoreFormat
import StoreMigration

/// Accounts for each step that changes the version, from the stores kept between them: its faults and its counts.
func stepAccounts(
    of migration: Migration,
    _ stores: (old: StoreFile, new: StoreFile),
    keptIn folder: String?,
    _ losses: [RowRisk]
) throws -> [(faults: [String], note: String)] {
    try migration.steps.enumerated().filter { $0.element.step.kind.changesVersion }.map {
        index,
        step in
        let (old, new) = try (
            index == 0 ? stores.old : kept(index - 1, of: migration, in: folder) ?? stores.old,
            kept(index, of: migration, in: folder) ?? stores.new
        )
        let (faults, note) = try accounted(step, from: old, to: new, losses)
        return (faults.map(\.onOneLine), note.onOneLine)
    }
}

/// The store kept after the step at an index; `nil` for none.
private func kept(_ index: Int, of migration: Migration, in folder: String?) throws -> StoreFile? {
    guard let folder else { return nil }
    return try StoreFile(path: migration.keptPath(after: index, in: folder))
}

/// Accounts for each object of one inferred step; a map's objects are only counted.
private func accounted(
    _ step: Migration.Step,
    from store: StoreFile,
    to migrated: StoreFile,
    _ losses: [RowRisk]
) throws -> (faults: [String], note: String) {
    let (source, target) = (step.step.source.model, step.step.destination.model)
    let (old, new) = (
        try StoreDump(keysOf: store, model: source), try StoreDump(keysOf: migrated, model: target)
    )
    guard step.step.kind == .lightweight, let mapping = step.mapping else {
        let counts = new.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return ([], "\(step.title): \(counts.isEmpty ? "no rows" : counts.joined(separator: ", "))")
    }
    let faults = try accountingFaults(
        before: old,
        after: new,
        mapping: mapping,
        from: source,
        to: target,
        losses: losses
    )
    return (faults, countsText(old, new, mapping))
}

/// The objects of each entity, in and out, such as `Draft 3 → 0, Person 12 → Human 12`.
private func countsText(
    _ before: StoreDump,
    _ after: StoreDump,
    _ mapping: InferredMapping
) -> String {
    let (old, new) = (before.counts, after.counts)
    let texts = mapping.entityMappings.compactMap { mapping -> String? in
        let count = mapping.sourceEntity.flatMap { old[$0] }
        let newCount = mapping.destinationEntity.flatMap { new[$0] } ?? 0
        guard count != nil || newCount > 0 else { return nil }
        let name = mapping.sourceEntity ?? mapping.destinationEntity ?? ""
        let isRenamed =
            mapping.sourceEntity != nil && mapping.sourceEntity != mapping.destinationEntity
        let newName = isRenamed ? mapping.destinationEntity.map { "\($0) " } ?? "" : ""
        return "\(name) \(count ?? 0) → \(newName)\(newCount)"
    }
    return texts.isEmpty ? "no rows" : texts.sorted().joined(separator: ", ")
}

extension MatrixOptions {
    func say(_ wording: Wording) -> String { wording.text(in: words) }

    /// The options of a run: losses are judged afterwards, and stores between steps are kept for that.
    func running(_ migration: Migration, in folder: URL) -> MigrationOptions {
        var options = MigrationOptions(acceptsLosses: .all)
        options.allowsPrograms = allowsPrograms
        if migration.steps.count > 1 { options.stagesFolder = folder.appending(path: "steps").path }
        return options
    }
}

extension ModelGraph {
    /// Whether a finding is of the number of links of a to-many relationship, which Core Data checks when objects are saved.
    func isOfLinkCount(_ finding: Diagnostic) -> Bool {
        guard [.missingDestination, .destinationCount].contains(finding.rule),
            let entity = finding.entity, let name = finding.property
        else { return false }
        return relationship(name, ofEntity: entity)?.isToMany ?? false
    }
}

/// The model that a store carries, from which SwiftData infers the step where the app has no versions; `nil` for a store
/// of another app.
func ownVersion(of store: StoreFile, _ target: ModelVersion) throws -> ModelVersion? {
    guard target.isMigratedUnasked, let own = try embeddedVersion(of: store)?.value,
        try own.hashes == store.metadata().hashes,
        !Set(own.hashes.entityNames).isDisjoint(with: target.hashes.entityNames)
    else { return nil }
    return own
}

/// Says which version is nearest to the model that a store carries, and what it has otherwise, as after an edit in place.
func nearest(to store: StoreFile, among versions: [ModelVersion]) -> String {
    guard let own = try? embeddedVersion(of: store)?.value,
        !Set(versions.flatMap(\.hashes.entityNames)).isDisjoint(with: own.hashes.entityNames),
        case .nearest(let name, _) = identify(storeHashes: own.hashes, among: versions),
        let version = versions.last(where: { $0.name == name })
    else { return "" }
    let changes = inferMapping(from: own, to: version).judgements.map(\.change)
    let names = changes.filter(\.movesVersionHash).compactMap(\.subject.path)
    return "; nearest is '\(name)', which differs in \(names.listed(most: 5))"
}

/// How an app migrates stores to the version of its model, and what may be lost on the way.
package struct AppMigrations: Sendable {
    package let migrator: Migrator
    package let options: MatrixOptions
    /// The notes on named losses that match nothing.
    package let unmatchedLosses: [Diagnostic]
    let settings: ToolConfiguration

    /// Reads the configuration of a model and its mapping models; `older` have further versions of stores.
    package init(
        of bundle: ModelBundle,
        beside older: [ModelBundle] = [],
        _ options: MatrixOptions,
        taking shipped: ShippedLosses = .taken,
        _ swift: SwiftSettings = SwiftSettings()
    ) throws(MomtoolError) {
        settings = try Momtool.settings(for: bundle.path)
        let mappings = try MappingModels(around: bundle.path, settings)
        migrator = try Migrator(
            by: settings,
            of: bundle,
            beside: older,
            mappingModels: mappings,
            swift
        )
        unmatchedLosses = Linter.unmatchedLosses(of: bundle, settings, mappings)
        self.options = options.following(
            settings,
            bundle.lossLedger(settings, shipped, beside: mappings),
            locked: bundle.lossLedger(settings, .named)
        )
    }
}
