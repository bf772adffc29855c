import CloudKitSchema
import Diagnostics
import ObjectModel
import Testing

private func changes(_ old: String, _ new: String) -> [Diagnostic] {
    let (from, to) = (
        readSchema("DEFINE SCHEMA \(old)", path: "old"),
        readSchema("DEFINE SCHEMA\n\(new)", path: "new")
    )
    #expect(from.diagnostics.isEmpty && to.diagnostics.isEmpty)
    return diff(from: from.value, to: to.value).map { $0.diagnostic(path: "new") }
}

struct SchemaComparisonTests {
    @Test(arguments: [
        ("RECORD TYPE A (); RECORD TYPE B ();", "RECORD TYPE A ();", "record type 'B' is gone"),
        ("RECORD TYPE A (x STRING);", "RECORD TYPE A ();", "field 'x' of 'A' is gone"),
        ("RECORD TYPE A (x STRING);", "RECORD TYPE A (x INT64);", "was STRING and is INT64"),
        ("RECORD TYPE A (x STRING);", "RECORD TYPE A (x LIST<STRING>);", "LIST<STRING>"),
        ("RECORD TYPE A (x STRING);", "RECORD TYPE A (x ENCRYPTED STRING);", "now encrypted"),
        ("RECORD TYPE A (x ENCRYPTED STRING);", "RECORD TYPE A (x STRING);", "no longer encrypted"),
    ])
    func `what Production refuses is an error`(old: String, new: String, message: String) {
        let found = changes(old, new)
        #expect(found.map(\.rule) == ["cloudkit-refused-change"])
        #expect(found.first?.message.contains(message) == true)
        #expect(found.first?.severity == .error)
    }

    @Test(arguments: [
        ("RECORD TYPE A ();", "RECORD TYPE A (x STRING);", "cloudkit-accepted-change"),
        ("", "RECORD TYPE A ();", "cloudkit-accepted-change"),
        (
            "RECORD TYPE A (x STRING);", "RECORD TYPE A (x STRING QUERYABLE);",
            "cloudkit-settings-change"
        ),
        ("RECORD TYPE A (\"___etag\" STRING);", "RECORD TYPE A ();", "cloudkit-settings-change"),
    ])
    func `what Production takes is a note`(old: String, new: String, rule: RuleID) {
        let found = changes(old, new)
        #expect(found.map(\.rule) == [rule])
        #expect(found.first?.severity == .note)
    }

    @Test(arguments: [
        ("RECORD TYPE Users (x STRING);", ""),
        ("RECORD TYPE A ();", "RECORD TYPE A (\"___etag\" STRING);"),
        ("RECORD TYPE A (GRANT READ, WRITE TO r);", "CREATE ROLE r; RECORD TYPE A ();"),
    ])
    func `what means the same is no change`(old: String, new: String) {
        #expect(changes(old, new).isEmpty)
    }

    @Test func `a change has its places in both schemas`() {
        let found = changes("RECORD TYPE A (\n x STRING);", "RECORD TYPE A (x INT64);")
        #expect(found.first?.location == FileLocation(path: "new", line: 2, column: 16))
        #expect(found.first?.notes.first?.location == FileLocation(path: "old", line: 2, column: 2))
        #expect(found.first?.element == "A.x")
    }

    @Test func `a rename between models is a new field beside the old one`() throws {
        let old = model(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>"
        )
        let new = model(
            "<entity name='A'><attribute name='b' optional='YES' attributeType='String' elementID='a'/></entity>"
        )
        let found = diff(
            from: try prediction(of: old).schema(),
            to: try prediction(of: new).schema()
        ).map { $0.diagnostic(path: "new", renames: SchemaRenames(from: old, to: new)) }
        let renamed = found.filter { $0.rule == "cloudkit-renamed-item" }
        #expect(renamed.map(\.element) == ["CD_A.CD_a", "CD_A.CD_a_ckAsset"])
        #expect(renamed.allSatisfy { $0.severity == .warning && $0.message.contains("CD_b") })
        #expect(!found.contains { $0.severity == .error })
    }
}
