package import Diagnostics
import FileSystem
import Essentials
import MappingInference
import ModelChecking
import ModelDiffing
package import Momtool
package import MigrationPlanning
import ModelHashing
package import ObjectModel
package import SettingsFiles
import StoreFormat
import StoreMigration

/// The options of a matrix, or of a run over stores from the field.
package struct MatrixOptions: Sendable, Hashable {
    package var rows: Int
    /// Decides the values of each object: the same seed gives the same objects.
    package var seed: UInt64
    /// Whether refusals by Core Data are skipped rather than failed.
    package var skipsRefused: Bool
    /// The allowed losses; a run with any other loss fails.
    package var ledger: LossLedger
    var configured = LossLedger()
    var locked = LossLedger()
    package var allowsPrograms = false
    package var words = Words.code

    package init(
        rows: Int = 20,
        seed: UInt64 = 0,
        skipsRefused: Bool = false,
        ledger: LossLedger = LossLedger()
    ) {
        (self.ledger, self.rows, self.seed, self.skipsRefused) = (ledger, rows, seed, skipsRefused)
    }

    /// Returns the options with the settings of a project for a model; `locked` are the losses in the configuration or
    /// the lock, all of the ledger when left out.
    package func following(
        _ settings: ToolConfiguration,
        _ ledger: LossLedger,
        locked: LossLedger? = nil
    ) -> MatrixOptions {
        var options = self
        options.ledger = ledger
        options.configured = settings.ledger(of: ledger.versions)
        options.locked = locked ?? ledger
        return options
    }
}

/// Makes a test for each version that migrates generated objects to another version, and accounts for each object.
package func matrixTests(
    in group: String,
    from versions: [ModelVersion],
    to target: ModelVersion,
    by migrator: Migrator,
    options: MatrixOptions = MatrixOptions()
) -> [MigrationTest] {
    let accounts = Accounts(to: target, by: migrator, options)
    return versions.filter { !$0.isSame(as: target) }.map { version in
        let route = try? migrator.route(from: version)
        let isMapped = route?.mappingModels.isEmpty == false
        // A mapping model with unknown code may give what the others leave out.
        let isKnown = isMapped && route.map(migrator.unusedMappingModels)?.isEmpty == true
        let omitted = RowsLeftOut(
            from: version,
            to: target,
            accounts.agreements.agreement(from: version, along: route),
            mapped: isKnown ? options.configured.agreement(from: version, to: target) : nil
        )
        return test(group, "\(version.name) → \(target.name)", options) { folder, findings in
            let path = folder.appending(path: "before.sqlite").path
            try makeSampleStore(
                at: path,
                model: version.model,
                rows: options.rows,
                seed: options.seed,
                target: target.model,
                without: omitted
            )
            do {
                try accounts.check(StoreFile(path: path), of: version, in: folder, &findings)
            } catch {
                findings.remarks += accounts.advice(behind: error, version, isMapped: isMapped)
                throw error
            }
        }
    }
}

/// Makes tests that migrate copies of real stores to a version of their model, and account for each object.
///
/// A test has the path of its store below the deepest folder that holds all of them, or that in a list of stores.
package func fieldTests(
    in group: String,
    ofStores paths: [String],
    areListed: Bool = false,
    among versions: [ModelVersion],
    of model: String? = nil,
    to target: ModelVersion,
    by migrator: Migrator,
    options: MatrixOptions = MatrixOptions(),
    recorded: [String: RecordedRows] = [:]
) throws(MomtoolError) -> [MigrationTest] {
    let accounts = Accounts(to: target, by: migrator, options, isStrict: true)
    let stores = try MigrationTarget.all(for: paths, output: "", naming: .belowSharedFolder)
    return stores.map { store in
        let path = store.store
        let name = areListed ? path : store.place ?? path
        let place = FileLocation(path: path)
        return test(group, name, options, about: place) { folder, findings in
            findings.given = path
            let store = try StoreFile(path: path)
            let writer = try StoreWriter(of: store, among: versions)
            guard
                let version = try writer.map({ versions[$0.place] })
                    ?? ownVersion(of: store, target)
            else {
                let search: Hint = .identifying(path, model: model ?? group)
                let nearest = nearest(to: store, among: versions)
                findings.faults = [
                    options.say(
                        "no version of the model wrote the store\(nearest); search for it: \(search)"
                    )
                ]
                return
            }
            try accounts.check(store, of: version, in: folder, &findings)
            guard let rows = recorded[path], findings.faults.isEmpty, findings.refusals.isEmpty
            else { return }
            let after = folder.appending(path: "after.sqlite").path
            let result = Files.exists(at: after) ? try StoreFile(path: after) : store
            // Made with the cases that the version had; the hashes do not show that one is gone.
            let known = accounts.agreements.agreement(from: version)
            let gone = try verify(result, against: target.model).filter {
                $0.rule == .enumValueUnknown && !known.covers([$0.element ?? ""])
            }
            findings.faults =
                gone.map { options.say($0.printed) }
                + (try rows.differences(in: result, target.model, work: folder))
        }
    }
}

