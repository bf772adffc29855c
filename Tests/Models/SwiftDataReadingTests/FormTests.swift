import Diagnostics
import Foundation
import ObjectModel
import Testing

@testable import SwiftDataReading

@Suite(.enabled(if: readsSwiftSources))
struct FormTests {
    private func check(
        _ members: String,
        _ expected: [String],
        _ others: String = "",
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        let models = read("\(others)\n@Model final class T {\n\(members)\n}")
        #expect(models.messages == [], sourceLocation: sourceLocation)
        #expect(models.shape(of: "T") == expected, sourceLocation: sourceLocation)
    }

    @Test func `properties that are not stored are left out`() {
        check(
            """
            static let a = 1; static var b: Int = 2; class var c: Int { 3 }
            var d: Int { 1 }
            var e: Int { get { 1 } set { _ = newValue } }
            lazy var f = 2
            @Transient var g: Set<Int> = []
            @Transient
            private var h: AnyObject?
            func i() {}
            subscript(_ j: Int) -> Int { j }
            enum K { case l }
            init() {}
            deinit {}
            let m: String = "x"
            """,
            ["m: String"]
        )
    }

    @Test func `modifiers, attributes and comments say nothing`() {
        check(
            """
            /// a
            public private(set) var a: Int = 0 // b
            @available(iOS 17, *) internal final var b: String
            nonisolated(unsafe) var c: Bool = false
            @Attribute var /* d */ d: Date?
            fileprivate
            var
            `default`
            :
            Double = 1
            """,
            ["a: Integer 64", "b: String", "c: Boolean", "d: Date?", "default: Double"]
        )
    }

    @Test func `several names share one variable`() {
        check(
            "var a, b: Int\nvar c = 1, d = \"x\"",
            ["a: Integer 64", "b: Integer 64", "c: Integer 64", "d: String"]
        )
    }

    @Test func `types have several names`() {
        check(
            """
            var a: Swift.String; var b: Foundation.Date?; var c: Optional<Int>; var d: Swift.Optional<UUID>
            var e: Array<String>; var f: Dictionary<String, Int>; var g: (Bool); var h: Money; var i: Int!
            var j: [Swift.String: Double?]; var k: [Money]?; var l: TimeInterval; var m: Float32
            """,
            [
                "a: String", "b: Date?", "c: Integer 64?", "d: UUID?", "e: Transformable",
                "f: Binary",
                "g: Boolean", "h: Decimal", "i: Integer 64?", "j: Binary", "k: Transformable?",
                "l: Double", "m: Float",
            ],
            "typealias Amount = Decimal\ntypealias Money = Amount"
        )
    }

    @Test func `the first value tells the type where Swift leaves no choice`() {
        check(
            """
            var a = ""; var b = -1; var c = 1.5; var d = true; var e = UUID(); var f = Date(); var g = [String]()
            var h = Kind.cash; var i = Kind.cash.rawValue; var j = Date.now; var k = Data(); var l = 60 * 60
            var m = UUID().uuidString; var n = [1, 2]; var o = Place(); var p = "a" + "b"; var q = 1 as Int16
            var r = [String: Int](); var s = Double.pi; var t = Place.home; var u = Optional<Int>.none
            var v = String(); var w = URL(string: "x")!; var x = Date.init(); var y = Array<Int>()
            var z = Kind(rawValue: "x")!
            """,
            [
                "a: String", "b: Integer 64", "c: Double", "d: Boolean", "e: UUID", "f: Date",
                "g: Transformable", "h: Composite { h: String? }", "i: String", "j: Date",
                "k: Binary",
                "l: Integer 64", "m: String", "n: Transformable", "o: Composite { x: Double }",
                "p: String", "q: Integer 16", "r: Binary", "s: Double",
                "t: Composite { x: Double }",
                "u: Integer 64?", "v: String", "w: URI", "x: Date", "y: Transformable",
                "z: Composite { z: String? }",
            ],
            """
            enum Kind: String, Codable { case cash }
            struct Place: Codable { var x: Double = 0; static let home = Place() }
            """
        )
    }

    @Test func `enums and structs become composites`() {
        check(
            """
            var a: Mood; var b: Mood?; var c: State; var d: Trip; var e: Trip?; var f: Color.Resolved
            var g: [Trip]; var h: [String: Trip?]; var i: One
            """,
            [
                "a: Composite { a: Integer 64? }", "b: Composite? { b: Integer 64? }",
                "c: Composite { open: String?, closed: String? }",
                "d: Composite { y: Double, x: Double?, mood: Integer 64?, tags: Transformable?, hand: "
                    + "String?, moods: Binary, trips: Binary, x2: Integer 64, y2: Integer 64 }",
                "e: Composite? { y: Double?, x: Double?, mood: Integer 64?, tags: Transformable?, hand: "
                    + "String?, moods: Binary?, trips: Binary?, x2: Integer 64?, y2: Integer 64? }",
                "f: Composite { linearRed: Float, linearGreen: Float, linearBlue: Float, opacity: Float }",
                "g: Binary", "h: Binary", "i: Composite { i: String? }",
            ],
            """
            enum Mood: Int, Codable, CaseIterable { case low = 1, high }
            enum One: String { case only }
            enum State: Codable { case open; case closed; static let x = 1; var y: Int { 1 } }
            enum Hand { case a(Int), b }
            extension Hand: RawRepresentable { init?(rawValue: String) { nil }; var rawValue: String { "" } }
            struct Trip: Codable {
                let y: Double
                private var x: Double? = nil
                var mood: Mood
                var tags: [String]?
                var hand: Hand
                var moods: [Mood]
                var trips: [Point]
                var point: Point
                static var no = 1
                var computed: Int { 1 }
                enum CodingKeys: String, CodingKey { case y = "why" }
                struct Point: Codable { var x2, y2: Int }
            }
            """
        )
    }

