import Foundation
import TestSupport
import Testing

/// An edit of a model in a new version, lossy or harmless.
struct ModelEdit: Sendable, CustomTestStringConvertible {
    var title: String
    var old: String
    var new: String
    var loss: String?
    var testDescription: String { title }

    init(_ title: String, _ old: String, _ new: String, loss: String? = nil) {
        (self.title, self.old, self.new, self.loss) = (title, old, new, loss)
    }

    static let stop = """
        <entity name='Stop' syncable='YES'>
        \(label)<attribute name='code' optional='YES' attributeType='Integer 32' usesScalarValueType='YES'/>
        \(opened)\(notices)</entity>
        \(notice)
        """
    static let label = "<attribute name='label' optional='YES' attributeType='String'/>\n"
    private static let optionalLabel = "name='label' optional='YES'"
    private static let notices =
        "<relationship name='notices' optional='YES' toMany='YES' deletionRule='Cascade' destinationEntity='Notice' inverseName='stop' inverseEntity='Notice'/>\n"
    private static let opened =
        "<attribute name='opened' optional='YES' attributeType='Date' usesScalarValueType='NO'/>\n"
    private static let notice = """
        <entity name='Notice' syncable='YES'>
        <attribute name='text' optional='YES' attributeType='String'/>
        <relationship name='stop' optional='YES' maxCount='1' deletionRule='Nullify' destinationEntity='Stop' inverseName='notices' inverseEntity='Stop'/>
        </entity>
        """

    var also: (old: String, new: String)?

    static let losing: [ModelEdit] = {
        var edits = [
            ModelEdit("removed attribute", opened, "", loss: "Stop.opened"),
            ModelEdit("removed entity", notice, "", loss: "Notice"),
            ModelEdit("near rename", "name='label'", "name='labels'", loss: "Stop.label"),
            ModelEdit("far rename", "name='label'", "name='caption'", loss: "Stop.label"),
            ModelEdit(
                "mandatory without default",
                optionalLabel,
                "name='label'",
                loss: "Stop.label"
            ),
            ModelEdit("narrowed type", "Integer 32", "Integer 16", loss: "Stop.code"),
            ModelEdit("to-many to to-one", "toMany='YES'", "maxCount='1'", loss: "Stop.notices"),
            ModelEdit(
                "transient",
                "name='opened'",
                "name='opened' transient='YES'",
                loss: "Stop.opened"
            ),
        ]
        edits[1].also = (notices, "")
        return edits
    }()

    static let harmless: [ModelEdit] = {
        let (note, rank) = ("<attribute name='note' optional='YES'", "<attribute name='rank'")
        let line = "<entity name='Line'>\(label.replacing("label", with: "name"))</entity>"
        let (code, coded) = ("name='code' optional='YES'", "name='code' optional='YES' default")
        return [
            ModelEdit("added entity", notice, notice + line),
            ModelEdit("added attribute", label, label + note + " attributeType='String'/>\n"),
            ModelEdit(
                "added attribute with a default",
                label,
                label + rank + " attributeType='Integer 16' defaultValueString='0'/>\n"
            ),
            ModelEdit("declared rename", "name='label'", "name='caption' elementID='label'"),
            ModelEdit("a default", code, coded + "ValueString='1' versionHashModifier='2'"),
            ModelEdit("widened type", "Integer 32", "Integer 64"),
            ModelEdit("new default", code, coded + "ValueString='7' versionHashModifier='b'"),
            ModelEdit("delete rule", "Cascade'", "Nullify' versionHashModifier='c'"),
        ]
    }()

    private static func model(_ body: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
            + "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\n"
            + body.replacing("'", with: "\"") + "\n</model>\n"
    }

