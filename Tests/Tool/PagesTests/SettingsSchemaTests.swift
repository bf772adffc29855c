import Diagnostics
import Essentials
import Foundation
import SettingsFiles
import TestSupport
import Testing
import YAMLReading

struct SettingsSchemaTests {
    private static func schema() throws -> JSONValue {
        try JSONValue(parsing: Array(momtool("schema", ".momtool.yml").output.utf8))
    }

    private static func json(_ node: YAMLNode) -> JSONValue {
        if let items = node.sequence { return .list(items.map(json)) }
        if let mapping = node.mapping {
            let pairs = mapping.map { ($0.key.string ?? "", json($0.value)) }
            return .object(Dictionary(pairs) { $1 })
        }
        if node.isNull { return .null }
        return node.bool.map(JSONValue.boolean) ?? node.int.map(JSONValue.integer)
            ?? node.float.map(JSONValue.number) ?? .string(node.string ?? "")
    }

    private static func faults(_ text: String, _ schema: JSONValue) throws -> [String] {
        let node = try #require(try parseYAML(text))
        return SchemaCheck(schema).faults(of: json(node))
    }

    private static let everything = """
        order: [V1, V2, 3]
        releases: ["v*"]
        losses: {V7: [Stop.label, Notice], V8: Book}
        allowDataLoss: [Notice, Book.notes]
        mappingModels: [Mappings]
        stages: [Stages.yml]
        policies: {DropNotices: delete, SplitNames: Maps/split.yml}
        rows: {V1: Rows/V1.json}
        migration: stepwise
        joinTables: [Person.friends]
        claimants: [Person.name]
        lock: {unshipped: [V9]}
        rules:
          - id: acme-external-binary
            for: attribute
            when: "type == 'Binary' AND externalStorage == NO"
            message: "keep '{name}' elsewhere"
            severity: warning
            applies: new
            passes: ["attribute Book.photo Binary external"]
            fails: ["attribute Book.photo Binary"]
        lint:
          versions: changeable
          rules: {missing-inverse: off, data-loss: error}
          ignore: [{rule: insecure-transformer, element: Order.payload, version: V1, reason: replaced}]
        swift:
          define: [DEBUG]
          platform: macOS
          models: [Item, Folder]
          cloudkit: true
          sources: [App, Kit/Sources]
          exclude: [App/Mocks, "*+Preview.swift"]
          inverses: {Item.folder: Folder.items}
        types: {CGFloat: Double, Currency: {enum: String}, Coordinate: {latitude: Double}}
        """

    @Test func `what may be said is in the schema, and nothing else`() throws {
        let schema = try Self.schema()
        let read = readConfiguration(Self.everything, path: ".momtool.yml")
        #expect(read.diagnostics.filter { !$0.message.contains("example") } == [])
        #expect(try Self.faults(Self.everything, schema) == [])
        // Each key of the schema is used above, so that none is described that the reader does not know.
        let said = Self.json(try #require(try parseYAML(Self.everything)))
        #expect(Self.unsaid(schema, said, at: "") == [])
    }

    private static func unsaid(_ schema: JSONValue, _ value: JSONValue?, at path: String)
        -> [String]
    {
        if let item = schema[key: "items"] { return unsaid(item, value?.items?.first, at: path) }
        guard case .object(let members)? = schema[key: "properties"] else { return [] }
        return members.sorted { $0.key < $1.key }.flatMap { name, shape in
            value?[key: name].map { unsaid(shape, $0, at: "\(path)/\(name)") }
                ?? ["\(path)/\(name)"]
        }
    }

    @Test func `configurations of pages and projects are as the schema says`() throws {
        let schema = try Self.schema()
        var count = 0
        let names = try FileManager.default.contentsOfDirectory(atPath: pagesFolder.path)
        for page in names.sorted() where page.hasSuffix(".md") {
            for text in try guideBlocks(page, "yaml") {
                guard (try? parseYAML(text)) != nil,
                    readConfiguration(text, path: ".momtool.yml").diagnostics.isEmpty
                else { continue }
                #expect(try Self.faults(text, schema) == [], "\(page): \(text)")
                count += 1
            }
        }
        #expect(count >= 5)
        for folder in ["Models", "Fixtures"] {
            let root = Corpus.package.appending(path: folder)
            for case let path as String in FileManager.default.enumerator(atPath: root.path)
                ?? .init()
            where path.hasSuffix(".momtool.yml") {
                let text = try fileText(root.appending(path: path))
                #expect(try Self.faults(text, schema) == [], "\(path)")
            }
        }
        try withFolder { folder in
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld")
            let copy = folder.appending(path: "Library.xcdatamodeld")
            try copyFile(model, to: copy)
            // It writes, and names what the newest step loses.
            try expectRun("init .", in: folder, 1)
            let text = try fileText(folder.appending(path: ".momtool.yml"))
            if try parseYAML(text) != nil {
                #expect(try Self.faults(text, schema) == [], "\(text)")
            }
        }
    }

    @Test(
        arguments: [
            "ordr: [V1]", "order: V1", "losses: [V1]", "migration: quick", "lint: {rule: {}}",
            "lint: {versions: some}", "lint: {ignore: [{rule: missing-inverse}]}",
            "lint: {rules: {missing-inverse: fatal}}", "limits: {seconds: 1}",
            "lock: {shipped: [V1]}",
            "rules: [{id: a, for: attribute, when: 'TRUEPREDICATE'}]",
            "rules: [{id: a, for: table, when: 'TRUEPREDICATE', message: x}]",
            "rules: [{id: a, for: entity, when: 'TRUEPREDICATE', message: x, severity: fatal}]",
            "swift: {platforms: iOS}", "swift: {cloudkit: perhaps}", "stages: Stages.yml",
            "allowDataLoss: {}", "policies: [a]",
        ]
    )
    func `a mistake is one to the reader and to the schema`(_ text: String) throws {
        #expect(readConfiguration(text, path: ".momtool.yml").hasErrors)
        #expect(try Self.faults(text, Self.schema()) != [])
    }
}
