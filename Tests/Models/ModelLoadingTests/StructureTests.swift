import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import Testing
import XMLReading

struct StructureTests {
    typealias Case = (rule: RuleID, body: String)

    static let cases: [Case] = [
        ("unknown-parent-entity", "<entity name='A' ◀parentEntity='B'/>"),
        ("parent-cycle", "<entity name='A' ◀parentEntity='B'/><entity name='B' parentEntity='A'/>"),
        ("parent-cycle", "<entity name='A' ◀parentEntity='A'/>"),
        (.duplicateName, "<entity name='A'/><entity ◀name='A'/>"),
        (
            .duplicateName,
            """
            <entity name='A'><attribute name='x' attributeType='String'/>
              <attribute attributeType='Date'
                ◀name='x'/></entity>
            """
        ),
        (
            .redeclaredProperty,
            """
            <entity name='A'><attribute name='x' attributeType='String'/></entity>
            <entity name='B' parentEntity='A'><attribute ◀name='x' attributeType='String'/></entity>
            """
        ),
        (
            .unknownDestination,
            "<entity name='A'><relationship name='r' ◀destinationEntity='Ä'/></entity>"
        ),
        (.unknownDestination, "<entity name='A'><relationship ◀name='r'/></entity>"),
        (
            .brokenInverse,
            """
            <entity name='A'><relationship name='r' destinationEntity='A' inverseEntity='A'
              ◀inverseName='s'/></entity>
            """
        ),
        (
            "unknown-composite",
            "<entity name='A'><attribute name='a' attributeType='Composite' ◀composite='C'/></entity>"
        ),
        (
            "composite-cycle",
            """
            <composite ◀name='C'>
            <attribute name='c' attributeType='Composite' composite='C'/></composite>
            """
        ),
        ("unknown-attribute", "<entity name='ü' ◀colour='red'/>"),
        ("unknown-element", "<entity name='A'>◀<method name='run'/></entity>"),
        (.invalidValue, "<entity name='A' ◀isAbstract='maybe'/>"),
        (
            .invalidValue,
            """
            <entity name='A'><attribute name='a' attributeType='Integer 16'
              ◀defaultValueString='70000'/></entity>
            """
        ),
        (
            .invalidValue,
            """
            <entity name='A'><relationship name='a' destinationEntity='A'
              ◀maxCount='-1'/></entity>
            """
        ),
        ("missing-attribute", "◀<entity/>"), (.malformedXML, "<entity name='A'>"),
    ]

    @Test(arguments: cases)
    func `a diagnostic stands where the fault is`(_ example: Case) {
        let marked = "<model>\n\(example.body)\n</model>"
        let expected = Self.places(of: "◀", in: marked)
        let text = marked.replacingOccurrences(of: "◀", with: "")
        let model = readModel(contents: Data(text.utf8), path: "m")
        let found = model.diagnostics.filter { $0.rule == example.rule }
        #expect(!found.isEmpty)
        guard !expected.isEmpty else { return }
        #expect(found.compactMap(\.location) == expected)
        #expect(model.diagnostics.count == found.count, "\(model.diagnostics)")
    }

    private static func places(
        of marker: Character,
        in text: String
    ) -> [Diagnostics.FileLocation] {
        var places: [Diagnostics.FileLocation] = []
        var (line, column) = (1, 1)
        for character in text {
            if character == marker {
                places.append(Diagnostics.FileLocation(path: "m", line: line, column: column))
            } else if character == "\n" {
                (line, column) = (line + 1, 1)
            } else {
                column += character.utf8.count
            }
        }
        return places
    }

    @Test(arguments: [
        "", "plain text", "<model", "<?xml version='1.0'?>", "<plist/>", "<model>&nothing;</model>",
        "<!DOCTYPE model [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><model name='&b;'/>",
        "<!DOCTYPE model [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><model>&x;</model>",
        "<!DOCTYPE model SYSTEM 'file:///etc/passwd' [<!ENTITY % p SYSTEM 'file:///etc/hosts'>%p;]><model/>",
        String(repeating: "<model>", count: 100_000),
    ])
    func `what is no model is refused with one clear diagnostic`(text: String) {
        let model = readModel(contents: Data(text.utf8), path: "m")
        #expect(model.diagnostics.count == 1)
        #expect(model.hasErrors)
        #expect(model.value.entities.isEmpty)
        #expect(model.diagnostics.first?.location?.path == "m")
    }

    @Test func `what is not understood is kept`() throws {
        let text = """
            <model><entity name="A" colour="red"><method name="run"><line/></method>
            <fetchIndex name="i" mood="good"/></entity></model>
            """
        let entity = try #require(
            readModel(contents: Data(text.utf8), path: "m").value.entities.first
        )
        #expect(
            entity.unrecognized.map(\.text) == [
                "red", #"<method name="run"><line/></method>"#, "good",
            ]
        )
    }

    @Test func `a file in UTF-16 is read, with places as good as they can be`() {
        let text = "<?xml version='1.0' encoding='UTF-16'?>\n<model><entity name='Ä'/></model>"
        let data = text.data(using: .utf16) ?? Data()
        let model = readModel(contents: data, path: "m")
        #expect(model.diagnostics.isEmpty)
        #expect(model.value.entities.map(\.name) == ["Ä"])
        #expect(model.value.entities.first?.source.element?.path == "m")
    }

    @Test(arguments: [true, false])
    func `composites nest as deep as the limit, in whatever order they stand`(isReversed: Bool) {
        func faults(_ depth: Int) -> Int {
            var types = (1..<depth).map { number in
                """
                <composite name='C\(number)'><attribute name='c' attributeType='Composite' \
                composite='C\(number + 1)'/></composite>
                """
            }
            types.append(
                "<composite name='C\(depth)'><attribute name='z' attributeType='String'/></composite>"
            )
            if isReversed { types.reverse() }
            let text = "<model>\(types.joined())</model>"
            return readModel(contents: Data(text.utf8), path: "m").diagnostics
                .count { $0.rule == "composite-cycle" }
        }
        #expect(faults(ModelGraph.compositeDepthLimit) == 0)
        #expect(faults(ModelGraph.compositeDepthLimit + 1) == 1)
    }
}
