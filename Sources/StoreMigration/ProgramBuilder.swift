import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Puts together the statements that bring a store from one version of its model to another.
///
/// The order matters: links that change their place are captured first, then triggers and indexes go, tables
/// change, links are written, and indexes and triggers come back.
struct ProgramBuilder {
    private let schema: StoreSchema
    private let correspondence: EntityCorrespondence
    private let links: LinkPlan
    private var program: MigrationProgram
    private var captures: [MigrationStep] = []
    private var mutualCaptures: [PropertyReference: String] = [:]
    private var setAside: [MigrationStep] = []
    private var tables: [MigrationStep] = []
    private var joins: [MigrationStep] = []
    private var linking: [MigrationStep] = []
    /// The tables whose indexes can stay, with the columns whose values change in all rows.
    private var keptTables: [String: Set<String>] = [:]
    private var cleanUp: [MigrationStep] = []

    init(correspondence: EntityCorrespondence, schema: StoreSchema) {
        self.schema = schema
        self.correspondence = correspondence
        links = LinkPlan(correspondence: correspondence)
        program = MigrationProgram(layout: correspondence.destination)
    }

    func build() -> MigrationProgram {
        var builder = self
        builder.planTables()
        builder.planJoinTables()
        builder.planForeignKeys()
        builder.planOwnerColumns()
        builder.assemble()
        return builder.program
    }

    private mutating func assemble() {
        let (drops, creations) = indexSteps()
        program.steps =
            captures + drops + setAside + tables + cleanUp + joins + linking
            + derivedValueSteps(correspondence) + creations
            + systemSteps(correspondence, schema: schema)
    }

    // The old tables that feed each new one, and the reverse.
    private mutating func planTables() {
        let (source, destination) = (correspondence.source, correspondence.destination)
        var transfers: [TableTransfer] = []
        for table in destination.tables {
            let roots = Set(correspondence.pairs(in: table).map(\.source.rootName))
            // Inference refuses to merge hierarchies, so that there is one root at most.
            guard let root = roots.sorted().first, let old = source.table(of: root) else {
                tables.append(
                    MigrationStep("create \(table.name)", .schema, table.createSQL)
                )
                program.changes.append(TableChange(table: table.name, treatment: .create))
                continue
            }
            transfers.append(TableTransfer(from: old, to: table, correspondence, links: links))
        }
        let fed = Dictionary(grouping: transfers, by: \.source.name)
        for old in source.tables where fed[old.name] == nil {
            setAside.append(
                MigrationStep("drop \(old.name)", .rows, "DROP TABLE \(quotedIdentifier(old.name))")
            )
            program.changes.append(TableChange(table: old.name, treatment: .drop))
        }
        for old in source.tables {
            guard let transfers = fed[old.name] else { continue }
            let columns = schema.columns[old.name] ?? []
            let count = schema.indexes.count { $0.table == old.name }
            if transfers.count == 1,
                transfers[0].staysInPlace(actualColumns: columns, indexCount: count)
            {
                planInPlace(transfers[0])
            } else {
                planRebuild(of: old, transfers)
            }
        }
    }

    private mutating func planInPlace(_ transfer: TableTransfer) {
        let (old, new) = (transfer.source.name, transfer.destination.name)
        program.changes.append(TableChange(table: new, treatment: transfer.treatmentInPlace))
        if old != new {
            // By way of a third name: the new one may still be taken.
            let aside = temporaryName()
            setAside.append(rename(old, to: aside))
            tables.append(rename(aside, to: new))
        } else {
            keptTables[new] = transfer.rewrittenColumns
        }
        tables += transfer.stepsInPlace(named: new)
        if let check = transfer.check(isInPlace: true) { program.checks.append(check) }
    }

    private mutating func planRebuild(of old: EntityTable, _ transfers: [TableTransfer]) {
        let aside = temporaryName()
        setAside.append(rename(old.name, to: aside))
        for transfer in transfers {
            let new = transfer.destination
            program.changes.append(TableChange(table: new.name, treatment: .rebuild))
            tables.append(MigrationStep("create \(new.name)", .schema, new.createSQL))
            tables.append(transfer.copyStep(from: aside))
            if let check = transfer.check(isInPlace: false) { program.checks.append(check) }
        }
        cleanUp.append(
            MigrationStep("drop the old \(old.name)", .rows, "DROP TABLE \(aside)")
        )
    }

