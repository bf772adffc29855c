import Foundation
import MigrationTesting
import TestSupport
import Testing

struct DifferenceTests {
    private static let model = Corpus.package
        .appending(path: "Fixtures/Cases/ordered-to-many-kept/Model.xcdatamodeld").path

    private static let before = """
        {
          "Company": [
            {"@id": "c1", "name": "Analytical Engines", "staff": ["Person/p1", "Person/p2"]},
            {"@id": "c2", "name": "Looms"}
          ],
          "Person": [
            {"@id": "p1", "name": "Ada"}, {"@id": "p2", "name": "Bob"}, {"@id": "p3", "name": "Eve"}
          ]
        }
        """

    /// The expected rows, with other keys than in the store; some pieces are exchanged.
    private static func after(_ edits: [(String, String)]) -> String {
        let rows = """
            {
              "Company": [
                {"@id": "k2", "name": "Looms"},
                {"@id": "k1", "name": "Analytical Engines", "staff": ["Person/a", "Person/b"]}
              ],
              "Person": [
                {"@id": "e", "name": "Eve", "age": 7},
                {"@id": "b", "name": "Bob", "age": 7},
                {"@id": "a", "name": "Ada", "age": 7}
              ]
            }
            """
        return edits.reduce(rows) { text, edit in
            #expect(text.contains(edit.0))
            return text.replacing(edit.0, with: edit.1)
        }
    }

    static let failures: [(edits: [(String, String)], sentences: [String])] = [
        ([], []),
        ([("\"Ada\"", "\"Grace\"")], ["Person/a \"Ada\": name is \"Ada\", expected \"Grace\""]),
        (
            [("\"Ada\", \"age\": 7", "\"Ada\", \"age\": 36")],
            ["Person/a \"Ada\": age is 7, expected 36"]
        ),
        (
            [("\"name\": \"Eve\", \"age\": 7", "\"name\": \"Eve\", \"age\": null")],
            ["Person/e \"Eve\": age is 7, expected none"]
        ),
        (
            [("\"name\": \"Looms\"", "\"name\": \"Looms\", \"staff\": [\"Person/e\"]")],
            [
                "Company/k2 \"Looms\": staff is missing, expected Person/e \"Eve\"",
                "Person/e \"Eve\": employer is missing, expected Company/k2 \"Looms\"",
            ]
        ),
        (
            [("\"Person/a\", \"Person/b\"", "\"Person/b\", \"Person/a\"")],
            [
                "Company/k1 \"Analytical Engines\": staff has the order "
                    + "Person/a \"Ada\", Person/b \"Bob\", expected Person/b \"Bob\", Person/a \"Ada\""
            ]
        ),
        (
            [("{\"@id\": \"e\", \"name\": \"Eve\", \"age\": 7},", "")],
            ["Person \"Eve\" is unexpected"]
        ),
        (
            [("{\"@id\": \"e\"", "{\"@id\": \"s\", \"name\": \"Sam\"}, {\"@id\": \"e\"")],
            ["Person/s \"Sam\" is missing"]
        ),
        (
            [("[\"Person/a\", \"Person/b\"]", "[\"Person/a\"]")],
            [
                "Company/k1 \"Analytical Engines\": staff is Person/a \"Ada\", Person/b \"Bob\", "
                    + "expected Person/a \"Ada\"",
                "Person/b \"Bob\": employer is Company/k1 \"Analytical Engines\", expected none",
            ]
        ),
    ]

    @Test func `a text that looks like the expected one is told by its code points`() throws {
        let lines = try migrationDifferences(
            of: Self.model,
            from: "V1",
            to: "V2",
            rows: Self.before.replacing("Eve", with: "Zo\u{EB}"),
            gives: Self.after([("Eve", "Zoe\u{308}")])
        )
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix(#"name is "Zo\u00EB", expected "Zoe\u0308""#) == true)
    }

    @Test(arguments: failures.indices)
    func `a difference is told as a person would say it`(index: Int) throws {
        let (edits, sentences) = Self.failures[index]
        let lines = try migrationDifferences(
            of: Self.model,
            from: "V1",
            to: "V2",
            rows: Self.before,
            gives: Self.after(edits)
        )
        let places = lines.map { line in
            guard line.hasPrefix("after:"), let end = line.firstRange(of: ": ") else { return "" }
            return String(line[..<end.upperBound])
        }
        // A surplus object has no line.
        #expect(zip(lines, places).allSatisfy { $0.contains("unexpected") || $1 != "" })
        let said = zip(lines, places).map { String($0.dropFirst($1.count)) }
        #expect(said.sorted() == sentences.sorted())
    }
}
