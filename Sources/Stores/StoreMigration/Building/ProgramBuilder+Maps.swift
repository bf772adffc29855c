import MappingInference
import MigrationPlanning
import ModelLanguage
import SQLiteAccess
import StoreFormat
import ObjectModel

struct MapFaults: Error { var faults: [(mapping: EntityMapping, fault: MapFault)] }

extension ProgramBuilder {
    /// Translates value expressions into SQL over the old tables under their current names.
    var expressions: MapExpressions { MapExpressions(layout: correspondence.source, names: names) }

    /// Translates all value expressions once, so that what cannot be carried out is known before anything is built.
    func checkExpressions() throws(MapFaults) {
        var faults: [(EntityMapping, MapFault)] = []
        for target in correspondence.targets {
            do throws(MapFault) { try check(target) } catch {
                faults.append((target.mapping, error))
            }
        }
        guard faults.isEmpty else { throw MapFaults(faults: faults) }
    }

    private func check(_ target: MappingTarget) throws(MapFault) {
        _ = try expressions.condition(of: target)
        for mapping in target.mapping.attributeMappings {
            guard let expression = mapping.expression else { continue }
            let form = correspondence.form(of: mapping.destination, mapping.elementPath)
            try check(expression, as: form, of: target, mapping.destination.name)
        }
        for mapping in target.mapping.relationshipMappings {
            guard case .found(let entity, let key, let equals) = mapping.origin else { continue }
            let name = mapping.destination.name
            try check(equals, as: correspondence.keyForm(entity, key), of: target, name)
            guard correspondence.destination.column(of: key, declaredBy: entity) != nil else {
                let place = "\(target.destination.name).\(name)"
                throw MapFault(
                    reason: "'\(place)': the new version has no attribute '\(entity).\(key)'",
                    property: name
                )
            }
        }
    }

    private func check(
        _ expression: PredicateExpression,
        as form: CellForm?,
        of target: MappingTarget,
        _ property: String
    ) throws(MapFault) {
        do throws(MapFault) {
            _ = try expressions.value(expression, of: target.source.name, as: form)
        } catch {
            let reason = "'\(target.destination.name).\(property)': \(error.reason)"
            throw MapFault(reason: reason, property: property)
        }
    }

    /// Gives the SQL of an expression that has been translated.
    func sql(_ value: RowExpression) -> RowExpression { expressions.translated(value) }

    /// Replaces a transfer's value expressions with SQL; those that read other rows are captured before anything changes.
    mutating func resolvingExpressions(of transfer: TableTransfer) -> TableTransfer {
        let expressions = expressions
        var captured = capturedValues
        let resolved = try? transfer.replacingModelExpressions {
            expression,
            entity,
            form throws(MapFault) in
            let value = try expressions.value(expression, of: entity, as: form)
            guard value.readsOtherRows,
                let pair = transfer.pairs.first(where: { $0.source.name == entity })
            else { return .computed(value.sql) }
            let model = RowExpression.model(expression, entity: entity, as: form)
            let known = captured[pair.place] ?? []
            let index = known.firstIndex(of: model) ?? known.count
            if index == known.count { captured[pair.place, default: []].append(model) }
            return .captured(table: pair.values, column: "c\(index)")
        }
        capturedValues = captured
        return resolved ?? transfer
    }

    /// Plans which object becomes which, and the values to read before anything changes.
    mutating func planObjects() {
        for pair in correspondence.pairs { planCaptures(of: pair) }
        steps.objects += SystemTransfer(self).recordRemovals
        for (index, target) in correspondence.insertions.enumerated() {
            let columns = [
                "source INTEGER PRIMARY KEY", "destination INTEGER NOT NULL", "isFirst INTEGER",
            ]
            steps.objects.append(
                .schema(.createTemporary(target.objects, columns: columns, unique: []))
            )
            let base = greatestKey(before: index, of: target)
            if target.mapping.findOrCreateKeys.isEmpty {
                number(target, at: index, above: base)
            } else {
                find(target, above: base)
            }
            steps.objects.append(.schema(.indexTemporary(target.objects, column: "destination")))
        }
        for target in correspondence.insertions { planRows(of: target) }
    }

