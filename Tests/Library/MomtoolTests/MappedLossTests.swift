import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import ModelLoading
import Momtool
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct MappedLossTests {
    private static let name = "<attribute name='name' optional='YES' attributeType='String'/>"
    private static let size =
        "<attribute name='size' attributeType='Integer 16' defaultValueString='0'/>"

    private static func model(_ entities: [(name: String, attributes: String)]) -> String {
        let all = entities.map { "<entity name='\($0.name)'>\($0.attributes)</entity>" }
        return "<model>\(all.joined())</model>"
    }

    /// The last version is current; the mapping model is for the first step and takes one entity.
    private func write(
        _ models: [String],
        mapping old: String,
        to new: String,
        in folder: URL
    ) throws {
        let names = models.indices.map { "V\($0 + 1)" }
        let bundle = folder.appending(path: "M.xcdatamodeld")
        try writeBundle(
            Dictionary(uniqueKeysWithValues: zip(names, models)),
            current: names[names.count - 1],
            at: bundle
        )
        let mapping = MappingModelSource.EntityMapping(
            sourceName: old,
            destinationName: new,
            policyClassName: nil,
            number: 1,
            attributes: [
                MappingModelSource.PropertyMapping(
                    name: "name",
                    valueExpression: try PredicateExpression(parsing: "$source.name")
                )
            ]
        )
        let compiled = compileMappingModel(
            MappingModelSource(entityMappings: [mapping]),
            from: try version("V1", folder),
            to: try version("V2", folder)
        )
        try compiled.value.binaryData.write(to: folder.appending(path: "One.cdm"))
    }

    private func version(_ name: String, _ folder: URL) throws -> ManagedObjectModel {
        let path = folder.appending(path: "M.xcdatamodeld").path
        return try #require(readModelBundle(at: path).value.version(named: name)).model
    }

    @Test(arguments: ["V2", "V3"])
    func `a new case agrees to what is at stake, and not to what the mapping model carries over`(
        target: String
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let models = [
                Self.model([("Old", Self.name), ("Gone", Self.size)]),
                Self.model([("New", Self.name)]), Self.model([("New", Self.name + Self.size)]),
            ]
            try write(models, mapping: "Old", to: "New", in: folder)
            try Data("migration: stepwise\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            let new = try momtool(
                ["test", "Cases", "--new", "first", "--model", "M.xcdatamodeld"]
                    + ["--from", "V1", "--to", target],
                in: folder
            )
            #expect(new.status == 0, "\(new.errors)")
            let file = folder.appending(path: "Cases/first/case.yml")
            let text = try fileText(file)
            #expect(text.contains("\n  Old:\n"), "\(text)")
            #expect(text.contains("allowDataLoss: [Gone] #"), "\(text)")
            try expectRun("test Cases", in: folder, 0)
            try FileManager.default.removeItem(at: folder.appending(path: "One.cdm"))
            try expectRun("test Cases", in: folder, 1, "Old: 1 row at stake")
        }
    }

    @Test func `objects that no mapping takes are not those of an entity that goes`() throws {
        try withFolder { folder in
            try makeRepository(folder)
            let models = [
                Self.model([("A", Self.name), ("B", Self.name), ("C", Self.name)]),
                Self.model([("A", Self.name + Self.size), ("B", Self.name)]),
            ]
            try write(models, mapping: "A", to: "A", in: folder)
            let store = folder.appending(path: "Old.sqlite").path
            try createStore(at: store, model: version("V1", folder)) {
                connection,
                _ throws(StoreError) in
                for (number, table) in ["ZA", "ZB", "ZC"].enumerated() {
                    try connection.execute(
                        "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, \(number + 1), 1, 'x')"
                    )
                }
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
            }
            let plan = try momtool("plan M.xcdatamodeld --store Old.sqlite", in: folder)
            for lost in ["B: 1 row ", "C: 1 row "] {
                #expect(plan.output.contains(lost), "\(plan.output)\(plan.errors)")
            }
            try expectRun("test --matrix M.xcdatamodeld", in: folder, 0)
        }
    }
}

struct MappedBundlesTests {
    private func withBundles(isMapped: Bool, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            for (name, entity) in [("Old", "A"), ("New", "B")] {
                let contents = """
                    <model><entity name='\(entity)'><attribute name='a' optional='YES' attributeType='String'/>\
                    </entity></model>
                    """
                let bundle = folder.appending(path: "\(name).xcdatamodeld")
                try writeBundle(["V": contents], at: bundle)
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
            }
            try expectRun(["migrate"] + named + ["-o", "New.sqlite"], in: folder, 0)
        }
    }

    @Test func `without one they are models that an app merges`() throws {
        try withBundles(isMapped: false) { folder in
            let found = try momtool(["doctor", "Old.sqlite"] + models, in: folder)
            #expect(found.status == 0, "\(found.output)\(found.errors)")
        }
    }
}
