import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import TestSupport
import Testing
import XMLReading

struct DeclarationTests {
    private static let person = """
        <entity name="Person" representedClassName="Person" syncable="YES" isAbstract="NO">
            <attribute name="name" attributeType="String"/>
            <relationship name="pet" optional="YES" maxCount="1" destinationEntity="Pet"/>
            <fetchedProperty name="old"><fetchRequest name="f" entity="Pet"/></fetchedProperty>
            <fetchIndex name="byName"><fetchIndexElement property="name"/></fetchIndex>
            <uniquenessConstraints><uniquenessConstraint><constraint value="name"/>
            </uniquenessConstraint></uniquenessConstraints>
        </entity>
        """
    private static let pet = "<entity name=\"Pet\" representedClassName=\"Pet\" syncable=\"YES\"/>"

    private func withBundle(_ versions: [String], _ body: (_ path: String) throws -> Void) throws {
        try withFolder { (folder) throws in
            for (index, text) in versions.enumerated() {
                try write(text, "M.xcdatamodeld/V\(index).xcdatamodel/contents", in: folder)
            }
            try body(folder.appending(path: "M.xcdatamodeld").path)
        }
    }

    @Test func `the same text means something else where defaults are declared`() throws {
        let declared = "<!DOCTYPE model [<!ATTLIST attribute optional CDATA \"YES\">]>"
        let versions = [
            "<model>\(Self.person)\(Self.pet)</model>",
            "\(declared)<model>\(Self.person)\(Self.pet)</model>",
            "<model>\(Self.person.replacing("String", with: "Date"))\(Self.pet)</model>",
            "<model>\(Self.person)\(Self.pet)</model>",
        ]
        try withBundle(versions) { path throws in
            let attributes = readModelBundle(at: path).value.versions.compactMap {
                $0.model.entities.first?.attributes.first
            }
            #expect(attributes.map(\.isOptional) == [false, true, false, false])
            #expect(attributes.map(\.type) == [.string, .string, .date, .string])
        }
    }

    @Test func `tags that never end are looked at once`() throws {
        let whole = "<model>\(Self.person)\(Self.pet)</model>"
        let open = String(repeating: "<attribute ", count: 100_000)
        try withBundle([whole, "<model><entity name=\"A\">\(open)", whole]) { path throws in
            #expect(readModelBundle(at: path).diagnostics.contains { $0.rule == .malformedXML })
        }
    }
}

struct AttributePlaceTests {
    @Test func `each of many unknown attributes is reported at its place`() {
        let names = (0..<20_000).map { "a\($0)" }
        let text = "<model \(names.map { "\($0)='>'" }.joined(separator: "\n"))/>"
        let model = readModel(contents: Data(text.utf8), path: "m")
        #expect(model.diagnostics.count == names.count)
        #expect(
            model.diagnostics.enumerated().allSatisfy { line, diagnostic in
                diagnostic.message.contains("'a\(line)'")
                    && diagnostic.location?.line == line + 1
                    && diagnostic.location?.column == (line == 0 ? 8 : 1)
            }
        )
    }

    @Test(arguments: [
        ["a", "b", "c"], ["c", "b", "a"], ["b", "b", "a", "c", "b"], ["d", "c", "d", "a"],
    ])
    func `the order of questions does not matter, nor do tags between`(names: [String]) throws {
        let text = "<x a='1' b='a=' c='3'><y c='1' a=\"b='\"/></x>"
        let document = try readXML(Data(text.utf8), path: "m")
        let inner = try #require(document.root.children.first).range.lowerBound
        let outerColumns = ["a": 4, "b": 10, "c": 17]
        let innerColumns = ["a": 32, "c": 26]
        let source = document.source
        func column(_ name: String, _ offset: Int) -> Int? {
            source.location(ofAttribute: name, inTagAt: offset)?.column
        }
        // First one tag after the other, then alternating.
        #expect(names.map { column($0, 0) } == names.map { outerColumns[$0] })
        #expect(names.map { column($0, inner) } == names.map { innerColumns[$0] })
        for name in names {
            #expect(column(name, 0) == outerColumns[name])
            #expect(column(name, inner) == innerColumns[name])
        }
    }

    @Test func `names that Unicode holds equal are two`() throws {
        let text = "<x \u{E9}='1' e\u{301}='2'/>"
        let source = try readXML(Data(text.utf8), path: "m").source
        let columns = ["e\u{301}", "\u{E9}"].map {
            source.location(ofAttribute: $0, inTagAt: 0)?.column
        }
        #expect(columns == [11, 4])
    }
}