    private mutating func planJoinTables() {
        var kept: Set<String> = []
        for table in correspondence.destination.joinTables {
            switch JoinTransfer(table, links: links) {
            case .keep(let old, let columns):
                kept.insert(old.name)
                planKept(table, old, columns)
            case .fill(let origins):
                let create = MigrationStep("create \(table.name)", .schema, table.createSQL)
                if schema.columns[table.name] == nil, let query = links.uniqueLinks(of: origins),
                    let fill = table.fillStep(from: query)
                {
                    captures += [create, fill]
                    program.changes.append(TableChange(table: table.name, treatment: .rebuild))
                    continue
                }
                joins.append(create)
                if let name = capture(origins) {
                    joins.append(LinkWriting(links: name).fill(table))
                    program.changes.append(TableChange(table: table.name, treatment: .rebuild))
                } else {
                    program.changes.append(TableChange(table: table.name, treatment: .create))
                }
            }
        }
        for old in correspondence.source.joinTables where !kept.contains(old.name) {
            setAside.insert(
                MigrationStep(
                    "drop \(old.name)",
                    .rows,
                    "DROP TABLE \(quotedIdentifier(old.name))"
                ),
                at: 0
            )
        }
    }

    private mutating func planKept(
        _ table: JoinTable,
        _ old: JoinTable,
        _ columns: [(from: String, to: String)]
    ) {
        if old.name == table.name, columns.isEmpty {
            keptTables[table.name] = []
            program.changes.append(TableChange(table: table.name, treatment: .keep))
            return
        }
        program.changes.append(TableChange(table: table.name, treatment: .alter))
        if old.name != table.name {
            let aside = temporaryName()
            setAside.append(rename(old.name, to: aside))
            joins.append(rename(aside, to: table.name))
        }
        // All columns take a third name first: the new one of one may be the old one of another.
        let moves = columns.enumerated().map { offset, pair in
            (pair.from, "momtool_column_\(offset)", pair.to)
        }
        joins += moves.map { renameColumn($0.0, to: $0.1, of: table.name) }
        joins += moves.map { renameColumn($0.1, to: $0.2, of: table.name) }
    }

    private mutating func planForeignKeys() {
        for table in correspondence.destination.tables {
            for column in table.columns {
                guard case .toOne(let entity, let name) = column.role else { continue }
                let reference = PropertyReference(entity: entity, name: name)
                guard
                    case .foreignKey(_, let key, let entityColumn, let order)? =
                        correspondence.destination.storage(of: name, declaredBy: entity)
                else { continue }
                if let captured = captureForKey(reference) {
                    linking.append(
                        LinkWriting(links: captured.name).writeForeignKey(
                            table: table.name,
                            column: key,
                            entityColumn: entityColumn,
                            orderKey: order,
                            destinationTable: destinationTable(of: reference),
                            isReversed: captured.isReversed
                        )
                    )
                }
                if let order, lacksOrder(reference, \.destinationOrder) {
                    linking.append(
                        LinkWriting.assignOrder(table: table.name, key: key, orderKey: order)
                    )
                }
            }
        }
    }

    private mutating func planOwnerColumns() {
        for table in correspondence.destination.tables {
            for column in table.columns {
                guard case .toManyOwner(let entity, let name) = column.role,
                    case .ownerColumn(_, let key, let order)? =
                        correspondence.destination.storage(of: name, declaredBy: entity)
                else { continue }
                let reference = PropertyReference(entity: entity, name: name)
                let roots = correspondence.pairs(in: table).map(\.source.rootName)
                let isDirect = roots.contains {
                    links.directOwner(of: reference, in: $0) != nil
                }
                if !isDirect, let captured = capture(links.origins(of: reference)) {
                    let writing = LinkWriting(links: captured)
                    captures.append(writing.keepFirstSource())
                    linking.append(
                        writing.writeOwner(table: table.name, column: key, orderKey: order)
                    )
                }
                if let order, lacksOrder(reference, \.sourceOrder) {
                    linking.append(
                        LinkWriting.assignOrder(table: table.name, key: key, orderKey: order)
                    )
                }
            }
        }
    }