    func write(in folder: URL) throws {
        var body = Self.stop.replacingOccurrences(of: old, with: new)
        if let also { body = body.replacingOccurrences(of: also.old, with: also.new) }
        #expect(body != Self.stop)
        let bundle = folder.appending(path: "Stops.xcdatamodeld")
        let first = ["Stops": Self.model(Self.stop)]
        try writeBundle(first, current: "Stops", at: bundle)
        try expectRun("lock Stops.xcdatamodeld", in: folder, 0)
        let both = first.merging(["Stops 2": Self.model(body)]) { $1 }
        try writeBundle(both, current: "Stops 2", at: bundle)
    }
}

struct LossGateTests {
    private static let gates = [
        ["lint", "Stops.xcdatamodeld"], ["test", "--matrix", "Stops.xcdatamodeld"],
        ["lock", "Stops.xcdatamodeld"], ["lint", "."], ["check"],
    ]

    /// The edit that goes through every state of the lock; the others do by night.
    private static let first = ModelEdit.losing[0].title

    private func statuses(in folder: URL) throws -> [(status: Int32, text: String)] {
        try Self.gates.map { gate in
            let result = try momtool(gate, in: folder)
            return (result.status, "\(gate): \(result.output)\(result.errors)")
        }
    }

    private func lock(in folder: URL) throws -> String {
        try fileText(folder.appending(path: "Stops.xcdatamodeld.lock"))
    }

    private func name(_ loss: String, in folder: URL) throws {
        let text = "losses:\n  Stops 2: [\(loss)]\n"
        try Data(text.utf8).write(to: folder.appending(path: ".momtool.yml"))
    }

