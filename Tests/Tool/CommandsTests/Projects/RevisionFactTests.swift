import Foundation
import TestSupport
import Testing

/// What a revision or a release had besides its model: mapping models, settings, a current version, another folder.
struct RevisionFactTests {
    /// The text of a mapping model from V1 to V2, which takes attributes of Item and all of Tag where it is named.
    private func mapping(_ entities: [String: [String]], policy: String? = nil) -> String {
        var objects: [String] = []
        var ids: [String] = []
        for (name, attributes) in entities.sorted(by: { $0.key < $1.key }) {
            let id = "z\(10 * (ids.count + 1))"
            ids.append(id)
            let own = attributes.enumerated().map { ("\(id)\($0)", $1) }
            objects += own.map {
                """
                <object type="XDDEVATTRIBUTEMAPPING" id="\($0)"><attribute name="name">\($1)</attribute></object>
                """
            }
            let code = policy.map {
                "<attribute name=\"migrationpolicyclassname\">\($0)</attribute>"
            }
            objects.append(
                """
                <object type="XDDEVENTITYMAPPING" id="\(id)"><attribute name="sourcename">\(name)</attribute>
                <attribute name="destinationname">\(name)</attribute>\(code ?? "")
                <relationship name="attributemappings" idrefs="\(own.map(\.0).joined(separator: " "))"/></object>
                """
            )
        }
        return """
            <database><object type="XDDEVMAPPINGMODEL" id="z1">
            <attribute name="sourcemodelpath">M.xcdatamodeld/V1.xcdatamodel</attribute>
            <attribute name="destinationmodelpath">M.xcdatamodeld/V2.xcdatamodel</attribute>
            <relationship name="entitymappings" idrefs="\(ids.joined(separator: " "))"/></object>
            \(objects.joined())</database>
            """
    }

    private func model(_ type: String) -> String {
        "<model><entity name='Item'><attribute name='n' optional='YES' attributeType='\(type)'/>"
            + "<attribute name='name' optional='YES' attributeType='String'/></entity>"
            + "<entity name='Tag'><attribute name='t' optional='YES' attributeType='String'/></entity></model>"
    }

    /// A model whose step needs a mapping model, which is there.
    private func writeMappedModel(in folder: URL) throws {
        try writeBundle([model("String"), model("Integer 64")], "M.xcdatamodeld", in: folder)
        let text = mapping(["Item": ["name"], "Tag": ["t"]])
        try write(text, "M.xcmappingmodel/xcmapping.xml", in: folder)
    }

    @Test func `a mapping model that only the revision has makes its step no old finding`() throws {
        try withFolder { folder in
            try writeMappedModel(in: folder)
            try commit("one", in: folder)
            let file = folder.appending(path: "M.xcmappingmodel")
            try FileManager.default.removeItem(at: file)
            try expectRun("check --against HEAD", in: folder, 1, "[step-not-inferable]")
            try commit("two", in: folder)
            try expectRun(
                "check --against HEAD",
                in: folder,
                0,
                "[changed-since]",
                not: ["[step-not-inferable]"]
            )
        }
    }

    @Test func `a loss that only the settings of the revision allow is new`() throws {
        try withFolder { folder in
            let versions = [textModel("A", ["a", "b"]), textModel("A", ["a"])]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            try write("losses: {V2: [A.b]}\n", ".momtool.yml", in: folder)
            try commit("one", in: folder)
            try expectRun("check --against HEAD", in: folder, 0, "nothing found")
            try write("{}\n", ".momtool.yml", in: folder)
            try expectRun("check --against HEAD", in: folder, 1, "[data-loss]")
            try FileManager.default.removeItem(at: folder.appending(path: ".momtool.yml"))
            try expectRun("check --against HEAD", in: folder, 1, "[data-loss]")
        }
    }

    /// The versions V1 and V2 of a plan, of which V2 has the named attributes.
    private func plan(_ attributes: [String]) -> String {
        func version(_ number: Int, _ names: [String]) -> String {
            let properties = names.map { "var \($0): Int = 0; " }.joined()
            return """
                enum V\(number): VersionedSchema {
                    static var versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model final class Item { \(properties)init() {} }
                }
                """
        }
        return """
            import SwiftData
            \(version(1, ["a"]))
            \(version(2, attributes))
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
            }
            let c = try! ModelContainer(for: V2.Item.self, migrationPlan: Plan.self)
            """
    }