    @Test func `options stand in every order and on lines of their own`() throws {
        let models = read(
            """
            @Model class T {
                #Unique<T>([\\.b, \\.a], [\\T.c]); #Index<T>([\\.a], [\\.b, \\.c])
                @Attribute(.unique, .externalStorage, originalName: "old")
                @available(iOS 17, *)
                var a: Data
                @Attribute(.allowsCloudEncryption) var b: String
                @Attribute(Schema.Attribute.Option.unique) var c: Int
                @SwiftData.Attribute(.externalStorage) public var d: Data?
            }
            """
        )
        // A property that is unique twice is unproven.
        #expect(models.diagnostics.map(\.element) == ["T.c"])
        let entity = try #require(models.value.versions.first?.entity("T"))
        #expect(
            entity.attributes.map(\.allowsExternalBinaryDataStorage) == [true, false, false, true]
        )
        #expect(entity.attributes.map(\.renamingIdentifier) == ["old", nil, nil, nil])
        #expect(entity.attributes[1].allowsCloudEncryption)
        #expect(
            entity.uniquenessConstraints.map(\.properties) == [["b", "a"], ["c"], ["a"], ["c"]]
        )
        #expect(
            entity.fetchIndexes.map(\.name) == [
                "SwiftDataIndexOnBinarya", "SwiftDataIndexOnBinarybc",
            ]
        )
    }

    @Test func `defaults are the values of the source, or said to be unknown`() throws {
        let models = read(
            """
            enum Kind: String { case a }
            @Model class T {
                var a: Int = 0x1_0; var b: Double = 1; var c: Decimal = 1.50; var d: String = "x\\n"
                var e: UUID = UUID(); var f: Date = .now; var g: Date = Date.distantPast; var h: Bool = true
                var i: String = Kind.a.rawValue; var j: Kind = Kind.a; var k: [String] = []; var l: Int? = nil
                var m: Float = -0.5; var n: UUID = .init(); var o: String = "\\(1)"; var p: Data = Data()
                var q: Date = Date(timeIntervalSinceReferenceDate: -5.5)
                var r: Date = .init(timeIntervalSince1970: 978_307_200); var s: Date = Date.distantFuture
                var t: String = Words.none; var u: Date = Date(timeIntervalSinceNow: 60)
                var v: UUID = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!
            }
            enum Words { static let none = "-" }
            """
        )
        let attributes = try #require(models.value.versions.first?.entity("T")).attributes
        let texts = attributes.map { attribute -> String in
            if let value = attribute.defaultValue {
                return "\(Mirror(reflecting: value).children.first?.label ?? "") \(value)"
            }
            return attribute.unstatedDefault.map { "\($0)" } ?? "-"
        }
        #expect(
            texts == [
                "integer 16", "double 1.0", "decimal 1.50", "string \"x\\u000A\"",
                "moment(\"UUID()\")", "moment(\".now\")", "date -63114076800.0 s since 2001",
                "boolean YES",
                "string \"a\"", "expression(\"Kind.a\")", "binary 219 bytes",
                "-", "float -0.5",
                "moment(\".init()\")", "expression(\"\\\"\\\\(1)\\\"\")", "binary 0 bytes",
                "date -5.5 s since 2001", "date 0.0 s since 2001",
                "date 63113904000.0 s since 2001", "string \"-\"",
                "expression(\"Date(timeIntervalSinceNow: 60)\")",
                "uuid 6F9619FF-8B86-D011-B42D-00C04FC964FF",
            ]
        )
    }

    @Test(arguments: ScalarType.table.keys.sorted())
    func `a value that is made of nothing is the default where it is known`(type: String) throws {
        let models = read("@Model class T { var a: \(type) = \(type)() }")
        let attribute = try #require(models.value.versions.first?.entity("T")?.attributes.first)
        let known: [AttributeType: AttributeValue] = [
            .boolean: .boolean(false), .integer16: .integer(0), .integer32: .integer(0),
            .integer64: .integer(0), .double: .double(0), .float: .float(0), .string: .string(""),
            .binary: .binary(Data()),
        ]
        #expect(attribute.defaultValue == known[attribute.type])
    }

    @Test func `relationships find their inverses as SwiftData does`() {
        let models = read(
            """
            @Model class A {
                @Relationship(deleteRule: .cascade, inverse: \\B.a) var bs: [B]? = []
                var c: C?
                @Relationship(deleteRule: .nullify) var d: [D]
                @Relationship var es: [E]
                var f: F
            }
            @Model class B { var a: A? }
            @Model class C { var a: A? }
            @Model class D { var a: A? }
            @Model class E { @Relationship var a: A? }
            @Model class F {}
            @Model class Node {
                @Relationship(inverse: \\Node.children) var parent: Node?
                var children: [Node]
            }
            """
        )
        #expect(models.messages == [])
        #expect(models.shape(of: "A") == ["bs? ⇉ B.a", "c? → C.a", "d ⇉ D.a", "es ⇉ E", "f → F"])
        #expect(models.shape(of: "B") == ["a? → A.bs"])
        #expect(models.shape(of: "D") == ["a? → A.d"])
        #expect(models.shape(of: "E") == ["a? → A"])
        #expect(models.shape(of: "Node") == ["children ⇉ Node.parent", "parent? → Node.children"])
    }
}
