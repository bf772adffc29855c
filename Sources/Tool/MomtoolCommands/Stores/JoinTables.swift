import ArgumentParser
import ModelLoading
import Momtool

let joinTableHelp = ArgumentHelp(
    "For a many-to-many relationship between an entity and itself: the side that names the join table, such as Person.friends; may be repeated. It is unknown which side Core Data chooses.",
    valueName: "name"
)

extension [ModelBundle] {
    /// Names the join table of an entity with itself by a side of each such relationship.
    func namingJoinTables(by names: [String]) throws -> [ModelBundle] {
        let models = flatMap(\.versions).map(\.model)
        if !models.isEmpty { try requireSelfJoins(names, in: models) }
        return map { $0.namingJoinTables(by: names) }
    }
}
