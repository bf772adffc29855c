import Diagnostics
import Foundation
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct ProgramLinkTests {
    private static let model = ManagedObjectModel(entities: [
        Entity(
            name: "A",
            relationships: [
                StageModels.link("b", "B", "as"),
                StageModels.link("many", "B", "others", isToMany: true),
            ]
        ),
        Entity(
            name: "B",
            relationships: [
                StageModels.link("as", "A", "b", isToMany: true),
                StageModels.link("others", "A", "many", isToMany: true),
            ]
        ),
        Entity(name: "C", parentEntity: "B"), Entity(name: "M"),
    ])

    @Test(arguments: [
        (#"{"@id": "A/p1", "b": "B/p2"}"#, true), (#"{"@id": "A/p1", "b": "C/p3"}"#, true),
        (#"{"@id": "A/p1", "b": "B/p3"}"#, true), (#"{"@id": "A/p1", "many": ["C/p3"]}"#, true),
        (#"{"@insert": "A/new", "b": "B/p2"}"#, true), (#"{"@id": "A/p1", "b": "M/p2"}"#, false),
        (#"{"@id": "A/p1", "many": ["M/p2"]}"#, false), (#"{"@id": "A/p1", "b": "A/p1"}"#, false),
        (#"{"@insert": "A/new", "b": "M/p2"}"#, false), (#"{"@id": "A/p1", "b": "C/p2"}"#, false),
        (#"{"@insert": "A/new", "many": ["M/p2"]}"#, false),
        (#"{"@id": "A/p1", "b": "B/p9"}"#, false),
        (#"{"@insert": "M/x"}"# + "\n" + #"{"@id": "A/p1", "b": "M/x"}"#, false),
        (#"{"@insert": "C/x"}"# + "\n" + #"{"@id": "A/p1", "b": "C/x"}"#, true),
    ])
    func `a link to an object of another entity is refused`(_ lines: String, _ isTaken: Bool) throws
    {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.model) { connection, layout throws(StoreError) in
                for (entity, table, key) in [
                    ("A", "ZA", 1), ("B", "ZB", 2), ("C", "ZB", 3), ("M", "ZM", 2),
                ] {
                    try connection.execute(
                        "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT) "
                            + "VALUES (\(key), \(layout.number(of: entity) ?? 0), 1)"
                    )
                }
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 3")
            }
            let program = StageProgram(
                arguments: ["sh", "-c", "cat > /dev/null; cat <<'E'\n\(lines)\nE"],
                entities: ["A"],
                location: FileLocation(path: "Stages.yml")
            )
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            func run() throws(StoreMigrationError) {
                try runStageWork(
                    .program(program),
                    on: connection,
                    at: ModelVersion(model: Self.model)
                )
            }
            guard !isTaken else { return try run() }
            let error = #expect(throws: StoreMigrationError.self) { try run() }
            let isOfProgram = if case .script? = error { true } else { false }
            #expect(isOfProgram, "\(error?.description ?? "")")
        }
    }
}
