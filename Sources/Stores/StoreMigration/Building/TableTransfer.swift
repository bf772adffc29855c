import Essentials
import ObjectModel
import MigrationPlanning
import ModelLanguage
import SQLiteAccess
import StoreFormat

struct TableTransfer {
    let source: EntityTable
    let destination: EntityTable
    let pairs: [MappingTarget]
    /// The value of each column of the new table, over a row of the old one.
    private(set) var cells: [(column: StoreColumn, cell: CellSource)]
    /// The objects that take part, for entities of which not all do.
    let taken: [RowChange.Rows.Taken]
    /// The numbers of the entities whose rows are used, and of those whose rows are not.
    let takenNumbers: [Int]
    let leftNumbers: [Int]
    /// The cells of each column, by the pairs that it concerns.
    private let cellsByPair: [(pairs: Range<Int>, cells: [CellSource?])]

    init(
        from source: EntityTable,
        to destination: EntityTable,
        _ correspondence: EntityCorrespondence,
        links: LinkPlan
    ) {
        (self.source, self.destination) = (source, destination)
        let pairs = correspondence.pairs(in: destination)
        self.pairs = pairs
        takenNumbers = pairs.map(\.source.number).sorted()
        let known = Set(takenNumbers)
        leftNumbers = correspondence.source.numbers(ofHierarchy: source.rootEntity)
            .filter { !known.contains($0) }
        taken = pairs.compactMap { pair in
            pair.taken.map { RowChange.Rows.Taken(number: pair.source.number, table: $0) }
        }
        var claimed: Set<String> = []
        var cells: [(StoreColumn, CellSource)] = []
        var cellsByPair: [(Range<Int>, [CellSource?])] = []
        let numbers = pairs.map(\.destination.number)
        let past = ColumnPast(source, pairs, correspondence.source)
        for column in destination.columns {
            // A table of hundreds of entities has as many columns, most of which concern one entity.
            var concerned = correspondence.pairs(concernedBy: column, among: numbers)
            var candidates = pairs[concerned].map {
                correspondence.cell(column, of: $0, links: links)
            }
            past.clear(column, for: &concerned, &candidates)
            var merged = Self.merge(candidates, of: pairs, concerned, into: column)
            // A column of the old table can stay in place for only one column of the new one.
            if let base = merged.base,
                !claimed.insert(base).inserted
                    || source.columns.first(where: { $0.name == base })?.declaredType
                        != column.declaredType
            {
                merged.base = nil
            }
            cells.append((column, merged))
            cellsByPair.append((concerned, candidates))
        }
        self.cells = Self.reusingColumns(of: source, for: cells)
        self.cellsByPair = cellsByPair
    }

    var droppedColumns: [String] {
        let kept = Set(cells.compactMap(\.cell.base))
        return source.columns.map(\.name).filter { !kept.contains($0) }
    }

    var addedColumns: [(column: StoreColumn, cell: CellSource)] {
        cells.filter { $0.cell.base == nil }
    }

    var renamedColumns: [(from: String, to: String)] {
        cells.compactMap { column, cell in
            guard let base = cell.base, base != column.name else { return nil }
            return (base, column.name)
        }
    }

    /// The columns that go while new ones of another type get their names, each by an interim name.
    private var replacedColumns: [String] {
        let dropped = Set(droppedColumns)
        return addedColumns.map(\.column.name).filter(dropped.contains)
    }

    private func interimName(of column: String) -> String { "momtool_\(column)" }

    /// The columns whose values change, by their names before columns are renamed.
    var updates: [RowChange.Assignment] {
        let replaced = Set(replacedColumns)
        return cells.compactMap { column, cell in
            if let base = cell.base {
                return cell.isUnchanged
                    ? nil : RowChange.Assignment(column: base, value: cell.value)
            }
            guard cell.value != .null else { return nil }
            let name = replaced.contains(column.name) ? interimName(of: column.name) : column.name
            return RowChange.Assignment(column: name, value: cell.value)
        }
    }

    private var rows: RowChange.Rows {
        RowChange.Rows(numbers: leftNumbers.isEmpty ? nil : takenNumbers, taken: taken)
    }

