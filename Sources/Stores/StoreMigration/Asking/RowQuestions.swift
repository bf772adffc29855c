package import MappingInference
package import ObjectModel
import SQLiteAccess
import StoreFormat

/// A question to the rows of a store that decides whether a migration succeeds, or what it loses.
package struct RowQuestion: Sendable, Hashable {
    package var risk: RowRisk
    /// The query: its first column is the number of rows, values or links at stake.
    package var sql: String
    /// A query of the keys of some of the rows.
    package var examplesSQL: String
    /// Other names of the loss, such as `Person.books` for the links of `Book.author`.
    package internal(set) var otherNames: [String] = []
    /// Whether Core Data has a value for the rows, of code that does not run here.
    var isMetByCode = false
    /// The rows that are counted, where they are rows of one table that meet a condition.
    var rows: CountedRows?

    /// Rows of a table, called `s`, that meet a condition.
    struct CountedRows: Sendable, Hashable {
        var table: String
        /// The number of the entity of the rows; `nil` for all rows of the table.
        var entity: Int?
        var condition: String
        /// For rows of no entity, the numbers that entities have; the condition says the same.
        var known: Set<Int>?

        var test: String {
            guard let entity else { return condition }
            let own = "s.Z_ENT = \(entity)"
            return condition == Self.all ? own : "\(own) AND \(condition)"
        }

        static let all = "1"
    }
}

extension RowQuestion {
    init(_ risk: RowRisk, _ rows: CountedRows) {
        self.init(risk, from: "\(quotedIdentifier(rows.table)) AS s WHERE \(rows.test)")
        self.rows = rows
    }

    /// Asks about what `rows` gives after `FROM`; examples are some values of the column `key`, in order.
    init(
        _ risk: RowRisk,
        counting count: String = "count(*)",
        from rows: String,
        key: String = "Z_PK",
        isRepeated: Bool = false,
        names: [String] = []
    ) {
        self.risk = risk
        sql = "SELECT \(count) FROM \(rows)"
        let column = isRepeated ? "DISTINCT \(key)" : key
        examplesSQL = "SELECT \(column) FROM \(rows) ORDER BY \(key) LIMIT 5"
        otherNames = names
    }

    /// Asks what is lost with an object that Core Data did not create and a step cannot keep; `layout` is the old one.
    init(_ object: AbandonedObject, _ layout: StoreLayout) {
        let kind = RowRisk.Kind.foreignObject(
            object.kind,
            name: object.name,
            table: object.table,
            reason: object.reason
        )
        let risk = RowRisk(kind, of: layout.entity(ofTable: object.table) ?? object.table)
        guard object.kind == .column else {
            self.init(risk: risk, sql: "SELECT 1", examplesSQL: "SELECT NULL WHERE 0")
            return
        }
        let (column, table) = (quotedIdentifier(object.name), quotedIdentifier(object.table))
        self.init(
            risk: risk,
            sql: "SELECT count(\(column)) FROM \(table)",
            examplesSQL: "SELECT rowid FROM \(table) WHERE \(column) NOT NULL ORDER BY 1 LIMIT 5"
        )
    }
}

/// Turns the risks of a step into queries over the layout of a fresh store.
package func rowQuestions(
    of mapping: InferredMapping,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
) -> [RowQuestion] {
    let correspondence = EntityCorrespondence(
        mapping.entityMappings,
        from: StoreLayout(model: source),
        to: destination
    )
    return RowQuestions(mapping: mapping, links: LinkPlan(correspondence: correspondence)).all()
}

/// The questions of a step: what would make Core Data fail, and what does not arrive.
struct RowQuestions {
    let mapping: InferredMapping
    let links: LinkPlan
    /// Whether the mappings were written by hand, so that there are risks besides those of inference.
    var isMapped = false
    /// Translates value expressions of the new version into SQL over the old row.
    var expressions: MapExpressions?

    var correspondence: EntityCorrespondence { links.correspondence }
    var layout: StoreLayout { correspondence.source }

    /// All questions; the ones that can make a migration fail come first.
    func all() -> [RowQuestion] {
        let known =
            isMapped
            ? mappedRisks() + keyQuestions()
            : mapping.risks.compactMap(question) + abstractRemovals()
        let losses = isMapped ? mapLosses() + expressionLosses() + mergeLosses() : []
        return known + uniquenessQuestions() + conversionQuestions() + entityNumberQuestions()
            + losses + LinkLosses(links: links, mapping: mapping, taking: taking).questions()
    }

    /// Asks for rows of abstract entities that are removed: no app makes any, and each is reported.
    private func abstractRemovals() -> [RowQuestion] {
        mapping.entityMappings.compactMap { mapping in
            guard mapping.kind == .remove, let name = mapping.sourceEntity,
                correspondence.sourceGraph.entity(name)?.isAbstract == true
            else { return nil }
            return question(RowRisk(.removedEntity, of: name))
        }
    }

