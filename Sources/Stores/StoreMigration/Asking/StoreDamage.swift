package import Diagnostics
import Essentials
import MappingInference
import ObjectModel
import SQLiteAccess
package import StoreFormat

/// Something that was wrong with a store, or that an app added to it, before its migration; and what helps.
///
/// A migration is not to blame for it: damage that is not in its way stays as it is, and gets no worse.
package struct StoreDamage: Sendable, Hashable {
    /// What is wrong, with the number of rows and the keys of some of them; a note for what an app added.
    package var finding: Diagnostic
    /// What helps; lower case, no final period.
    package var remedy: String
    /// The command that does it; `nil` where no command can.
    package var command: Hint?
}

extension StoreDamage: CustomStringConvertible {
    package var description: String { wording.text(in: .code) }

    package var wording: Wording {
        let text: Wording = "\(finding.wording); \(remedy)"
        return command.map { "\(text): \($0)" } ?? text
    }
}

extension Migration {
    /// Finds what was wrong with a store before its migration, and what an app added to it.
    ///
    /// Links are checked where the first step rewrites them; ``findings(in:options:progress:)`` checks what is
    /// converted or becomes mandatory. Damage elsewhere cannot hurt a step: `verify` finds it. Findings do not keep
    /// ``run(from:toNewFile:options:)`` from migrating. With `searchesAll` the whole file and all rows are searched,
    /// which explains why a migration failed.
    package func damage(
        in store: StoreFile,
        searchingAll searchesAll: Bool = false
    ) throws(StoreMigrationError) -> [StoreDamage] {
        guard let source, let first = steps.first else { return [] }
        return try storeErrors { () throws(StoreError) in
            let layout = first.layout
            let faults = searchesAll ? try store.integrityFaults() : []
            let indexes = damagedIndexes(by: faults)
            let ofFile = indexes?.map { "the index \($0) differs from its table" } ?? faults
            let links = first.stepProgram?.rewrittenLinks ?? []
            let findings =
                try ofFile.map { Diagnostic(.damagedDatabase, "\($0)") }
                + (searchesAll
                    ? verifyContents(
                        of: store,
                        against: source.model,
                        checksFiles: true,
                        notesContents: true
                    ) : linkFindings(of: links, in: store, layout))
            guard !findings.isEmpty || !additions.isEmpty else { return [] }
            let wrong = findings.filter {
                $0.severity != .note && $0.rule != .surplusTrigger || $0.rule == .noRows
            }
            let remedies = Remedies(
                store: store,
                version: source,
                layout: layout,
                against: wrong,
                isFileSound: faults.isEmpty,
                areIndexesAlone: indexes != nil
            )
            let gone = programs.flatMap(\.abandoned) + abandoned
            return wrong.map(remedies.damage) + additions.map { remedies.addition($0, gone) }
        }
    }
}

extension [RowFinding] {
    /// Whether some of it exists only because the store was damaged before, so that the other damage matters too.
    package var showsDamage: Bool {
        contains { finding in
            switch finding.risk.kind {
            case .rowsOfNoEntity, .valuesOfOtherType, .wrongEntityNumbers, .noKeysLeft: true
            case .nullInMandatoryRelationship: finding.risk.source != nil
            default: false
            }
        }
    }
}

package func hasObject(named name: String, in store: StoreFile) -> Bool {
    guard let schema = try? StoreSchema(store.connection) else { return false }
    return (schema.indexes + schema.triggers).contains { $0.name == name }
        || schema.columns.values.contains { $0.contains(name) }
}

extension StoreSchema {
    /// The columns, indexes and triggers that are not Core Data's, on the tables of a layout.
    func foreignObjects(_ layout: StoreLayout) -> [AbandonedObject] {
        let tables = layout.tableNames
        let changing = ChangingTables(layout)
        let settling = ForeignObjects(from: layout, to: layout, without: [])
        return tables.sorted().flatMap { table in
            foreignColumns(of: table, in: layout).map {
                AbandonedObject(kind: .column, name: $0, table: table, reason: "")
            }
        }
            + indexes.filter { !settling.isRest($0) && tables.contains($0.table) }
            .map { AbandonedObject($0) }
            + triggers.filter { !settling.isRest($0) && changing.contains($0.table) }
            .map { AbandonedObject($0) }
    }
}

private struct Remedies {
    let store: StoreFile
    let layout: StoreLayout
    /// The path of the model; `nil` for the store's own.
    private let model: String?
    /// Whether there are dangling links, which repair removes only on request.
    private let isClearing: Bool
    /// Whether only indexes are wrong with the file itself.
    private let areIndexesAlone: Bool
    /// What a repair leaves, where rows belong to no entity; `nil` where none do, or it is not known.
    private let lostStrays: Set<FindingKind>?

