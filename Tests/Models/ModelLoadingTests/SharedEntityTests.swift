import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import TestSupport
import Testing
import XMLReading

/// Entities that stand word for word in several versions are read once; nobody must notice.
struct SharedEntityTests {
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

    /// An entity with what looks like the end of a tag in values, comments and text.
    private static let compared = """
        <entity name="Compared" representedClassName="Compared" syncable="YES">
            <attribute name="a" attributeType="String" defaultValueString="&lt;é>"/><!-- é > ü
            --> é > ü <![CDATA[ > ]]> </entity>
        """

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

    /// The places of an entity and of all in it that has one.
    private func places(of entity: Entity?) -> [Diagnostics.SourceLocation?] {
        guard let entity else { return [] }
        return [entity.source.location(of: "syncable")]
            + entity.properties.map { $0.source.location(of: "name") }
            + entity.fetchedProperties.map { $0.fetchRequest?.source.element }
            + entity.fetchIndexes.map(\.source.element)
            + entity.uniquenessConstraints.map(\.source.element)
    }

    @Test func `each version has its own places`() throws {
        let versions = [
            "<model>\n\(Self.person)\(Self.pet)</model>",
            "<model>\(Self.pet)\n\n  \(Self.person)</model>",
            "<?xml version=\"1.0\"?>\n<model>\(Self.pet)\n<!-- -->\(Self.person)\n</model>",
        ]
        try withBundle(versions) { path throws in
            let bundle = readModelBundle(at: path)
            let shared = readModelBundle(at: path, sharingPlaces: true)
            #expect(shared.value == bundle.value)
            for version in bundle.value.versions {
                let alone = readModelBundle(at: version.path).value.versions[0].model
                #expect(version.model == alone)
                for name in ["Person", "Pet"] {
                    let own = places(of: alone.entities.first { $0.name == name })
                    #expect(places(of: version.model.entities.first { $0.name == name }) == own)
                    #expect(own.allSatisfy { $0?.path == version.path + "/contents" })
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `a fault is reported where it is, however the version was read`(shares: Bool) throws {
        let versions = [
            "<model>\(Self.person)\(Self.pet)</model>", "<model>\n\n\(Self.person)</model>",
            "<model>\(Self.person)\(Self.pet)\(Self.pet)</model>",
        ]
        try withBundle(versions) { path throws in
            let bundle = readModelBundle(at: path, sharingPlaces: shares)
            let alone = bundle.value.versions.flatMap {
                readModelBundle(at: $0.path).diagnostics
            }
            let own = bundle.diagnostics.filter { $0.rule != .missingCurrentVersion }
            #expect(own == alone)
            #expect(own.contains { $0.rule == .unknownDestination && $0.location?.line == 5 })
            #expect(own.contains { $0.rule == .duplicateName })
        }
    }

    @Test(arguments: [
        "\n\(person)<entity name=\"Broken></model>", "\(pet)\(person) & </model>",
        "<!-- > -->\(compared)\n\n  \(person)\(person)</modle>", "\(compared)</entity></model>",
        "\(person)\n", "\(compared.dropLast())", "\(compared)\(compared) <entity/",
    ])
    func `a file that breaks behind a known entity is refused at the same place`(
        text: String
    ) throws {
        let whole = "<model>\(Self.person)\(Self.pet)\(Self.compared)</model>"
        try withBundle([whole, "<model>" + text]) { path throws in
            let alone = readModelBundle(at: path + "/V1.xcdatamodel").diagnostics
            #expect(alone.map(\.rule) == [.malformedXML])
            let bundle = readModelBundle(at: path).diagnostics
            #expect(bundle.filter { $0.rule == .malformedXML } == alone)
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

    @Test func `what defaults were declared for tells nothing of other versions`() throws {
        let declared = "<!DOCTYPE model [<!ATTLIST attribute optional CDATA \"YES\">]>"
        let model = "<model>\(Self.person)\(Self.pet)</model>"
        try withBundle([declared + model, model]) { path throws in
            let attributes = readModelBundle(at: path).value.versions.compactMap {
                $0.model.entities.first?.attributes.first
            }
            #expect(attributes.map(\.isOptional) == [true, false])
        }
    }

    private static let name = "<attribute name=\"name\" attributeType=\"String\"/>"
    private static let date = "<attribute name=\"date\" attributeType=\"Date\"/>"

    /// Text that holds what another version has, where it means the same, something else, or nothing.
    private static let lookalikes = [
        // The entity has an attribute more, before and behind the known one.
        person.replacing(name, with: "\(date)\n  \(name)"),
        person.replacing(name, with: "\(name)\n\(date)"),
        "<!-- \(person) -->\(pet)", "<!-- \(name) -->\(person)",
        "<entity name=\"Other\"><![CDATA[\(person)\(name)]]>\(name)</entity>",
        "<composite name=\"C\">\(name)</composite>\(person)",
        "<entity name=\"Other\"><relationship name=\"r\">\(name)</relationship></entity>",
        "<entity name=\"Other\">\(pet)\(name)</entity>",
        "<future>\(person)\(name)</future>\(person)",
        "<entity name=\"Other\">\(name.dropLast(2))></attribute></entity>",
    ]

    @Test(arguments: lookalikes, [false, true])
    func `known text is recalled where it means the same, and read where not`(
        text: String,
        shares: Bool
    ) throws {
        let whole = "<model>\(Self.person)\(Self.pet)</model>"
        let versions = [whole, "<model>\n \(text)\n\(Self.pet)</model>", whole]
        try withBundle(versions) { path throws in
            let bundle = readModelBundle(at: path, sharingPlaces: shares)
            for version in bundle.value.versions {
                let alone = readModelBundle(at: version.path)
                #expect(version.model == alone.value.versions[0].model)
                let file = version.path + "/contents"
                let own = bundle.diagnostics.filter { $0.location?.path == file }
                #expect(own == alone.diagnostics)
                guard !shares else { continue }
                for (entity, own) in zip(
                    version.model.entities,
                    alone.value.versions[0].model.entities
                ) {
                    #expect(places(of: entity) == places(of: own))
                }
            }
        }
    }

    /// What the model's element holds in three versions, of which the last alone has a fault in an attribute.
    private static let lateFaults: [[String]] = {
        let composite =
            "<composite name=\"Spot\"><attribute name=\"x\" attributeType=\"Double\"/></composite>"
        let spot = "<attribute name=\"spot\" attributeType=\"Composite\" composite=\"Spot\"/>"
        let home = person.replacing(name, with: "\(name)\n\(spot)")
        let moved = home.replacing(name, with: "\(date)\n\n  \(name)")
        let child = person.replacing("\"Person\"", with: "\"Child\" parentEntity=\"Thing\"")
        let grown = child.replacing(name, with: "\(date)\n\n\(name)")
        let thing = "<entity name=\"Thing\" representedClassName=\"Thing\" syncable=\"YES\">"
        return [
            ["\(home)\(pet)\(composite)", "\(moved)\(pet)\(composite)", "\n\n\n\(moved)\(pet)"],
            [
                "\(thing)</entity>\(child)\(pet)", "\n\n\(thing)</entity>\n\(grown)\(pet)",
                "\(thing)\n\(name)</entity>\(grown)\(pet)",
            ],
        ]
    }()

    @Test(arguments: lateFaults, [false, true])
    func `a fault in a recalled attribute of a recalled entity is where it is`(
        texts: [String],
        shares: Bool
    ) throws {
        try withBundle(texts.map { "<model>\($0)</model>" }) { path throws in
            let bundle = readModelBundle(at: path, sharingPlaces: shares)
            let alone = bundle.value.versions.flatMap { readModelBundle(at: $0.path).diagnostics }
            #expect(!alone.isEmpty)
            #expect(bundle.diagnostics.filter { $0.rule != .missingCurrentVersion } == alone)
        }
    }

    @Test func `tags that never end are looked at once`() throws {
        let whole = "<model>\(Self.person)\(Self.pet)</model>"
        let open = String(repeating: "<attribute ", count: 100_000)
        try withBundle([whole, "<model><entity name=\"A\">\(open)", whole]) { path throws in
            let time = processorTime {
                let bundle = readModelBundle(at: path)
                #expect(bundle.diagnostics.contains { $0.rule == .malformedXML })
            }
            #expect(time < .seconds(20))
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `bundles of the corpus are read the same with and without sharing`() {
        let paths = Set(
            Corpus.paths { $0.contains(".xcdatamodeld/") && $0.hasSuffix("/contents") }.map {
                $0.split(separator: "/").dropLast(2).joined(separator: "/")
            }
        )
        for path in paths.sorted().map(Corpus.path) {
            let bundle = readModelBundle(at: path)
            let shared = readModelBundle(at: path, sharingPlaces: true)
            #expect(shared.value == bundle.value, "\(path)")
            #expect(shared.diagnostics == bundle.diagnostics, "\(path)")
        }
        #expect(paths.count > 20)
    }
}
