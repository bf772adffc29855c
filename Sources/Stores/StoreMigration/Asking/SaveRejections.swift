import Essentials
package import Diagnostics
import MappingInference
import ObjectModel
import SQLiteAccess
package import StoreFormat

extension Migration {
    /// Counts the rows that the new version's rules would reject when Core Data saves them after the migration.
    ///
    /// A migration checks neither limits nor patterns nor the least number of links; the next save of an object does.
    /// Values are looked at as the migration leaves them, converted, and with defaults where they were missing. Only a
    /// single inferred step is foreseen: what maps, mapping models and code write is known when they have run. The
    /// findings use the names of the new version; `progress` gets the numbers of finished entities and of all.
    package func rejections(
        in store: StoreFile,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreMigrationError) -> [Diagnostic] {
        guard let step = directStep else {
            // A store that no step changes may still hold values for which the app's enums have no case.
            guard let model = destination?.model, steps.isEmpty else { return [] }
            return try storeErrors(enumFindings(in: store, against: model))
        }
        let correspondence = EntityCorrespondence(
            step.mapping.entityMappings,
            from: step.sourceLayout,
            to: step.destination.model
        )
        let rejections = SaveRejections(links: LinkPlan(correspondence: correspondence))
        return try storeErrors { () throws(StoreError) in
            try ValueRule.registerFunctions(on: store.connection)
            try ExternalForm.register(on: store.connection, of: store.path)
            return try rejections.run(on: store.connection, progress)
        }
    }

    /// Finds the rows that will have a value which Swift cannot read: nothing fails before the app reads one.
    package func unreadableValues(
        in store: StoreFile
    ) throws(StoreMigrationError) -> [Diagnostic] {
        let cases = (destination?.model.entities.flatMap(\.attributes) ?? []).map(\.enumCases)
        guard !cases.allSatisfy(\.isEmpty) else { return [] }
        return try rejections(in: store).filter(\.isUnreadableInSwift).map { $0.at(store.path) }
    }
}

extension Diagnostic {
    /// Whether it is about values that Swift cannot read: the app crashes when it does.
    package var isUnreadableInSwift: Bool {
        [.missingSwiftValue, .enumValueUnknown].contains(rule)
    }
}

/// The rules of a new version, applied to the rows of the old one.
private struct SaveRejections {
    /// A condition on the rows of one entity, called `s`.
    private struct Question {
        var finding: Diagnostic
        var condition: String
    }

    let links: LinkPlan

    private var correspondence: EntityCorrespondence { links.correspondence }