    /// The query of one risk; `nil` for one that no row can realize, or that another question covers.
    func question(_ risk: RowRisk) -> RowQuestion? {
        let (entity, source) = (risk.sourceEntity, risk.source)
        var column: String? { source.flatMap { self.column($0, risk.elementPath) } }
        switch risk.kind {
        case .mandatoryWithoutDefault, .becomesAbstract, .derivationNotComputed, .removedEntity:
            return rows(risk, of: entity, where: nil)
        case .nullInMandatoryAttribute:
            return column.flatMap { rows(risk, of: entity, where: "\($0) IS NULL") }
        case .nullInMandatoryRelationship:
            guard let source else { return rows(risk, of: entity, where: nil) }
            return layout.links(of: source).flatMap { rows(risk, of: entity, where: $0.emptiness) }
        case .removedAttribute:
            return column.flatMap { rows(risk, of: entity, where: "\($0) IS NOT NULL") }
        case .missingExternalFile:
            return column.flatMap {
                rows(
                    risk,
                    of: entity,
                    where: "\($0) IS NOT NULL AND \(ExternalForm.removing)(\($0)) IS NULL"
                )
            }
        case .destinationsOutOfReach(let reachable, isMandatory: true):
            return source.flatMap { linksOutOfReach(risk, of: entity, $0, reachable) }
        case .orderLostInManyToMany:
            // Core Data loses the order; momtool carries it into the join table.
            return nil
        case .toManyBecomesToOne, .sharedDestination, .destinationsOutOfReach, .orderLost,
            .expressionLoss, .mergedObjects, .tooManyLinks, .removedRelationship,
            .linksToRemovedObjects, .newUniquenessConstraint,
            .narrowingConversion, .objectsLeftOut, .rowsOfNoEntity, .valuesOfOtherType,
            .recordsOfRemovedObjects, .wrongEntityNumbers, .noKeysLeft, .foreignObject:
            return nil
        }
    }

    func rows(_ risk: RowRisk, of entity: String, where condition: String?) -> RowQuestion? {
        guard let table = layout.table(of: entity), let number = layout.number(of: entity) else {
            return nil
        }
        var question = RowQuestion(
            risk,
            RowQuestion.CountedRows(
                table: table.name,
                entity: number,
                condition: condition ?? RowQuestion.CountedRows.all
            )
        )
        question.isMetByCode = risk.isMetByCode(in: correspondence.destinationGraph.model)
        return question
    }

    /// The values that the new types cannot hold, and texts where numbers should be.
    private func conversionQuestions() -> [RowQuestion] {
        correspondence.targets.flatMap { target in
            target.mapping.attributeMappings.flatMap { mapping -> [RowQuestion] in
                guard mapping.expression == nil, mapping.conversion != .none,
                    let source = mapping.source,
                    let column = column(source, mapping.sourceElementPath)
                else { return [] }
                let path = mapping.sourceElementPath
                let isExternal = mapping.conversion == .externalStorage(isAllowed: false)
                let kind = RowRisk.Kind.valuesOfOtherType(isExternal: isExternal)
                let other = target.risk(kind, source, at: path)
                let new = mapping.destination
                let narrowing = target.risk(.narrowingConversion, source, to: new, at: path)
                if let fitting = mapping.conversion.fitting {
                    let misfit = fitting.misfit(of: column)
                    return [rows(narrowing, of: target, where: misfit)].compactMap(\.self)
                }
                if isExternal {
                    return rows(other, of: target, where: isUnclearExternal(column)).map { [$0] }
                        ?? []
                }
                guard case .numeric = mapping.conversion else { return [] }
                let isNumber = "typeof(\(column)) NOT IN ('text', 'blob')"
                return [
                    rows(other, of: target, where: "NOT \(isNumber)"),
                    mapping.conversion.misfit(of: column)
                        .flatMap { rows(narrowing, of: target, where: "\(isNumber) AND \($0)") },
                ]
                .compactMap(\.self)
            }
        }
    }