    /// The columns whose values change in all rows, by their names before renaming, and those that others replace.
    var rewrittenColumns: Set<String> {
        Set(updatedNumbers == nil ? updates.map(\.column) : []).union(replacedColumns)
    }

    /// The numbers of the entities whose rows change, where not all do.
    private var updatedNumbers: [Int]? {
        guard !cells.contains(where: \.cell.takesColumnOver) else { return nil }
        var changed: Set<Int> = []
        for (own, (_, cell)) in zip(cellsByPair, cells) {
            let unchanged = cell.base.map { RowExpression.column($0) } ?? .null
            for (pair, source) in zip(own.pairs, own.cells) where source.map(\.value) != unchanged {
                if source != nil { changed.insert(pair) }
            }
        }
        return changed.count == pairs.count ? nil : changed.map { pairs[$0].source.number }.sorted()
    }

    /// Whether the change is made without copying the rows, because that is right and not slower.
    ///
    /// Dropping a column is a separate pass. Copying the rows and dropping the old ones costs about two, and one more
    /// for each index to rebuild. A column is only replaced if nothing else in the schema names it meanwhile.
    func staysInPlace(actualColumns: [String], indexCount: Int, mayReplace: Bool) -> Bool {
        let present = Set(actualColumns.map { $0.uppercased() })
        let replaced = Set(replacedColumns)
        let newNames =
            addedColumns.map(\.column.name).map {
                replaced.contains($0) ? interimName(of: $0) : $0
            } + renamedColumns.map(\.to)
        guard newNames.allSatisfy({ !present.contains($0.uppercased()) }),
            source.uniqueColumns == destination.uniqueColumns,
            replaced.isEmpty
                || mayReplace && replaced.isDisjoint(with: source.uniqueColumns.joined())
        else { return false }
        let passes =
            droppedColumns.count + (updates.isEmpty ? 0 : 1) + (leftNumbers.isEmpty ? 0 : 1)
            + (taken.isEmpty ? 0 : 1)
        return passes <= max(1, indexCount + 1)
    }

    var treatmentInPlace: TableTreatment {
        if !updates.isEmpty || !leftNumbers.isEmpty || !taken.isEmpty || !droppedColumns.isEmpty {
            return .update
        }
        let isSame = addedColumns.isEmpty && renamedColumns.isEmpty
        return isSame && source.name == destination.name ? .keep : .alter
    }

    /// The steps that change the table in place; `name` is its current name.
    func stepsInPlace(named name: String) -> [ProgramStep] {
        var steps: [ProgramStep] = []
        if !leftNumbers.isEmpty {
            steps.append(.rows(.delete(table: name, RowChange.Rows(numbers: leftNumbers))))
        }
        if !taken.isEmpty {
            let rows = RowChange.Rows(numbers: nil, taken: taken, isInverted: true)
            steps.append(.rows(.delete(table: name, rows)))
        }
        let (updates, dropped) = (updates, droppedColumns)
        let drops = dropped.map { ProgramStep.schema(.dropColumn($0, of: name)) }
        let sql = Array(updates.map(\.value.sql).joined(separator: "\n").utf8)
        let isRead = dropped.contains { sql.firstRange(of: Array($0.utf8)) != nil }
        // Without the dropped values, rows have space in their pages for new ones: an update then takes half the time.
        if !isRead { steps += drops }
        if !updates.isEmpty {
            steps.append(.rows(.update(table: name, updates, numbers: updatedNumbers)))
        }
        steps += renamedColumns.map { .schema(.renameColumn($0.from, to: $0.to, of: name)) }
        return steps + (isRead ? drops : [])
            + replacedColumns.map { .schema(.renameColumn(interimName(of: $0), to: $0, of: name)) }
    }

    /// The steps that add columns to the table, before anything else is done to it.
    func additions(named name: String) -> [ProgramStep] {
        let replaced = Set(replacedColumns)
        return addedColumns.map { column, _ in
            var column = column
            if replaced.contains(column.name) { column.name = interimName(of: column.name) }
            return .schema(.addColumn(column, of: name))
        }
    }

