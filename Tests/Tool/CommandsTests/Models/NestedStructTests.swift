import Foundation
import TestSupport
import Testing

/// SwiftData keeps the values of a struct with repeated structs in one list, under names that are not unique.
struct NestedStructTests {
    /// Structs of which one occurs twice, thrice, two levels deep, and optional, with the names of the values in order.
    private static let shapes: [(structs: String, names: [String])] = [
        ("struct P: Codable { var a: C; var b: C }", ["hue", "hue_2"]),
        ("struct P: Codable { var a: C; var b: C; var c: C }", ["hue", "hue_2", "hue_3"]),
        (
            "struct Q: Codable { var a: C; var b: C }\nstruct P: Codable { var x: Q; var y: Q }",
            ["hue", "hue_2", "hue_3", "hue_4"]
        ),
        (
            "struct P: Codable { var a: C; var hue_2: Double; var b: C }",
            ["hue", "hue_2", "hue_3"]
        ),
        ("struct P: Codable { var hue: Double; var a: C; var b: C }", ["hue", "hue_2", "hue_3"]),
        ("struct P: Codable { var a: C?; var b: C? }", ["hue", "hue_2"]),
    ]

    private static func sources(_ structs: String, isOptional: Bool, second: String? = nil)
        -> String
    {
        func version(_ number: Int, _ more: String) -> String {
            """
            enum V\(number): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { [Bird.self] }
            \(number == 2 ? second ?? structs : structs)
                struct C: Codable { var hue: Double }
                @Model final class Bird { var p: P\(isOptional ? "?" : ""); \(more) }
            }

            """
        }
        return version(1, "") + version(2, "var n: Int = 0")
    }

    private static func value(of names: [String], _ number: Int) -> String {
        let members = names.enumerated().map { "\"\($1)\":\(number).\($0 + 1)" }
        return "{\(members.joined(separator: ","))}"
    }

    private func withSources(_ text: String, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try write(text, "M.swift", in: folder)
            try body(folder)
        }
    }

    private func run(_ arguments: [String], in folder: URL) throws -> String {
        let result = try expectRun(arguments, in: folder, 0)
        return result.output
    }

    @Test(arguments: shapes.indices, [false, true])
    func `every value goes out, in and through a step that leaves the struct alone`(
        index: Int,
        isOptional: Bool
    ) throws {
        let (structs, names) = Self.shapes[index]
        try withSources(Self.sources(structs, isOptional: isOptional)) { folder in
            let values = [1, 2].map { Self.value(of: names, $0) }
            let rows = values.enumerated()
                .map { "{\"@id\":\"\($0)\",\"p\":\($1)}" }.joined(separator: ",")
            try write("{\"Bird\":[\(rows)]}", "r.json", in: folder)
            _ = try run(
                ["create", "A.sqlite", "--model", "M.swift#V1", "--rows", "r.json"],
                in: folder
            )
            let first = try run(["export", "A.sqlite"], in: folder)
            for value in values { #expect(first.filter { $0 != " " }.contains(value), "\(first)") }
            try write(first, "e.json", in: folder)
            _ = try run(
                ["create", "B.sqlite", "--model", "M.swift#V1", "--rows", "e.json"],
                in: folder
            )
            #expect(try run(["export", "B.sqlite"], in: folder) == first)
            _ = try run(["diff", "A.sqlite", "B.sqlite"], in: folder)
            _ = try run(["verify", "A.sqlite", "--model", "M.swift"], in: folder)
            let schema = try run(["inspect", "A.sqlite", "--sql"], in: folder)
            #expect(!schema.contains("duplicate-name"))

            let diff = try run(["diff", "M.swift"], in: folder)
            #expect(diff.contains("Bird.n") && !diff.contains("hue"), "\(diff)")
            _ = try run(
                ["migrate", "A.sqlite", "--model", "M.swift", "-o", "C.sqlite"],
                in: folder
            )
            let migrated = try run(["export", "C.sqlite"], in: folder)
            for value in values {
                #expect(migrated.filter { $0 != " " }.contains(value), "\(migrated)")
            }
        }
    }

    @Test func `rows that differ in the second of two values of one name differ`() throws {
        try withSources(Self.sources(Self.shapes[0].structs, isOptional: false)) { folder in
            for (name, hue) in [("A", 2), ("B", 3)] {
                let rows = #"{"Bird":[{"@id":"a","p":{"hue":1,"hue_2":\#(hue)}}]}"#
                try write(rows, "r.json", in: folder)
                _ = try run(
                    ["create", "\(name).sqlite", "--model", "M.swift#V1", "--rows", "r.json"],
                    in: folder
                )
            }
            try expectRun("diff A.sqlite B.sqlite", in: folder, nil, "hue_2")
        }
    }

    @Test(arguments: ["var a: C?", "var hue: Double?"])
    func `a struct that is put before a value of the same name does not take it`(
        member: String
    ) throws {
        let sources = Self.sources(
            "struct P: Codable { \(member) }",
            isOptional: false,
            second: "struct P: Codable { var x: C?; \(member) }"
        )
        try withSources(sources) { folder in
            let rows = #"{"Bird":[{"@id":"a","p":{"hue":1}}]}"#
            try write(rows, "r.json", in: folder)
            _ = try run(
                ["create", "A.sqlite", "--model", "M.swift#V1", "--rows", "r.json"],
                in: folder
            )
            _ = try run(
                ["migrate", "A.sqlite", "--model", "M.swift", "-o", "C.sqlite"],
                in: folder
            )
            let output = try run(["export", "C.sqlite"], in: folder).filter { $0 != " " }
            #expect(output.contains(#"{"hue_2":1"#), "\(output)")
        }
    }

    @Test func `a struct that is put before its twins takes none of their values`() throws {
        let sources = Self.sources(
            "struct P: Codable { var a: C?; var b: C? }",
            isOptional: false,
            second: "struct P: Codable { var x: C?; var a: C?; var b: C? }"
        )
        try withSources(sources) { folder in
            let rows = #"{"Bird":[{"@id":"a","p":{"hue":1,"hue_2":2}}]}"#
            try write(rows, "r.json", in: folder)
            _ = try run(
                ["create", "A.sqlite", "--model", "M.swift#V1", "--rows", "r.json"],
                in: folder
            )
            let diff = try run(["diff", "M.swift"], in: folder)
            #expect(diff.matches(of: /element '.*' added/).count == 1, "\(diff)")
            _ = try run(
                ["migrate", "A.sqlite", "--model", "M.swift", "-o", "C.sqlite"],
                in: folder
            )
            let output = try run(["export", "C.sqlite"], in: folder).filter { $0 != " " }
            #expect(output.contains(#""hue_2":1"#) && output.contains(#""hue_3":2"#), "\(output)")
            #expect(!output.contains(#""hue":1"#), "\(output)")
        }
    }

    @Test func `a member of a struct that occurs twice is told once for each`() throws {
        let sources = Self.sources(Self.shapes[0].structs, isOptional: true)
        let parts = sources.components(separatedBy: "enum V2")
        let changed =
            parts[0] + "enum V2"
            + parts[1].replacing("var hue: Double", with: "var hue: Double; var tone: Double")
        try withSources(changed) { folder in
            let diff = try run(["diff", "M.swift"], in: folder)
            #expect(diff.matches(of: /element 'tone' added/).count == 1, "\(diff)")
            #expect(diff.matches(of: /element 'tone_2' added/).count == 1, "\(diff)")
            #expect(diff.matches(of: /element 'hue/).isEmpty, "\(diff)")
        }
    }
}
