import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Builds the steps that bring a store from one version of its model to another.
///
/// The order matters. Triggers go first and tables that are rebuilt are set aside; then everything that depends on the
/// old rows is read: which object becomes which, values that read other rows, links that move. Then tables change,
/// links are written, and indexes and triggers come back.
struct ProgramBuilder {
    let schema: StoreSchema
    let correspondence: EntityCorrespondence
    let links: LinkPlan
    var program: MigrationProgram
    /// The old tables that have another name while the program runs.
    var names: [String: String] = [:]
    var steps = StepGroups()
    var mutualCaptures: [PropertyReference: String] = [:]
    var captureCount = 0
    /// The tables whose indexes can stay, with the columns whose values change in all rows.
    var keptTables: [String: Set<String>] = [:]
    /// The value expressions that read other rows, by the mapping whose objects keep their keys.
    var capturedValues: [Int: [RowExpression]] = [:]
    var policies: [PolicyProgram] = []
    /// Whether somebody wrote the mappings, so that their intent is compared with what is written.
    var isMapped = false
    var meant: [MeantLinks] = []

    private var rewrittenTables: Set<String> = []
    /// The old tables that go, with everything on them.
    private(set) var goneTables: Set<String> = []

    struct Product {
        var program: MigrationProgram
        var policies: [PolicyProgram]
        /// The names of old tables that are set aside while it runs.
        var names: [String: String]
        var rewrittenTables: Set<String>
    }

    struct StepGroups {
        var asides: [ProgramStep] = []
        var objects: [ProgramStep] = []
        var captures: [ProgramStep] = []
        var drops: [ProgramStep] = []
        /// Names come before columns, and both before rows, so that each kind is done at once for all tables.
        var names: [ProgramStep] = []
        var columns: [ProgramStep] = []
        var tables: [ProgramStep] = []
        var joins: [ProgramStep] = []
        var linking: [ProgramStep] = []
        var cleanUp: [ProgramStep] = []
    }

    init(correspondence: EntityCorrespondence, schema: StoreSchema) {
        (self.schema, self.correspondence) = (schema, correspondence)
        links = LinkPlan(correspondence: correspondence, repeating: schema.tablesWithoutKey)
        program = MigrationProgram(layout: correspondence.destination)
    }

    /// Whether code reads the old objects while the new ones are made: then old tables stay until the end.
    var keepsOldTables: Bool { !correspondence.policyMappings.isEmpty }

    func build() throws(MapFaults) -> Product {
        try checkExpressions()
        var builder = self
        builder.planTables()
        builder.planObjects()
        builder.planJoinTables()
        builder.planForeignKeys()
        builder.planOwnerColumns()
        builder.planPolicies()
        builder.planMeantLinks()
        builder.program.writtenQuestions =
            MeantLinkQuestions(links: links, meant: builder.meant).all()
        builder.assemble()
        builder.planLinkChecks()
        return Product(
            program: builder.program,
            policies: builder.policies,
            names: builder.names,
            rewrittenTables: builder.rewrittenTables
        )
    }

    private mutating func assemble() {
        let indexes = indexSteps()
        let derived = derivedValues(correspondence, links)
        program.uncomputed = derived.uncomputed
        program.abandoned = indexes.abandoned
        program.uncertain = correspondence.uncertainJoinTables
        let system = SystemTransfer(self).steps
        let before = indexes.triggerDrops + steps.asides + steps.objects
        let tables = steps.drops + steps.names + steps.columns + steps.tables
        if keepsOldTables {
            let names = correspondence.policyMappings.compactMap(\.mapping.policyName)
            program.steps =
                before + indexes.drops + tables + system
                + [ProgramStep(.policies(names, .instances))]
                + steps.captures + steps.joins + steps.linking
                + [ProgramStep(.policies(names, .relationships))]
                + steps.cleanUp + derived.steps + indexes.creations + indexes.restorations
        } else {
            program.steps =
                before + steps.captures + indexes.drops + tables
                + steps.cleanUp + steps.joins + steps.linking
                + derived.steps + indexes.creations + system + indexes.restorations
        }
    }

    /// Decides the future of each table, by the old tables that feed each new one.
    private mutating func planTables() {
        let (source, destination) = (correspondence.source, correspondence.destination)
        var transfers: [TableTransfer] = []
        for table in destination.tables {
            // All pairs of a table come from one old table; other objects get new keys.
            guard let root = correspondence.pairs(in: table).first?.source.rootName,
                let old = source.table(of: root)
            else {
                steps.tables.append(.schema(.createTable(table)))
                program.changes.append(TableChange(table: table.name, treatment: .create))
                continue
            }
            transfers.append(TableTransfer(from: old, to: table, correspondence, links: links))
        }
        transfers = transfers.map { resolvingExpressions(of: $0) }
        let fed = Dictionary(grouping: transfers, by: \.source.name)
        for old in source.tables where fed[old.name] == nil {
            drop(old.name)
            program.changes.append(TableChange(table: old.name, treatment: .drop))
        }
        let indexCounts = Dictionary(grouping: schema.indexes, by: \.table).mapValues(\.count)
        for old in source.tables {
            guard let transfers = fed[old.name] else { continue }
            let columns = schema.columns[old.name] ?? []
            if transfers.count == 1, isLeftInPlace(transfers[0]),
                transfers[0].staysInPlace(
                    actualColumns: columns,
                    indexCount: indexCounts[old.name] ?? 0,
                    mayReplace: schema.holdsTablesAlone
                )
            {
                planInPlace(transfers[0])
            } else {
                planRebuild(of: old, transfers)
            }
        }
    }