    /// The step that copies the rows into the new table from the old one under its current name.
    func copyStep(from name: String) -> ProgramStep {
        let values = cells.map {
            RowChange.Assignment(column: $0.column.name, value: $0.cell.value)
        }
        return .rows(.copy(from: name, into: destination, values, rows))
    }

    func replacingModelExpressions(
        _ replace: (ModelLanguage.PredicateExpression, String, CellForm?) throws(MapFault) ->
            RowExpression
    ) throws(MapFault) -> TableTransfer {
        var transfer = self
        for index in cells.indices {
            transfer.cells[index].cell.value = try cells[index].cell.value
                .replacingModelExpressions(replace)
        }
        return transfer
    }

    /// The checks that each entity has its expected rows, and each attribute and relationship its values.
    ///
    /// An update removes no rows, and a value that moves unchanged exists if its row does: neither is counted. The
    /// columns left out are filled in other ways, and counted there. There are no checks for an update that needs none.
    func checks(leavingOut columns: Set<String>, isCopied: Bool) -> [MigrationCheck] {
        let counted = cells.filter { column, cell in
            switch column.role {
            case .attribute, .toOne, .toManyOwner:
                !columns.contains(column.name) && !cell.value.isCaptured && !cell.value.isMoved
            case .primaryKey, .entityNumber, .optimisticLock, .toOneEntity, .orderKey,
                .toManyOwnerOrderKey:
                false
            }
        }
        let losesRows = !leftNumbers.isEmpty || !taken.isEmpty
        return (isCopied || !renumberings.isEmpty || losesRows ? [rowCheck] : [])
            + (counted.isEmpty ? [] : [valueCheck(of: counted)])
    }

    private var renumberings: [RowExpression.Case] {
        pairs.filter { $0.source.number != $0.destination.number }.map {
            RowExpression.Case(number: $0.source.number, value: .number($0.destination.number))
        }
    }

    private var rowCheck: MigrationCheck {
        let (old, new) = (quotedIdentifier(source.name), quotedIdentifier(destination.name))
        let subject = "the number of rows of \(destination.name)"
        guard pairs.count > 1 else {
            let number = pairs.first?.destination.number ?? 0
            let isWritten = !renumberings.isEmpty
            return MigrationCheck(
                subject: subject,
                before: "SELECT count(*) FROM \(old)\(rows.sql)",
                after: "SELECT count(*) FROM \(new)"
                    + (isWritten ? "" : " WHERE Z_ENT = \(number)"),
                written: isWritten ? destination.name : nil
            )
        }
        // The index on the numbers answers the inner query.
        let number: RowExpression =
            renumberings.isEmpty ? .column("Z_ENT") : .renumbered("Z_ENT", renumberings)
        let counts = "(SELECT Z_ENT, count(*) AS number FROM \(old)\(rows.sql) GROUP BY Z_ENT)"
        return MigrationCheck(
            subject: subject + " of each entity (its number, then its rows)",
            before: "SELECT \(number.sql), sum(number) FROM \(counts) GROUP BY 1 ORDER BY 1",
            after: "SELECT Z_ENT, count(*) FROM \(new) GROUP BY Z_ENT ORDER BY Z_ENT",
            entities: taken.isEmpty ? entityRows : nil
        )
    }

    private var entityRows: MigrationCheck.EntityRows {
        let numbers = pairs.map { ($0.source.number, $0.destination.number) }
        return MigrationCheck.EntityRows(
            before: source.name,
            after: destination.name,
            numbers: Dictionary(firstOf: numbers),
            keepsOthers: leftNumbers.isEmpty
        )
    }

    private func valueCheck(
        of counted: [(column: StoreColumn, cell: CellSource)]
    ) -> MigrationCheck {
        func counts(_ values: [String]) -> String {
            values.map { "count(\($0))" }.joined(separator: ", ")
        }
        let names = counted.map { quotedIdentifier($0.column.name) }
        let list = counted.map(\.column.name).joined(separator: ", ")
        return MigrationCheck(
            subject: "the number of values of \(destination.name) (\(list))",
            before: "SELECT \(counts(counted.map(\.cell.value.sql))) FROM "
                + quotedIdentifier(source.name) + alias(counted) + rows.sql,
            after: "SELECT \(counts(names)) FROM \(quotedIdentifier(destination.name))"
        )
    }

