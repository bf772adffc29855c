import CloudKitSchema
import Diagnostics
import Foundation
import ModelChecking
import ModelLoading
import ObjectModel
import SwiftDataReading
import TestSupport
import Testing

private func check(_ schema: String, _ body: String, isShared: Bool = false) throws -> [Diagnostic]
{
    let read = readSchema(schema, path: "s.ckdb")
    #expect(read.diagnostics.isEmpty)
    let prediction = try prediction(of: model(body))
    return checkSchema(read.value, path: "s.ckdb", against: prediction, isShared: isShared)
}

struct SchemaCheckTests {
    static let note = """
        <entity name='Note'>
        <attribute name='text' optional='YES' attributeType='String'/>
        <attribute name='made' optional='YES' attributeType='Date'/>
        <relationship name='list' optional='YES' maxCount='1' destinationEntity='List' inverseName='notes' inverseEntity='List'/>
        </entity>
        <entity name='List'>
        <relationship name='notes' optional='YES' toMany='YES' destinationEntity='Note' inverseName='list' inverseEntity='Note'/>
        </entity>
        """

    @Test func `an emitted schema is clean, whole or minimal`() throws {
        let prediction = try prediction(of: model(Self.note))
        for isShared in [false, true] {
            let text = prediction.schema().text.replacingOccurrences(
                of: "DEFINE SCHEMA\n",
                with: "DEFINE SCHEMA\nRECORD TYPE \"cloudkit.share\" (\"cloudkit.title\" STRING);\n"
            )
            #expect(try check(text, Self.note, isShared: isShared).isEmpty)
        }
        let found = try check(prediction.schema(.minimal).text, Self.note)
        #expect(found.allSatisfy { $0.severity == .warning })
        #expect(found.map(\.element) == ["Note.text", "Note", "List"])
    }

    @Test func `a schema written by hand with references and without entity names fails`() throws {
        let schema = """
            DEFINE SCHEMA
                RECORD TYPE CD_Note (
                    CD_text STRING, CD_made TIMESTAMP,
                    CD_list REFERENCE
                );
            """
        let errors = try check(schema, Self.note).filter { $0.severity == .error }
        #expect(
            errors.map(\.rule) == [
                "cloudkit-missing-field", "cloudkit-field-type", "cloudkit-missing-record-type",
            ]
        )
        #expect(errors.map(\.location?.line) == [2, 5, 7])
        #expect(errors.map(\.element) == ["Note", "Note.list", "List"])
        #expect(errors[1].notes.first?.location?.line == 4)
    }

    @Test(arguments: [
        ("allowsCloudEncryption='YES'", "STRING"), ("", "ENCRYPTED STRING"),
    ])
    func `encryption must be the same`(setting: String, type: String) throws {
        let schema =
            "DEFINE SCHEMA RECORD TYPE CD_A (CD_entityName STRING, CD_a \(type), CD_a_ckAsset ASSET);"
        let body =
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' \(setting)/></entity>"
        let errors = try check(schema, body).filter { $0.severity == .error }
        #expect(errors.map(\.rule) == ["cloudkit-field-encryption"])
    }

    @Test func `indexes are never wrong, but on encrypted fields`() throws {
        let schema =
            "DEFINE SCHEMA RECORD TYPE CD_A (CD_entityName STRING, CD_a ENCRYPTED INT64 QUERYABLE,"
            + " CD_b STRING SEARCHABLE, CD_moveReceipt BYTES, CD_b_ckAsset ASSET, CD_moveReceipt_ckAsset ASSET);"
        let body =
            "<entity name='A'><attribute name='a' optional='YES' attributeType='Integer 16' allowsCloudEncryption='YES'/>"
            + "<attribute name='b' optional='YES' attributeType='String'/></entity>"
        #expect(try check(schema, body).map(\.rule) == ["cloudkit-encrypted-index"])
    }

    @Test func `sharing needs receipts and the record type of shares`() throws {
        let schema = "DEFINE SCHEMA RECORD TYPE CD_A (CD_entityName STRING);"
        let found = try check(schema, "<entity name='A'/>", isShared: true)
        let errors = found.filter { $0.severity == .error }.map(\.rule)
        #expect(errors == ["cloudkit-missing-receipt", "cloudkit-missing-share-type"])
    }

    @Test func `what no property has is a note`() throws {
        let schema = """
            DEFINE SCHEMA
                RECORD TYPE CD_A (CD_entityName STRING, CD_old INT64, CD_moveReceipt BYTES, CD_moveReceipt_ckAsset ASSET);
                RECORD TYPE Own (x STRING);
                RECORD TYPE Users (roles LIST<INT64>);
            """
        let found = try check(schema, "<entity name='A'/>")
        #expect(found.map(\.element) == ["CD_A.CD_old", "Own"])
        #expect(found.allSatisfy { $0.severity == .note && $0.rule == "cloudkit-surplus" })
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a published schema has all that its model needs`() throws {
        let folder = "UW-LCI+Co-ML"
        let bundle = readModelBundle(at: Corpus.path("\(folder)/CoML.xcdatamodel")).value
        let model = try #require(bundle.versions.first).model
        let path = Corpus.path("\(folder)/ckschema.ckdb")
        let schema = readSchema(try String(contentsOfFile: path, encoding: .utf8), path: path)
        let prediction = try prediction(of: model)
        #expect(prediction.diagnostics.isEmpty)
        let found = checkSchema(schema.value, path: path, against: prediction)
        #expect(found.filter { $0.severity == .error }.isEmpty)
        // Its records were small: seven of eight large values have none, and no receipt has.
        let missing = found.filter { $0.rule == "cloudkit-missing-companion" }.compactMap(\.element)
        #expect(Set(missing).count == 10)
    }

    @Test(.enabled(if: Corpus.isPresent && readsSwiftSources))
    func `a published schema has all that its Swift sources need`() throws {
        let files = Corpus.paths {
            $0.hasPrefix("robbiet480+Dispatch/Models/") && $0.hasSuffix(".swift")
        }
        let sources = try files.map { file in
            SwiftSource(path: file, bytes: Array(try Data(contentsOf: fileURL(file))))
        }
        let models = readSwiftModels(sources).value
        let model = try #require(models.versions.last).model
        let path = Corpus.path("robbiet480+Dispatch/schema.ckdb")
        let schema = readSchema(try String(contentsOfFile: path, encoding: .utf8), path: path)
        let prediction = try prediction(of: model)
        let fields = prediction.recordTypes.flatMap(\.fields).filter { $0.role == .property }
        #expect(fields.count >= 70)
        let found = checkSchema(schema.value, path: path, against: prediction)
        #expect(found.filter { $0.severity == .error } == [])
    }

    private func fileURL(_ file: String) -> URL { URL(fileURLWithPath: Corpus.path(file)) }

    @Test func `every rule of schemas is in the table of rules`() {
        let known = Set(Rule.all.map(\.id))
        let rules: [RuleID] = [
            "malformed-cloudkit-schema", "cloudkit-missing-record-type", "cloudkit-missing-field",
            "cloudkit-field-type", "cloudkit-field-encryption",
            "cloudkit-missing-companion", "cloudkit-missing-receipt", "cloudkit-missing-share-type",
            .surplusItem, .fieldName,
            "cloudkit-sibling-types", .unsupportedProperty, "cloudkit-crossing-relationship",
            .unproven, "cloudkit-encrypted-index",
            "cloudkit-refused-change", "cloudkit-renamed-item", "cloudkit-accepted-change",
            "cloudkit-settings-change",
        ]
        #expect(known.isSuperset(of: rules))
    }
}