    func run(
        on connection: SQLiteConnection,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(StoreError) -> [Diagnostic] {
        let pairs = correspondence.pairs
        return try connection.withProgress(progress, of: pairs.count) { isDone throws(StoreError) in
            var findings: [Diagnostic] = []
            for (place, pair) in pairs.enumerated() {
                for finding in try self.findings(of: pair, on: connection) {
                    add(finding, to: &findings)
                }
                isDone(place + 1)
            }
            return findings
        }
    }

    private func findings(
        of pair: MappingTarget,
        on connection: SQLiteConnection
    ) throws(StoreError) -> [Diagnostic] {
        let questions = valueQuestions(pair) + linkQuestions(pair)
        guard let table = correspondence.source.table(of: pair.source.name), !questions.isEmpty
        else { return [] }
        let rows = "\(quotedIdentifier(table.name)) AS s WHERE Z_ENT = \(pair.source.number)"
        let counts = try connection.counts(of: questions.map(\.condition), in: rows)
        var findings: [Diagnostic] = []
        for (question, count) in zip(questions, counts) where count > 0 {
            let keys = try connection.keys("Z_PK", "FROM \(rows) AND (\(question.condition))")
            var finding = question.finding
            finding.rows = Diagnostic.AffectedRows(count: count, unit: "row", keys: keys)
            findings.append(finding)
        }
        return findings
    }

    /// Entities that inherit a rule are reported together.
    private func add(_ finding: Diagnostic, to findings: inout [Diagnostic]) {
        let place = findings.firstIndex {
            $0.element == finding.element && $0.reason == finding.reason
        }
        guard let place, let known = findings[place].rows, let rows = finding.rows else {
            findings.append(finding)
            return
        }
        let keys = (known.keys + rows.keys).sorted().prefix(Diagnostic.AffectedRows.keyLimit)
        findings[place].rows?.count += rows.count
        findings[place].rows?.keys = Array(keys)
    }

    private func lineage(of pair: MappingTarget) -> [Entity] {
        let graph = correspondence.destinationGraph
        return graph.entity(pair.destination.name).map { graph.lineage(of: $0).reversed() } ?? []
    }

    private func valueQuestions(_ pair: MappingTarget) -> [Question] {
        let graph = correspondence.destinationGraph
        return lineage(of: pair).flatMap { entity in
            entity.attributes.filter { !$0.isTransient && $0.derivation == nil }
                .flatMap { attribute in
                    let leaves = graph.values(of: attribute)
                    return missingValues(of: attribute, entity, pair)
                        + missingElements(of: attribute, leaves, entity, pair)
                        + leaves.flatMap { path, leaf in
                            let cases = attribute.enumCases[path].map { [ValueRule(cases: $0)] }
                            return questions(
                                ValueRule.rules(of: leaf) + (cases ?? []),
                                at: [attribute.name] + path,
                                of: entity,
                                pair
                            )
                        }
                }
        }
    }

    /// Objects without a value that is not optional in Swift.
    private func missingValues(
        of attribute: Attribute,
        _ entity: Entity,
        _ pair: MappingTarget
    ) -> [Question] {
        let own = cell(at: [attribute.name], of: entity, pair)?.value
        let isNew = attribute.enumCases.isRequiredByClass && own == .null
        let new = isNew ? [([attribute.name], [CellSource.null])] : []
        let known = attribute.enumCases.required.map { required in
            (required, required.compactMap { cell(at: [attribute.name, $0], of: entity, pair) })
        }
        return (known + new).compactMap { required, cells in
            guard cells.count == required.count else { return nil }
            let finding = Diagnostic(
                .missingSwiftValue,
                EnumCases.missingValue,
                severity: .warning,
                entity: entity.name,
                property: EnumCases.name(of: required, in: attribute.name),
                rows: .uncounted
            )
            let nulls = cells.map { "(\($0.value.sql)) IS NULL" }
            return Question(finding: finding, condition: nulls.joined(separator: " AND "))
        }
    }

    /// Objects with a value of an optional composite that lacks a mandatory element; risks have those of mandatory ones.
    private func missingElements(
        of attribute: Attribute,
        _ leaves: [(path: [String], attribute: Attribute)],
        _ entity: Entity,
        _ pair: MappingTarget
    ) -> [Question] {
        guard attribute.isOptional else { return [] }
        func value(_ path: [String]) -> String? {
            cell(at: [attribute.name] + path, of: entity, pair).map { "(\($0.value.sql))" }
        }
        return leaves.filter { !$0.attribute.isOptional && !$0.path.isEmpty }.compactMap { leaf in
            let others = leaves.map(\.path).filter {
                $0 != leaf.path && $0.starts(with: leaf.path.dropLast())
            }
            let some = others.compactMap(value).map { "\($0) NOT NULL" }.joined(separator: " OR ")
            guard !some.isEmpty, let own = value(leaf.path) else { return nil }
            let finding = Diagnostic(
                .missingValue,
                missingElementMessage,
                severity: .warning,
                entity: entity.name,
                property: ([attribute.name] + leaf.path).joined(separator: "."),
                rows: .uncounted
            )
            return Question(finding: finding, condition: "\(own) IS NULL AND (\(some))")
        }
    }

    private func cell(at path: [String], of entity: Entity, _ pair: MappingTarget) -> CellSource? {
        correspondence.destination.column(
            of: path[0],
            path: Array(path.dropFirst()),
            declaredBy: entity.name
        ).flatMap { correspondence.cell($0, of: pair, links: links) }
    }

    private func questions(
        _ rules: [ValueRule],
        at path: [String],
        of entity: Entity,
        _ pair: MappingTarget
    ) -> [Question] {
        guard !rules.isEmpty, let cell = cell(at: path, of: entity, pair) else { return [] }
        return rules.map { rule in
            let finding = Diagnostic(
                rule.rule,
                rule.message,
                severity: .warning,
                entity: entity.name,
                property: path.count == 2 && path[0] == path[1]
                    ? path[0] : path.joined(separator: "."),
                rows: .uncounted
            )
            return Question(finding: finding, condition: rule.condition("(\(cell.value.sql))"))
        }
    }

    /// Objects with fewer links than required; those with too many are among a migration's risks.
    private func linkQuestions(_ pair: MappingTarget) -> [Question] {
        let relationships = correspondence.destinationGraph.storedRelationships(
            of: lineage(of: pair)
        )
        return relationships.compactMap { reference, relationship in
            let least = relationship.minCount ?? 0
            guard relationship.isToMany, least > 0 else { return nil }
            let queries = links.queries(of: reference).map {
                "SELECT source, destination FROM (\($0.sql([:])))"
            }
            guard !queries.isEmpty || !relationship.isOptional else { return nil }
            let all = "(\(queries.joined(separator: " UNION ")))"
            let enough = "SELECT source FROM \(all) GROUP BY 1 HAVING count(*) >= \(least)"
            // An optional relationship may be empty.
            let some = relationship.isOptional ? " AND Z_PK IN (SELECT source FROM \(all))" : ""
            let finding = Diagnostic(
                .missingDestination,
                "fewer than \(least.counted("destination")): Core Data refuses the next save of the object (1580)",
                severity: .warning,
                entity: reference.entity,
                property: reference.name,
                rows: .uncounted
            )
            return Question(
                finding: finding,
                condition: queries.isEmpty ? "1" : "Z_PK NOT IN (\(enough))\(some)"
            )
        }
    }
}
