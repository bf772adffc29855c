import MappingInference
import SQLiteAccess
import StoreFormat

extension LinkLosses {
    /// The links that maps join with others to longer ones, in their own direction.
    func partsOfPaths(_ reference: PropertyReference) -> [(sql: String, isWhole: Bool)] {
        correspondence.targets.flatMap { target in
            target.mapping.relationshipMappings.flatMap { mapping -> [(String, Bool)] in
                guard case .path(_, _, false) = mapping.origin else { return [] }
                let steps = correspondence.relationships(along: mapping, of: target)
                let queries = steps.compactMap(links.allLinks)
                guard steps.count > 1, queries.count == steps.count,
                    let table = source.table(of: target.source.name)
                else { return [] }
                let joined = queries.indices.map { index in
                    "(\(queries[index].sql([:]))) AS h\(index)"
                        + (index > 0 ? " ON h\(index).source = h\(index - 1).destination" : "")
                }
                let rest =
                    "FROM \(joined.joined(separator: " JOIN ")) WHERE h0.source IN (SELECT Z_PK FROM "
                    + "\(quotedIdentifier(table.name)) AS s WHERE \(taking(target)))"
                return steps.indices.filter { sides(of: reference).contains(steps[$0]) }.map {
                    index in
                    let ends = ["h\(index).source", "h\(index).destination"]
                    let directed = steps[index] == reference ? ends : ends.reversed()
                    return (
                        "SELECT \(directed[0]) AS source, \(directed[1]) AS destination \(rest)",
                        false
                    )
                }
            }
        }
    }
}
