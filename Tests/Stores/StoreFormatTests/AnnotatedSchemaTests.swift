import ObjectModel
import SQLiteAccess
import Testing

@testable import StoreFormat

struct AnnotatedSchemaTests {
    @Test func `columns are named as the model names them and the text stays SQL`() throws {
        try withTemporaryFolder { folder in
            try createStore(at: folder + "/a.sqlite", model: .library)
            let layout = StoreLayout(model: .library)
            let file = try StoreFile(path: folder + "/a.sqlite")
            let copy = try SQLiteConnection(path: folder + "/copy.sqlite", mode: .create)
            try copy.registerTriggerFunctions()
            for object in try file.schema() {
                try copy.execute(annotatedSQL(of: object, layout))
            }
            for table in layout.tables {
                let sql = "SELECT name, type FROM pragma_table_info(?)"
                #expect(
                    try copy.rows(sql, [.text(table.name)])
                        == file.connection.rows(sql, [.text(table.name)])
                )
            }
            let book = try #require(try file.schema().first { $0.name == "ZBOOK" })
            let text = annotatedSQL(of: book, layout)
            #expect(text.hasPrefix("-- Book (2), Novel (3)\n"))
            #expect(text.contains("ZGENRE VARCHAR, -- Novel.genre\n"), "\(text)")
            #expect(text.contains("Z_FOK_AUTHOR INTEGER, -- place among those"), "\(text)")
        }
    }

    @Test func `names that would end a comment or a column do not`() {
        let odd = "a\n);DROP TABLE x;--\", b"
        let model = ManagedObjectModel(entities: [
            Entity(name: odd, attributes: [Attribute(name: odd, type: .string)])
        ])
        let layout = StoreLayout(model: model)
        let table = layout.tables[0]
        let object = SchemaObject(
            kind: .table,
            name: table.name,
            table: table.name,
            sql: table.createSQL
        )
        let lines = annotatedSQL(of: object, layout).split(separator: "\n")
        #expect(lines.first?.hasPrefix("-- a );DROP TABLE x;") == true)
        #expect(lines.count { $0.hasPrefix("--") } == 1)
    }
}
