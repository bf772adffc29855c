import Foundation
import TestSupport
import Testing

struct EqualVersionsTests {
    /// Two versions that differ only in what no hash has: the default of an attribute, and an index.
    private static func version(_ identifier: String, _ value: String) -> String {
        """
        <model userDefinedModelVersionIdentifier='\(identifier)'><entity name='A'>\
        <attribute name='a' optional='YES' attributeType='String' defaultValueString='\(value)'/></entity></model>
        """
    }

    private func withBundle(_ versions: [String: String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle(versions, "M.xcdatamodeld", in: folder, current: "V3")
            try body(folder)
        }
    }

    private static let later = """
        <model><entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\
        <attribute name='b' optional='YES' attributeType='Date'/></entity></model>
        """

    private struct Doctor: Decodable {
        struct Writer: Decodable {
            var versions: [String]
            var writer: String?
        }
        var writers: [Writer]
    }

    private func check(_ versions: [String: String], by proof: String) throws {
        try withBundle(versions.merging(["V3": Self.later]) { $1 }) { folder in
            for writer in ["V1", "V2"] {
                let store = "\(writer).sqlite"
                let made = try momtool(
                    ["create", store, "--model", "M.xcdatamodeld", "--version", writer],
                    in: folder
                )
                #expect(made.status == 0, "\(made.errors)")
                let model = ["--model", "M.xcdatamodeld"]
                let identity = try momtool(["identify", store] + model, in: folder)
                #expect(
                    identity.output
                        == "\(store): V1 = V2; written by \(writer), as \(proof) tells\n"
                )
                let plan = try momtool(["plan", "M.xcdatamodeld", "--store", store], in: folder)
                #expect(plan.output.hasPrefix("\(store): \(writer) → V3"), "\(plan.output)")
                let doctor = try momtool(["doctor", store, "--format", "json"] + model, in: folder)
                let report = try JSONDecoder().decode(Doctor.self, from: Data(doctor.output.utf8))
                #expect(report.writers.map(\.versions) == [["V1", "V2"]])
                #expect(report.writers[0].writer == "it was '\(writer)', as \(proof) tells")
                #expect(try momtool(["verify", store] + model, in: folder).status == 0)
                let run = try momtool(["migrate", store, "-o", "new-\(store)"] + model, in: folder)
                #expect(run.status == 0)
                #expect(run.output.contains(": \(writer) → V3"), "\(run.output)")
            }
        }
    }

    @Test func `version identifiers tell`() throws {
        try check(
            ["V1": Self.version("one", "x"), "V2": Self.version("two", "x")],
            by: "its version identifiers"
        )
    }

    @Test func `the model that a store carries tells`() throws {
        try check(
            ["V1": Self.version("", "x"), "V2": Self.version("", "y")],
            by: "the model that it contains"
        )
    }

    @Test func `an index of one of them is looked for in its stores only`() throws {
        let index = """
            <model><entity name='A'><attribute name='a' optional='YES' attributeType='String' defaultValueString='x'/>\
            <fetchIndex name='byA'><fetchIndexElement property='a' type='Binary' order='ascending'/>\
            </fetchIndex></entity></model>
            """
        try check(["V1": Self.version("", "x"), "V2": index], by: "the model that it contains")
    }

    @Test func `between them there is nothing to do`() throws {
        let versions = [
            "V1": Self.version("one", "x"), "V2": Self.version("two", "y"), "V3": Self.later,
        ]
        try withBundle(versions) { folder in
            let model = ["--model", "M.xcdatamodeld"]
            try expectRun(["create", "S.sqlite", "--version", "V1"] + model, in: folder, 0)
            for target in ["V1", "V2"] {
                let run = try momtool(
                    ["migrate", "S.sqlite", "--to", target, "-o", "\(target).sqlite"] + model,
                    in: folder
                )
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output.contains(": V1 → \(target) in "), "\(run.output)")
                #expect(run.output.contains("nothing to do"), "\(run.output)")
            }
        }
    }

    @Test func `nothing is called newer than the current version unless somebody says so`() throws {
        let old =
            "<model><entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity></model>"
        try withBundle([
            "Zeta 1": old, "V3": Self.later, "V4": old.replacing("name='a'", with: "name='c'"),
        ]) { folder in
            let model = ["--model", "M.xcdatamodeld"]
            func migrate(_ version: String, as name: String) throws -> CommandResult {
                try momtool(
                    ["migrate", "\(version).sqlite", "-o", "\(name).sqlite"] + model,
                    in: folder
                )
            }
            for version in ["Zeta 1", "V4"] {
                let create = ["create", "\(version).sqlite", "--version", version]
                try expectRun(create + model, in: folder, 0)
                let run = try migrate(version, as: "new-\(version)")
                #expect(run.status == 0, "\(run.errors)")
            }
            let settings = folder.appending(path: ".momtool.yml")
            try Data("order: [V3, V4]\n".utf8).write(to: settings)
            let newer = try migrate("V4", as: "newer")
            #expect(newer.status == 3)
            #expect(newer.errors.contains("which is newer than 'V3'"))
            try Data("order: [V4, V3]\n".utf8).write(to: settings)
            let said = try migrate("V4", as: "said")
            #expect(said.status == 0, "\(said.errors)")
        }
    }
}

