import Foundation
import TestSupport
import Testing

/// The page of the row format: each example is made into a store, exported, and made into a store again.
struct RowFormatPageTests {
    /// Rows, and what is to be said of them.
    private struct Example {
        var title: String
        var words: String
        /// The attributes and relationships of `Person`, or whole entities.
        var model: String
        var rows: String
    }

    private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
        "<attribute name='\(name)' attributeType='\(type)' optional='YES' \(more)/>"
    }

    private static let examples: [Example] = [
        Example(
            title: "Texts, numbers and truth values",
            words: """
                As JSON has them. Whole numbers beyond 2⁵³ are strings, because most programs that read JSON would round
                them; strings are taken for smaller ones too. Of an attribute of type Float the nearest number of 32 bits
                is meant. `"Infinity"` and `"-Infinity"` are strings.
                """,
            model: attribute("name", "String") + attribute("age", "Integer 16")
                + attribute("big", "Integer 64") + attribute("height", "Double")
                + attribute("limit", "Double") + attribute("weight", "Float")
                + attribute("isNew", "Boolean"),
            rows: """
                {"Person": [{"@id": "p1", "name": "Ada", "age": 36, "big": "9007199254740993", "height": 1.68,
                             "limit": "Infinity", "weight": 60.1, "isNew": true}]}
                """
        ),
        Example(
            title: "Decimals",
            words: """
                Strings, so that no reader of JSON loses a digit; a number is taken too, and `"NaN"`. A store holds a decimal as an integer or a
                double, as Core Data writes it: of one with more than about 17 digits it keeps the first ones.
                """,
            model: attribute("price", "Decimal") + attribute("discount", "Decimal"),
            rows: #"{"Person": [{"@id": "p1", "price": "12.30", "discount": "NaN"}]}"#
        ),
        Example(
            title: "Dates",
            words: """
                ISO 8601 with the seconds, in UTC or with an offset, and as many decimals as the stored number needs.
                A number is taken for seconds since 2001-01-01 00:00 UTC; dates outside of the years 0 to 9999 are
                written so.
                """,
            model: attribute("born", "Date") + attribute("seen", "Date")
                + attribute("left", "Date") + attribute("never", "Date"),
            rows: """
                {"Person": [{"@id": "p1", "born": "2001-01-31T12:30:00Z", "seen": "2024-02-29T14:30:00.25+02:00",
                             "left": 86400, "never": 9e12}]}
                """
        ),
        Example(
            title: "UUIDs and URIs",
            words: "Strings.",
            model: attribute("token", "UUID") + attribute("home", "URI"),
            rows: """
                {"Person": [{"@id": "p1", "token": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
                             "home": "https://example.com/ada?q=1"}]}
                """
        ),
        Example(
            title: "Bytes",
            words: """
                Base64, also of what lies in a file beside the store: which values do is no part of the format.
                """,
            model: attribute("photo", "Binary", "allowsExternalBinaryDataStorage='YES'")
                + attribute("key", "Binary"),
            rows: #"{"Person": [{"@id": "p1", "photo": "iVBORw0KGgo=", "key": "AAEC"}]}"#
        ),
        Example(
            title: "Nil",
            words: """
                `null` or left out. A required attribute that is left out gets its default. A derived one that is left out
                is worked out; `null` keeps it nil. In what a case expects with `contains`, `null` says that there is
                nothing, and what is left out does not count.
                """,
            model: attribute("name", "String") + attribute("nick", "String")
                + "<attribute name='points' attributeType='Integer 16' defaultValueString='3'/>"
                + attribute(
                    "folded",
                    "String",
                    "derived='YES' derivationExpression='canonical:(name)'"
                ),
            rows: #"{"Person": [{"@id": "p1", "name": "Ådå", "nick": null}]}"#
        ),
        Example(
            title: "Names and links",
            words: """
                `@id` is the name of a row, any text that no other row of its entity has; `p12` gives the object the key 12,
                and exports name all rows so. A link is `Entity/name`, where the entity is that of the row or one above it.
                It may stand on either side of a relationship, or on both; a to-many one is a list, and its order counts
                where the relationship is ordered.
                """,
            model: """
                <entity name='Person'><attribute name='name' attributeType='String' optional='YES'/>
                <relationship name='employer' optional='YES' maxCount='1' deletionRule='Nullify'
                  destinationEntity='Company' inverseName='staff' inverseEntity='Company'/></entity>
                <entity name='Company'><attribute name='name' attributeType='String' optional='YES'/>
                <relationship name='staff' optional='YES' toMany='YES' ordered='YES' deletionRule='Nullify'
                  destinationEntity='Person' inverseName='employer' inverseEntity='Person'/></entity>
                """,
            rows: """
                {"Company": [{"@id": "looms", "name": "Looms", "staff": ["Person/bob", "Person/ada"]}],
                 "Person": [{"@id": "ada", "name": "Ada"}, {"@id": "bob", "name": "Bob"},
                            {"name": "Eve"}]}
                """
        ),
        Example(
            title: "Composite attributes",
            words:
                """
                Objects of their elements, which may be composites too; elements that are nil are left out. Of elements of one name, which
                SwiftData makes of a struct that occurs twice in another, the second is `hue_2`, the third `hue_3`.
                """,
            model: """
                <entity name='Person'>
                <attribute name='home' attributeType='Composite' composite='Place' optional='YES'/></entity>
                <composite name='Place'><attribute name='city' attributeType='String' optional='YES'/>
                <attribute name='street' attributeType='String' optional='YES'/></composite>
                """,
            rows: #"{"Person": [{"@id": "p1", "home": {"city": "Paris"}}]}"#
        ),
        Example(
            title: "Transformable attributes: {\"@archive\": …}",
            words: """
                What is archived, where it is a property list: texts, numbers, truth values, lists, dictionaries, and in
                braces with a name what JSON has no form for, `@bytes`, `@date`, `@uuid`, `@uri` and `@set`. Any other archive
                is base64. An attribute whose class says what a list holds, such as SwiftData's `Array<String>`, takes the list
                alone.
                """,
            model: attribute(
                "marks",
                "Transformable",
                "valueTransformerName='NSSecureUnarchiveFromData'"
            )
                + attribute(
                    "tags",
                    "Transformable",
                    "valueTransformerName='NSSecureUnarchiveFromData' customClassName='Array&lt;String&gt;'"
                ),
            rows: """
                {"Person": [{"@id": "p1", "tags": ["a", "b"], "marks": {"@archive": [1, "two", true, null,
                  {"k": {"@date": "2001-01-31T12:30:00Z"}}, {"@bytes": "AAEC"}, {"@set": [3]},
                  {"@uuid": "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"}, {"@uri": "https://example.com"}]}}]}
                """
        ),
        Example(
            title: "Binary attributes that hold JSON: {\"@json\": …}",
            words: """
                An object or a list in JSON without white space, as SwiftData keeps arrays of structs and dictionaries. White
                space between its parts is not stored; all else is. Any other bytes are base64.
                """,
            model: attribute("stops", "Binary"),
            rows: """
                {"Person": [{"@id": "p1", "stops": {"@json": [{"town": "Paris", "nights": 2}]}}]}
                """
        ),
        Example(
            title: "What is stored otherwise than its type says",
            words: """
                Old apps wrote such values. Each is an object with one member, which says how SQLite stores it: `@integer`,
                `@real`, `@text`, `@bytes`; `@encodedText` for text that is no UTF-8, in base64; `@file` with the name of a
                file beside the store that is missing. An export notes them; an import stores them in the same way again.
                """,
            model: attribute("age", "Integer 16") + attribute("name", "String")
                + attribute("born", "Date") + attribute("isNew", "Boolean")
                + attribute("nick", "String") + attribute("key", "Binary")
                + attribute("photo", "Binary", "allowsExternalBinaryDataStorage='YES'"),
            rows: """
                {"Person": [{"@id": "p1", "age": {"@text": "many"}, "name": {"@bytes": "AAEC"},
                             "born": {"@text": "today"}, "isNew": {"@real": "0.5"}, "nick": {"@encodedText": "/w=="},
                             "photo": {"@file": "00000000-0000-4000-8000-000000000001"}, "key": {"@integer": "7"}}]}
                """
        ),
    ]

    @Test func `every form of a value in the page is read, written and read again`() throws {
        let sections = try Self.examples.map { example in
            try withFolder { folder in try section(of: example, in: folder) }
        }
        let name = "RowFormat.md"
        let file = pagesFolder.appending(path: name)
        let text = Self.page(sections)
        if DocumentationTests.isRecording { try Data(text.utf8).write(to: file) }
        #expect(
            (try? String(contentsOf: file, encoding: .utf8)) == text,
            "\(name) is stale: run MOMTOOL_RECORD=1 swift test --filter RowFormatPageTests"
        )
    }

    private func section(of example: Example, in folder: URL) throws -> String {
        let model = folder.appending(path: "M.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        let entities =
            example.model.hasPrefix("<entity")
            ? example.model : "<entity name='Person'>\(example.model)</entity>"
        try Data("<model>\(entities)</model>".utf8).write(to: model.appending(path: "contents"))
        var exports: [String] = []
        var rows = example.rows
        for number in 1...2 {
            let path = folder.appending(path: "rows\(number).json")
            try Data(rows.utf8).write(to: path)
            let store = "S\(number).sqlite"
            let create = ["create", store, "--model", "M.xcdatamodel", "--rows", path.path]
            let made = try momtool(create, in: folder)
            #expect(made.status == 0, "\(example.title): \(made.errors)")
            rows = try momtool(["export", store, "--model", "M.xcdatamodel"], in: folder).output
            exports.append(rows)
        }
        // What was exported is read as what it was.
        #expect(exports[0] == exports[1], "\(example.title)")
        #expect(exports[0].contains("\"@id\""), "\(example.title)")
        return """
            ## \(example.title)

            \(example.words)

            ```json
            \(example.rows)
            ```

            An export writes it so:

            ```json
            \(exports[0].trimmingCharacters(in: .newlines))
            ```
            """
    }

    private static func page(_ sections: [String]) -> String {
        """
        # Rows

        How rows are written: in the files of cases, in `momtool create --rows`, and as `momtool export` writes them.

        Rows are an object with a list for each entity; a single row needs no list. In a `case.yml` they may be
        YAML, with the same names and values:
        `Person: [{name: Ada, born: 2001-01-31T12:30:00Z}]`; words such as `no` are texts there, `true`, `false` and `null`
        are not, and a text of digits needs quotation marks. What is wrong with a value is told at its line and column, and
        all required values that are left out are told at once, each with what to add.

        The page is made by a test, which makes a store of each example, exports it, and makes a store of that again.

        \(sections.joined(separator: "\n\n"))

        """
    }
}
