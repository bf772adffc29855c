import Diagnostics
import ObjectModel
import SwiftDataReading
import TestSupport
import Testing

@Suite(.enabled(if: readsSwiftSources))
struct RefusalTests {
    private static let others = """
        enum Mood: Int { case low }
        enum Plain { case a, b }
        enum Payload { case a(Int), b }
        enum Hand { case a }
        extension Hand: RawRepresentable { init?(rawValue: String) { nil }; var rawValue: String { "" } }
        enum Letter: Character { case a }
        enum Tiny: Int8 { case a }
        struct Flags: OptionSet { let rawValue: Int }
        struct Text: RawRepresentable { var rawValue: String }
        struct Box<Value> { var value: Value }
        struct Empty {}
        struct Ring { var ring: [Ring]; var direct: Ring }
        struct HasPlain { var plain: Plain }
        struct HasTable { var table: [String: Int] }
        struct HasSet { var seats: Set<Int> }
        struct HasPayload { var payload: Payload }
        struct HasClass { var object: Plainclass? }
        struct HasModel { var other: Other }
        struct Wrapped { @Clamped var x: Int }
        struct Inner { var x: Int }
        struct Clash { var inner: Inner; var x: String }
        struct Twice { var x: Int; var x: Int }
        class Plainclass {}
        protocol Shape {}
        """

    static let refusals = [
        "var a: Set<Int>",
        "var a: Set<Mood>?",
        "var a: Int8",
        "var a: (Int, Int)",
        "var a: Range<Int>",
        "var a: AttributedString",
        "var a: Locale?",
        "var a: CLLocationCoordinate2D",
        "var a: Measurement<UnitLength>",
        "var a: any Shape",
        "var a: Shape",
        "var a: Plainclass?",
        "var a: Money.Amount",
        "var a: [[Int]]",
        "var a: [Int?]",
        "var a: [Int: String]",
        "var a: [String: [Int]]",
        "var a: Hand",
        "var a: Letter",
        "var a: Tiny",
        "var a: Flags",
        "var a: Text",
        "var a: Box<Int>",
        "var a: Empty",
        "var a: Int??",
        "var a: () -> Void",
        "var a: Ring",
        "var a: HasPlain",
        "var a: HasTable",
        "var a: HasSet",
        "var a: HasPayload",
        "var a: HasModel",
        "var a: HasClass?",
        "var a: Wrapped",
        "var a: Clash",
        "var a: Twice",
        "var a = [Plainclass]()",
        "var a = Date.now + 1",
        "var a = flag ? 1 : 2",
        "var a = make()",
        "var a = Mood(rawValue: 1)",
        "var a = Int(\"1\")",
        "@Attribute(.ephemeral) var a: Int",
        "@Attribute(name: 1) var a: Int",
        "@Attribute(.unique) var a: Other",
        "@Relationship var a: Int",
        "@Relationship(.unique) var a: Other?",
        "@Relationship(inverse: key) var a: Other?",
        "@Relationship(inverse: \\Other.nothing) var a: Other?",
        "@Relationship(inverse: \\Mood.low) var a: Other?",
    ]

    static func source(_ member: String) -> String {
        "\(others)\n@Model class Other { var x = 1 }\n@Model class T { var ok = 1\n\(member) }"
    }

    @Test func `what no store has shown is refused by name`() throws {
        let lines = Self.refusals.map { member in
            let source = Self.source(member)
            let models = read(source)
            let errors = models.diagnostics.filter { $0.severity == .error }
            #expect(errors.count == 1, "\(member): \(errors)")
            #expect(errors.first?.location?.line == source.split(separator: "\n").count)
            #expect(models.value.versions.first?.spoiledEntities == ["T"])
            #expect(models.value.versions.first.map { Array($0.hashes.keys) } == ["Other"])
            return "\(member) → \(Diagnosed(models.value, errors).words)"
        }
        try expectRecorded(lines, as: "swiftdata-refused")
    }