struct NewSwiftUserTests {
    private func version(_ number: Int, _ members: String) -> String {
        """
        enum V\(number): VersionedSchema {
            static let versionIdentifier = Schema.Version(\(number), 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            struct Entry: Codable { var a: Int }
            struct History: Codable { var all: [Date: Entry] }
            @Model class Item { \(members); init() {} }
        }

        """
    }

    private func withApp(_ versions: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let texts = versions.enumerated().map { version($0 + 1, $1) }
            let names = versions.indices.map { "V\($0 + 1).self" }.joined(separator: ", ")
            let stages = versions.indices.dropLast().map {
                ".lightweight(fromVersion: V\($0 + 1).self, toVersion: V\($0 + 2).self)"
            }
            let plan = """
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [\(names)] }
                    static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
                }

                """
            let text = (["import SwiftData\n"] + texts + [plan]).joined()
            let file = folder.appending(path: "App/Models.swift")
            try makeFolder(folder.appending(path: "App"))
            try Data(text.utf8).write(to: file)
            try body(folder)
        }
    }

    @Test func `a mandatory property is cured where it is declared`() throws {
        try withApp(["var a: Int = 0", "var a: Int = 0; var b: String"]) { folder in
            for command in [["check"], ["lock"]] {
                let run = try momtool(command, in: folder)
                let text = run.output + run.errors
                #expect(text.contains("give it a default where it is declared"), "\(text)")
                #expect(!text.contains("momtool model set"), "\(text)")
                #expect(text.hasPrefix("App/Models.swift:"), "\(text)")
            }
        }
    }

    @Test func `what is not understood is no proof that versions are equal`() throws {
        let first = "var a: Int = 0; var history: History"
        try withApp(["var a: Int = 0", first, first + "; var c: Int?"]) { folder in
            let diff = try momtool("diff App", in: folder)
            #expect(diff.status == 1)
            #expect(!diff.output.contains("the hashes are equal"), "\(diff.output)")
            #expect(diff.output.contains("not compared, as they are not understood: Item"))
            let made = try momtool("init", in: folder)
            #expect(!made.output.contains("is left out of the lock"), "\(made.output)")
            #expect(made.output.contains("no case is written, as not all of 'V2', 'V3' is"))
        }
    }

    @Test func `a default that went is no news of a class`() throws {
        try withApp(["var a: Int = 1", "var a: Int; var b: Int?"]) { folder in
            try expectRun("check", in: folder, nil, not: ["silent-default-change"])
        }
    }

    @Test func `two equal versions of a plan are told with what to do`() throws {
        try withApp(["var a: Int = 1", "var a: Int = 1"]) { folder in
            try expectRun("check", in: folder, nil, "change what it stores, or list one of both")
        }
    }
}
