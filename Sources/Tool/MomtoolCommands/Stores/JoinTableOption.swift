import ArgumentParser
import ModelLoading
import Momtool

/// Which side of a many-to-many relationship of an entity with itself names its table.
struct JoinTableOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For a many-to-many relationship between an entity and itself: the side that names the join table, such as Person.friends; may be repeated. It is unknown which side Core Data chooses.",
            valueName: "name"
        )
    )
    var joinTable: [String] = []

    func applied(to bundles: [ModelBundle]) throws -> [ModelBundle] {
        let models = bundles.flatMap(\.versions).map(\.model)
        if !models.isEmpty {
            try requireSelfJoins(joinTable, in: models)
        }
        return bundles.map { $0.namingJoinTables(by: joinTable) }
    }
}
