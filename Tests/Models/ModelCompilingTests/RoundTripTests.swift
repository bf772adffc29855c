import Diagnostics
import Foundation
import ModelCompiling
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

struct RoundTripTests {
    private func roundTrip(
        _ model: ManagedObjectModel,
        options: CompilerOptions = CompilerOptions()
    ) -> (compiled: [Diagnostic], read: Diagnosed<ManagedObjectModel>) {
        let archive = compileModel(model, options: options)
        return (archive.diagnostics, readCompiledModel(archive.value.binaryData, path: "A.mom"))
    }

    static let attributes: [Attribute] = [
        Attribute("integer", .integer16, defaultValue: .integer(-5)),
        Attribute("decimal", .decimal, defaultValue: DecimalValue("0.0").map { .decimal($0) }),
        Attribute(
            "longDecimal",
            .decimal,
            defaultValue: DecimalValue("-123456789012345678.90").map { .decimal($0) }
        ),
        Attribute("double", .double, defaultValue: .double(-0.5)),
        Attribute("float", .float, isOptional: false, defaultValue: .float(1.25)),
        Attribute("string", .string, defaultValue: .string("")),
        Attribute("boolean", .boolean, defaultValue: .boolean(false)),
        Attribute("date", .date, defaultValue: .date(12.5)),
        Attribute(name: "binary", type: .binary, allowsExternalBinaryDataStorage: true),
        Attribute(
            "uuid",
            .uuid,
            defaultValue: UUID(uuidString: "12345678-1234-5678-9ABC-DEF012345678").map { .uuid($0) }
        ),
        Attribute("uri", .uri, defaultValue: .uri("https://example.com/a")),
        Attribute(
            name: "transformable",
            type: .transformable,
            valueTransformerName: "",
            customClassName: "Color"
        ),
        Attribute("undefined", .undefined, isTransient: true),
        with(Attribute("kept", .string)) { $0.flags[.preservationAfterDeletion] = true },
        with(Attribute("spotlight", .string)) { $0.flags[.spotlightIndexing] = true },
        with(Attribute("truth", .string)) { $0.flags[.storedInTruthFile] = true },
        Attribute(name: "legacyIndex", type: .string, isIndexed: true),
        with(
            Attribute(
                name: "renamed",
                type: .string,
                renamingIdentifier: "old",
                versionHashModifier: "2"
            )
        ) { $0.userInfo = [.init(key: "a", value: "1"), .init(key: "b", value: "2")] },
        Attribute(
            name: "limited",
            type: .integer32,
            validation: .init(minimum: .integer(1), maximum: .integer(9))
        ),
        Attribute(
            name: "limitedDouble",
            type: .double,
            validation: .init(minimum: .double(0), maximum: .double(1))
        ),
        Attribute(
            name: "limitedDate",
            type: .date,
            validation: .init(minimum: .date(1), maximum: .date(2.5))
        ),
        Attribute(
            name: "limitedString",
            type: .string,
            validation: .init(minimum: .integer(1), maximum: .integer(50))
        ),
        Attribute(
            name: "limitedDecimal",
            type: .decimal,
            validation: .init(minimum: DecimalValue("1.5").map { .decimal($0) })
        ),
        Attribute("derived", .string, derivation: .init(expression: "canonical:(string)")),
        Attribute("counted", .integer64, derivation: .init(expression: "count:(friends)")),
    ]

    @Test(arguments: attributes)
    func `an attribute comes back as it was`(attribute: Attribute) {
        let model = ManagedObjectModel(
            entities: [Entity("Person", [attribute])],
            versionIdentifiers: ["1"]
        )
        let result = roundTrip(model)
        #expect(result.compiled.isEmpty)
        #expect(result.read.diagnostics.isEmpty)
        #expect(result.read.value == model)
    }

    @Test func `a pattern comes back, with a warning that its form is not proven`() {
        let attribute = Attribute(
            name: "code",
            type: .string,
            validation: .init(regularExpression: "[A-Z]\\d+")
        )
        let model = ManagedObjectModel([Entity("Person", [attribute])])
        let result = roundTrip(model)
        #expect(result.compiled.map(\.rule) == [.unprovenCompiledForm])
        #expect(result.compiled.map(\.severity) == [.warning])
        #expect(result.read.value == model)
    }

