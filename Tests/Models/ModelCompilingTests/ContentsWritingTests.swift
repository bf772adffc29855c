import Diagnostics
import Foundation
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

struct ContentsWritingTests {
    /// Values of sources that are written by their meaning: numbers and truth values as Core Data reads them.
    static let lenientValues = [
        #"attributeType="Integer 32" defaultValueString="YES""#,
        #"attributeType="Double" defaultValueString="0""#,
        #"attributeType="Double" defaultValueString="-1""#,
        #"attributeType="Double" minValueString="0""#,
        #"attributeType="Float" minValueString="0""#,
        #"attributeType="Integer 16" defaultValueString="0.0""#,
        #"attributeType="Integer 32" defaultValueString="0.0""#,
        #"attributeType="Integer 64" defaultValueString="0.0""#,
        #"attributeType="Integer 16" defaultValueString="NO""#,
        #"attributeType="Boolean" defaultValueString="0""#,
    ]

    /// An attribute that Xcode never writes: such files were written by hand, in their own order.
    static let foreignAttribute = " renamingIdentifier="

    @Test(.enabled(if: Corpus.isPresent))
    func `sources of the corpus come back byte for byte but for their diagram`() throws {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        var equal = 0
        for path in paths {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let model = readModel(contents: bytes, path: path).value
            let written = modelContents(of: model)
            #expect(written.diagnostics.isEmpty, "\(path)")
            let again = readModel(contents: Data(written.value.utf8), path: path).value
            #expect(again == model, "\(path)")
            let original = Self.withoutDiagram(String(decoding: bytes, as: UTF8.self))
            if original == written.value {
                equal += 1
            } else {
                let lines = zip(
                    original.components(separatedBy: "\n"),
                    written.value.components(separatedBy: "\n")
                )
                let difference = lines.first { $0 != $1 }.map { "\($0)\n    \($1)" }
                let isKnown =
                    original.contains(Self.foreignAttribute)
                    || Self.lenientValues.contains { difference?.contains($0) == true }
                #expect(isKnown, "\(path)\n    \(difference ?? "one is longer")")
            }
        }
        print("sources: \(paths.count), byte for byte: \(equal)")
        #expect(paths.count >= 180)
    }

    /// Sources of the corpus by scripts, merges and people: their order is not that of Xcode.
    static let foreignSources = [
        "Persistence/ScoutModel.xcdatamodeld/ScoutModel 2",
        "Persistence/ScoutModel.xcdatamodeld/ScoutModel 3",
        "Persistence/ScoutModel.xcdatamodeld/ScoutModel 4",
        "Persistence/ScoutModel.xcdatamodeld/ScoutModel",
        "5fc9d84a14/Sources/Scout/Core/Persistence/Scout.xcdatamodeld/Scout 4",
        "b99cb4de79/Sources/Scout/Core/Persistence/Scout.xcdatamodeld/Scout",
        "05ab086f94/Tests/Fixtures/Resources/CoreData/Model.xcdatamodeld/Model 2",
        "2c6e2ada2e/Apptentive/Apptentive/Model/ATDataModel.xcdatamodeld/ATDataModel 6",
        "CoreDataEvolutionIntegrationModel", "GeneratedFlowModel", "CourseCoreModel",
        "Source/CoreData/Notes.xcdatamodeld/Notes",
    ]

