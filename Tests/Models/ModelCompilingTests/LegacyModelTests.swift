import Diagnostics
import Foundation
import FuzzTargets
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

/// Reads models in the format of Xcode 3 that are made here.
struct LegacyModelTests {
    typealias Property = LegacySample.Property

    private func read(_ sample: LegacySample) -> Diagnosed<ManagedObjectModel> {
        readModel(elements: sample.elements, path: "M.xcdatamodel/elements")
    }

    private func attribute(
        _ type: Int64,
        _ values: [String: LegacySample.Value] = [:]
    ) -> LegacySample {
        let all = LegacySample.attribute(type).merging(values) { $1 }
        let filler = (0..<3).map {
            Property("b\($0)", "XDPMAttribute", LegacySample.attribute(700))
        }
        return LegacySample([
            .init("A", properties: [Property("a", "XDPMAttribute", all)] + filler)
        ])
    }

    @Test func `a model says the same in both formats`() throws {
        let read = read(.library)
        #expect(read.diagnostics == [])
        let written = modelContents(of: read.value)
        #expect(written.diagnostics == [])
        let body = """
                <entity name="Book" representedClassName="LibraryBook" syncable="YES">
                    <attribute name="pages" optional="YES" attributeType="Integer 32" defaultValueString="0" indexed="YES"/>
                    <attribute name="printed" optional="YES" attributeType="Date"/>
                    <attribute name="title" optional="YES" attributeType="String"/>
                    <relationship name="reader" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="books" inverseEntity="Person"/>
                    <userInfo>
                        <entry key="com.apple.syncservices.Syncable" value="NO"/>
                        <entry key="shelf" value="A"/>
                    </userInfo>
                </entity>
                <entity name="Novel" parentEntity="Book" syncable="YES"/>
                <entity name="Person" syncable="YES">
                    <attribute name="name" optional="YES" attributeType="String"/>
                    <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="reader" inverseEntity="Book"/>
                    <fetchedProperty name="thick" optional="YES">
                        <fetchRequest name="fetchedPropertyFetchRequest" entity="Book" predicateString="pages &gt; 500"/>
                    </fetchedProperty>
                </entity>
                <fetchRequest name="thick" entity="Book" predicateString="pages &gt; 500"/>
            </model>
            """
        let lines = written.value.components(separatedBy: "\n").dropFirst(2)
        #expect(lines.joined(separator: "\n") == body)
    }

    @Test func `what no file has shown is named, and the rest is read`() throws {
        let known = read(attribute(700)).value
        let cases: [(LegacySample, part: String, hasHash: Bool)] = [
            (attribute(700, ["XD_PAttK_new": .plain(.integer(1))]), "'XD_PAttK_new'", false),
            (attribute(1100), "type 1100", false),
            (attribute(700, ["XD_PPSK_isOptional": .plain(.string("maybe"))]), "number", false),
            (
                LegacySample([
                    .init(
                        "A",
                        ["XDPMCompoundIndexes": .list([.list([])])],
                        properties: attribute(700).entities[0].properties
                    )
                ]), "compound indexes", true
            ),
            (LegacySample(attribute(700).entities, configurations: ["Cloud"]), "'Cloud'", true),
        ]
        for (sample, part, hasHash) in cases {
            let read = read(sample)
            #expect(read.diagnostics.map(\.rule) == [.unknownLegacyPart], "\(part)")
            #expect(read.diagnostics.first?.message.contains(part) == true, "\(read.diagnostics)")
            #expect(read.hasErrors)
            #expect(read.value.entities.first?.gaps.isEmpty == hasHash, "\(part)")
            #expect(read.value.entities.first?.propertyNames == ["a", "b0", "b1", "b2"])
            if hasHash { #expect(versionHashes(of: read.value) == versionHashes(of: known)) }
        }
    }

    @Test func `a hash that rests on what no file has shown is not proven`() throws {
        let samples: [[String: LegacySample.Value]] = [
            ["XD_PPSK_versionHashModifier": .plain(.string("2"))],
            ["XD_PAttK_allowsExternalBinaryDataStorage": .plain(.boolean(true))],
        ]
        #expect(read(attribute(1000)).value.entities[0].doubts == [])
        for values in samples {
            let read = read(attribute(1000, values))
            #expect(read.diagnostics == [])
            #expect(read.value.entities[0].doubts.count == 1)
        }
    }

    @Test(arguments: [
        ("12/31/72", -883_656_000.0 as Double?, "12:00 UTC"), ("0", 0, "seconds since"),
        ("now", nil, "compiling"), ("next week", nil, "not understood"),
        ("12/08/09", nil, "not understood"), ("2/29/2000", -26_481_600, "12:00 UTC"),
    ])
    func `dates are read as people write them, as far as that is known`(
        text: String,
        seconds: Double?,
        message: String
    ) throws {
        let read = read(attribute(900, ["XD_PAttK_defaultValueAsString": .plain(.string(text))]))
        #expect(read.diagnostics.count == 1)
        #expect(read.diagnostics.first?.severity == .warning)
        #expect(read.diagnostics.first?.message.contains(message) == true)
        let attribute = read.value.entities[0].attributes[0]
        #expect(attribute.defaultValue == seconds.map { .date($0) })
    }

    @Test func `a file without a carriage return was damaged, and so was one that is shifted`() {
        let whole = LegacySample.library.elements
        #expect(whole.contains(0x0D))
        var replaced = whole
        for index in replaced.indices where replaced[index] == 0x0D { replaced[index] = 0x0A }
        var shifted = whole
        shifted.insert(0x0D, at: whole.count / 2)
        for bytes in [replaced, shifted] {
            let read = readModel(elements: bytes, path: "elements")
            #expect(read.diagnostics.map(\.rule) == [.notAModel])
            #expect(read.diagnostics.first?.message.contains("line endings") == true)
        }
    }

    @Test func `a bundle of both formats is read whole, and the old one is noted once`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "M.xcdatamodeld")
            for name in ["M", "M 2"] {
                let version = bundle.appending(path: name + ".xcdatamodel")
                try makeFolder(version)
                try LegacySample.library.elements.write(to: version.appending(path: "elements"))
            }
            let version = bundle.appending(path: "M 3.xcdatamodel")
            try makeFolder(version)
            try write(modelContents(of: read(.library).value).value, "contents", in: version)
            let list = currentVersionFile(naming: "M 3.xcdatamodel")
            try write(list, ".xccurrentversion", in: bundle)
            let read = readModelBundle(at: bundle.path)
            #expect(read.diagnostics.map(\.rule) == ["legacy-model-format"])
            #expect(read.diagnostics.first?.severity == .note)
            #expect(read.diagnostics.first?.message.hasPrefix("'M', 'M 2' ") == true)
            #expect(Set(read.value.versions.map(\.checksum)).count == 1)
            for path in ["M.xcdatamodel", "M.xcdatamodel/elements"] {
                let lone = readModelBundle(at: bundle.path + "/" + path)
                #expect(lone.diagnostics.map(\.rule) == ["legacy-model-format"])
                #expect(lone.value.versions.map(\.name) == ["M"])
            }
        }
    }
}