    private func isLeftInPlace(_ transfer: TableTransfer) -> Bool {
        !keepsOldTables || transfer.treatmentInPlace == .keep
    }

    /// Plans to drop a table after its links and values are read.
    mutating func drop(_ table: String) {
        goneTables.insert(table)
        guard keepsOldTables else {
            steps.drops.append(.schema(.dropTable(table)))
            return
        }
        let aside = temporaryName()
        setAside(table, as: aside)
        steps.cleanUp.append(.schema(.dropTable(aside)))
    }

    mutating func setAside(_ table: String, as aside: String) {
        names[table] = aside
        steps.asides.append(.schema(.renameTable(table, to: aside)))
    }

    private mutating func planInPlace(_ transfer: TableTransfer) {
        let (old, new) = (transfer.source.name, transfer.destination.name)
        program.changes.append(TableChange(table: new, treatment: transfer.treatmentInPlace))
        if transfer.treatmentInPlace == .update { rewrittenTables.insert(old) }
        if old != new {
            // Through an interim name: the new one may still be in use.
            let aside = temporaryName()
            setAside(old, as: aside)
            steps.names.append(.schema(.renameTable(aside, to: new)))
        } else {
            keptTables[new] = transfer.rewrittenColumns
        }
        steps.columns += transfer.additions(named: new)
        steps.tables += transfer.stepsInPlace(named: new)
        if transfer.treatmentInPlace == .update { addChecks(of: transfer, isCopied: false) }
    }

    private mutating func planRebuild(of old: EntityTable, _ transfers: [TableTransfer]) {
        let aside = temporaryName()
        setAside(old.name, as: aside)
        rewrittenTables.insert(old.name)
        goneTables.insert(old.name)
        for transfer in transfers {
            let new = transfer.destination
            program.changes.append(TableChange(table: new.name, treatment: .rebuild))
            steps.tables.append(.schema(.createTable(new)))
            steps.tables.append(transfer.copyStep(from: aside))
            addChecks(of: transfer, isCopied: true)
        }
        steps.cleanUp.append(.schema(.dropTable(aside)))
    }

    /// Plans to count a table's rows and values before and after; what makes objects would upset the counts.
    private mutating func addChecks(of transfer: TableTransfer, isCopied: Bool) {
        let table = transfer.destination.name
        let isAddedTo =
            correspondence.insertions.contains { target in
                correspondence.destination.table(of: target.destination.name)?.name == table
            } || keepsOldTables
        guard !isAddedTo, transfer.taken.isEmpty else { return }
        let captured = transfer.destination.columns.filter { column in
            switch column.role {
            case .toOne(let link), .toManyOwner(let link):
                return links.isMapped(link) || links.written(link) != nil
            case .attribute(let attribute, _):
                let owner = correspondence.destinationGraph.entity(attribute.entity)
                return owner?.attributes.first { $0.name == attribute.name }?.derivation != nil
            default: return false
            }
        }
        program.checks += transfer.checks(leavingOut: Set(captured.map(\.name)), isCopied: isCopied)
    }

    /// Plans to count the rewritten links before and after.
    private mutating func planLinkChecks() {
        guard !keepsOldTables else { return }
        for reference in links.storingRelationships {
            guard let written = links.written(reference), let check = linkCheck(reference, written)
            else { continue }
            program.checks.append(check)
        }
    }

    private func linkCheck(
        _ reference: PropertyReference,
        _ written: WrittenLinks
    ) -> MigrationCheck? {
        let layout = correspondence.destination
        guard let stored = layout.links(of: reference), stored.form != .inverseKey else {
            return nil
        }
        let (table, column) = (stored.table, stored.key)
        let count =
            stored.form == .join
            ? countOfLinks(in: table, column)
            : "count(\(quotedIdentifier(column))) FROM \(quotedIdentifier(table))"
        // Rows of some entities may keep their links in place.
        let kept = correspondence.pairs(ofKind: reference.entity).compactMap { pair -> String? in
            guard links.isDirect(reference, of: pair),
                let old = correspondence.source.table(of: pair.source.name),
                let column = layout.tables.first(where: { $0.name == table })?.columns
                    .first(where: { $0.name == column }),
                let cell = correspondence.cell(column, of: pair, links: links)
            else { return nil }
            return "(SELECT count(\(cell.value.sql)) FROM \(quotedIdentifier(old.name)) "
                + "WHERE Z_ENT = \(pair.source.number))"
        }
        return MigrationCheck(
            subject: "the number of links of \(reference)",
            before: "SELECT \((kept + ["(\(written.count))"]).joined(separator: " + "))",
            after: "SELECT \(count)"
        )
    }

    mutating func temporaryName() -> String { "momtool_aside_\(steps.asides.count)" }
}
