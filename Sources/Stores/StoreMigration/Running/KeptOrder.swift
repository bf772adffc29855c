package import Diagnostics
import Essentials
import MappingInference
import MigrationPlanning
import SQLiteAccess
package import StoreFormat

/// A relationship whose links kept their order in a migration, though Core Data loses it.
///
/// Not a loss of this migration, but an app that migrates with Core Data gets another order: the reader of the result
/// must know (MigrationBehaviour, "Changes").
package struct KeptOrder: Sendable, Hashable {
    /// The relationship, such as `Folder.favorites`, named as in the new version.
    package var relationship: PropertyReference
    /// The number of links with an order: those of objects with several.
    package var links: Int

    /// What an app does otherwise, and what helps.
    package var diagnostic: Diagnostic {
        Diagnostic(
            .keptOrder,
            "\(relationship): momtool keeps the order of \(links.counted("link")), but Core Data does not; restore it in a stage",
            severity: .warning,
            element: relationship.description
        )
    }
}

extension RuleID { package static let keptOrder: RuleID = "kept-order" }

extension Migration {
    /// Finds the links in the migrated store that kept an order which Core Data would have lost.
    ///
    /// A stage with work after the step in question restores the order itself, and a map defines it. The store is
    /// opened only if there may be any; an unreadable one has none, as the migration is over and did not fail.
    package func keptOrders(inStoreAt path: String) -> [KeptOrder] {
        let properties = keptOrderProperties
        guard !properties.isEmpty, let layout = programs.last?.layout,
            let store = try? StoreFile(path: path)
        else { return [] }
        return properties.compactMap { property in
            guard let stored = layout.links(of: property.reference, as: .join),
                stored.orderKey != nil
            else { return nil }
            let groups =
                "SELECT count(*) AS n FROM \(quotedIdentifier(stored.table)) "
                + "GROUP BY \(quotedIdentifier(stored.source)) HAVING n > 1"
            let sum = try? store.connection.value("SELECT COALESCE(sum(n), 0) FROM (\(groups))")
            guard let links = sum?.integer, links > 0 else { return nil }
            return KeptOrder(relationship: property.reference, links: Int(clamping: links))
        }
    }

    /// The relationships of the last version whose links may have such an order.
    private var keptOrderProperties: [MappedProperty] {
        var kept: [MappedProperty] = []
        for (index, step) in zip(route.steps, parts).enumerated() {
            guard let program = step.1.program else { continue }
            let mappings = program.entityMappings.flatMap(\.relationshipMappings)
            kept = kept.flatMap { old in mappings.filter { $0.source == old }.map(\.destination) }
            guard step.0.kind == .lightweight, !isRestored(after: index) else { continue }
            kept += program.mapping.risks.filter { $0.kind == .orderLostInManyToMany }
                .compactMap(\.destination)
        }
        var known: Set<MappedProperty> = []
        return kept.filter { known.insert($0).inserted }
    }

    private func isRestored(after index: Int) -> Bool {
        guard let next = route.steps.dropFirst(index + 1).first else { return false }
        return next.kind == .didMigrate && next.stage == route.steps[index].stage
    }
}
