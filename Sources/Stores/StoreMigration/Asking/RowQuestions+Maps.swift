import MappingInference
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

extension RowQuestions {
    /// What a map omits: objects without a mapping, and values that nothing reads.
    ///
    /// What code takes is known only after it has run.
    func mapLosses() -> [RowQuestion] {
        guard let coded = correspondence.codedEntities else { return [] }
        let takers = takers
        let mapReads = MapReads(self)
        return layout.entities.filter { !$0.isAbstract && !coded.contains($0.name) }
            .flatMap { entity in
                let targets = takers[entity.name] ?? []
                return [leftOut(entity, targets)].compactMap(\.self)
                    + (targets.isEmpty ? [] : unread(entity, targets, mapReads))
            }
    }

    /// The objects that get new keys, of which the store has none left.
    func keyQuestions() -> [RowQuestion] {
        (correspondence.insertions + correspondence.policies).enumerated()
            .compactMap { index, target in
                guard let root = correspondence.oldRoots[target.destination.rootName],
                    let number = layout.number(of: root)
                else { return nil }
                let isUsedUp =
                    "EXISTS (SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(number) AND Z_MAX >= \(keyLimit))"
                // An object that stays in its entity keeps its key, unless another mapping has it.
                let others = (correspondence.pairs + correspondence.insertions.prefix(index))
                    .filter {
                        $0.source.number == target.source.number
                            && $0.destination.rootName == target.destination.rootName
                    }
                let isTaken = others.map { "(\(taking(of: $0)))" }.joined(separator: " OR ")
                let condition = target.isContinuing && !others.isEmpty ? " AND (\(isTaken))" : ""
                let risk = target.risk(.noKeysLeft(root: root))
                return rows(risk, of: target, where: isUsedUp + condition)
            }
    }

    /// What code omits from the objects it handles, unless it reads it: unread values, and links that nothing continues.
    func codeLosses() -> [RowQuestion] {
        guard let coded = correspondence.codedEntities, !coded.isEmpty else { return [] }
        let takers = takers
        let mapReads = MapReads(self)
        return layout.entities.filter { !$0.isAbstract && coded.contains($0.name) }
            .flatMap { entity in
                takers[entity.name].map { unread(entity, $0, mapReads) } ?? []
            } + LinkLosses(links: links, mapping: mapping, taking: taking).codeQuestions()
    }

    /// The mappings that lead from each old entity to a new one.
    private var takers: [String: [MappingTarget]] {
        Dictionary(grouping: correspondence.targets, by: \.source.name)
    }

    private func leftOut(_ entity: NumberedEntity, _ targets: [MappingTarget]) -> RowQuestion? {
        guard !targets.isEmpty else {
            let goesOn = correspondence.destinationGraph.entity(entity.name) != nil
            return rows(
                goesOn
                    ? RowRisk(.objectsLeftOut(by: .mapping), of: entity.name)
                    : RowRisk(.removedEntity, of: entity.name),
                of: entity.name,
                where: nil
            )
        }
        guard let any = condition(ofAny: targets) else { return nil }
        return rows(
            RowRisk(.objectsLeftOut(by: .condition), of: entity.name),
            of: entity.name,
            where: "(\(any)) IS NOT 1"
        )
    }

    /// The attributes that no mapping copies and no expression reads; where some do, those of the other objects.
    private func unread(
        _ entity: NumberedEntity,
        _ targets: [MappingTarget],
        _ mapReads: MapReads
    ) -> [RowQuestion] {
        guard let definition = correspondence.sourceGraph.entity(entity.name) else { return [] }
        let graph = correspondence.sourceGraph
        return graph.lineage(of: definition).flatMap { owner in
            owner.attributes.filter { !$0.isTransient && $0.derivation == nil }
                .flatMap { attribute -> [RowQuestion] in
                    let property = PropertyReference(entity: owner.name, name: attribute.name)
                    let kind = RowRisk.Kind.removedAttribute(
                        attribute.allowsExternalBinaryDataStorage ? .removedWithFiles : .removed
                    )
                    return graph.values(of: attribute).compactMap { path, _ in
                        guard let column = column(property, path),
                            let lost = lost([attribute.name] + path, of: entity, targets, mapReads)
                        else { return nil }
                        return rows(
                            RowRisk(kind, of: entity.name, property, at: path),
                            of: entity.name,
                            where: "\(column) IS NOT NULL\(lost.isEmpty ? "" : " AND \(lost)")"
                        )
                    }
                }
        }
    }

    /// The condition that an object's value is dropped: empty if it always is, `nil` if it never is.
    private func lost(
        _ path: [String],
        of entity: NumberedEntity,
        _ targets: [MappingTarget],
        _ mapReads: MapReads
    ) -> String? {
        // Expressions of other objects may take the value, too.
        var kept = mapReads.reads(path, ofOther: entity.name)
        for target in targets {
            let reads = target.copies(path) ? .whole : mapReads.reads(path, target)
            switch reads {
            case .none: continue
            case .whole:
                guard !target.takesAll, expressions != nil else { return nil }
                kept.append("(\(taking(of: target)))")
            case .under(let condition): kept.append("(\(taking(of: target))) AND (\(condition))")
            }
        }
        guard !kept.isEmpty else { return "" }
        // Objects that no mapping takes are counted as objects.
        let taken = condition(ofAny: targets).map { " AND (\($0))" } ?? ""
        return "(\(kept.joined(separator: " OR "))) IS NOT 1\(taken)"
    }

