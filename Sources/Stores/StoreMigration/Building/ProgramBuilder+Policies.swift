import MappingInference
import SQLiteAccess
import StoreFormat
import ObjectModel

/// What the code of one entity mapping needs from the program that it runs in.
struct PolicyProgram: Sendable {
    /// The statements that make one object: find its key, insert it, and increment the key counter.
    struct InstanceStatements: Sendable {
        var key: String
        var insertion: String
        var counting: String
    }

    var place: Int
    var mapping: EntityMapping
    /// The condition on the objects of the source's view; `nil` without a source.
    var sourceCondition: String?
    /// `nil` when the mapping leads from or to no entity.
    var instanceStatements: InstanceStatements?
    /// The steps that make the links which the code leaves to the mapping.
    var linkSteps: [ProgramStep] = []

    /// Returns the table of which object became which by the mapping at an index.
    static func objects(_ place: Int) -> String { "temp.momtool_objects_\(place)" }

    /// Returns the table of objects whose links a policy leaves to the mapping at an index.
    static func related(_ place: Int) -> String { "temp.momtool_related_\(place)" }
}

extension ProgramBuilder {
    mutating func planPolicies() {
        for (place, mapping) in correspondence.policyMappings {
            for table in ["momtool_objects_\(place)", "momtool_related_\(place)"] {
                let columns = ["source INTEGER NOT NULL", "destination INTEGER NOT NULL"]
                steps.objects.append(.schema(.createTemporary(table, columns: columns, unique: [])))
                steps.objects += ["source", "destination"].map {
                    .schema(.indexTemporary(table, column: $0))
                }
            }
            var policy = PolicyProgram(place: place, mapping: mapping)
            policy.sourceCondition = sourceCondition(of: mapping)
            if let target = correspondence.policies.first(where: { $0.place == place }) {
                policy.instanceStatements = instanceStatements(of: target)
                policy.linkSteps = linkSteps(of: target)
            }
            policies.append(policy)
        }
    }

    private func sourceCondition(of mapping: EntityMapping) -> String? {
        guard let name = mapping.sourceEntity,
            let entity = correspondence.source.entities.first(where: { $0.name == name }),
            let table = correspondence.source.table(of: name),
            let condition = try? expressions.condition(mapping.condition, of: entity)
        else { return nil }
        return "objectID IN (SELECT s.Z_PK FROM \(expressions.table(table.name)) AS s "
            + "WHERE \(condition))"
    }

    private func instanceStatements(of target: MappingTarget) -> PolicyProgram.InstanceStatements? {
        let layout = correspondence.destination
        guard let table = layout.table(of: target.destination.name),
            let old = correspondence.source.table(of: target.source.name),
            let condition = try? expressions.condition(of: target)
        else { return nil }
        let root = layout.number(of: table.rootEntity) ?? 0
        let cells =
            [("Z_PK", "?1"), ("Z_ENT", String(target.destination.number)), ("Z_OPT", "1")]
            + values(of: target).map { ($0.column, $0.value.sql) }
        return PolicyProgram.InstanceStatements(
            key: "SELECT Z_MAX + 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(root)",
            insertion: "INSERT INTO \(quotedIdentifier(table.name)) "
                + "(\(columnList(cells.map(\.0)))) "
                + "SELECT \(cells.map(\.1).joined(separator: ", ")) "
                + "FROM \(expressions.table(old.name)) AS s "
                + "WHERE s.Z_PK = ?2 AND \(condition) RETURNING Z_PK",
            counting: "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = \(root)"
        )
    }

    private mutating func linkSteps(of target: MappingTarget) -> [ProgramStep] {
        let owners = LinkQuery.Objects.made(target.related)
        var all: [ProgramStep] = []
        for mapping in target.mapping.relationshipMappings {
            let queries = links.queries(of: mapping, target, owners: owners)
            let found = links.found(by: mapping, of: target)
            guard !queries.isEmpty || found != nil else { continue }
            let meant = links.meant(by: mapping, of: target)
            all += queries.compactMap { keepMeant(meant, $0) }
            let name = temporaryLinks()
            all.append(captureStep(queries, into: name))
            if let found {
                let search = searchSteps(of: found, for: name)
                all += [search.capture] + search.find
            }
            all += writing(of: mapping.destination, links: name)
        }
        return all
    }

    /// The steps that add captured links to a relationship's own.
    private func writing(of reference: PropertyReference, links name: String) -> [ProgramStep] {
        let layout = correspondence.destination
        guard let stored = layout.links(of: reference) else { return [] }
        let inverse = correspondence.destinationGraph.inverse(of: reference)
        switch stored.form {
        case .key:
            guard let key = foreignKey(of: reference) else { return [] }
            let first = ProgramStep.rows(.keepFirst(links: name, of: .source))
            guard let other = inverse.flatMap({ foreignKey(of: $0) }) else {
                return [first] + keySteps(key, name, .source)
            }
            // Of two objects with room for one, neither may have got another.
            let isTaken = zip([key, other], ["source", "destination"]).map { key, side in
                "t.\(side) IN (SELECT Z_PK FROM \(quotedIdentifier(key.table)) WHERE "
                    + "\(quotedIdentifier(key.column)) NOT NULL)"
            }.joined(separator: " OR ")
            let what = "leave out links to objects that have one"
            return [first, .rows(.keepFirst(links: name, of: .destination))]
                + [.rows(.remove(table: name, where: isTaken, count: 0, what: what))]
                + keySteps(key, name, .source) + keySteps(other, name, .destination)
        case .inverseKey:
            guard let key = inverse.flatMap({ foreignKey(of: $0) }) else { return [] }
            return [.rows(.keepFirst(links: name, of: .destination))]
                + keySteps(key, name, .destination)
        case .owner: return ownerSteps(stored, name) + [stored.orderStep].compactMap(\.self)
        case .join:
            guard let join = layout.joinTables.first(where: { $0.name == stored.table }) else {
                return []
            }
            guard join.namingRelationship != reference else {
                return [.rows(.writeJoinTable(join, links: name, ignoresKnown: true))]
                    + join.renumbering
            }
            let reversed = "\(name)_reversed"
            let query =
                "SELECT destination AS source, source AS destination, "
                + "destinationOrder AS sourceOrder, sourceOrder AS destinationOrder FROM temp.\(name)"
            return [
                .rows(.capture(reversed, query: query, what: "links")),
                .rows(.writeJoinTable(join, links: reversed, ignoresKnown: true)),
            ] + join.renumbering
        }
    }

    private func keySteps(
        _ key: RowChange.ForeignKey,
        _ links: String,
        _ side: RowChange.LinkSide
    ) -> [ProgramStep] {
        let order = key.orderKey.map {
            ProgramStep.rows(.assignOrder(table: key.table, key: key.column, orderKey: $0))
        }
        return [.rows(.writeForeignKey(key, links: links, side: side))] + [order].compactMap(\.self)
    }
}