    init(
        store: StoreFile,
        version: ModelVersion,
        layout: StoreLayout,
        against findings: [Diagnostic],
        isFileSound: Bool,
        areIndexesAlone: Bool
    ) {
        (self.store, self.layout) = (store, layout)
        self.areIndexesAlone = areIndexesAlone
        let isOwn = version.path.isEmpty || version.path == store.path
        model = isOwn ? nil : version.containerPath
        // Repair does nothing while it needs another decision.
        isClearing = findings.contains { $0.isLostLink(in: layout.graph) }
        // Which rows get their entity back is known once everything else is restored, which a damaged file never is.
        let hasStrays = areIndexesAlone && findings.contains { $0.rule == .foreignEntityNumber }
        let plan =
            hasStrays
            ? try? StoreRepair(
                of: store,
                against: version.model,
                options: RepairOptions(isClearing ? [.clearLinks] : []),
                isFileSound: isFileSound
            ) : nil
        lostStrays = plan.map { plan in
            Set(plan.obstacles.flatMap(\.findings) + plan.remaining.map(FindingKind.init))
        }
    }

    private var path: String { store.path }
    private var graph: ModelGraph { layout.graph }

    private var repair: Hint { repairing([]) }

    private func repairing(_ decisions: [Advice]) -> Hint {
        .repairing(path, model: model, following: (isClearing ? [.clearLinks] : []) + decisions)
    }

    func damage(_ finding: Diagnostic) -> StoreDamage {
        let (remedy, command) = help(finding)
        return StoreDamage(finding: finding, remedy: remedy, command: command)
    }

    func addition(_ object: AbandonedObject, _ gone: [AbandonedObject]) -> StoreDamage {
        let loss = gone.first {
            $0.kind == object.kind && $0.name == object.name && $0.table == object.table
        }
        let kind = object.kind.rawValue
        let preposition = object.kind == .column ? "of" : "on"
        let finding = Diagnostic(
            RuleID(rawValue: "surplus-\(kind)"),
            "the \(kind) \(object.name) \(preposition) \(object.table) is not Core Data's",
            severity: .note,
            rows: Diagnostic.AffectedRows(count: 1, unit: kind, keys: [])
        )
        return StoreDamage(
            finding: finding,
            remedy: loss.map { "it is removed, because \($0.reason)" } ?? "it stays as it is",
            command: nil
        )
    }

    private func help(_ finding: Diagnostic) -> (String, Hint?) {
        switch finding.isLostLink(in: graph) ? .lostLinks("") : Damage.of(finding.rule) {
        case .lostLinks where isRequired(finding):
            ("delete these objects in the app, or restore the store from a backup", nil)
        case .lostLinks: ("remove these links", repair)
        case .repair:
            (
                "repair it\(isClearing ? ", which also removes links to missing objects" : "")",
                repair
            )
        case .repairing(_, let words): (words, repair)
        case .file where areIndexesAlone: ("repair it, which rebuilds the index", repair)
        case .file: ("first save what can be read", .examining(path, model: model))
        // No command sets an element of a composite.
        case .value where finding.property?.contains(".") == false:
            ("give them a value in place of \(Placeholder.value)", value(of: finding))
        case .entity where lostStrays?.contains(FindingKind(finding)) == false:
            ("Core Data never reads these rows; repair restores their entity", repair)
        case .entity:
            ("Core Data never reads these rows; after a backup, remove them", strays(finding))
        case .list:
            ("make the values different; list all rows with", .verifying(path, model: model))
        case .history:
            ("remove unreadable history, and everything older", repairing([.nameHistoryAge]))
        case .folder, .person, .value: (Damage.of(finding.rule).correction(ofStore: path), nil)
        }
    }

    private func isRequired(_ finding: Diagnostic) -> Bool {
        guard let entity = finding.entity, let name = finding.property else { return false }
        let relationship = graph.relationship(name, ofEntity: entity)
        return relationship.map { !$0.isOptional && !$0.isToMany } ?? false
    }

    /// The command that sets an attribute's missing or wrong values.
    private func value(of finding: Diagnostic) -> Hint? {
        guard let entity = finding.entity, let property = finding.property else { return nil }
        return repairing([.nameValue(of: "\(entity).\(property)")])
    }

    /// The command that deletes rows of no entity; `nil` where triggers call functions that SQLite's shell lacks.
    private func strays(_ finding: Diagnostic) -> Hint? {
        guard let table = finding.entity.flatMap({ layout.table(of: $0) }),
            !layout.hasTriggers(on: table.name)
        else { return nil }
        let numbers = layout.numbers(ofHierarchy: table.rootEntity)
        let sql = "DELETE FROM \(quotedIdentifier(table.name)) WHERE \(isStray(among: numbers))"
        return .statement(sql, store: path)
    }
}

extension Diagnostic {
    fileprivate func isLostLink(in graph: ModelGraph) -> Bool {
        guard rule == .wrongType, let entity, let property else {
            return Damage.lostLinkRules.contains(rule)
        }
        return graph.relationship(property, ofEntity: entity) != nil
    }
}