    private func condition(of target: MappingTarget) -> String {
        (try? expressions.condition(of: target)) ?? "0"
    }

    func oldTable(of target: MappingTarget) -> String {
        expressions.table(correspondence.source.table(of: target.source.name)?.name ?? "")
    }

    private mutating func planCaptures(of pair: MappingTarget) {
        let from = "FROM \(oldTable(of: pair)) AS s WHERE"
        if let taken = pair.taken {
            let column = "source INTEGER PRIMARY KEY"
            steps.objects += [
                .schema(.createTemporary(taken, columns: [column], unique: [])),
                .add(
                    to: taken,
                    ["source"],
                    "SELECT s.Z_PK \(from) \(condition(of: pair))",
                    what: "find which objects of \(pair.source.name) take part"
                ),
            ]
        }
        guard let values = capturedValues[pair.place]?.map({ sql($0).sql }) else { return }
        let names = values.indices.map { "c\($0)" }
        let query =
            "SELECT s.Z_PK, \(values.joined(separator: ", ")) \(from) s.Z_ENT = "
            + String(pair.source.number)
        let columns = ["source INTEGER PRIMARY KEY"] + names
        steps.objects += [
            .schema(.createTemporary(pair.values, columns: columns, unique: [])),
            .add(
                to: pair.values,
                ["source"] + names,
                query,
                what: "compute values for \(pair.destination.name)"
            ),
        ]
    }

    /// The greatest key that was used in a table before the objects of an insertion, in SQL.
    ///
    /// Keys of deleted or omitted objects count too: URIs and persistent history still name these.
    private func greatestKey(before index: Int, of target: MappingTarget) -> String {
        let root = target.destination.rootName
        let old = correspondence.source
        var keys: [String] = []
        if let oldRoot = correspondence.oldRoots[root], let number = old.number(of: oldRoot),
            let table = old.table(of: oldRoot)
        {
            keys.append("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)")
            keys.append(greatestKeyQuery(in: expressions.table(table.name)))
        }
        keys += correspondence.insertions[..<index].filter { $0.destination.rootName == root }
            .map { "SELECT max(destination) FROM temp.\($0.objects)" }
        guard !keys.isEmpty else { return "0" }
        return "max(0, \(keys.map { "COALESCE((\($0)), 0)" }.joined(separator: ", ")))"
    }

    /// The condition that no earlier mapping has the key of an object that stays in its entity; `nil` for none that may.
    private func keyIsFree(for target: MappingTarget, at index: Int) -> String? {
        func isSibling(_ other: MappingTarget) -> Bool {
            other.source.number == target.source.number
                && other.destination.rootName == target.destination.rootName
        }
        guard target.isContinuing, let taken = correspondence.pairs.first(where: isSibling)?.taken
        else { return nil }
        let others = correspondence.insertions[..<index].filter(isSibling).map(\.objects)
        return ([taken] + others).map { "s.Z_PK NOT IN (SELECT source FROM temp.\($0))" }
            .joined(separator: " AND ")
    }

    private mutating func number(_ target: MappingTarget, at index: Int, above base: String) {
        var key = "\(base) + row_number() OVER (ORDER BY s.Z_PK)"
        if let isFree = keyIsFree(for: target, at: index) {
            key = "CASE WHEN \(isFree) THEN s.Z_PK ELSE \(key) END"
        }
        steps.objects.append(
            .add(
                to: target.objects,
                ["source", "destination", "isFirst"],
                "SELECT s.Z_PK, \(key), 1 "
                    + "FROM \(oldTable(of: target)) AS s WHERE \(condition(of: target))",
                what: "number the objects of \(target.destination.name)"
            )
        )
    }

    /// The attribute values of a mapping's objects, by column of the new table, over the row `s`.
    func values(of target: MappingTarget) -> [RowChange.Assignment] {
        guard let table = correspondence.destination.table(of: target.destination.name) else {
            return []
        }
        return table.columns.compactMap { column in
            guard case .attribute = column.role,
                let cell = correspondence.cell(column, of: target, links: links)
            else { return nil }
            return RowChange.Assignment(column: column.name, value: sql(cell.value))
        }
    }

