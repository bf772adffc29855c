import Foundation
import TestSupport
import Testing

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
            try FileManager.default.createDirectory(
                at: folder.appending(path: "App"),
                withIntermediateDirectories: true
            )
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
            let diff = try momtool(["diff", "App"], in: folder)
            #expect(diff.status == 1)
            #expect(!diff.output.contains("the hashes are equal"), "\(diff.output)")
            #expect(diff.output.contains("not compared, as they are not understood: Item"))
            let made = try momtool(["init"], in: folder)
            #expect(!made.output.contains("is left out of the lock"), "\(made.output)")
            #expect(made.output.contains("no case is written, as not all of 'V2', 'V3' is"))
        }
    }

    @Test func `a default that went is no news of a class`() throws {
        try withApp(["var a: Int = 1", "var a: Int; var b: Int?"]) { folder in
            let run = try momtool(["check"], in: folder)
            #expect(!run.output.contains("silent-default-change"), "\(run.output)")
        }
    }

    @Test func `two equal versions of a plan are told with what to do`() throws {
        try withApp(["var a: Int = 1", "var a: Int = 1"]) { folder in
            let run = try momtool(["check"], in: folder)
            #expect(run.output.contains("change what it stores, or list one of both"))
        }
    }
}
