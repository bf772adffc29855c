import Diagnostics
import ObjectModel
import SwiftDataReading
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
        ("var a: Set<Int>", "type Set<Int> is not understood"),
        ("var a: Set<Mood>?", "type Set<Mood> is not understood"),
        ("var a: Int8", "type Int8 is not understood"),
        ("var a: (Int, Int)", "type (Int, Int) is not understood"),
        ("var a: Range<Int>", "type Range<Int> is not understood"),
        ("var a: AttributedString", "type AttributedString is not understood"),
        ("var a: Locale?", "type Locale is not understood"),
        ("var a: CLLocationCoordinate2D", "type CLLocationCoordinate2D is not understood"),
        ("var a: Measurement<UnitLength>", "type Measurement<UnitLength> is not understood"),
        ("var a: any Shape", "type any Shape is not understood"),
        ("var a: Shape", "type Shape is not understood"),
        ("var a: Plainclass?", "the class Plainclass cannot be stored as a value"),
        ("var a: Money.Amount", "type Money.Amount is not understood"),
        ("var a: [[Int]]", "type [[Int]] is not understood"),
        ("var a: [Int?]", "type [Int?] is not understood"),
        ("var a: [Int: String]", "type [Int: String] is not understood"),
        ("var a: [String: [Int]]", "type [String: [Int]] is not understood"),
        ("var a: Hand", "type Hand is not understood"),
        ("var a: Letter", "type Letter is not understood"),
        ("var a: Tiny", "type Tiny is not understood"),
        ("var a: Flags", "type Flags is not understood"),
        ("var a: Text", "type Text is not understood"),
        ("var a: Box<Int>", "type Box<Int> is not understood"),
        ("var a: Empty", "type Empty is not understood"),
        ("var a: Int??", "type Int?? is not understood"),
        ("var a: () -> Void", "type () -> Void is not understood"),
        ("var a: Ring", "type Ring is not understood"),
        ("var a: HasPlain", "type Plain of HasPlain.plain is not understood"),
        ("var a: HasTable", "type [String: Int] of HasTable.table is not understood"),
        ("var a: HasSet", "type Set<Int> of HasSet.seats is not understood"),
        ("var a: HasPayload", "type Payload of HasPayload.payload is not understood"),
        ("var a: HasModel", "the class Other of HasModel.other cannot be stored as a value"),
        ("var a: HasClass?", "the class Plainclass of HasClass.object cannot be stored as a value"),
        ("var a: Wrapped", "@Clamped of Wrapped.x is not understood"),
        ("var a: Clash", "two values named 'x' of different types are not understood"),
        ("var a: Twice", "two properties of Twice are named x"),
        ("var a = [Plainclass]()", "type [Plainclass] is not understood"),
        (
            "var a = Date.now + 1",
            "the type of T.a is not clear from its first value; write the type"
        ),
        (
            "var a = flag ? 1 : 2",
            "the type of T.a is not clear from its first value; write the type"
        ),
        ("var a = make()", "the type of T.a is not clear from its first value; write the type"),
        (
            "var a = Mood(rawValue: 1)",
            "the type of T.a is not clear from its first value; write the type"
        ),
        (
            "var a = Int(\"1\")",
            "the type of T.a is not clear from its first value; write the type"
        ),
        ("@Attribute(.ephemeral) var a: Int", "the option .ephemeral is not understood"),
        ("@Attribute(name: 1) var a: Int", "an argument of @Attribute is not understood"),
        ("@Attribute(.unique) var a: Other", "@Attribute on a relationship is not understood"),
        (
            "@Relationship var a: Int",
            "@Relationship on a property that is not a @Model class is not understood"
        ),
        ("@Relationship(.unique) var a: Other?", "the option .unique is not understood"),
        ("@Relationship(.unique) var a: [Other]", "the option .unique is not understood"),
        ("@Relationship(inverse: key) var a: Other?", "the inverse is not understood"),
        (
            "@Relationship(inverse: \\Other.nothing) var a: Other?",
            "the inverse 'nothing' is not a relationship of Other"
        ),
        (
            "@Relationship(inverse: \\Mood.low) var a: Other?",
            "the inverse \\Mood.low is not a property of Other"
        ),
    ]

    static func source(_ member: String) -> String {
        "\(others)\n@Model class Other { var x = 1 }\n@Model class T { var ok = 1\n\(member) }"
    }

    @Test(arguments: refusals)
    func `what no store has shown is refused by name`(member: String, message: String) {
        let source = Self.source(member)
        let models = read(source)
        let line = source.split(separator: "\n").count
        let errors = models.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.message) == ["T.a: " + message])
        #expect(errors.first?.location?.line == line)
        let isClass = message.hasPrefix("the class ")
        #expect(errors.map(\.rule) == [isClass ? "swift-class-stored" : "swift-not-understood"])
        #expect(models.value.versions.first?.spoiledEntities == ["T"])
        #expect(models.value.versions.first.map { Array($0.hashes.keys) } == ["Other"])
    }

    @Test(arguments: [
        ("#Unique<T>([\\.place.x])", "T: a key path of #Unique is not understood"),
        ("#Unique<T>(names)", "T: #Unique is not understood"),
        ("let (a, b) = (1, 2)", "T: several names bound by one pattern are not understood"),
        ("var a: Int; var a: String", "T: two properties have the same name"),
    ])
    func `what spoils an entity is refused`(member: String, message: String) {
        let models = read("@Model class T { var x = 1\n\(member) }")
        #expect(models.diagnostics.filter { $0.severity == .error }.map(\.message) == [message])
        #expect(models.value.versions.first?.spoiledEntities == ["T"])
    }

    @Test(arguments: [
        ("var a: UInt", "type UInt"),
        ("var a: CGFloat", "type CGFloat"),
        ("@Clamped var a: Int", "the macro @Clamped"),
        (
            "@Attribute(.codable) var a: Foo?",
            "the option .codable, whose values are read as Binary"
        ),
        ("var a: Payload?", "an enum with associated values, each of which is read as Binary"),
        ("var a: [String: Short]", "type [String: Short]"),
        ("var a: [Short]?", "type [Short]"),
        ("var a: Int { didSet {} }", "a property with willSet or didSet"),
        ("@Attribute(.preserveValueOnDeletion) var a: Int", "the option .preserveValueOnDeletion"),
        ("@Attribute(hashModifier: \"2\") var a: Int", "the option hashModifier"),
        ("@Attribute(.spotlight) var a: String", "the option .spotlight"),
        ("@Attribute(.transformable(by: Coder.self)) var a: NSColor?", "the option .transformable"),
        ("@Relationship(deleteRule: .deny) var a: Other?", "the delete rule .deny"),
        ("@Relationship(deleteRule: .noAction) var a: Other?", "the delete rule .noAction"),
        ("@Relationship(minimumModelCount: 1) var a: [Other]", "the option minimumModelCount"),
        ("@Relationship(maximumModelCount: 9) var a: [Other]", "the option maximumModelCount"),
        ("var a: Short", "an enum of raw type Int16"),
        (
            "#Unique<T>([\\.a]); @Attribute(.unique) var a: Int",
            "the same uniqueness constraint twice"
        ),
        ("var a: Outer", "Outer.inner is an optional struct in a struct that is not optional"),
        ("var a: T?", "a relationship to its own entity without an inverse"),
    ])
    func `what is read in the natural way is said to be unproven`(member: String, message: String) {
        let others = """
            enum Short: Int16 { case a }
            enum Payload: Codable { case a(Int), b; init(from decoder: any Decoder) { self = .b } }
            struct Outer { var inner: Inner? }
            struct Inner { var x: Int }
            @Model class Other { var x = 1 }
            """
        let models = read("\(others)\n@Model class T { \(member) }")
        let unproven = "T.a: unproven, as no known store shows it: "
        #expect(models.diagnostics.map(\.message) == [unproven + message])
        #expect(models.value.versions.first?.unprovenEntities == ["T"])
        #expect(models.value.versions.first?.spoiledEntities == [])
    }

    @Test func `a macro of another package is told of once`() {
        let models = read(
            "@Model class T { @Mark var a: Int; @Mark(1) var b: Int; @Other var c: Int }\n@Model class U { @Mark var a: Int }"
        )
        #expect(models.diagnostics.map(\.element) == ["T.a", "T.c"])
        #expect(models.value.versions.first?.unprovenEntities == ["T", "U"])
    }

    @Test func `an index that is not understood leaves the hash alone`() {
        let models = read("@Model class T { #Index<T>(.rtree([\\.x]), [\\.x])\nvar x = 1 }")
        #expect(
            models.messages == [
                "Model.swift:1:18: warning: T: the index .rtree is not understood and left out "
                    + "[swift-not-understood]"
            ]
        )
        let plain = read("@Model class T { var x = 1 }")
        #expect(models.value.versions.first?.hashes == plain.value.versions.first?.hashes)
        #expect(models.value.versions.first?.entity("T")?.fetchIndexes.count == 1)
    }

    @Test(arguments: [
        (
            "var b: B", "var a: A?",
            "SwiftData may not infer an inverse of a mandatory to-one"
        ),
        ("var b: [B]", "var a: [A]", "the inverse of a many-to-many relationship must be written"),
        (
            "@Relationship var b: B?", "@Relationship var a: A?",
            "it is unknown what @Relationship on both sides of a one-to-one means"
        ),
        (
            "@Relationship var b: B?", "var a: [A]",
            "@Relationship only on the to-one side was never seen"
        ),
        ("var b: [B]; var c: [B]", "var a: A?", "SwiftData could infer more than one inverse"),
    ])
    func `inverses that nobody has seen inferred are asked for`(
        one: String,
        other: String,
        message: String
    ) {
        let source = "@Model class A { \(one) }\n@Model class B { \(other) }"
        let models = read(source)
        let messages = Set(models.diagnostics.map { $0.message.split(separator: ": ").last ?? "" })
        #expect(messages == [Substring(message)])
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
        #expect(
            read("func f() {}").messages == [
                "Model.swift: error: the sources contain no @Model class [swift-no-model]"
            ]
        )
    }

    @Test(arguments: ["os(&& ", "b<", "[", "if a {", "f() }) { set {"])
    func `brackets that nobody closes are left out before the parser sees them`(piece: String) {
        let text = "#if " + String(repeating: piece, count: 20_000)
        let models = read(
            "// FILE: A.swift\n@Model class A { var x = 1 }\n// FILE: B.swift\n" + text
        )
        let message = "brackets are nested too deeply; the file is left out"
        #expect(models.diagnostics.contains { $0.message == message })
        #expect(models.shape(of: "A") == ["x: Integer 64"])
    }

    @Test(arguments: ["[", "[Array<", "[(", "[String: "])
    func `a type of many brackets is left out before the parser sees it`(piece: String) {
        let text = "@Model class B { var a: " + String(repeating: piece, count: 200) + "Int }"
        let models = read(
            "// FILE: A.swift\n@Model class A { var x = [[[[[1]]]]][0] }\n// FILE: B.swift\n" + text
        )
        let message = "brackets are nested too deeply; the file is left out"
        #expect(models.diagnostics.contains { $0.message == message })
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
        #expect(models.diagnostics.contains { $0.message.hasSuffix("the file is left out") })
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
        #expect(models.diagnostics.contains { $0.message.hasSuffix("the file is left out") })
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
        let message = "the parser takes too long for the file, which is left out"
        #expect(models.diagnostics.contains { $0.message == message })
    }

    /// A reader that reads each pair of brackets twice would never end here.
    @Test(arguments: [("(", ")"), ("Array<", ">")])
    func `brackets in each other are read once each`(opening: String, closing: String) {
        func repeated(_ text: String) -> String { String(repeating: text, count: 30) }
        let type = repeated(opening) + "Int" + repeated(closing)
        let models = read("@Model class T { var a: Int = 0; var b: \(type) }")
        #expect(models.value.versions.first?.model.entities.map(\.name) == ["T"])
        #expect(models.messages.allSatisfy { !$0.contains("takes too long") }, "\(models.messages)")
        #expect(models.value.versions.first?.spoiledEntities == (opening == "(" ? [] : ["T"]))
    }
}
