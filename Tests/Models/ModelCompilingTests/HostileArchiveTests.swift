import Diagnostics
import Foundation
import ModelCompiling
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

struct HostileArchiveTests {
    private typealias Archive = KeyedArchive

    @Test func `entities that share one large dictionary do not multiply it without bound`() {
        var archive = Archive()
        func plain(_ text: String) -> Archive.Reference { archive.add(.plain(.string(text))) }
        let attribute = archive.add(
            .instance(.init(.init("NSAttributeDescription", "NSPropertyDescription")))
        )
        let names = (0..<5_000).map { plain("a\($0)") }
        let properties = archive.add(
            .instance(
                .init(
                    .init("NSDictionary"),
                    [
                        "NS.keys": .references(names),
                        "NS.objects": .references(names.map { _ in attribute }),
                    ]
                )
            )
        )
        let entities = (0..<5_000).map { _ in
            archive.add(
                .instance(
                    .init(.init("NSEntityDescription"), ["NSProperties": .reference(properties)])
                )
            )
        }
        let dictionary = archive.add(
            .instance(
                .init(
                    .init("NSDictionary"),
                    ["NS.keys": .references(names), "NS.objects": .references(entities)]
                )
            )
        )
        let root = archive.add(
            .instance(.init(.init("NSManagedObjectModel"), ["NSEntities": .reference(dictionary)]))
        )
        archive.top = ["root": .reference(root)]
        let model = readCompiledModel(archive, path: "A.mom", entryLimit: 50_000)
        #expect(model.diagnostics.contains { $0.message.contains("too often") })
    }

    private static let small = ManagedObjectModel([
        Entity("A", [Attribute("a", .string)]),
        Entity("B", parentEntity: "A", relationships: [.one("b", "A")]),
    ])

    @Test func `an archive cut off at any byte is refused`() {
        let bytes = compileModel(Self.small).value.binaryData
        #expect(!readCompiledModel(bytes, path: "A.mom").hasErrors)
        for length in 0..<bytes.count {
            #expect(readCompiledModel(bytes.prefix(length), path: "A.mom").hasErrors, "\(length)")
        }
    }

    @Test func `an archive with any byte changed is read or refused`() {
        let bytes = compileModel(Self.small).value.binaryData
        for index in Sweep.part(of: bytes.indices, every: 32) {
            for value: UInt8 in [0x00, 0x0F, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] = value
                let model = readCompiledModel(damaged, path: "A.mom").value
                // What was read goes through the whole pipeline, including hashes.
                _ = compileModel(model).value.binaryData
            }
        }
    }

    static let circles = [
        ("NSEntityDescription", "NSSuperentity"), ("NSEntityDescription", "NSSubentities"),
        ("NSEntityDescription", "NSProperties"), ("NSManagedObjectModel", "NSEntities"),
        ("NSManagedObjectModel", "NSFetchRequestTemplates"), ("NSMutableDictionary", "NS.objects"),
        ("NSAttributeDescription", "NSEntity"), ("NSAttributeDescription", "NSDefaultValue"),
        ("NSRelationshipDescription", "NSInverseRelationship"),
        ("NSRelationshipDescription", "NSDestinationEntity"),
    ]

    @Test(arguments: circles)
    func `an object that leads to itself ends the reading, not the program`(
        className: String,
        key: String
    ) throws {
        var archive = compileModel(Self.small).value
        var count = 0
        for index in archive.objects.indices {
            guard case .instance(var object) = archive.objects[index],
                object.className == className
            else { continue }
            let own = KeyedArchive.Reference(index)
            object.values[key] = key == "NS.objects" ? .references([own]) : .reference(own)
            archive.objects[index] = .instance(object)
            count += 1
        }
        #expect(count > 0)
        let model = readCompiledModel(archive.binaryData, path: "A.mom")
        _ = compileModel(model.value).value.binaryData
    }

    /// Classes replaced by an unknown one, and whether the model is another one without it.
    static let unknownClasses: [(className: String, isError: Bool)] = [
        ("NSManagedObjectModel", true), ("NSEntityDescription", true),
        ("NSAttributeDescription", true), ("NSRelationshipDescription", true),
        ("NSDerivedAttributeDescription", true), ("NSCompositeAttributeDescription", true),
        ("NSKeyPathExpression", true), ("NSFetchIndexDescription", false),
        ("NSComparisonPredicate", false), ("NSDate", false),
    ]

    private static let varied = ManagedObjectModel(
        [
            Entity(
                "A",
                [
                    Attribute("a", .string), Attribute("b", .date, defaultValue: .date(0)),
                    Attribute(name: "c", type: .integer64, validation: .init(minimum: .integer(1))),
                    Attribute("d", .string, derivation: .init(expression: "r.a")),
                    Attribute("e", .composite, compositeName: "T"),
                ],
                relationships: [.one("r", "A")],
                fetchIndexes: [FetchIndex(name: "i", elements: [.init(.property("a"))])]
            )
        ],
        composites: [CompositeType("T", [Attribute("x", .string)])]
    )

    @Test(arguments: unknownClasses)
    func `objects of unknown classes are reported by name`(
        className: String,
        isError: Bool
    ) throws {
        var archive = compileModel(Self.varied).value
        #expect(readCompiledModel(archive.binaryData, path: "A.mom").diagnostics.isEmpty)
        var count = 0
        for index in archive.objects.indices {
            guard case .instance(var object) = archive.objects[index],
                object.className == className
            else { continue }
            object.classRecord = .init("Imposter")
            archive.objects[index] = .instance(object)
            count += 1
        }
        #expect(count > 0)
        let model = readCompiledModel(archive.binaryData, path: "A.mom")
        let isNamed = model.diagnostics.contains { $0.rule == "unknown-archived-class" }
        #expect(isNamed || !["NSAttributeDescription", "NSDate"].contains(className))
        #expect(!model.diagnostics.isEmpty)
        #expect(model.hasErrors == isError, "\(model.diagnostics)")
    }

    @Test func `a key that nobody knows is reported`() {
        var archive = compileModel(Self.small).value
        for index in archive.objects.indices {
            guard case .instance(var object) = archive.objects[index],
                object.className == "NSEntityDescription"
            else { continue }
            object.values["NSMood"] = .plain(.boolean(true))
            archive.objects[index] = .instance(object)
        }
        let model = readCompiledModel(archive.binaryData, path: "A.mom")
        #expect(model.diagnostics.map(\.rule) == ["unknown-archived-key"], "\(model.diagnostics)")
    }

    @Test func `counts and sizes beyond the file are refused`() {
        let bytes = compileModel(Self.small).value.binaryData
        // The trailer: the number of objects, the top object and the offset of the table, 8 bytes each.
        for field in 1...3 {
            for value: UInt8 in [0x7F, 0xFF] {
                var damaged = bytes
                let start = damaged.count - 8 * field
                damaged.replaceSubrange(start..<start + 8, with: repeatElement(value, count: 8))
                #expect(readCompiledModel(damaged, path: "A.mom").hasErrors, "\(field)")
            }
        }
    }
}
