import Foundation
import TestSupport
import Testing

struct LockPathTests {
    @Test(arguments: [["lock"], ["lock", "."], ["lock", "./App"]])
    func `no path in a refusal begins at the current folder`(command: [String]) throws {
        try withFolder { folder in
            let version = { (number: Int, members: String) in
                """
                enum V\(number): VersionedSchema {
                    static let versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model class Item { \(members); init() {} }
                }

                """
            }
            let plan = """
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                    static var stages: [MigrationStage] {
                        [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
                    }
                }

                """
            let text =
                "import SwiftData\n" + version(1, "var a: Int = 0; var b: Int?")
                + version(2, "var a: Int = 0") + plan
            let file = folder.appending(path: "App/Models.swift")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
            let run = try momtool(command, in: folder)
            #expect(run.status == 3, "\(run.errors)")
            #expect(run.errors.contains("[data-loss]"), "\(run.errors)")
            let paths = run.errors.split(separator: "\n").filter { $0.contains("Models.swift:") }
            #expect(paths.allSatisfy { $0.hasPrefix("App/Models.swift:") }, "\(run.errors)")
        }
    }
}
