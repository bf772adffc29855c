import Foundation
import ModelHashing
import Momtool
import MomtoolTesting
import ObjectModel
import TestSupport
import Testing

struct ExpectCodeTests {
    private struct Capitals: EntityMigrationPolicy {
        func createDestinationInstances(
            forSource source: StoreObject,
            in mapping: StageMap.EntityMap,
            manager: MigrationManager
        ) throws {
            guard let id = try manager.createDestinationInstance(forSource: source.id, in: mapping)
            else { return }
            let name = try source.value("name").text ?? ""
            try manager.destinationContext.update("A", id, ["more": .text(name.uppercased())])
        }
    }

    private static let rows = #"{"A": [{"@id": "p1", "name": "Ada"}]}"#
    private static let capitals = #"{"A": [{"@id": "p1", "name": "Ada", "more": "ADA"}]}"#

    private func inProject(
        _ second: String = textModel("A", ["name", "more"]),
        _ body: (_ model: String, _ folder: URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "M.xcdatamodeld")
            let versions = ["V1": textModel("A", ["name"]), "V2": second]
            try writeBundle(versions, current: "V2", at: bundle)
            try write(
                "stages:\n  - custom: {from: V1, to: V2}\n    label: Shout\n",
                "Stages.yml",
                in: folder
            )
            try body(bundle.path, folder)
        }
    }

    private func writeMapping(_ model: String, in folder: URL) throws {
        let versions = try Model(model)
        try MomtoolTests.writeMapping(
            of: ["name": "$source.name"],
            policy: "App.Capitals",
            from: versions.version("V1").model,
            to: versions.version("V2").model,
            at: folder.appending(path: "One.cdm")
        )
    }

    @Test func `a stage is tested with its code, and says where that is missing`() throws {
        try inProject { model, folder in
            let stages = folder.appending(path: "Stages.yml").path
            let shout = StageHandlers(didMigrate: { store in
                for object in try store.objects("A") {
                    let name = try object.value("name").text ?? ""
                    try store.update("A", object.id, ["more": .text(name.uppercased())])
                }
            })
            func expect(_ handlers: [String: StageHandlers]) throws {
                try expectMigration(
                    of: model,
                    from: "V1",
                    stages: stages,
                    handlers: handlers,
                    rows: Self.rows,
                    gives: Self.capitals
                )
            }
            try expect(["Shout": shout])
            let store = try Store.create(
                folder.appending(path: "Old.sqlite").path,
                of: Model(model),
                version: "V1"
            )
            let said = try Migrator(Model(model), stages: stages).migration(of: store).diagnostics
            let missing = said.filter { $0.rule == "needless-custom-stage" }.map(\.description)
            #expect(missing.count == 1)
            try withKnownIssue {
                try expect([:])
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("more is missing") }
                    || issue.comments.contains { missing.contains($0.rawValue) }
            }
            try withKnownIssue {
                try expect(["Shuot": shout])
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("'Shout'") }
            }
            try withKnownIssue {
                try expectMigration(
                    of: model,
                    from: "V1",
                    handlers: ["Shout": shout],
                    rows: Self.rows,
                    gives: Self.capitals
                )
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("stages file") }
            }
        }
    }

    @Test(arguments: [false, true])
    func `a mapping model is tested with the code of its policies`(isNamed: Bool) throws {
        try inProject { model, folder in
            try writeMapping(model, in: folder)
            let mapping = folder.appending(path: "One.cdm").path
            try expectMigration(
                of: model,
                from: "V1",
                policies: ["App.Capitals": Capitals()],
                rows: Self.rows,
                gives: Self.capitals,
                mappingModels: isNamed ? [mapping] : []
            )
            try expectMigration(
                of: model,
                from: "V1",
                rows: Self.rows,
                contains: Self.rows,
                mappingModels: isNamed ? [mapping] : [],
                declaredPolicies: ["Capitals": "copy"]
            )
            try withKnownIssue {
                try expectMigration(
                    of: model,
                    from: "V1",
                    policies: ["App.Capital": Capitals()],
                    rows: Self.rows,
                    gives: Self.capitals,
                    mappingModels: isNamed ? [mapping] : []
                )
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("'App.Capitals'") }
            }
        }
    }

    @Test func `a refusal behind a mapping model is tested with what its policies do`() throws {
        let second =
            "<model><entity name='A'><attribute name='name' attributeType='String'/></entity></model>"
        try inProject(second) { model, folder in
            try writeMapping(model, in: folder)
            func expect(_ policies: [String: String]) throws {
                try expectRefusal(
                    of: model,
                    from: "V1",
                    rows: #"{"A": [{"@id": "p1", "name": null}]}"#,
                    code: 134110,
                    declaredPolicies: policies
                )
            }
            try expect(["Capitals": "copy"])
            try withKnownIssue {
                try expect([:])
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("mapping-policy") }
            }
        }
    }

    @Test func `wrong rows are told at their line in the text`() throws {
        try inProject { model, _ in
            try withKnownIssue {
                try expectMigration(of: model, from: "V1", rows: "{\"B\": []}", gives: "{}")
            } matching: { issue in
                issue.comments.contains { $0.rawValue.hasPrefix("rows:1:2: ") }
            }
        }
    }
}
