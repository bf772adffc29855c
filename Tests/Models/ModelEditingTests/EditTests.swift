import Diagnostics
import Foundation
import ModelEditing
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct EditTests {
    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <!-- kept -->
            <entity name="Book" representedClassName=".Book" syncable="YES" codeGenerationType="class" futureSetting='1'>
                <attribute name="label" optional="YES" attributeType="String"/>
                <attribute name="label_2" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(label)"/>
                <relationship name="stop" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Stop" inverseName="books" inverseEntity="Stop"/>
                <fetchIndex name="byLabelIndex" partialIndexPredicate="label != 'label' AND stop.title == label">
                    <fetchIndexElement property="label" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="label"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Novel" representedClassName="Novel" parentEntity="Book" syncable="YES" codeGenerationType="class"/>
            <entity name="Stop" representedClassName="Stop" syncable="YES" codeGenerationType="class">
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="stop" inverseEntity="Book"/>
                <unknown x="1"/>
            </entity>
            <fetchRequest name="some" entity="Novel" predicateString="label BEGINSWITH $label AND SUBQUERY(stop.books, $b, $b.label == label).@count > 0"/>
            <configuration name="Cloud">
                <memberEntity name="Book"/>
            </configuration>
        </model>
        """

    private func apply(_ yaml: String, to text: String = source) throws -> String {
        let result = try edited(Array(text.utf8), ModelEdit.read(yaml), path: "contents")
        return String(decoding: result, as: UTF8.self)
    }

    private func changes(_ yaml: String, to text: String = source) throws -> [String] {
        let (old, new) = (
            text.components(separatedBy: "\n"),
            try apply(yaml, to: text).components(separatedBy: "\n")
        )
        return new.difference(from: old).map { change in
            switch change {
            case .remove(_, let line, _): "-" + line.drop { $0 == " " }
            case .insert(_, let line, _): "+" + line.drop { $0 == " " }
            }
        }
    }

    @Test func `a renamed attribute is renamed wherever it is named, and nowhere else`() throws {
        let text = try apply("- {rename: attribute Book.label, to: caption}")
        let expected = Self.source
            .replacing("name=\"label\" optional", with: "name=\"caption\" optional")
            .replacing(
                "attributeType=\"String\"/>\n        <attribute name=\"label_2\"",
                with:
                    "attributeType=\"String\" elementID=\"label\"/>\n        <attribute name=\"label_2\""
            )
            .replacing("canonical:(label)", with: "canonical:(caption)")
            .replacing(
                "label != 'label' AND stop.title == label",
                with: "caption != 'label' AND stop.title == caption"
            )
            .replacing("property=\"label\"", with: "property=\"caption\"")
            .replacing("constraint value=\"label\"", with: "constraint value=\"caption\"")
            .replacing(
                "label BEGINSWITH $label AND SUBQUERY(stop.books, $b, $b.label == label).@count > 0",
                with:
                    "caption BEGINSWITH $label AND SUBQUERY(stop.books, $b, $b.caption == caption).@count &gt; 0"
            )
        #expect(text == expected)
    }

    @Test func `the renaming identifier is the oldest name, and goes when it is the name again`()
        throws
    {
        let rename =
            "- {rename: attribute Stop.title, to: name}\n- {rename: attribute Stop.name, to: words}"
        #expect(
            try apply(rename).contains(
                #"name="words" optional="YES" attributeType="String" elementID="title""#
            )
        )
        #expect(try apply(rename + "\n- {rename: attribute Stop.words, to: title}") == Self.source)
    }

    @Test func `a renamed entity takes its class, its relationships and its place along`() throws {
        let text = try apply("- {rename: entity Book, to: Work}")
        #expect(
            text.contains(
                #"<entity name="Work" representedClassName=".Work" elementID="Book" syncable"#
            )
        )
        #expect(text.contains(#"parentEntity="Work""#))
        #expect(text.contains(#"destinationEntity="Work" inverseName="stop" inverseEntity="Work""#))
        #expect(text.contains(#"<memberEntity name="Work"/>"#))
        #expect(text.contains("futureSetting='1'"))
        let places = ["Novel", "Stop", "Work"].map {
            text.firstRange(of: "<entity name=\"\($0)\"")?.lowerBound
        }
        #expect(
            places.compactMap(\.self) == places.compactMap(\.self).sorted() && !places.contains(nil)
        )
        #expect(text.contains("<!-- kept -->"))
    }

    @Test func `new elements stand and look as Xcode writes them`() throws {
        let added = try changes("- {add: attribute Book.rating, with: {attributeType: Double}}")
        #expect(
            added == [
                #"+<attribute name="rating" optional="YES" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES"/>"#
            ]
        )
        let related = try changes(
            "- {add: relationship Novel.stops, with: {destinationEntity: Stop, toMany: 'YES', inverseName: novel}}"
        )
        #expect(
            related.contains(
                #"+<relationship name="stops" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Stop" inverseName="novel" inverseEntity="Stop"/>"#
            )
        )
        #expect(
            related.contains(
                #"+<relationship name="novel" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Novel" inverseName="stops" inverseEntity="Novel"/>"#
            )
        )
        let entity = try changes("- add: entity Cover")
        #expect(
            entity == [
                #"+<entity name="Cover" representedClassName="Cover" syncable="YES" codeGenerationType="class"/>"#
            ]
        )
        let constraint = try changes("- add: constraint Stop.title")
        #expect(constraint.count == 5)
        #expect(constraint.contains(#"+<constraint value="title"/>"#))
    }

    @Test func `what refers to an element goes with it when that is asked`() throws {
        let alone = try ModelEdit.read("- remove: attribute Book.label")
        let named = try EditedSource(Array(Self.source.utf8), alone, path: "contents").looseEnds
        #expect(
            Set(named.map(\.text)) == [
                "attribute Book.label_2", "index Book.byLabelIndex", "constraint Book.label",
                "fetchRequest some",
            ]
        )
        let text = try apply("- {remove: attribute Book.label, withReferences: 'YES'}")
        #expect(!text.contains("label"))
        #expect(!text.contains("uniquenessConstraints"))
        #expect(!readModel(contents: Data(text.utf8), path: "contents").hasErrors)
        let stop = try apply("- {remove: entity Stop, withReferences: 'YES'}")
        #expect(!readModel(contents: Data(stop.utf8), path: "contents").hasErrors)
        #expect(!stop.contains("Stop\""))
    }

    @Test func `edits that find nothing, or something in their way, change nothing`() {
        let wrong = [
            "- remove: entity None", "- {rename: entity Book, to: Stop}",
            "- {rename: entity Book, to: 'a b'}", "- {rename: entity Book, to: \"a\\n::stop\"}",
            "- {add: attribute Book.x, with: {attributeType: Text}}", "- add: attribute Book",
            "- add: attribute None.x", "- {add: attribute Book.label, with: {attributeType: Date}}",
            "- {set: entity Book, with: {name: Other}}", "- {set: entity Book, with: {'a b': 1}}",
            "- {set: entity Book, with: {'x><y': 1}}", "- nothing: entity Book", "- 5", "{", "a: b",
            "- {add: entity A, remove: entity B}", "- order: {}",
            "- {add: relationship Book.r, with: {destinationEntity: None}}",
        ]
        for yaml in wrong { #expect(throws: EditFault.self, "\(yaml)") { try apply(yaml) } }
        #expect(throws: EditFault.self) { try apply("- add: entity A", to: "<plist/>") }
        #expect(throws: EditFault.self) { try apply("- add: entity A", to: "<model>") }
    }

    /// The settings that only one type has.
    @Test(arguments: [
        ("Date", "defaultDateTimeInterval"), ("Composite", "composite"),
        ("Transformable", "valueTransformerName"), ("Transformable", "customClassName"),
    ])
    func `the settings of a type go with it`(_ type: String, _ setting: String) throws {
        let text = Self.source.replacing(
            #"name="title" optional="YES" attributeType="String""#,
            with: #"name="title" optional="YES" attributeType="\#(type)" \#(setting)="5""#
        )
        let edit = "- {set: attribute Stop.title, with: {attributeType: String}}"
        #expect(try apply(edit, to: text) == Self.source && text != Self.source)
    }

    @Test func `line ends, quotes and a missing last line end stay`() throws {
        let text = Self.source.replacing("\n", with: "\r\n") + "\r\n"
        let result = try apply("- add: entity Cover", to: text)
        #expect(result.utf8.count { $0 == 0x0D } == result.utf8.count { $0 == 0x0A })
        #expect(result.replacing("\r\n", with: "\n").hasSuffix("</model>\n"))
        #expect(try apply("- remove: entity Cover", to: result) == text)
    }

    @Test func `values are escaped as Xcode does, and come back`() throws {
        let value = #"<a> & "b" 'c'"#
        let quoted = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let text = try apply(
            "- {set: attribute Stop.title, with: {defaultValueString: \"\(quoted)\"}}"
        )
        #expect(text.contains(#"defaultValueString="&lt;a&gt; &amp; &quot;b&quot; 'c'""#))
        #expect(
            try apply("- {set: attribute Stop.title, with: {defaultValueString: null}}", to: text)
                == Self.source
        )
    }
}
