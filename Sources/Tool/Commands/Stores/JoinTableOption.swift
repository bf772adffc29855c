import ArgumentParser
import MigrationPlanning
import ModelLoading
import Momtool
import ObjectModel

/// Which side of a many-to-many relationship of an entity with itself names its table.
struct JoinTableOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For a many-to-many relationship between an entity and itself: the side that names the join table, such as Person.friends; may be repeated. It is not known which side Core Data chooses.",
            valueName: "name"
        )
    )
    var joinTable: [String] = []

    /// Lets the versions of models know the choice.
    ///
    /// - Throws: `CommandFailure` when a name is of no such relationship.
    func applied(to bundles: [ModelBundle]) throws -> [ModelBundle] {
        let models = bundles.flatMap(\.versions).map(\.model)
        for name in joinTable
        where !models.isEmpty && !models.contains(where: { $0.hasSelfJoin(name) }) {
            let message =
                "error: there is no many-to-many relationship '\(name)' of an entity with itself"
            throw CommandFailure(.usage, ["\(message) [unknown-relationship]"])
        }
        return bundles.map { $0.namingJoinTables(by: joinTable) }
    }
}

extension ManagedObjectModel {
    fileprivate func hasSelfJoin(_ name: String) -> Bool {
        let graph = ModelGraph(self)
        return entities.contains { entity in
            entity.relationships.contains { relationship in
                guard "\(entity.name).\(relationship.name)" == name, relationship.isToMany,
                    let (inverse, owner) = graph.inverse(of: relationship)
                else { return false }
                return inverse.isToMany && owner.name == entity.name
            }
        }
    }
}
