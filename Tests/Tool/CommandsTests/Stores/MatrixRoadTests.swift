import Foundation
import TestSupport
import Testing

struct MatrixRoadTests {
    /// The second version changes a type, for which no step is inferred.
    private func withApp(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            for (name, type) in [("V1", "String"), ("V2", "Integer 32")] {
                let version = folder.appending(path: "M.xcdatamodeld/\(name).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: version,
                    withIntermediateDirectories: true
                )
                let model = """
                    <model><entity name='A'>\
                    <attribute name='a' optional='YES' attributeType='\(type)'/></entity></model>
                    """
                try Data(model.utf8).write(to: version.appending(path: "contents"))
            }
            let current = """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0">
                <dict><key>_XCCurrentVersionName</key><string>V2.xcdatamodel</string></dict>
                </plist>
                """
            try Data(current.utf8).write(
                to: folder.appending(path: "M.xcdatamodeld/.xccurrentversion")
            )
            try body(folder)
        }
    }

    @Test func `stages of the configuration lead where nothing is inferred`() throws {
        try withApp { folder in
            let matrix = ["test", "--matrix", "M.xcdatamodeld"]
            #expect(try momtool(matrix, in: folder).status == 1)
            let stages = """
                stages:
                  - custom: {from: V1, to: V2}
                    map: map.yml
                """
            try Data(stages.utf8).write(to: folder.appending(path: "Stages.yml"))
            let map = "entities:\n  - from: A\n    to: A\n    set: {a: {constant: 7}}\n"
            try Data(map.utf8).write(to: folder.appending(path: "map.yml"))
            let settings = "stages: [Stages.yml]\nlosses: {V2: [A.a]}\n"
            try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
            let run = try momtool(matrix, in: folder)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("1 passed"), "\(run.output)")
        }
    }

    @Test func `versions in one Swift file are as many cases as in separate files`() throws {
        try withFolder { folder in
            let source = """
                import SwiftData
                enum V1: VersionedSchema {
                    static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model final class Item { var name: String = ""; init() {} }
                }
                enum V2: VersionedSchema {
                    static var versionIdentifier: Schema.Version { .init(2, 0, 0) }
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model final class Item { var name: String = ""; var note: String?; init() {} }
                }
                """
            try Data(source.utf8).write(to: folder.appending(path: "Models.swift"))
            let run = try momtool(["test", "--matrix", "Models.swift"], in: folder)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("1 passed"), "\(run.output)")
        }
    }

    @Test func `a matrix of one version runs nothing, and says so`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "One.xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            let text = "<model><entity name='A'/></model>"
            try Data(text.utf8).write(to: model.appending(path: "contents"))
            let run = try momtool(["test", "--matrix", "One.xcdatamodel"], in: folder)
            #expect(run.status == 66, "\(run.errors)")
            #expect(run.errors.contains("nothing was run"), "\(run.errors)")
        }
    }
}