private struct Findings {
    /// The path of the given store; `nil` for one that was made.
    var given: String?
    var damage: [String] = []
    var faults: [String] = []
    /// Core Data's messages where it does not migrate at all.
    var refusals: [String] = []
    /// What a reader must know even of a passed or refused run: agreed losses, mapping models and stages that did not
    /// run, the steps that would not be refused.
    var remarks: [String] = []
    var notes: [String] = []
    /// The store and its migration, where the result has faults.
    var unexplained: (StoreFile, Migration)?
    /// The two models, for exports of kept files.
    var models: (source: ManagedObjectModel, target: ManagedObjectModel)?

    func report(in outcome: inout CaseOutcome, skipsRefused: Bool) {
        if !faults.isEmpty {
            (outcome.status, outcome.lines) = (.failed, faults)
        } else if !refusals.isEmpty {
            outcome.status = skipsRefused ? .skipped : .failed
            // What is skipped on demand is not an error.
            let all = skipsRefused ? refusals.map { $0.replacing("error: ", with: "") } : refusals
            outcome.lines = all.map { "refused: \($0)" }
        } else {
            outcome.lines = notes
        }
        outcome.remarks = remarks
        outcome.lines =
            outcome.status == .passed ? remarks + outcome.lines : outcome.lines + remarks
        outcome.lines += damage
    }

    /// Notes faults of the store before; a store without rows passes, and readers must know why.
    mutating func add(_ found: [StoreDamage], _ base: MatrixOptions) {
        for item in found {
            let line = base.say("before the migration: \(item.wording)")
            if item.finding.rule != .noRows {
                damage.append(line)
            } else if given != nil {
                remarks.append(line)
            }
        }
    }

    /// Searches all of a store for earlier faults where something is wrong now, which they explain.
    mutating func search(_ base: MatrixOptions) {
        guard let (store, migration) = unexplained,
            let found = try? migration.damage(in: store, searchingAll: true)
        else { return }
        damage = []
        add(found.filter { $0.finding.rule != .noRows }, base)
    }

    mutating func note(_ error: MomtoolError, in words: Words) {
        let isRefusal =
            switch error.migration {
            case .notInferable, .rows, .stages, .map, .damaged, .programNotAllowed: true
            case nil: error.kind == .refused
            default: false
            }
        var reason = error.migration?.wording.text(in: words) ?? error.description(in: words)
        // Core Data's words name no property.
        if case .notInferable(let found)? = error.migration {
            let names = found.compactMap(\.diagnostic.element)
            if !names.isEmpty { reason = "\(names.listed(most: 5)): \(reason)" }
        }
        if isRefusal { refusals = [reason] } else { faults = [reason] }
    }
}

private func test(
    _ group: String,
    _ name: String,
    _ options: MatrixOptions,
    about place: FileLocation? = nil,
    _ body: @escaping @Sendable (URL, inout Findings) throws -> Void
) -> MigrationTest {
    MigrationTest(group: group, name: name) { artifacts in
        let start = ContinuousClock.now
        var findings = Findings()
        let work: TemporaryFolder
        do {
            work = try TemporaryFolder()
        } catch {
            return .failed(group, name, "\(error)")
        }
        do {
            try body(work.url, &findings)
        } catch {
            findings.note(MomtoolError(error), in: options.words)
        }
        findings.search(options)
        var outcome = CaseOutcome(group: group, name: name)
        outcome.subject = place
        findings.report(in: &outcome, skipsRefused: options.skipsRefused)
        if outcome.status == .failed, let artifacts {
            keepArtifacts(
                of: outcome,
                from: work.url,
                given: findings.given,
                at: artifacts,
                source: findings.models?.source,
                target: findings.models?.target
            )
        }
        outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
        return outcome
    }
}

/// Accounts for what migrations to one version do with the objects of stores.
private struct Accounts: Sendable {
    let target: ModelVersion
    let migrator: Migrator
    let base: MatrixOptions
    let agreements: Agreements

    init(
        to target: ModelVersion,
        by migrator: Migrator,
        _ base: MatrixOptions,
        isStrict: Bool = false
    ) {
        (self.target, self.migrator, self.base) = (target, migrator, base)
        agreements = Agreements(base.ledger, to: target, by: migrator, isStrict: isStrict)
    }