    /// The condition that one of some mappings includes an object; `nil` if one of them includes all.
    private func condition(ofAny targets: [MappingTarget]) -> String? {
        guard !targets.contains(where: \.takesAll), expressions != nil else { return nil }
        return targets.map { "(\(taking(of: $0)))" }.joined(separator: " OR ")
    }

    /// The condition that a mapping takes a row `s`; objects without their lookup keys are dropped.
    func taking(of target: MappingTarget) -> String {
        let all = "s.Z_ENT = \(target.source.number)"
        let own = (try? expressions?.condition(of: target)) ?? all
        return hasKeys(target).map { "(\(own)) AND \($0)" } ?? own
    }
}

extension MappingTarget {
    fileprivate func copies(_ path: [String]) -> Bool {
        mapping.attributeMappings.contains {
            $0.source.map(\.name) == path[0] && $0.sourceElementPath == Array(path.dropFirst())
        }
    }
}

private struct MapReads {
    /// Whether the value of an attribute is used by a mapping.
    enum Reading {
        case none, whole
        case under(String)
    }

    /// The reads of the objects' own values, by the index of the mapping.
    private var own: [Int: Set<AttributeRead>] = [:]
    /// The reads of other objects, by all entities that these may have, with the rows `s` where they start.
    private var others: [String: [OtherRows: Set<AttributeRead>]] = [:]

    private struct OtherRows: Hashable {
        var row: String
        var origin: AttributeRead.Origin
        /// The table that the mapping takes objects from, and the condition that it takes one.
        var table: String
        var taking: String

        /// The condition on a row `s` that one of these is that row, and meets a condition of its own.
        func contain(where condition: String?) -> String {
            let tables = ["\(quotedIdentifier(table)) AS s"] + origin.tables
            let conditions = [taking] + origin.conditions + [condition].compactMap(\.self)
            let all = conditions.map { "(\($0))" }.joined(separator: " AND ")
            return
                "s.Z_PK IN (SELECT \(row).Z_PK FROM \(tables.joined(separator: ", ")) WHERE \(all))"
        }
    }

    init(_ questions: RowQuestions) {
        let layout = questions.correspondence.source
        for target in questions.correspondence.targets {
            for read in Self.reads(of: target, questions) {
                guard let origin = read.origin, let table = layout.table(of: target.source.name)
                else {
                    own[target.place, default: []].insert(read)
                    continue
                }
                let taking = questions.taking(of: target)
                let rows = OtherRows(
                    row: read.row,
                    origin: origin,
                    table: table.name,
                    // Keys are columns without a table, and the path may lead to one with the same columns.
                    taking: target.mapping.findOrCreateKeys.isEmpty
                        ? taking
                        : "s.Z_PK IN (SELECT s.Z_PK FROM \(quotedIdentifier(table.name)) AS s WHERE \(taking))"
                )
                for number in layout.numbers(ofHierarchy: read.entity) {
                    let entity = layout.entities[number - 1].name
                    others[entity, default: [:]][rows, default: []].insert(read)
                }
            }
        }
    }

    private static func reads(
        of target: MappingTarget,
        _ questions: RowQuestions
    ) -> Set<AttributeRead> {
        let (entity, expressions) = (target.source.name, questions.expressions)
        var reads: Set<AttributeRead> = []
        for attribute in target.mapping.attributeMappings {
            guard let expression = attribute.expression else { continue }
            reads.formUnion((try? expressions?.value(expression, of: entity))?.reads ?? [])
        }
        for relationship in target.mapping.relationshipMappings {
            guard case .found(_, _, let equals) = relationship.origin else { continue }
            let value = try? expressions?.value(equals, of: entity)
            // A lookup that finds nothing takes the value nowhere.
            let isFound = questions.isFound(relationship, target)
            reads.formUnion((value?.reads ?? []).map { read in isFound.map(read.and) ?? read })
        }
        return reads
    }

    /// The conditions under which other objects' expressions read the value of an object `s` at a path, or around it.
    func reads(_ path: [String], ofOther entity: String) -> [String] {
        (others[entity] ?? [:]).compactMap { rows, reads in
            switch reading(path, reads) {
            case .none: nil
            case .whole: rows.contain(where: nil)
            case .under(let condition): rows.contain(where: condition)
            }
        }.sorted()
    }

    func reads(_ path: [String], _ target: MappingTarget) -> Reading {
        reading(path, own[target.place] ?? [])
    }

    private func reading(_ path: [String], _ all: Set<AttributeRead>) -> Reading {
        let reads = all.filter { path.starts(with: $0.path) }
        guard !reads.isEmpty else { return .none }
        let whole = reads.filter { $0.part == nil }
        guard !whole.contains(where: { $0.condition == nil }) else { return .whole }
        // All parts of a text together may be the whole text.
        let parts = Dictionary(grouping: reads.subtracting(whole)) { read in
            [read.part?.text, read.part?.separator, read.condition]
        }
        let together = parts.map { key, reads in
            let places = reads.compactMap(\.part?.place).sorted()
            let all = [key[0], key[1]].compactMap(\.self) + places
            return "\(partsKept)(\(all.joined(separator: ", ")))"
                + (key[2].map { " AND (\($0))" } ?? "")
        }
        let conditions = whole.compactMap(\.condition) + together
        return .under(conditions.map { "(\($0))" }.sorted().joined(separator: " OR "))
    }
}