    static let library = with(
        ManagedObjectModel(
            entities: [
                Entity(
                    name: "Author",
                    className: "App.Author",
                    attributes: [Attribute("name", .string)],
                    relationships: [
                        .many("books", "Work", "author", isOrdered: true, deleteRule: .cascade)
                    ],
                    fetchIndexes: [
                        FetchIndex(name: "byName", elements: [.init(.property("name"))]),
                        FetchIndex(
                            name: "both",
                            elements: [
                                .init(.property("name"), isAscending: false),
                                .init(.property("name"), collation: .rTree),
                            ],
                            partialIndexPredicate: "name != nil"
                        ),
                    ],
                    uniquenessConstraints: [UniquenessConstraint(properties: ["name"])]
                ),
                Entity(
                    "Book",
                    parentEntity: "Work",
                    [Attribute("pages", .integer32, isOptional: false)],
                    versionHashModifier: "3"
                ),
                Entity(
                    "Work",
                    isAbstract: true,
                    relationships: [
                        Relationship(
                            name: "author",
                            isOptional: false,
                            minCount: 1,
                            maxCount: 1,
                            deleteRule: .deny,
                            destinationEntity: "Author",
                            inverseName: "books",
                            inverseEntity: "Author"
                        )
                    ],
                    renamingIdentifier: "Text"
                ),
            ],
            configurations: [Configuration(name: "Local", memberEntities: ["Author", "Work"])],
            fetchRequestTemplates: [
                with(
                    FetchRequest(
                        name: "long",
                        entity: "Book",
                        predicate: "pages >= $MINIMUM OR author.name CONTAINS[cd] \"x\""
                    )
                ) { request in
                    (request.resultType, request.fetchLimit, request.fetchBatchSize) = (2, 10, 5)
                    (request.includesSubentities, request.returnsDistinctResults) = (false, true)
                }
            ]
        )
    ) { library in
        library.entities[0].userInfo = [UserInfoEntry(key: "note", value: "ß")]
        library.entities[0].fetchedProperties = [
            FetchedProperty(
                name: "namesakes",
                isOptional: false,
                fetchRequest: FetchRequest(
                    name: "fetchedPropertyFetchRequest",
                    entity: "Author",
                    predicate: "name == $FETCH_SOURCE.name AND (NOT SELF == $FETCH_SOURCE)"
                )
            )
        ]
    }

    @Test func `a model with all kinds of parts comes back as it was`() {
        let result = roundTrip(Self.library)
        #expect(result.compiled.map(\.message) == [])
        #expect(result.read.diagnostics.map(\.message) == [])
        for (read, entity) in zip(result.read.value.entities, Self.library.entities) {
            #expect(read == entity)
        }
        #expect(result.read.value.fetchRequestTemplates == Self.library.fetchRequestTemplates)
        #expect(result.read.value == Self.library)
    }

    @Test func `composite attributes come back with a type of their own`() {
        let inner = CompositeType("Inner", [Attribute("code", .string)])
        let outer = CompositeType(
            "Outer",
            [Attribute("city", .string), Attribute("zip", .composite, compositeName: "Inner")]
        )
        let model = ManagedObjectModel(
            [
                Entity(
                    "Person",
                    [
                        Attribute("home", .composite, compositeName: "Outer"),
                        Attribute("work", .composite, compositeName: "Outer"),
                    ]
                )
            ],
            composites: [inner, outer]
        )
        let result = roundTrip(model)
        #expect(result.compiled.isEmpty && result.read.diagnostics.isEmpty)
        let read = result.read.value
        #expect(read.entities[0].attributes.map(\.compositeName) == ["Person_home", "Person_home"])
        #expect(read.composites.map(\.name) == ["Person_home_zip", "Person_home"])
        #expect(read.composites[1].attributes.map(\.name) == ["city", "zip"])
        #expect(read.composites[0].attributes == inner.attributes)
    }

    @Test func `names that lead nowhere and texts that say nothing are errors`() {
        let model = ManagedObjectModel(
            entities: [
                Entity(
                    "Person",
                    parentEntity: "Ghost",
                    [
                        Attribute("a", .composite, compositeName: "None"),
                        Attribute("b", .string, derivation: .init(expression: "b ==")),
                    ],
                    relationships: [
                        Relationship(name: "c", destinationEntity: nil),
                        Relationship(name: "d", destinationEntity: "Person", inverseName: "x"),
                    ]
                )
            ],
            composites: [
                CompositeType("Loop", [Attribute("l", .composite, compositeName: "Loop")])
            ],
            configurations: [Configuration(name: "C", memberEntities: ["Ghost"])],
            fetchRequestTemplates: [FetchRequest(name: "F", entity: "Person", predicate: "%K = 1")]
        )
        let result = roundTrip(model)
        #expect(
            result.compiled.map(\.rule).sorted { $0.rawValue < $1.rawValue }
                == Array(repeating: .danglingName, count: 5)
                + Array(repeating: "invalid-predicate", count: 2)
        )
    }

    @Test func `composites that multiply are refused`() {
        var types = [CompositeType("T0", [Attribute("x", .string)])]
        for level in 1...40 {
            let parts = ["a", "b"].map { Attribute($0, .composite, compositeName: "T\(level - 1)") }
            types.append(CompositeType("T\(level)", parts))
        }
        let attribute = Attribute("bomb", .composite, compositeName: "T40")
        let model = ManagedObjectModel([Entity("E", [attribute])], composites: types)
        #expect(compileModel(model).diagnostics.contains { $0.rule == "unbounded-composite" })
    }

    @Test func `a damaged archive never traps the reader`() {
        let bytes = compileModel(Self.library).value.binaryData
        for length in stride(from: 0, to: bytes.count, by: 97) {
            #expect(readCompiledModel(bytes.prefix(length), path: "A.mom").hasErrors)
        }
        for index in stride(from: 0, to: bytes.count, by: 5) {
            var damaged = bytes
            damaged[index] ^= 0x15
            _ = readCompiledModel(damaged, path: "A.mom")
        }
    }

    @Test func `a module completes class names with a leading dot`() {
        let model = ManagedObjectModel([Entity("A", className: ".A"), Entity("B", className: "B")])
        let classes = [nil, "App"].map { module in
            roundTrip(model, options: CompilerOptions(moduleName: module)).read.value.entities
                .map(\.className)
        }
        #expect(classes == [[".A", "B"], ["App.A", "B"]])
    }
}

/// Returns a value with a change.
private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var copy = value
    change(&copy)
    return copy
}
