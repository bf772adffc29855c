import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct SelfJoinTests {
    private static func person(_ more: String = "") -> String {
        """
        <model><entity name='Person'><attribute name='name' optional='YES' attributeType='String'/>\(more)\
        <relationship name='friends' optional='YES' toMany='YES' destinationEntity='Person' inverseName='friendOf' \
        inverseEntity='Person'/><relationship name='friendOf' optional='YES' toMany='YES' destinationEntity='Person' \
        inverseName='friends' inverseEntity='Person'/></entity></model>
        """
    }

    private static let age = "<attribute name='age' optional='YES' attributeType='Date'/>"
    private static let other =
        "<entity name='Other'><attribute name='o' optional='YES' attributeType='Date'/></entity></model>"

    private func withModels(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let models = [
                "V1": Self.person(), "V2": Self.person(Self.age),
                "V3": Self.person().replacing("</model>", with: Self.other),
            ]
            try writeBundle(models, "M.xcdatamodeld", in: folder, current: "V3")
            try body(folder)
        }
    }

    private func tables(_ store: URL) throws -> [String] {
        let sql =
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY 1"
        return try StoreFile(path: store.path).connection.rows(sql).compactMap(\.first?.text)
    }

    @Test func `the side that names the table is chosen when a store is made`() throws {
        try withModels { folder in
            let guessed = try momtool(
                "create A.sqlite --model M.xcdatamodeld --version V1",
                in: folder
            )
            #expect(guessed.errors.contains("[guessed-join-table]"))
            for name in ["friends", "friendOf"] {
                let made = try momtool(
                    "create \(name).sqlite --model M.xcdatamodeld --version V1 --join-table Person.\(name)",
                    in: folder
                )
                #expect(made.errors == "")
                let store = folder.appending(path: "\(name).sqlite")
                #expect(try tables(store) == ["Z_1\(name.uppercased())"])
                try expectRun("verify \(name).sqlite", in: folder, 0, "[guessed-join-table]")
            }
            let unknown = try momtool(
                "create B.sqlite --model M.xcdatamodeld --version V1 --join-table Person.name",
                in: folder
            )
            #expect(unknown.status == 64)
            #expect(unknown.errors.contains("[unknown-relationship]"))
        }
    }

    @Test func `a migration that may change the name says so, and takes the one that is chosen`()
        throws
    {
        try withModels { folder in
            let rows =
                #"{"Person": [{"@id": "p1", "friends": ["Person/p2"]}, {"@id": "p2", "friends": ["Person/p1", "Person/p2"]}]}"#
            try write(rows, "rows.json", in: folder)
            let made = try momtool(
                "create S.sqlite --model M.xcdatamodeld --version V1 --rows rows.json --join-table Person.friends",
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
            let words = "guessed-join-table"
            let plan = try momtool("plan M.xcdatamodeld --to V2 --store S.sqlite", in: folder)
            #expect(plan.output.contains("the join table Z_1FRIENDS is named by Person.friends"))
            let run = try momtool(
                "migrate S.sqlite --model M.xcdatamodeld --to V2 -o N.sqlite",
                in: folder
            )
            #expect(run.status == 0)
            #expect(run.errors.contains("[\(words)]"), "\(run.errors)")
            #expect(try tables(folder.appending(path: "N.sqlite")) == ["Z_1FRIENDS"])
            for name in ["friends", "friendOf"] {
                let run = try momtool(
                    "migrate S.sqlite --model M.xcdatamodeld --to V2 -o \(name).sqlite --join-table Person.\(name)",
                    in: folder
                )
                #expect(run.status == 0 && run.errors == "", "\(run.errors)")
                #expect(
                    try tables(folder.appending(path: "\(name).sqlite")) == [
                        "Z_1\(name.uppercased())"
                    ]
                )
                #expect(try momtool("verify \(name).sqlite", in: folder).status == 0)
                let export = try momtool("export \(name).sqlite", in: folder).output
                let links = export.components(separatedBy: "\n").filter { $0.contains("friends") }
                #expect(links.count == 2 && links[1].contains(#"["#), "\(export)")
                let again = try momtool("export N.sqlite", in: folder).output
                #expect(export == again)
            }
            // The entity has its old properties: the name cannot have changed.
            let same = try momtool(
                "migrate S.sqlite --model M.xcdatamodeld --to V3 -o T.sqlite",
                in: folder
            )
            #expect(same.status == 0 && same.errors == "", "\(same.errors)")
            try write("joinTables: [Person.friendOf]\n", ".momtool.yml", in: folder)
            let set = try momtool(
                "migrate S.sqlite --model M.xcdatamodeld --to V2 -o C.sqlite",
                in: folder
            )
            #expect(set.status == 0 && set.errors == "", "\(set.errors)")
            #expect(try tables(folder.appending(path: "C.sqlite")) == ["Z_1FRIENDOF"])
        }
    }

    @Test func `stages take the choice too, and count what they lose`() throws {
        try withModels { folder in
            let rows =
                #"{"Person": [{"@id": "p1", "age": "2024-01-01T00:00:00Z", "friends": ["Person/p1"]}]}"#
            try write(rows, "rows.json", in: folder)
            let made = try momtool(
                "create S.sqlite --model M.xcdatamodeld --version V2 --rows rows.json --join-table Person.friends",
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
            try write(
                "model: M.xcdatamodeld\nstages:\n  - lightweight: [V2, V3]\n",
                "Stages.yml",
                in: folder
            )
            let plan = try momtool("plan --stages Stages.yml --store S.sqlite", in: folder)
            #expect(plan.status == 0, "\(plan.errors)")
            #expect(plan.output.contains("Person.age: 1 value at stake"), "\(plan.output)")
            #expect(plan.output.contains("the join table Z_2FRIENDS is named by Person.friends"))
            let run = try momtool(
                "migrate S.sqlite --stages Stages.yml --allow-data-loss -o N.sqlite --join-table Person.friendOf",
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(!run.errors.contains("guessed-join-table"))
            #expect(try tables(folder.appending(path: "N.sqlite")) == ["Z_2FRIENDOF"])
        }
    }
}