    /// Asks for links with wrong entity numbers, where these tell the step which links lead to removed objects.
    private func entityNumberQuestions() -> [RowQuestion] {
        correspondence.pairs.flatMap { pair in
            pair.mapping.relationshipMappings.compactMap { mapping -> RowQuestion? in
                guard links.isDirect(mapping.destination, of: pair),
                    let origin = mapping.source,
                    let key = key(of: origin),
                    let number = layout.links(of: origin)?.entityColumn,
                    let target = correspondence.sourceGraph
                        .relationship(origin)?.destinationEntity,
                    !correspondence.removedNumbers(inHierarchyOf: target).isEmpty,
                    let table = layout.table(of: target)
                else { return nil }
                return rows(
                    pair.risk(.wrongEntityNumbers, origin),
                    of: pair.source.name,
                    where:
                        "EXISTS (SELECT 1 FROM \(quotedIdentifier(table.name)) AS d WHERE d.Z_PK = "
                        + "s.\(key) AND d.Z_ENT IS NOT s.\(quotedIdentifier(number)))"
                )
            }
        }
    }

    func rows(_ risk: RowRisk, of target: MappingTarget, where condition: String) -> RowQuestion? {
        guard target.mapping.condition != nil,
            let own = try? expressions?.condition(of: target)
        else { return rows(risk, of: target.source.name, where: condition) }
        return rows(risk, of: target.source.name, where: "(\(own)) AND (\(condition))")
    }

    /// Links of objects of an entity to objects outside `these` entities.
    private func linksOutOfReach(
        _ risk: RowRisk,
        of entity: String,
        _ source: PropertyReference,
        _ reachable: [String]
    ) -> RowQuestion? {
        guard let table = layout.table(of: entity), let number = layout.number(of: entity),
            let query = links.allLinks(of: source),
            let target = correspondence.sourceGraph
                .relationship(source)?.destinationEntity
                .flatMap({ layout.table(of: $0)?.name })
        else { return nil }
        let numbers = numberList(reachable.compactMap { layout.number(of: $0) })
        let links = """
            (\(query.sql([:]))) AS l \
            JOIN \(quotedIdentifier(table.name)) AS s ON s.Z_PK = l.source \
            JOIN \(quotedIdentifier(target)) AS d ON d.Z_PK = l.destination \
            WHERE s.Z_ENT = \(number) AND d.Z_ENT NOT IN (\(numbers))
            """
        return RowQuestion(risk, from: links, key: "s.Z_PK", isRepeated: true)
    }

    func column(_ property: PropertyReference, _ path: [String]) -> String? {
        layout.column(of: property, path).map { quotedIdentifier($0.name) }
    }

    /// The column of a to-one relationship, in quotes.
    func key(of property: PropertyReference) -> String? {
        layout.links(of: property, as: .key).map { quotedIdentifier($0.key) }
    }
}

extension StoreLayout {
    /// The entity of a table, or the one whose relationship it stores.
    func entity(ofTable name: String) -> String? {
        tables.first { $0.name == name }?.rootEntity
            ?? joinTables.first { $0.name == name }?.namingRelationship.entity
    }

    func columnNames(of name: String) -> [String] {
        tables.first { $0.name == name }?.columns.map(\.name)
            ?? joinTables.first { $0.name == name }?.columnNames ?? []
    }

    /// Whether a store of this layout has an index that could not exist if the risk were real.
    func proves(_ risk: RowRisk) -> Bool {
        guard case .newUniquenessConstraint(let properties) = risk.kind,
            let table = risk.destinationEntity.flatMap(table)
        else { return false }
        let columns = properties.map { property -> String? in
            let destination = property.destination
            return column(of: destination)?.name ?? links(of: destination, as: .key)?.key
        }
        let list = columns.map { $0.map { "\(quotedIdentifier($0)) COLLATE BINARY ASC" } ?? "" }
        return indexes.contains {
            $0.isUnique && $0.table == table.name
                && $0.sql.hasSuffix(" (\(list.joined(separator: ", ")))")
        }
    }
}

/// Asks whether all rows of a table that a step rewrites belong to its hierarchy.
func hierarchyQuestion(_ table: EntityTable, _ layout: StoreLayout) -> RowQuestion {
    RowQuestion(
        RowRisk(.rowsOfNoEntity, of: table.rootEntity),
        RowQuestion.CountedRows(
            table: table.name,
            condition: isStray(in: table, layout),
            known: Set(layout.numbers(ofHierarchy: table.rootEntity))
        )
    )
}

/// The condition that a row of a table has no entity of its hierarchy.
func isStray(in table: EntityTable, _ layout: StoreLayout) -> String {
    isStray(among: layout.numbers(ofHierarchy: table.rootEntity))
}

func isStray(among numbers: [Int]) -> String {
    "COALESCE(Z_ENT, 0) NOT IN (\(numberList(numbers)))"
}

extension StoredLinks {
    /// The condition that an object has no link.
    fileprivate var emptiness: String {
        let key = quotedIdentifier(key)
        guard form != .key else { return "\(key) IS NULL" }
        return "Z_PK NOT IN (SELECT \(key) FROM \(quotedIdentifier(table)) WHERE \(key) NOT NULL)"
    }
}