    /// Finds objects by their keys, and makes missing ones; objects without a key are dropped.
    private mutating func find(_ target: MappingTarget, above base: String) {
        let columns = target.mapping.findOrCreateKeys.compactMap { key in
            correspondence.destination.column(of: key, declaredBy: target.destination.name)?.name
        }
        let names = columns.indices.map { "k\($0)" }
        let first = correspondence.insertions.first {
            $0.destination.number == target.destination.number
                && $0.mapping.findOrCreateKeys == target.mapping.findOrCreateKeys
        }
        let found = "momtool_found_\(first?.place ?? target.place)"
        beginSearch(found, of: target, columns, names)
        let own = values(of: target)
        let keys = zip(columns, names).map { column, name in
            "\(own.first { $0.column == column }?.value.sql ?? "NULL") AS \(name)"
        }
        let rows =
            "SELECT s.Z_PK AS source, \(keys.joined(separator: ", ")) FROM \(oldTable(of: target)) "
            + "AS s WHERE \(condition(of: target))"
        let present = names.map { "r.\($0) NOT NULL" }.joined(separator: " AND ")
        let same = names.map { "f.\($0) = r.\($0)" }.joined(separator: " AND ")
        let list = names.map { "r.\($0)" }.joined(separator: ", ")
        steps.objects += [
            .add(
                to: found,
                names + ["destination"],
                "SELECT \(list), \(base) + row_number() OVER (ORDER BY min(r.source)) "
                    + "FROM (\(rows)) AS r WHERE \(present) AND NOT EXISTS "
                    + "(SELECT 1 FROM \(found) AS f WHERE \(same)) GROUP BY \(list)",
                what: "number the objects of \(target.destination.name) that do not exist yet"
            ),
            .add(
                to: target.objects,
                ["source", "destination", "isFirst"],
                "SELECT r.source, f.destination, 0 FROM (\(rows)) AS r "
                    + "JOIN \(found) AS f ON \(same)",
                what: "find which object of \(target.destination.name) each one becomes"
            ), .rows(.markFirst(objects: "temp.\(target.objects)", above: base)),
        ]
    }

    /// Makes the lookup table of objects by key, once for each entity.
    private mutating func beginSearch(
        _ found: String,
        of target: MappingTarget,
        _ columns: [String],
        _ names: [String]
    ) {
        let create = ProgramStep.schema(
            .createTemporary(found, columns: names + ["destination INTEGER"], unique: names)
        )
        guard !steps.objects.contains(create) else { return }
        steps.objects.append(create)
        for other in correspondence.pairs + correspondence.insertions
        where other.destination.number == target.destination.number
            && other.mapping.findOrCreateKeys.isEmpty
        {
            let values = values(of: other)
            let keys = columns.map { column in
                values.first { $0.column == column }?.value.sql ?? "NULL"
            }
            let objects = other.objects(in: correspondence.source).sql(self.names)
            steps.objects.append(
                .add(
                    to: found,
                    names + ["destination"],
                    "SELECT \(keys.joined(separator: ", ")), o.destination "
                        + "FROM \(oldTable(of: other)) AS s JOIN (\(objects)) AS o "
                        + "ON o.source = s.Z_PK ORDER BY o.destination",
                    what: "find the keys of the objects of \(other.destination.name)"
                )
            )
        }
    }

    private mutating func planRows(of target: MappingTarget) {
        guard let table = correspondence.destination.table(of: target.destination.name) else {
            return
        }
        let values = values(of: target)
        let cells =
            ["o.destination AS Z_PK", "\(target.destination.number) AS Z_ENT", "1 AS Z_OPT"]
            + values.map { "\($0.value.sql) AS \(quotedIdentifier($0.column))" }
        let query =
            "SELECT \(cells.joined(separator: ", ")) FROM \(oldTable(of: target)) AS s "
            + "JOIN temp.\(target.objects) AS o ON o.source = s.Z_PK WHERE o.isFirst = 1"
        steps.objects.append(
            .rows(.capture(target.rows, query: query, what: "new rows of \(table.name)"))
        )
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + values.map(\.column)
        steps.tables.append(
            .rows(.insert(captured: target.rows, into: table.name, columns: columns))
        )
    }
}