    /// Migrates a store into a new file and finds faults of the result; those found before an error stay.
    func check(
        _ store: StoreFile,
        of version: ModelVersion,
        in folder: URL,
        _ result: inout Findings
    ) throws {
        result.models = (version.model, target.model)
        let migration = try migrator.migration(of: store, mayGoBack: true)
        let route = migration.route
        result.remarks = (migrator.unusedMappingModels(on: route) + migrator.unrunStages(on: route))
            .map { base.say($0.printed) }
        if let refusal = migrator.refusal(of: route) {
            result.refusals = [refusal]
            return
        }
        try Data(planText(of: migration).utf8).write(to: folder.appending(path: "plan.txt"))
        result.add(try migration.damage(in: store), base)
        guard !migration.steps.isEmpty else {
            if result.given != nil { result.remarks += [store.missingLog].compactMap(\.self) }
            result.notes = [
                "nothing to do: the hashes are equal, so Core Data opens the store as it is"
            ]
            return
        }
        result.unexplained = (store, migration)
        let after = folder.appending(path: "after.sqlite").path
        let options = base.running(migration, in: folder)
        let risks = try migrator.run(migration, from: store, toNewFile: after, options: options) {
            result.remarks.append($0)
        }
        let refused = agreements.unnamed(risks, from: version, along: route)
        guard refused.isEmpty else {
            let advice = migrator.stepwiseAdvice(for: store, migration, against: refused)
            result.faults =
                refused.map { base.say(wording(ofUnnamed: $0, from: version)) }
                + [advice].compactMap(\.self)
            return
        }
        let migrated = try StoreFile(path: after)
        let found = try verify(migrated, against: target.model)
        result.faults =
            try newFaults(found, in: migrated, of: store, migration, version.model)
            + missingExternalFiles(of: store.path, in: after)
        var agreed = AgreedLosses(base, from: version, to: target)
        result.remarks +=
            risks.map { base.say(agreed.line($0, along: route, by: migrator)) }
            + migration.keptOrders(inStoreAt: after).map(\.diagnostic.message)
        let (kept, own) = (options.stagesFolder, risks.map(\.risk))
        let steps = try stepAccounts(of: migration, (store, migrated), keptIn: kept, own)
        result.faults += steps.flatMap(\.faults)
        result.notes += steps.map(\.note)
        if result.faults.isEmpty, !found.contains(where: { $0.severity > .note }) {
            result.unexplained = nil
        }
    }

    private func newFaults(
        _ after: [Diagnostic],
        in migrated: StoreFile,
        of store: StoreFile,
        _ migration: Migration,
        _ source: ManagedObjectModel
    ) throws -> [String] {
        let graph = ModelGraph(target.model)
        // If nothing is wrong, nothing is new.
        let before = after.isEmpty ? [] : try verify(store, against: source)
        let broken = migration.newFindings(after, since: before).filter {
            // An allowed loss of a value leaves its file behind. Wrong numbers of links prevent saving, not migration.
            !["surplus-external-file", .missingSwiftValue].contains($0.rule)
                && !graph.isOfLinkCount($0)
        }
        return try broken.map { base.say($0.printed) } + systemFaults(of: migrated, target)
    }

    /// The message for a loss without permission; one in a damaged store comes with the repair, not from a version.
    private func wording(ofUnnamed finding: RowFinding, from source: ModelVersion) -> Wording {
        let stake = finding.unnamedWording
        if finding.risk.kind == .rowsOfNoEntity { return stake }
        let names = finding.names
        let entry = base.ledger.entry(agreeingTo: finding.name, names, from: source, to: target) {
            !migrator.isStepwise && migrator.mappingModels.path(from: $0, to: $1) != nil
        }
        return """
            \(stake); if it may be dropped, allow it \
            \(base.ledger.entry(allowing: [entry.name], into: entry.version))
            """
    }

    /// Advice on generated rows that forbid a migration: how to declare that no store has them, and how to fill them.
    func advice(behind error: any Error, _ source: ModelVersion, isMapped: Bool) -> [String] {
        guard case .rows(let findings)? = MomtoolError(error).migration else { return [] }
        let entries = findings.filter { !$0.isLoss }.map {
            base.ledger.entry(agreeingTo: $0.name, $0.names, from: source, to: target)
        }
        guard let first = entries.first else { return [] }
        let names = entries.filter { $0.version == first.version }.map(\.name)
        let cure = isMapped ? "; a map under policies: fills them with coalesce" : ""
        return [
            """
            the rows are generated; if no store has such rows, allow this \
            \(base.ledger.entry(allowing: names, into: first.version))\(cure)
            """
        ]
    }
}
