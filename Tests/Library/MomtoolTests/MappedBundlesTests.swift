import Foundation
import ModelLoading
import Momtool
import TestSupport
import Testing

struct MappedBundlesTests {
    private func withBundles(isMapped: Bool, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            for (name, entity) in [("Old", "A"), ("New", "B")] {
                let contents = """
                    <model><entity name='\(entity)'><attribute name='a' optional='YES' attributeType='String'/>\
                    </entity></model>
                    """
                let bundle = folder.appending(path: "\(name).xcdatamodeld")
                try writeBundle(["V": contents], current: "V", at: bundle)
            }
            if isMapped {
                try writeMapping(
                    of: ["a": "$source.a"],
                    entities: ("A", "B"),
                    from: Model(folder.appending(path: "Old.xcdatamodeld").path).version().model,
                    to: Model(folder.appending(path: "New.xcdatamodeld").path).version().model,
                    at: folder.appending(path: "One.cdm")
                )
            }
            let rows = folder.appending(path: "Rows.json").path
            try Data(#"{"A": [{"a": "x"}]}"#.utf8).write(to: URL(fileURLWithPath: rows))
            let made = try momtool(
                ["create", "Old.sqlite", "--model", "Old.xcdatamodeld", "--rows", rows],
                in: folder
            )
            try #require(made.status == 0, "\(made.errors)")
            try body(folder)
        }
    }

    private let models = ["--model", "Old.xcdatamodeld", "--model", "New.xcdatamodeld"]

    @Test func `doctor and migrate take the road that the mapping model leads`() throws {
        try withBundles(isMapped: true) { folder in
            let named = ["Old.sqlite"] + models + ["--mapping-models", "One.cdm"]
            for arguments in [["Old.sqlite"] + models, named] {
                let found = try momtool(["doctor"] + arguments, in: folder)
                #expect(found.status == 1, "\(found.output)\(found.errors)")
                #expect(found.output.contains("One.cdm"), "\(found.output)")
                #expect(!found.output.contains("opens it without migration"))
            }
            let migrated = try momtool(["migrate"] + named + ["-o", "New.sqlite"], in: folder)
            #expect(migrated.status == 0, "\(migrated.errors)")
        }
    }

    @Test func `without one they are models that an app merges`() throws {
        try withBundles(isMapped: false) { folder in
            let found = try momtool(["doctor", "Old.sqlite"] + models, in: folder)
            #expect(found.status == 0, "\(found.output)\(found.errors)")
            #expect(found.output.contains("opens it without migration"), "\(found.output)")
        }
    }
}
