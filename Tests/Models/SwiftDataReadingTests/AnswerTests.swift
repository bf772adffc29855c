import Diagnostics
import ObjectModel
import SwiftDataReading
import Testing

/// Takes what `types:` and `inverses:` say over what is not understood.
@Suite(.enabled(if: readsSwiftSources))
struct AnswerTests {
    @Test(
        arguments: RefusalTests.refusals + [
            "@Attribute(.codable) var a: Foo", "var a: Payload",
        ]
    )
    func `what is said of a property goes over what is not understood`(
        member: String
    ) {
        for (type, shape) in [("Data", "Binary"), ("Transformable", "Transformable")] {
            let models = read(
                RefusalTests.source(member),
                SwiftReadingOptions(types: ["T.a": .alias(type)])
            )
            #expect(models.value.versions.first?.spoiledEntities == [], "\(models.messages)")
            #expect(models.value.versions.first?.questions == [])
            let isOptional = member.firstMatch(of: /: [^=]*\?$/) != nil
            #expect(models.shape(of: "T").first == "a: \(shape)\(isOptional ? "?" : "")")
        }
    }

    @Test(arguments: RefusalTests.refusals)
    func `the entry that a refusal offers answers it`(member: String) {
        let source = RefusalTests.source(member)
        let refused = read(source)
        let notes = refused.diagnostics.flatMap(\.notes).map(\.message)
        guard let entry = notes.compactMap({ $0.firstMatch(of: /such as (\S+): "?([^"]+)/) }).first
        else { return #expect(refused.words.contains(/class|inverse/), "\(notes)") }
        let types = [String(entry.1): ForeignType.alias(.init(entry.2))]
        let models = read(source, SwiftReadingOptions(types: types))
        #expect(models.value.versions.first?.spoiledEntities == [], "\(models.messages)")
    }

    @Test(arguments: [
        "struct P { @Clamped var x: Int }", "struct P { var x: Set<Int> }",
        "struct P { var x: Payload }", "struct P { var x: [String: Int] }",
        "struct P { var x: Int8 }", "struct P { var x: Foo }", "struct P { var x: [[Int]] }",
    ])
    func `what is said of a member of a struct goes over what is not understood`(text: String) {
        let models = read(
            "\(text)\nenum Payload { case a(Int) }\n@Model class T { var a: P? }",
            SwiftReadingOptions(types: ["P.x": .alias("Data")])
        )
        #expect(models.value.versions.first?.spoiledEntities == [], "\(models.messages)")
        #expect(models.shape(of: "T") == ["a: Composite? { x: Binary? }"])
    }

    @Test(arguments: ["var a: [Foo]", "var a: [String: Foo]", "var a: S"])
    func `what is said of a type holds in arrays and dictionaries`(member: String) {
        for type in [ForeignType.rawValues(of: "Int"), .fields([.init(name: "x", type: "Int")])] {
            let models = read(
                "struct S { var foos: [Foo] }\n@Model class T { \(member) }",
                SwiftReadingOptions(types: ["Foo": type])
            )
            #expect(models.value.versions.first?.spoiledEntities == [], "\(models.messages)")
        }
    }

    @Test(arguments: [
        ("Set", "var a: Set<Int>", "Transformable", "Transformable"),
        ("Foo", "var a: Foo<Int>", "String", "String"),
        ("Foo<Int>", "var a: Foo<Int>", "String", "String"),
        ("Far.Foo", "var a: Far.Foo<Int>", "Data", "Binary"),
    ])
    func `what is said of a generic type holds for its arguments`(
        name: String,
        member: String,
        type: String,
        shape: String
    ) {
        let options = SwiftReadingOptions(types: [name: .alias(type)])
        let models = read("@Model class T { \(member) }", options)
        #expect(models.value.versions.first?.spoiledEntities == [], "\(models.messages)")
        #expect(models.shape(of: "T") == ["a: \(shape)"])
    }

    @Test(arguments: [
        ("@Relationship(inverse: key) var b: B?", "var a: A?", ["A.b": "B.a"]),
        ("@Relationship(inverse: \\Foo.x) var b: B?", "var a: A?", ["A.b": "B.a"]),
        ("@Relationship(inverse: \\B.none) var b: B?", "var a: Int", ["A.b": "none"]),
        ("var b: B?", "var a: Set<A>", ["A.b": "B.a"]),
        ("var b: B?", "var a: Set<A>", ["A.b": "none"]),
    ])
    func `what is said of an inverse goes over what is not understood`(
        one: String,
        other: String,
        inverses: [String: String]
    ) {
        let source = "@Model class A { \(one) }\n@Model class B { \(other) }"
        #expect(read(source).value.versions.first?.spoiledEntities.contains("A") == true)
        let version = read(source, SwiftReadingOptions(inverses: inverses)).value.versions.first
        #expect(version?.spoiledEntities.contains("A") == false)
        #expect(
            version?.entity("A")?.relationships.first?.inverseName
                == (inverses["A.b"] == "none" ? nil : "a")
        )
    }

    @Test(arguments: [
        ("@Attribute(.codable) var a: Part?", "a"), ("var a: [Part]", "a[]"),
        ("var a: [String: Part]", "a[]"),
    ])
    func `the members of encoded values have the path that leads to them`(
        member: String,
        path: String
    ) {
        let models = read(
            """
            struct Part: Codable { var n: Int; var inner: Inner }
            struct Inner: Codable { var s: String? }
            @Model class T { \(member) }
            """
        )
        let attribute = models.value.versions.first?.entity("T")?.attributes.first
        let names = attribute?.encodedMembers().map(\.name)
        #expect(names == ["a", "\(path).n", "\(path).inner", "\(path).inner.s"])
    }
}