    @Test(arguments: ModelEdit.losing)
    func `a loss stops every gate until it is named, and none after that`(
        _ edit: ModelEdit
    ) throws {
        try withFolder { folder in
            try edit.write(in: folder)
            let loss = try #require(edit.loss)
            for gate in try statuses(in: folder) {
                #expect(gate.status == 1 || gate.status == 3, "\(gate.text)")
                #expect(gate.text.contains(loss), "\(gate.text)")
                let errors = gate.text.split(separator: "\n").filter { $0.contains(": error: ") }
                #expect(errors.count == 1 || !gate.text.hasPrefix("[\"check\"]"), "\(gate.text)")
            }
            if Sweep.isWhole || edit.title == Self.first {
                // Locking again hides nothing either, and the lock is unchanged.
                try expectRun("lock Stops.xcdatamodeld --relock", in: folder, 3)
                #expect(try !lock(in: folder).contains("version Stops%202"))
                for gate in try statuses(in: folder) { #expect(gate.status != 0, "\(gate.text)") }
                try name("Stop.nothing", in: folder)
                for gate in try statuses(in: folder) { #expect(gate.status != 0, "\(gate.text)") }
            }
            try name(loss, in: folder)
            for gate in try statuses(in: folder) { #expect(gate.status == 0, "\(gate.text)") }
            // The lock recorded what was named: without the configuration all is still well.
            let lock = try lock(in: folder)
            #expect(lock.contains("\nloses \(loss)\n"), "\(lock)")
            guard Sweep.isWhole || edit.title == Self.first else { return }
            try FileManager.default.removeItem(at: folder.appending(path: ".momtool.yml"))
            for gate in try statuses(in: folder) { #expect(gate.status == 0, "\(gate.text)") }
        }
    }

    @Test(arguments: ModelEdit.harmless)
    func `a harmless change stops no gate and is worth a note at most`(_ edit: ModelEdit) throws {
        try withFolder { folder in
            try edit.write(in: folder)
            for gate in try statuses(in: folder) {
                #expect(gate.status == 0, "\(gate.text)")
                #expect(!gate.text.contains("error:"), "\(gate.text)")
                #expect(!gate.text.contains("warning:"), "\(gate.text)")
            }
        }
    }

    private func writeStore(_ rows: String, in folder: URL) throws {
        try Data(rows.utf8).write(to: folder.appending(path: "rows.json"))
        let words = ["S.sqlite", "--model", "Stops.xcdatamodeld#Stops", "--rows", "rows.json"]
        try expectRun(["create"] + words, in: folder, 0)
    }

    private func migrate(in folder: URL) throws -> CommandResult {
        try? FileManager.default.removeItem(at: folder.appending(path: "N.sqlite"))
        return try momtool("migrate S.sqlite --model Stops.xcdatamodeld -o N.sqlite", in: folder)
    }

    @Test func `what became mandatory and was named is still refused where a row has none`() throws
    {
        try withFolder { folder in
            try ModelEdit.losing[4].write(in: folder)
            try name("Stop.label", in: folder)
            try writeStore(#"{"Stop": [{"code": 1}]}"#, in: folder)
            let refused = try migrate(in: folder)
            #expect(refused.status == 3, "\(refused.output)\(refused.errors)")
            #expect(refused.errors.contains("134110"))
            try FileManager.default.removeItem(at: folder.appending(path: "S.sqlite"))
            try writeStore(#"{"Stop": [{"label": "x"}]}"#, in: folder)
            let done = try migrate(in: folder)
            #expect(done.status == 0, "\(done.errors)")
        }
    }

    @Test func `plan, diff, migrate and cases take what was named for a version on their way`()
        throws
    {
        try withFolder { folder in
            try ModelEdit.losing[0].write(in: folder)
            try writeStore(#"{"Stop": [{"opened": "2001-01-01T00:00:00Z"}]}"#, in: folder)
            try makeFolder(folder.appending(path: "Cases/a"))
            let text = """
                model: ../../Stops.xcdatamodeld
                from: Stops
                to: Stops 2
                before:
                  Stop:
                    - {"@id": a, label: x, opened: "2001-01-01T00:00:00Z"}
                expect: contains
                after:
                  Stop:
                    - {"@id": a, label: x}

                """
            try Data(text.utf8).write(to: folder.appending(path: "Cases/a/case.yml"))
            #expect(try migrate(in: folder).status == 3)
            #expect(try momtool("test Cases", in: folder).status == 1)
            try name("Stop.opened", in: folder)
            let done = try migrate(in: folder)
            #expect(done.status == 0, "\(done.errors)")
            try expectRun("test Cases", in: folder, 0)
            let words = "named as meant (.momtool.yml or the lock): Stop.opened"
            #expect(try momtool("diff Stops.xcdatamodeld", in: folder).output.contains(words))
            let plan = ["plan", "Stops.xcdatamodeld", "--from", "Stops"]
            #expect(try momtool(plan, in: folder).output.contains(words))
            let store = ["plan", "Stops.xcdatamodeld", "--store", "S.sqlite"]
            #expect(try momtool(store, in: folder).output.contains(words))
        }
    }

    @Test(arguments: [2, 3])
    func `lint --fix declares the rename, and then nothing is lost`(_ index: Int) throws {
        try withFolder { folder in
            try ModelEdit.losing[index].write(in: folder)
            try expectRun("lint Stops.xcdatamodeld --fix", in: folder, 0)
            let contents = try String(
                contentsOf: folder.appending(
                    path: "Stops.xcdatamodeld/Stops 2.xcdatamodel/contents"
                ),
                encoding: .utf8
            )
            #expect(contents.contains("elementID=\"label\""))
            for gate in try statuses(in: folder) { #expect(gate.status == 0, "\(gate.text)") }
        }
    }

    @Test func `a current version that is not locked is an error of a release alone`() throws {
        try withFolder { folder in
            try ModelEdit.harmless[0].write(in: folder)
            let branch = try momtool("lint Stops.xcdatamodeld", in: folder)
            #expect(branch.status == 0)
            #expect(branch.output.contains("note: the current version 'Stops 2' has no lock yet"))
            let release = try momtool("lint Stops.xcdatamodeld --release", in: folder)
            #expect(release.status == 1)
            #expect(release.output.contains("error: the current version 'Stops 2' has no lock yet"))
        }
    }
}
