import Foundation
import MigrationPlanning
import ModelLanguage
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration

extension Scenario {
    /// What a map does not speak of must cost nothing.
    static let oneMapped = Scenario(
        name: "one-mapped",
        summary:
            "one row of an entity with a value expression beside many rows of another; time to inference"
    ) { rows in
        let (old, new) = (taggedModel(), taggedModel(further: ["code"]))
        let map = StageMap(entities: [
            StageMap.EntityMap(
                source: "Tag",
                destination: "Tag",
                values: ["code": try PredicateExpression(parsing: "uppercase:($source.name)")]
            )
        ])
        return try withStore(rows: rows, model: old) { original in
            do {
                let connection = try SQLiteConnection(path: original, mode: .readWrite)
                try connection.execute(
                    "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a')"
                )
            }
            let size = try fileSize(original)
            let inferred = try leastSeconds(runs: 5) {
                try copy(of: original)
            } _: { path in
                try Migration(
                    of: StoreFile(path: path),
                    from: ModelVersion(name: "1", model: old),
                    to: ModelVersion(name: "2", model: new)
                ).runInPlace(path: path)
            }
            let mapped = try leastSeconds(runs: 5) {
                try copy(of: original)
            } _: { path in
                try Migration(
                    of: StoreFile(path: path),
                    by: StagedMigrationManager([
                        .custom(
                            CustomMigrationStage(
                                migratingFrom: ManagedObjectModelReference(model: old, name: "1"),
                                to: ManagedObjectModelReference(model: new, name: "2")
                            )
                        )
                    ]),
                    works: [0: CustomStageWork(map: map)]
                ).runInPlace(path: path)
            }
            let growth = Double(try fileSize(original + ".copy")) / Double(size)
            return [
                "by inference: \(inferred.milliseconds)", "by a map: \(mapped.milliseconds)",
                "ratio \((mapped / inferred).ratio)", "size of the file: \(growth.ratio)",
            ]
        }
    }
}

private func taggedModel(further: [String] = []) -> ManagedObjectModel {
    var model = ManagedObjectModel.before
    model.entities.append(
        Entity(
            name: "Tag",
            attributes: (["name"] + further).map { Attribute(name: $0, type: .string) }
        )
    )
    return model
}

private func fileSize(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
}
