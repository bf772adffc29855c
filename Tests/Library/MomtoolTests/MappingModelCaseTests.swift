import Foundation
import MigrationTesting
import ModelLoading
import Momtool
import ObjectModel
import TestSupport
import Testing

struct MappingModelCaseTests {
    private func lines(
        _ text: String,
        _ files: [String: String] = [:],
        mappings place: String = "Mappings"
    ) throws -> [String] {
        try withFolder { folder in
            let models = mappedModels
            try writeBundle(models, "M.xcdatamodeld", in: folder, current: "V3")
            let mappings = folder.appending(path: place)
            try makeFolder(mappings)
            try write("One", "V1", "V2", ["a": "$source.a", "b": "$source.a"], folder, mappings)
            try write("Two", "V2", "V3", ["a": "7", "b": "$source.b"], folder, mappings)
            let cases = folder.appending(path: "cases")
            try makeFolder(cases)
            for (name, contents) in files {
                try Data(contents.utf8).write(to: cases.appending(path: name))
            }
            let whole = "model: ../M.xcdatamodeld\nbefore: {A: [{a: x}]}\n" + text
            try Data(whole.utf8).write(to: cases.appending(path: "case.yml"))
            return try MigrationCase.cases(at: cases).flatMap { $0.run().lines }.map {
                $0.replacing(folder.path + "/", with: "")
            }
        }
    }

    private func write(
        _ name: String,
        _ from: String,
        _ to: String,
        _ values: [String: String],
        _ folder: URL,
        _ mappings: URL
    ) throws {
        let bundle = try ModelPlace(folder.appending(path: "M.xcdatamodeld").path).read().value
        try writeMapping(
            of: values,
            from: try #require(bundle.version(named: from)).model,
            to: try #require(bundle.version(named: to)).model,
            at: mappings.appending(path: "\(name).cdm")
        )
    }

    @Test func `a chain of steps takes the mapping model of each`() throws {
        let text = "mappingModels: [../Mappings]\nfrom: V1\nto: V3\nafter: {A: [{a: 7, b: x}]}\n"
        let stepwise = ["../.momtool.yml": "migration: stepwise\n"]
        let told = try lines(text + "allowDataLoss: true\n", stepwise)
        #expect(told == [], "\(told)")
        // Core Data itself takes one step, for which there is no mapping model.
        #expect(try lines(text) != [])
        let refused = try lines("from: V1\nto: V3\nexpect: refused\n")
        #expect(refused == [], "\(refused)")
    }

    @Test func `those beside the model are found, as in an app`() throws {
        let text = "from: V1\nto: V2\nafter: {A: [{a: x, b: x}]}\n"
        #expect(try lines(text, mappings: ".") == [])
        let told = try lines(text)
        #expect(told.count == 1)
        #expect(told[0].hasSuffix(": A \"x\": b is missing, expected \"x\""), "\(told)")
    }

    static let stages = "stages:\n  - custom: {from: V1, to: V2}\n  - custom: {from: V2, to: V3}\n"

    @Test func `custom stages without a map take those of their steps`() throws {
        let after = "from: V1\nto: V3\nallowDataLoss: true\nafter: {A: [{a: 7, b: x}]}\n"
        let told = try lines(after + "mappingModels: [../Mappings]\n" + Self.stages)
        #expect(told == [], "\(told)")
        let file = ["Stages.yml": "mappingModels: [../Mappings]\n" + Self.stages]
        let other = try lines(after + "stages: Stages.yml\n", file)
        #expect(other == [], "\(other)")
    }

    static let others = [
        "mappingModels: [../Mappings/Two.cdm]\nfrom: V1\nto: V2\n",
        "from: V1\nto: V2\nstages: Stages.yml\n",
    ]

    @Test(arguments: others)
    func `one of another step is refused, and its step is named`(text: String) throws {
        let stages = """
            mappingModels: [../Mappings/Two.cdm]
            stages: [{custom: {from: V1, to: V2}}]
            """
        let told = try lines(text + "after: {A: [{a: x}]}\n", ["Stages.yml": stages])
        #expect(told.count == 1)
        #expect(told.first?.contains("Two.cdm: error: ") == true, "\(told)")
        #expect(told.first?.contains("V2 → V3") == true, "\(told)")
    }

    @Test func `a new case asks what the policies of its mapping model do`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(mappedModels, current: "V3", at: model)
            let bundle = try ModelPlace(model.path).read().value
            let source = try #require(bundle.version(named: "V1"))
            let destination = try #require(bundle.version(named: "V2"))
            let mapping = folder.appending(path: "One.cdm")
            try writeMapping(
                of: ["a": "$source.a"],
                policy: "App.Fill",
                from: source.model,
                to: destination.model,
                at: mapping
            )
            let policies = try MappingModels(at: [mapping.path])
                .undeclaredPolicies(from: source, to: destination)
            #expect(policies == ["App.Fill"])
            let text = caseTemplate(
                model: "../M.xcdatamodeld",
                from: source,
                to: destination,
                policies: policies
            )
            #expect(text.contains("\n# policies:\n#   App.Fill: copy\nbefore:\n"))
            let undeclared = "# policies:\n#   App.Fill"
            let declared = text.replacing(undeclared, with: "policies:\n  App.Fill")
            let cases = folder.appending(path: "cases")
            try makeFolder(cases)
            for (contents, isDeclared) in [(text, false), (declared, true)] {
                try Data(contents.utf8).write(to: cases.appending(path: "case.yml"))
                let lines = try MigrationCase.cases(at: cases).flatMap { $0.run().lines }
                #expect(lines.isEmpty == isDeclared, "\(lines)")
            }
        }
    }
}
