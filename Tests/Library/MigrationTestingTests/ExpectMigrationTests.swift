import Foundation
import Momtool
import MomtoolTesting
import TestSupport
import Testing

struct ExpectMigrationTests {
    private static func model(_ name: String) -> String {
        Corpus.package.appending(path: "Fixtures/Cases/\(name)/Model.xcdatamodeld").path
    }

    @Test func `rows of an old version become those of a new one`() throws {
        try expectMigration(
            of: Self.model("attribute-renamed"),
            from: "V1",
            to: "V2",
            rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
            gives: #"{"Person": [{"@id": "p1", "fullName": "Ada"}]}"#
        )
    }

    @Test func `a refusal is expected by its code`() throws {
        try expectRefusal(
            of: Self.model("attribute-added-mandatory-without-default"),
            from: "V1",
            rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
            code: 134110
        )
    }

    @Test func `what momtool alone asks about is no refusal by Core Data`() throws {
        let model = Self.model("double-becomes-integer-of-fractions")
        let rows = #"{"Thing": [{"@id": "p1", "value": 3.5}]}"#
        try withKnownIssue {
            try expectRefusal(of: model, from: "V1", rows: rows)
        } matching: { issue in
            issue.comments.contains {
                $0.rawValue.hasPrefix("Core Data ")
                    && $0.rawValue.contains(#"allowsDataLoss: ["Thing.value"]"#)
            }
        }
        try expectRefusal(of: model, from: "V1", rows: rows, message: "Thing.value")
        try withKnownIssue {
            try expectRefusal(of: model, from: "V1", rows: rows, allowsDataLoss: ["Thing.value"])
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("migrated") }
        }
    }

    @Test func `an unexpected question names the argument that allows it`() throws {
        try withKnownIssue {
            try expectMigration(
                of: Self.model("double-becomes-integer-of-fractions"),
                from: "V1",
                rows: #"{"Thing": [{"@id": "p1", "value": 3.5}]}"#,
                gives: "{}"
            )
        } matching: { issue in
            issue.comments.contains {
                $0.rawValue.contains(#"allowsDataLoss: ["Thing.value"]"#)
                    && !$0.rawValue.contains("--")
            }
        }
    }

    @Test func `values that rows leave out are filled where that is wished`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "Shop.xcdatamodeld")
            let name = #"<attribute name="name" attributeType="String"/>"#
            let age = #"<attribute name="age" optional="YES" attributeType="String"/>"#
            func entity(_ attributes: String) -> String {
                "<model><entity name=\"Person\">\(attributes)</entity></model>"
            }
            try writeBundle([entity(name), entity(age + name)], at: model)
            let rows = #"{"Person": [{"@id": "p1"}]}"#
            func expect(_ fillsValues: Bool) throws {
                try expectMigration(
                    of: model.path,
                    from: "V1",
                    rows: rows,
                    contains: rows,
                    fillsValues: fillsValues
                )
            }
            try expect(true)
            withKnownIssue { try expect(false) }
        }
    }

    @Test func `a folder of cases and a matrix run from code`() throws {
        let cases = Corpus.package.appending(path: "Fixtures/Cases/attribute-renamed").path
        #expect(try expectCases(in: cases))
        #expect(try expectMatrix(of: Self.model("attribute-renamed"), rows: 3))
        #expect(throws: MomtoolError.self) { try expectCases(in: cases + "/Model.xcdatamodeld") }
        #expect(throws: MomtoolError.self) { try expectMatrix(of: cases + "/None.xcdatamodeld") }
        try withKnownIssue {
            try expectMatrix(of: Self.model("double-becomes-integer-of-fractions"), rows: 3)
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("V1 → V2: ") }
        }
    }

    @Test func `stages are gone through`() throws {
        let folder = Corpus.package.appending(path: "Fixtures/Cases/stages-split-a-name-by-a-map")
        try expectMigration(
            of: folder.appending(path: "Model.xcdatamodeld").path,
            from: "V1",
            stages: folder.appending(path: "Stages.yml").path,
            rows: #"{"Person": [{"@id": "p1", "name": "Ada Lovelace"}]}"#,
            gives: #"{"Person": [{"@id": "p1", "firstName": "Ada", "lastName": "Lovelace"}]}"#
        )
    }

    @Test func `only what is named counts`() throws {
        try expectMigration(
            of: Self.model("attribute-renamed"),
            from: "V1",
            rows: #"{"Person": [{"@id": "p1", "name": "Ada"}, {"@id": "p2", "name": "Bob"}]}"#,
            contains: #"{"Person": [{"@id": "p1", "fullName": "Ada"}]}"#
        )
    }

    @Test func `a difference is an issue at the place of the call`() throws {
        try withKnownIssue {
            try expectMigration(
                of: Self.model("attribute-renamed"),
                from: "V1",
                rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
                gives: #"{"Person": [{"@id": "p1", "fullName": "Eve"}]}"#
            )
        } matching: { issue in
            issue.comments.contains {
                $0.rawValue.contains("fullName is \"Ada\", expected \"Eve\"")
            }
                && issue.sourceLocation?.fileName == "ExpectMigrationTests.swift"
        }
    }
}
