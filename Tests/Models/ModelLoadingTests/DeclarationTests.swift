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

    private func withBundle(
        _ versions: [String],
        _ body: (_ path: String) throws -> Void
    ) throws {
        try withFolder { (folder) throws in
            for (index, text) in versions.enumerated() {
                let version = folder.appending(path: "M.xcdatamodeld/V\(index).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: version,
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: version.appending(path: "contents"))
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
            let bundle = readModelBundle(at: path)
            #expect(bundle.diagnostics.contains { $0.rule == .malformedXML })
        }
    }
}