    /// Captures the links of a to-one relationship that cannot be carried over, at most one for each object.
    ///
    /// A relationship that is to-one on both sides is captured once for both, so that both sides agree.
    private mutating func captureForKey(
        _ reference: PropertyReference
    ) -> (name: String, isReversed: Bool)? {
        let origins = links.indirectOrigins(of: reference)
        guard links.shape(of: reference, isSource: false) == .oneToOne,
            let inverse = links.inverse(of: reference, in: correspondence.destinationGraph)
        else {
            guard let name = capture(origins) else { return nil }
            captures.append(LinkWriting(links: name).keepFirstDestination())
            return (name, false)
        }
        let leading = min(reference, inverse)
        if let name = mutualCaptures[leading] { return (name, reference != leading) }
        guard !origins.isEmpty, let name = capture(links.origins(of: leading)) else { return nil }
        mutualCaptures[leading] = name
        captures.append(LinkWriting(links: name).keepFirstDestination())
        captures.append(LinkWriting(links: name).keepFirstSource())
        return (name, reference != leading)
    }

    /// Captures links into a temporary table; gives its name, or `nil` when there are none to capture.
    private mutating func capture(_ origins: [LinkPlan.Origin]) -> String? {
        let queries = origins.compactMap(links.links)
        guard !queries.isEmpty else { return nil }
        let name = "momtool_links_\(captures.count)"
        let query = queries.joined(separator: " UNION ALL ")
        captures.append(
            MigrationStep("capture links", .rows, "CREATE TEMP TABLE \(name) AS \(query)")
        )
        return name
    }

    /// Whether the old version does not keep an order of links that the new one has: then they must be numbered.
    private func lacksOrder(
        _ reference: PropertyReference,
        _ order: KeyPath<LinkPlan.Columns, String?>
    ) -> Bool {
        links.origins(of: reference).contains { origin in
            links.columns(of: origin)?[keyPath: order] == nil
        }
    }

    private func destinationTable(of reference: PropertyReference) -> String {
        let graph = correspondence.destinationGraph
        let relationship = graph.relationship(reference.name, ofEntity: reference.entity)
        let entity = relationship?.destinationEntity ?? ""
        return correspondence.destination.table(of: entity)?.name ?? ""
    }

    private func indexSteps() -> (drops: [MigrationStep], creations: [MigrationStep]) {
        let (source, destination) = (correspondence.source, correspondence.destination)
        let ours = Set(source.tables.map(\.name) + source.joinTables.map(\.name))
        let wanted = Dictionary(
            destination.indexes.map { ($0.name, $0.sql) },
            uniquingKeysWith: { first, _ in first }
        )
        // Where all values of an index change, sorting them anew is faster than moving each.
        let kept = Set(
            schema.indexes.filter { index in
                guard let rewritten = keptTables[index.table] else { return false }
                return wanted[index.name] == index.sql && rewritten.isDisjoint(with: index.columns)
            }.map(\.name)
        )
        // Whatever else they do, they would do it at each of our changes.
        let changing = ChangingTables(source)
        let triggers = schema.triggers.filter { changing.contains($0.table) }
        let indexes = schema.indexes.filter { ours.contains($0.table) && !kept.contains($0.name) }
        let drops =
            triggers.map {
                MigrationStep(
                    "drop trigger \($0.name)",
                    .schema,
                    "DROP TRIGGER \(quotedIdentifier($0.name))"
                )
            }
            + indexes.map {
                MigrationStep(
                    "drop index \($0.name)",
                    .schema,
                    "DROP INDEX \(quotedIdentifier($0.name))"
                )
            }
        let creations =
            destination.indexes.filter { !kept.contains($0.name) }.map {
                MigrationStep("create index \($0.name)", .rows, $0.sql)
            }
            + destination.triggers.map {
                MigrationStep("create trigger \($0.name)", .schema, $0.sql)
            }
        return (drops, creations)
    }

    private mutating func temporaryName() -> String {
        "momtool_aside_\(setAside.count)"
    }

    private func rename(_ old: String, to new: String) -> MigrationStep {
        MigrationStep(
            "rename \(old) to \(new)",
            .schema,
            "ALTER TABLE \(quotedIdentifier(old)) RENAME TO \(quotedIdentifier(new))"
        )
    }

    private func renameColumn(_ old: String, to new: String, of table: String) -> MigrationStep {
        let names = "\(quotedIdentifier(old)) TO \(quotedIdentifier(new))"
        return MigrationStep(
            "rename \(old) of \(table) to \(new)",
            .schema,
            "ALTER TABLE \(quotedIdentifier(table)) RENAME COLUMN \(names)"
        )
    }
}