    @Test(.enabled(if: Corpus.isPresent))
    func `sources of the corpus have Xcode's form, but for those that it did not write`() throws {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        var foreign: [String] = []
        for path in paths {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path))))
            let form = try #require(xcodeForm(of: bytes, path: path), "\(path)")
            guard form != bytes else { continue }
            foreign.append(path)
            #expect(xcodeForm(of: form, path: path) == form, "\(path)")
            let models = [bytes, form].map { readModel(contents: Data($0), path: path).value }
            #expect(versionHashes(of: models[0]) == versionHashes(of: models[1]), "\(path)")
        }
        let unknown = foreign.filter { path in
            !Self.foreignSources.contains { path.hasSuffix("\($0).xcdatamodel/contents") }
        }
        #expect(unknown == [])
        #expect(foreign.count == Self.foreignSources.count)
        print("sources: \(paths.count), in Xcode's form: \(paths.count - foreign.count)")
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `what is compiled and decompiled compiles to the same bytes`() throws {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        var different: [String] = []
        for path in paths {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let compiled = compileModel(readModel(contents: bytes, path: path).value).value
                .binaryData
            let source = modelContents(of: readCompiledModel(compiled, path: path).value).value
            let model = readModel(contents: Data(source.utf8), path: path).value
            if compileModel(model).value.binaryData != compiled { different.append(path) }
        }
        print("sources: \(paths.count), other bytes: \(different.count)")
        #expect(different == [])
    }

    @Test func `order, spelling and line ends are those of Xcode, and nothing else changes`() throws
    {
        let head = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
        let lines = [
            head, #"<model b="1" a="2">"#,
            "    <entity syncable='YES' name='B'>", "        <userInfo/>",
            #"        <relationship destinationEntity="B" name="r" optional="true"/>"#,
            #"        <attribute optional="NO" attributeType="Date" name="a10"/>"#,
            #"        <attribute name="A9" defaultValueString="0.0" attributeType="Float" new="&gt;"></attribute>"#,
            "    </entity>", #"    <entity name="a_b"/>"#, #"    <entity name="a"/>"#,
            "    <elements/>", "</model>", "",
        ]
        let expected = [
            head, #"<model b="1" a="2">"#, #"    <entity name="a"/>"#, #"    <entity name="a_b"/>"#,
            #"    <entity name="B" syncable="YES">"#,
            #"        <attribute name="A9" attributeType="Float" defaultValueString="0.0" new="&gt;"/>"#,
            #"        <attribute name="a10" attributeType="Date"/>"#,
            #"        <relationship name="r" optional="YES" destinationEntity="B"/>"#,
            "        <userInfo/>", "    </entity>", "    <elements/>", "</model>", "",
        ]
        let form = xcodeForm(of: Array(lines.joined(separator: "\r\n").utf8), path: "contents")
        #expect(
            String(decoding: try #require(form), as: UTF8.self) == expected.joined(separator: "\n")
        )
        for other in ["<model><!-- a --></model>", "<plist/>", "<model>a</model>", "<model>"] {
            #expect(xcodeForm(of: Array(other.utf8), path: "contents") == nil, "\(other)")
        }
    }

    /// Returns a source without its diagram, and without the empty lines and empty user infos that some tools add.
    private static func withoutDiagram(_ text: String) -> String {
        let text = text.replacing(/>\n *<userInfo\/>\n *<\/(attribute|relationship)>/, with: "/>")
            .replacing(/>\n    <elements\/>\n<\/model>/, with: "/>")
        var lines = text.components(separatedBy: "\n")
        if let start = lines.firstIndex(of: "    <elements>"),
            let end = lines.firstIndex(of: "    </elements>")
        {
            lines.removeSubrange(start...end)
        }
        lines.removeAll { $0.isEmpty || $0.hasSuffix(" <userInfo/>") }
        return lines.joined(separator: "\n")
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a compiled model decompiles to a source that compiles to the same archive`() throws {
        let paths = Corpus.paths { $0.hasSuffix(".mom") }
        var count = 0
        for path in paths {
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: Corpus.path(path))) else {
                continue
            }
            let model = readCompiledModel(bytes, path: path).value
            let written = modelContents(of: model)
            #expect(written.diagnostics.isEmpty, "\(path)")
            let source = readModel(contents: Data(written.value.utf8), path: path)
            #expect(source.diagnostics.filter { $0.severity == .error } == [], "\(path)")
            #expect(
                compileModel(source.value).value.binaryData == compileModel(model).value.binaryData,
                "\(path)"
            )
            count += 1
        }
        #expect(count >= 44)
    }

    @Test func `values are written so that they are read again`() {
        let model = ManagedObjectModel([
            Entity(
                "A",
                [
                    Attribute("a", .string, defaultValue: .string("<\"&'\n\tß>")),
                    Attribute("b", .date, defaultValue: .date(-0.5)),
                    Attribute(
                        name: "c",
                        type: .date,
                        validation: .init(minimum: .date(1), maximum: .date(2))
                    ),
                    Attribute(
                        name: "d",
                        type: .float,
                        validation: .init(minimum: .float(-1.5), maximum: .float(1e10))
                    ),
                    Attribute("e", .uuid, defaultValue: .uuid(UUID())),
                ]
            )
        ])
        let written = modelContents(of: model)
        #expect(written.diagnostics.isEmpty)
        let read = readModel(contents: Data(written.value.utf8), path: "contents")
        #expect(read.diagnostics.isEmpty)
        #expect(read.value.entities[0].attributes == model.entities[0].attributes)
    }

    @Test func `what a source cannot say is reported`() {
        var entity = Entity(
            "A",
            [
                Attribute("a", .binary, defaultValue: .binary(Data([1]))),
                Attribute("b", .objectID),
                Attribute("c", .string, defaultValue: .string("\u{1}")),
            ]
        )
        entity.unrecognized = [UnrecognizedItem(kind: .attribute, name: "NSNew", text: "1")]
        let model = ManagedObjectModel(entities: [entity], versionIdentifiers: ["1", "2"])
        let written = modelContents(of: model)
        #expect(written.diagnostics.count == 5)
        #expect(written.diagnostics.allSatisfy { $0.rule == "inexpressible-in-source" })
    }
}
