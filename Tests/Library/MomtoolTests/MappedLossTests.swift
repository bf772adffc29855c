import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import ModelLoading
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
            try git("init", "-q", in: folder)
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
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("\n  Old:\n"), "\(text)")
            #expect(text.contains("allowDataLoss: [Gone] #"), "\(text)")
            let green = try momtool(["test", "Cases"], in: folder)
            #expect(green.status == 0, "\(green.output)")
            try FileManager.default.removeItem(at: folder.appending(path: "One.cdm"))
            let red = try momtool(["test", "Cases"], in: folder)
            #expect(red.status == 1, "\(red.output)")
            #expect(red.output.contains("Old: 1 row at stake"), "\(red.output)")
        }
    }

    @Test func `objects that no mapping takes are not those of an entity that goes`() throws {
        try withFolder { folder in
            try git("init", "-q", in: folder)
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
            let plan = try momtool(
                ["plan", "M.xcdatamodeld", "--store", "Old.sqlite"],
                in: folder
            )
            let stays =
                "B: 1 row at stake (Z_PK 1): no mapping takes its objects, which are removed, though the entity stays"
            let goes = "C: 1 row at stake (Z_PK 1): the entity is removed with its objects"
            #expect(plan.output.contains(stays), "\(plan.output)\(plan.errors)")
            #expect(plan.output.contains(goes), "\(plan.output)\(plan.errors)")
            let matrix = try momtool(["test", "--matrix", "M.xcdatamodeld"], in: folder)
            #expect(matrix.status == 0, "\(matrix.output)\(matrix.errors)")
        }
    }
}
