import Diagnostics
import Essentials
import ObjectModel
import RowExchange
import SettingsFiles
import StoreFormat
import StoreMigration

struct CaseComparison {
    var status = CaseOutcome.Status.passed
    var lines: [String] = []
    private var expected: ObjectGraph?

    init(
        of migrationCase: MigrationCase,
        _ result: StoreFile,
        _ model: ManagedObjectModel,
        _ work: URL,
        _ options: CaseRunOptions
    ) throws {
        let file = migrationCase.file
        let isPartial = file.expectation == .contains
        let rows = Data(try exportedRows(of: result, model: model))
        let found = try ObjectGraph(rows: rows, model: model)
        let place = migrationCase.rowsFile("after")
        let expectedRows = try migrationCase.rows(file.after, "after")
        if let expectedRows {
            let expected = try ExpectedRows(expectedRows, model, isPartial, in: work)
            self.expected = expected.graph
            if isPartial {
                lines = PartialComparison(expected, found).lines
            } else {
                lines = differences(expected: expected.graph, found: found)
            }
            if lines.isEmpty { return }
        } else if isPartial, !file.facts.isEmpty {
            return
        } else {
            let missing: Wording = "\(place.lastPathComponent) is missing; \(.recording)"
            lines = [missing.text(in: options.words)]
        }
        status = .failed
        guard options.records else { return }
        if isPartial, expectedRows != nil {
            lines.append("partial expectations are not recorded: change them where they are")
        } else if file.after != nil {
            lines.append("rows under 'after' are not recorded: change them there")
        } else {
            try rows.write(to: place, options: .atomic)
            status = .recorded
            let path = place.path
            lines = expectedRows == nil ? ["wrote \(path)"] : ["rewrote \(path):"] + lines
        }
    }
}

extension CaseComparison {
    /// The lists of the case with an order that Core Data would have lost, each at its first line.
    func remarks(on orders: [KeptOrder]) -> [String] {
        guard let expected else { return [] }
        return orders.compactMap { order in
            let name = order.relationship.name
            let object = expected.objects.first { object in
                expected.isOrdered(name, of: object) && (object.links[name] ?? []).count > 1
            }
            return object.map { expected.place(of: $0, name) + order.diagnostic.message }
        }
    }
}

struct ExpectedRows {
    var graph: ObjectGraph
    /// The names of the properties that each row gives, by the row's name in an export.
    var named: [String: Set<String>] = [:]

    init(_ source: RowSource, _ model: ManagedObjectModel, _ isPartial: Bool, in work: URL) throws {
        let path = work.appending(path: "expected.sqlite").path
        var options = RowImportOptions()
        options.missing = isPartial ? .left : .refused
        options.tellsNames = true
        var model = model
        if isPartial {
            // Values that the rows do not name are the same in all of them.
            for index in model.entities.indices { model.entities[index].uniquenessConstraints = [] }
        }
        let imported = try createStore(
            at: path,
            model: model,
            rows: source,
            StoreCreationOptions(modelCache: .empty),
            options
        )
        let rows = Data(try exportedRows(of: StoreFile(path: path), model: model))
        try rows.write(to: work.appending(path: "expected.json"))
        graph = try ObjectGraph(rows: rows, model: model, names: imported.names)
        for row in imported.rows {
            named[row.reference] = Set(row.properties.keys)
            graph.lines[row.reference] = ObjectGraph.Lines(
                path: source.path,
                row: row.line,
                properties: row.properties
            )
        }
    }
}
