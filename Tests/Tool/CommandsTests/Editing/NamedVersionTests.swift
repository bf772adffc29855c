import Foundation
import TestSupport
import Testing

/// Versions that files beside the model name.
struct NamedVersionTests {
    private static let bundle = "App/M.xcdatamodeld"
    private static let versions = [textModel("A", ["a"]), textModel("A", ["a", "b"])]

    private func edit(_ command: String, _ words: String..., in folder: URL) throws -> String {
        let run = try momtool(["model", command, Self.bundle] + words, in: folder)
        #expect(run.status == 0, "\(words): \(run.errors)")
        return run.output + run.errors
    }

    @Test func `a manifest that names another current version is named after each edit`() throws {
        try withFolder { folder in
            try writeBundle(Self.versions, Self.bundle, in: folder)
            let manifest =
                "coreDataModels: [\n.coreDataModel(\"App/M.xcdatamodeld\", currentVersion: \"V2\")]"
            try write(manifest, "Project.swift", in: folder)
            let place = "Project.swift:2: "
            #expect(try edit("new-version", in: folder).contains(place))
            #expect(try !edit("set-current", "V2", in: folder).contains(place))
            #expect(try edit("set-current", "V1", in: folder).contains(place))
            #expect(try !edit("new-version", "W", "--keep-current", in: folder).contains(place))
            #expect(try edit("rename-version", "V2", "X", in: folder).contains(place))
        }
    }

    @Test func `a version that is taken back is named where files still name it`() throws {
        try withFolder { folder in
            try writeBundle(Self.versions, Self.bundle, in: folder)
            try write("stages:\n  - lightweight: [V1, V2]\n", "Stages.yml", in: folder)
            try write("stages: [Stages.yml]\nlosses: {V2: [A.b]}\n", ".momtool.yml", in: folder)
            let text = try edit("undo-version", in: folder)
            #expect(text.contains(".momtool.yml:2") && text.contains("Stages.yml:2"), "\(text)")
        }
    }

    @Test(arguments: ["Kit/Sources/UI", "Kit/UI", "Kit/Sources/UI#Plan", "Kit/Sources/Data"])
    func `a plan is read with the versions of the target that it imports`(_ stages: String) throws {
        try withFolder { folder in
            try makeRepository(folder)
            func version(_ number: Int, _ property: String) -> String {
                """
                public enum V\(number): VersionedSchema {
                public static var versionIdentifier = Schema.Version(\(number), 0, 0)
                public static var models: [any PersistentModel.Type] { [Item.self] }
                @Model public final class Item { public var name = ""\(property); init() {} } }\n
                """
            }
            let data = "import SwiftData\n" + version(1, "") + version(2, "; public var q = 0")
            let plan = """
                import SwiftData
                import Data
                public enum Plan: SchemaMigrationPlan {
                public static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                public static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] } }
                """
            try write(data, "Kit/Sources/Data/V.swift", in: folder)
            try write(plan, "Kit/Sources/UI/P.swift", in: folder)
            try write("import PackageDescription\n", "Kit/Package.swift", in: folder)
            let run = try momtool(["plan", "--stages", stages], in: folder)
            #expect(run.status == 0 && run.output.contains("V1"), "\(run.output)\(run.errors)")
        }
    }
}