    private func alias(_ cells: [(column: StoreColumn, cell: CellSource)]) -> String {
        cells.contains(where: \.cell.value.isComputed) ? " AS s" : ""
    }

    /// Reuses dropped columns for new ones of the same type.
    ///
    /// One pass then empties or fills them, where dropping each column is a pass of its own.
    private static func reusingColumns(
        of table: EntityTable,
        for cells: [(column: StoreColumn, cell: CellSource)]
    ) -> [(column: StoreColumn, cell: CellSource)] {
        let kept = Set(cells.compactMap(\.cell.base))
        var dropped = table.columns.filter { !kept.contains($0.name) }
        return cells.map { column, cell in
            guard cell.base == nil,
                let place = dropped.firstIndex(where: { $0.declaredType == column.declaredType })
            else { return (column, cell) }
            var cell = cell
            cell.base = dropped.remove(at: place).name
            cell.takesColumnOver = true
            return (column, cell)
        }
    }

    /// Merges the cells of a column from all entities of a table into one expression.
    private static func merge(
        _ cells: [CellSource?],
        of pairs: [MappingTarget],
        _ concerned: Range<Int>,
        into column: StoreColumn
    ) -> CellSource {
        let relevant = zip(concerned, cells).compactMap { pair, cell in
            cell.map { (number: pairs[pair].source.number, $0) }
        }
        let distinct = Set(relevant.map(\.1))
        // Rows of entities that the column does not concern have NULL in it and keep that.
        guard let first = relevant.first?.1 else { return .null }
        let isForAll = relevant.count == pairs.count || first.isUnchanged || first == .null
        guard distinct.count > 1 || !isForAll else { return first }
        let base = base(of: relevant.map(\.1), for: column)
        if case .entityNumber = column.role {
            let cases = relevant.filter { !$0.1.isUnchanged }.map { number, cell in
                RowExpression.Case(number: number, value: cell.value)
            }
            return CellSource(value: .byEntity(cases, otherwise: .column("Z_ENT")), base: "Z_ENT")
        }
        let cases = relevant.map { RowExpression.Case(number: $0, value: $1.value) }
        return CellSource(value: .byEntity(cases, otherwise: nil), base: base)
    }

    /// The old column that a new one continues, among those of its entities.
    fileprivate static func base(of cells: [CellSource], for column: StoreColumn) -> String? {
        let bases = cells.compactMap(\.base)
        return bases.first { $0 == column.name } ?? bases.first
    }
}

private struct ColumnPast {
    private let roles: [String: ColumnRole]
    private let layout: StoreLayout
    /// The indexes of the pairs, by the old number.
    private var places: [Int: [Int]] = [:]

    init(_ table: EntityTable, _ pairs: [MappingTarget], _ layout: StoreLayout) {
        roles = Dictionary(firstOf: table.columns.map { ($0.name, $0.role) })
        self.layout = layout
        for (place, pair) in pairs.enumerated() {
            places[pair.source.number, default: []].append(place)
        }
    }

    /// Adds the entities that a new column does not concern though the old one held their values: anything left there
    /// would pass for values of the entities that it does concern.
    func clear(_ column: StoreColumn, for concerned: inout Range<Int>, _ cells: inout [CellSource?])
    {
        guard let base = TableTransfer.base(of: cells.compactMap(\.self), for: column),
            let role = roles[base], !role.isOfArrivals, let owner = role.declarer
        else { return }
        let bereft = layout.numbers(ofHierarchy: owner).flatMap { places[$0] ?? [] }
            .filter { !concerned.contains($0) }
        guard let least = bereft.min(), let most = bereft.max() else { return }
        let all = min(least, concerned.lowerBound)..<max(most + 1, concerned.upperBound)
        let known = Set(bereft)
        cells = all.map { place in
            concerned.contains(place)
                ? cells[place - concerned.lowerBound] : known.contains(place) ? .null : nil
        }
        concerned = all
    }
}