    @Test(arguments: [
        "{ #Unique<T>([\\.place.x])",
        "{ #Unique<T>(names)",
        "{ let (a, b) = (1, 2)",
        "{ var a: Int; var a: String",
        "<V> {",
        ": Elsewhere { override init() { super.init() }",
        ": Kit.Elsewhere, Codable { init(x: Int) { super.init(x) }",
    ])
    func `what spoils an entity is refused`(start: String) {
        let models = read("@Model class T\(start)\nvar x = 1 }")
        let errors = models.diagnostics.filter { $0.severity == .error }
        #expect(errors.count == 1 && errors[0].element == "T", "\(errors)")
        #expect(models.value.versions.first?.spoiledEntities == ["T"])
    }

    private static let unproven = [
        "var a: UInt",
        "var a: CGFloat",
        "@Clamped var a: Int",
        "@Attribute(.codable) var a: Foo?",
        "var a: Payload?",
        "var a: [String: Short]",
        "var a: [Short]?",
        "var a: Int { didSet {} }",
        "@Attribute(.preserveValueOnDeletion) var a: Int",
        "@Attribute(hashModifier: \"2\") var a: Int",
        "@Attribute(.spotlight) var a: String",
        "@Attribute(.transformable(by: Coder.self)) var a: NSColor?",
        "@Relationship(deleteRule: .deny) var a: Other?",
        "@Relationship(deleteRule: .noAction) var a: Other?",
        "@Relationship(minimumModelCount: 1) var a: [Other]",
        "@Relationship(maximumModelCount: 9) var a: [Other]",
        "var a: Short",
        "#Unique<T>([\\.a]); @Attribute(.unique) var a: Int",
        "var a: Outer",
        "var a: T?",
    ]

    @Test func `what is read in the natural way is said to be unproven`() throws {
        let others = """
            enum Short: Int16 { case a }
            enum Payload: Codable { case a(Int), b; init(from decoder: any Decoder) { self = .b } }
            struct Outer { var inner: Inner? }
            struct Inner { var x: Int }
            @Model class Other { var x = 1 }
            """
        let lines = Self.unproven.map { member in
            let models = read("\(others)\n@Model class T { \(member) }")
            #expect(models.diagnostics.count == 1, "\(models.diagnostics)")
            #expect(models.value.versions.first?.unprovenEntities == ["T"])
            #expect(models.value.versions.first?.spoiledEntities == [])
            return "\(member) → \(models.words)"
        }
        try expectRecorded(lines, as: "swiftdata-unproven")
    }

    @Test func `a macro of another package is told of once`() {
        let models = read(
            "@Model class T { @Mark var a: Int; @Mark(1) var b: Int; @Other var c: Int }\n@Model class U { @Mark var a: Int }\n@Mark @Model class V { var a: Int }\n@MainActor @Model class W { var a: Int }"
        )
        #expect(models.diagnostics.map(\.element) == ["T.a", "T.c"])
        #expect(models.value.versions.first?.unprovenEntities == ["T", "U", "V"])
    }

    @Test func `an index that is not understood leaves the hash alone`() {
        let models = read("@Model class T { #Index<T>(.rtree([\\.x]), [\\.x])\nvar x = 1 }")
        #expect(models.facts == ["Model.swift:1:18 warning [swift-not-understood]"])
        let plain = read("@Model class T { var x = 1 }")
        #expect(models.value.versions.first?.hashes == plain.value.versions.first?.hashes)
        #expect(models.value.versions.first?.entity("T")?.fetchIndexes.count == 1)
    }