    @Test func `an edit of a released version of a plan is an error beside a revision too`() throws
    {
        try withFolder { folder in
            try write(plan(["a", "b"]), "App/M.swift", in: folder)
            try commit("one", in: folder)
            try tag("v1.0", in: folder)
            try write(plan(["a", "b", "d"]), "App/M.swift", in: folder)
            for command in ["check", "check --against HEAD", "check --against v1.0"] {
                try expectRun(command, in: folder, 1, "error: ", "[locked-version-edited]")
            }
            try commit("two", in: folder)
            try expectRun("check --against v1.0", in: folder, 1, "[locked-version-edited]")
        }
    }

    /// Models of two versions, the first of which is current, tagged as a release.
    private func releaseTwo(in folder: URL, current: String = "V1") throws {
        let versions = ["V1": textModel("A", ["a"]), "V2": textModel("A", ["a", "z"])]
        try writeBundle(versions, "M.xcdatamodeld", in: folder, current: current)
        try commit("one", in: folder)
        try tag("v1.0", in: folder)
    }

    private let edited = ["V1": textModel("A", ["a"]), "V2": textModel("A", ["a", "y", "z"])]

    @Test func `a version newer than the current one of a release has not shipped`() throws {
        try withFolder { folder in
            try releaseTwo(in: folder)
            try writeBundle(edited, "M.xcdatamodeld", in: folder)
            for command in ["check", "lint M.xcdatamodeld"] {
                try expectRun(command, in: folder, 0, not: ["[locked-version-edited]"])
            }
            try expectRun("lock", in: folder, 0, "1 new", "left out: V2")
            for name in ["M.xcdatamodeld.lock", "M.xcdatamodeld/V2.xcdatamodel"] {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
            try writeBundle(["V1": textModel("A", ["a"])], "M.xcdatamodeld", in: folder)
            try expectRun("check", in: folder, 0, not: ["[locked-version-removed]"])
        }
    }

    @Test func `a version that was current in some release has shipped, and older ones too`() throws
    {
        try withFolder { folder in
            try releaseTwo(in: folder, current: "V2")
            let versions = ["V1": textModel("A", ["a"]), "V2": textModel("A", ["a", "z"])]
            try writeBundle(versions, "M.xcdatamodeld", in: folder, current: "V1")
            try commit("back", in: folder)
            try tag("v1.1", in: folder)
            try write("lock: {unshipped: [V2]}\n", ".momtool.yml", in: folder)
            try writeBundle(edited, "M.xcdatamodeld", in: folder)
            try expectRun("check", in: folder, 1, "[locked-version-edited]")
        }
    }

    @Test func `settings say that a version before the current one of a release never shipped`()
        throws
    {
        try withFolder { folder in
            try releaseTwo(in: folder, current: "V2")
            let versions = ["V1": textModel("A", ["b"]), "V2": textModel("A", ["a", "z"])]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            try expectRun("lint M.xcdatamodeld", in: folder, 1, "[locked-version-edited]")
            try write("lock: {unshipped: [V1]}\n", ".momtool.yml", in: folder)
            try expectRun("lint M.xcdatamodeld", in: folder, nil, not: ["[locked-version-edited]"])
        }
    }

    @Test(arguments: ["git mv", "commit"])
    func `a release has the sources of a folder that was moved and edited at once`(_ state: String)
        throws
    {
        try withFolder { folder in
            try write(plan(["a", "b"]), "App/M.swift", in: folder)
            try commit("one", in: folder)
            try tag("v1.0", in: folder)
            try makeFolder(folder.appending(path: "Sources"))
            try git("mv", "App", "Sources/Shop", in: folder)
            try write(plan(["a", "b", "d"]), "Sources/Shop/M.swift", in: folder)
            if state == "commit" { try commit("two", in: folder) }
            for command in ["check", "check Sources/Shop", "lint Sources/Shop"] {
                try expectRun(command, in: folder, 1, "[locked-version-edited]")
            }
            try expectRun("lock Sources/Shop", in: folder, 0, "'V2'")
            try expectRun("check", in: folder, 1, "[locked-version-edited]")
        }
    }

    @Test func `a model of one version that was moved and edited is the released one`() throws {
        try withFolder { folder in
            try writeBundle([textModel("A", ["a"])], "Old/M.xcdatamodeld", in: folder)
            try commit("one", in: folder)
            try tag("v1.0", in: folder)
            try FileManager.default.removeItem(at: folder.appending(path: "Old"))
            try writeBundle([textModel("A", ["a", "b"])], "New/M.xcdatamodeld", in: folder)
            try commit("two", in: folder)
            try expectRun("check", in: folder, 1, "[locked-version-edited]")
        }
    }

    @Test func `what the mapping model of a locked step no longer keeps is an error`() throws {
        try withFolder { folder in
            try write("policies: {P: copy}\n", ".momtool.yml", in: folder)
            func writeMapping(_ entities: [String: [String]]) throws {
                let text = mapping(entities, policy: "P")
                try write(text, "M.xcmappingmodel/xcmapping.xml", in: folder)
            }
            try writeBundle([model("String"), model("Integer 64")], "M.xcdatamodeld", in: folder)
            try writeMapping(["Item": ["name"], "Tag": ["t"]])
            try expectRun("lock", in: folder, 0)
            try commit("one", in: folder)
            try expectRun("check", in: folder, 0, not: ["[data-loss]"])
            try writeMapping(["Item": ["name"]])
            for command in ["check", "check --against HEAD", "lint M.xcdatamodeld"] {
                try expectRun(command, in: folder, 1, "error: ", "Tag: ", "[data-loss]")
            }
        }
    }

    @Test func `a version that is named for the lock is locked though settings call it unshipped`()
        throws
    {
        try withFolder { folder in
            let versions = [textModel("A", ["a"]), textModel("A", ["a", "z"])]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            try write("lock: {unshipped: [V2]}\n", ".momtool.yml", in: folder)
            try expectRun("lock", in: folder, 0, "1 new", "left out: V2")
            try expectRun("lock --version V2 --unshipped V2", in: folder, 0, "left out: V2")
            try expectRun("lock --version V2", in: folder, 0, "1 new", not: ["left out"])
            try expectRun("check --release", in: folder, 0, not: ["[current-version-not-locked]"])
        }
    }

    @Test(arguments: [true, false])
    func `classes that open the stores of a locked model of Core Data lose nothing unnamed`(
        _ isReleased: Bool
    ) throws {
        try withFolder { folder in
            try writeBundle([textModel("Note", ["t", "u"])], "M.xcdatamodeld", in: folder)
            try expectRun("lock", in: folder, 0)
            try commit("one", in: folder)
            if isReleased { try tag("v1.0", in: folder) }
            try FileManager.default.removeItem(at: folder.appending(path: "M.xcdatamodeld"))
            let text = """
                import SwiftData
                @Model final class Note { var t: String?; init() {} }
                let c = try! ModelContainer(for: Note.self, configurations: ModelConfiguration(
                    url: URL.applicationSupportDirectory.appending(path: "M.sqlite")))
                """
            try write(text, "App/S.swift", in: folder)
            let absent = ["pruned", "[locked-version-removed]", "no longer open"]
            for command in ["check", "check --against HEAD"] {
                try expectRun(
                    command,
                    in: folder,
                    1,
                    "error: ",
                    "Note.u",
                    "[data-loss]",
                    not: absent
                )
            }
            try write("losses: {unversioned: [Note.u]}\n", ".momtool.yml", in: folder)
            let known = ["Note.u"] + absent
            try expectRun("check", in: folder, 1, "[unread-lock]", not: ["SwiftData.lock"] + known)
            try expectRun("lock", in: folder, 0)
            try expectRun("check", in: folder, 1, "[unread-lock]", "SwiftData.lock", not: known)
            try FileManager.default.removeItem(at: folder.appending(path: "SwiftData.lock"))
            for name in [".momtool.yml", "M.xcdatamodeld.lock"] {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
            if isReleased {
                try expectRun("check", in: folder, 1, "[changed-since]", not: ["unshipped"])
            }
            try expectRun("check --against HEAD", in: folder, 1, "[data-loss]", not: absent)
        }
    }
}