    @Test(arguments: [
        ("var b: B", "var a: A?"), ("var b: [B]", "var a: [A]"),
        ("@Relationship var b: B?", "@Relationship var a: A?"),
        ("@Relationship var b: B?", "var a: [A]"), ("var b: [B]; var c: [B]", "var a: A?"),
    ])
    func `inverses that nobody has seen inferred are asked for`(one: String, other: String) {
        let source = "@Model class A { \(one) }\n@Model class B { \(other) }"
        let models = read(source)
        #expect(Set(models.diagnostics.map(\.rule)) == [.swiftNotUnderstood])
        #expect(models.value.versions.first?.spoiledEntities == ["A", "B"])
        // Each is settled by what is said.
        for answer in [
            ["A.b": "none", "A.c": "none", "B.a": "none"], ["A.b": "B.a", "A.c": "none"],
        ] {
            let said = read(source, SwiftReadingOptions(inverses: answer)).value.versions.first
            #expect(said?.spoiledEntities == [])
            #expect(
                said?.entity("A")?.relationships.first?.inverseName
                    == (answer["B.a"] == nil ? "a" : nil)
            )
        }
    }

    @Test func `types of other modules can be said to be something`() {
        let options = SwiftReadingOptions(types: [
            "CGFloat": .alias("Double"),
            "Money.Currency": .rawValues(of: "String"),
            "CLLocationCoordinate2D": .fields([
                .init(name: "latitude", type: "Double"), .init(name: "longitude", type: "Double?"),
            ]),
        ])
        let source = """
            struct Spot { var at: CLLocationCoordinate2D; var currency: Money.Currency }
            @Model class T {
                var a: CGFloat?; var b: Money.Currency; var c: CLLocationCoordinate2D; var d: Spot; var e: [CGFloat]
            }
            """
        let models = read(source, options)
        #expect(
            models.shape(of: "T") == [
                "a: Double?", "b: Composite { b: String? }",
                "c: Composite { latitude: Double, longitude: Double? }",
                "d: Composite { latitude: Double, longitude: Double?, currency: String? }",
                "e: Transformable",
            ]
        )
        #expect(models.value.versions.first?.spoiledEntities == [])
        #expect(models.diagnostics.allSatisfy { $0.rule == .swiftUnproven })
        #expect(!models.diagnostics.isEmpty)
    }

    @Test func `what is no Swift is said with its place`() {
        let models = read("@Model class T {\n    var a: Int = \n    var b: = 3\n}")
        #expect(models.diagnostics.contains { $0.rule == .swiftSyntax && $0.location?.line == 2 })
        #expect(models.value.versions.first?.spoiledEntities == ["T"])
        #expect(read("func f() {}").diagnostics.map(\.rule) == [.swiftNoModel])
    }

    @Test(
        arguments: [
            ("<<<<<<< HEAD\nvar u = 0\n=======\nvar u = 1\n>>>>>>> theirs\ninit() {}", ["Note"]),
            ("func f() { if a {\n}\nvar u = 0\ninit() {}", ["Note"]), ("vra u = 0", ["Note"]),
            // A fault in a function takes no property along.
            ("func f() { let = 1 }\nvar u = 0", []), ("let text = \"<<<<<<< HEAD\"", []),
        ] as [(String, Set<String>)]
    )
    func `a class is not understood where a fault may hide a property`(
        _ members: String,
        _ spoiled: Set<String>
    ) {
        let version = """
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static let models: [any PersistentModel.Type] = [Note.self]
                @Model class Note { var t = ""
            \(members)
                }
            }
            """
        for source in [version, "@Model class Note {\nvar t = \"\"\n\(members)\n}"] {
            let models = read(source).value
            #expect(models.versions.first?.spoiledEntities == spoiled, "\(source)")
        }
    }

    @Test(arguments: ["os(&& ", "b<", "[", "if a {", "f() }) { set {"])
    func `brackets that nobody closes are left out before the parser sees them`(piece: String) {
        let text = "#if " + String(repeating: piece, count: 20_000)
        let models = read(
            "// FILE: A.swift\n@Model class A { var x = 1 }\n// FILE: B.swift\n" + text
        )
        #expect(models.leavesOut("B.swift"))
        #expect(models.shape(of: "A") == ["x: Integer 64"])
    }

    @Test(arguments: ["[", "[Array<", "[(", "[String: "])
    func `a type of many brackets is left out before the parser sees it`(piece: String) {
        let text = "@Model class B { var a: " + String(repeating: piece, count: 200) + "Int }"
        let models = read(
            "// FILE: A.swift\n@Model class A { var x = [[[[[1]]]]][0] }\n// FILE: B.swift\n" + text
        )
        #expect(models.leavesOut("B.swift"))
        #expect(models.value.versions.first?.entity("A") != nil)
        #expect(models.value.versions.first?.entity("B") == nil)
    }

    @Test(arguments: [
        "own:", "@available(re DTO).\n", "String? = nil", "string: String) ", "els: [A] { [B] }\n",
        "var a = 1\n#if DEBUG\n", "@", "(@",
    ])
    func `what goes on and on and declares nothing is left out`(piece: String) {
        let text = "@Model class B { " + String(repeating: piece, count: 20_000)
        let models = read(
            "// FILE: A.swift\n@Model class A { var x = 1 }\n// FILE: B.swift\n" + text
        )
        #expect(models.leavesOut("B.swift"))
        #expect(models.shape(of: "A") == ["x: Integer 64"])
    }

    @Test(arguments: [
        "init(a: Int, " + String(repeating: "word ", count: 2_600) + ") {} }",
        "var a: String = " + String(repeating: "\"GMtring = ", count: 4_400) + "\n}",
        String(repeating: "  a = 1\n", count: 1_400) + "\"\"\"\n"
            + String(repeating: "  a = b\n", count: 4_500),
        "let page: Int\n  Sendable {\n  let a: Int\n}\n"
            + String(
                repeating: "ashable, Sendable {\n  let a: Int\n  let b: Bool\n}\n",
                count: 1_000
            ),
    ])
    func `what the parser looks through again and again is left out`(members: String) {
        let models = read(
            "// FILE: A.swift\n@Model class A { var x = 1 }\n// FILE: B.swift\n@Model class B {\n"
                + members
        )
        #expect(models.leavesOut("B.swift"))
        #expect(models.shape(of: "A") == ["x: Integer 64"])
    }

    @Test func `long tables and long bodies are read`() {
        let table = (0..<3_000).map { "\($0)" }.joined(separator: ", ")
        let words = String(repeating: "/* what goes on and on */ // as well\n", count: 3_000)
        let body = (0..<500).map { "f(\($0)); let a\($0) = \"own:own:own:\"" }
        let view = String(repeating: "Row { Text(name).bold() }\n", count: 1_500)
        let views = "struct V {\n  var body: some View {\n\(view)}\n  func g() {\n\(view)}\n}\n"
        let sum = [String](repeating: "\"piece \\(f(1))\"", count: 1_000).joined(separator: " + ")
        let text = "let page = \"\"\"\n" + String(repeating: "A line of it.\n", count: 15_000)
        let models = read(
            "let t = [\(table)]\n\(words)func f() {\n\(body.joined(separator: "\n"))\n}\nlet s = (\(sum))\n"
                + text + "\"\"\"\n\(views)@Model class A { var x = 1 }"
        )
        #expect(models.diagnostics.isEmpty)
        #expect(models.shape(of: "A") == ["x: Integer 64"])
    }

    @Test func `comparisons one after another are no brackets`() {
        let lines = (0..<500).map { "let a\($0) = 1 < 2; let b\($0) = (1)" }
        let models = read("@Model class A { var x = 1 }\n" + lines.joined(separator: "\n"))
        #expect(models.diagnostics.isEmpty)
    }

    @Test func `a text that the parser takes too long over is left out`() {
        let words = String(repeating: " l", count: 2_300)
        let text = "@Model class T { var x = 1 }\nenum E {\n    @Model\(words) (l\(words)"
        var options = SwiftReadingOptions()
        options.patience = 0.02
        let models = read(
            "// FILE: A.swift\n@Model class A { var x = 1 }\n// FILE: B.swift\n" + text,
            options
        )
        #expect(models.leavesOut("B.swift"))
    }

    /// A reader that reads each pair of brackets twice would never end here.
    @Test(arguments: [("(", ")"), ("Array<", ">")])
    func `brackets in each other are read once each`(opening: String, closing: String) {
        func repeated(_ text: String) -> String { String(repeating: text, count: 30) }
        let type = repeated(opening) + "Int" + repeated(closing)
        let models = read("@Model class T { var a: Int = 0; var b: \(type) }")
        #expect(models.value.versions.first?.model.entities.map(\.name) == ["T"])
        #expect(!models.leavesOut("Model.swift"), "\(models.messages)")
        #expect(models.value.versions.first?.spoiledEntities == (opening == "(" ? [] : ["T"]))
    }
}
