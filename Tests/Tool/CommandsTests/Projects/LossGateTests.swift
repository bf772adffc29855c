import Foundation
import TestSupport
import Testing

/// An edit of a model in a new version, lossy or harmless: of the notation of transcripts, or of the XML made of it.
struct ModelEdit: Sendable, CustomTestStringConvertible {
    var title: String
    var old: String
    var new: String
    var loss: String?
    var testDescription: String { title }

    init(_ title: String, _ old: String, _ new: String, loss: String? = nil) {
        (self.title, self.old, self.new, self.loss) = (title, old, new, loss)
    }

    private static let stop = "Stop(label String?, code Integer 32?, opened Date?" + notices
    private static let notices = ", notices >> Notice.stop)" + notice
    private static let notice = "; Notice(text String?, stop > Stop.notices)"

    static let losing: [ModelEdit] = [
        ModelEdit("removed attribute", ", opened Date?", "", loss: "Stop.opened"),
        ModelEdit("removed entity", notices, ")", loss: "Notice"),
        ModelEdit("near rename", "label String?", "labels String?", loss: "Stop.label"),
        ModelEdit("far rename", "label String?", "caption String?", loss: "Stop.label"),
        ModelEdit("mandatory without default", "label String?", "label String", loss: "Stop.label"),
        ModelEdit("narrowed type", "Integer 32?", "Integer 16?", loss: "Stop.code"),
        ModelEdit("to-many to to-one", "notices >>", "notices >", loss: "Stop.notices"),
        ModelEdit("transient", "'opened'", "'opened' transient='YES'", loss: "Stop.opened"),
    ]

    static let harmless: [ModelEdit] = {
        let (rank, code) = ("label String?, rank Integer 16 = 0", "'code' defaultValueString=")
        return [
            ModelEdit("added entity", notice, notice + "; Line(name String?)"),
            ModelEdit("added attribute", "label String?", "label String?, note String?"),
            ModelEdit("added attribute with a default", "label String?", rank),
            ModelEdit("declared rename", "'label'", "'caption' elementID='label'"),
            ModelEdit("a default", "'code'", code + "'1' versionHashModifier='2'"),
            ModelEdit("widened type", "Integer 32?", "Integer 64?"),
            ModelEdit("new default", "'code'", code + "'7' versionHashModifier='b'"),
            ModelEdit("delete rule", "'YES' deletionRule='Nullify'", cascade),
        ]
    }()
    private static let cascade = "'YES' deletionRule='Cascade' versionHashModifier='c'"

    func write(in folder: URL) throws {
        let edited = typedModel(Self.stop.replacing(old, with: new)).replacing(old, with: new)
        let first = ["Stops": typedModel(Self.stop)]
        #expect(edited != first["Stops"])
        let bundle = folder.appending(path: "Stops.xcdatamodeld")
        try writeBundle(first, current: "Stops", at: bundle)
        try expectRun("lock Stops.xcdatamodeld", in: folder, 0)
        let both = first.merging(["Stops 2": edited]) { $1 }
        try writeBundle(both, current: "Stops 2", at: bundle)
    }
}

/// Each edit goes through each gate; what the gates say of one is in `check-losses` and `migrate-losses`.
struct LossGateTests {
    private static let gates = [
        "lint Stops.xcdatamodeld", "test --matrix Stops.xcdatamodeld", "lock Stops.xcdatamodeld",
        "lint .", "check",
    ]

    /// Runs every gate, and expects one of the statuses.
    @discardableResult
    private func run(_ statuses: Int32..., in folder: URL) throws -> [String] {
        try Self.gates.map { gate in
            let result = try momtool(gate, in: folder)
            let text = "\(gate): \(result.output)\(result.errors)"
            #expect(statuses.contains(result.status), "\(text)")
            return text
        }
    }

    private func lock(in folder: URL) throws -> String {
        try fileText(folder.appending(path: "Stops.xcdatamodeld.lock"))
    }

    @Test(arguments: ModelEdit.losing)
    func `a loss stops every gate until it is named, and none after that`(
        _ edit: ModelEdit
    ) throws {
        // The other edits go through every state of the lock by night.
        let isWhole = Sweep.isWhole || edit.title == ModelEdit.losing[0].title
        try withFolder { folder in
            try edit.write(in: folder)
            let loss = try #require(edit.loss)
            for text in try run(1, 3, in: folder) {
                #expect(text.contains(loss), "\(text)")
                let errors = text.split(separator: "\n").filter { $0.contains(": error: ") }
                #expect(errors.count == 1 || !text.hasPrefix("check:"), "\(text)")
            }
            if isWhole {
                // Locking again hides nothing either, and the lock is unchanged.
                try expectRun("lock Stops.xcdatamodeld --relock", in: folder, 3)
                #expect(try !lock(in: folder).contains("version Stops%202"))
                try run(1, 3, in: folder)
                try write("losses: {Stops 2: [Stop.nothing]}\n", ".momtool.yml", in: folder)
                try run(1, 3, in: folder)
            }
            try write("losses: {Stops 2: [\(loss)]}\n", ".momtool.yml", in: folder)
            try run(0, in: folder)
            // The lock recorded what was named: without the configuration all is still well.
            let text = try lock(in: folder)
            #expect(text.contains("\nloses \(loss)\n"), "\(text)")
            guard isWhole else { return }
            try FileManager.default.removeItem(at: folder.appending(path: ".momtool.yml"))
            try run(0, in: folder)
        }
    }

    @Test(arguments: ModelEdit.harmless)
    func `a harmless change stops no gate and is worth a note at most`(_ edit: ModelEdit) throws {
        try withFolder { folder in
            try edit.write(in: folder)
            for text in try run(0, in: folder) {
                #expect(!text.contains("error:") && !text.contains("warning:"), "\(text)")
            }
        }
    }

    @Test(
        arguments: [
            (["a"], [true, true], []), (["a"], [false, false], ["loses *"]),
            (["a"], [true, false], []), (["a", "x"], [true, true], ["loses *"]),
        ] as [([String], [Bool], [String])]
    )
    func `a lock forgets what a later renaming identifier cured`(
        _ old: [String],
        _ isDeclared: [Bool],
        _ left: [String]
    ) throws {
        func model(_ names: [String], _ isDeclared: Bool) -> String {
            let declared = isDeclared ? "name='b' elementID='a'" : "name='b'"
            return textModel("A", names).replacing("name='b'", with: declared)
        }
        try withFolder { folder in
            let bundle = folder.appending(path: "M.xcdatamodeld")
            func write(_ isDeclared: [Bool]) throws {
                let new = [model(["b"], isDeclared[0]), model(["b", "c"], isDeclared[1])]
                try writeBundle([textModel("A", old)] + new, at: bundle)
            }
            func losses() throws -> [String] {
                try fileText(folder.appending(path: "M.xcdatamodeld.lock"))
                    .split(separator: "\n").map(String.init).filter { $0.hasPrefix("loses") }
            }
            try write([false, false])
            try expectRun("lock M.xcdatamodeld", in: folder, 0)
            #expect(try losses() == ["loses *"])
            try write(isDeclared)
            try expectRun("lock M.xcdatamodeld", in: folder, 0)
            #expect(try losses() == left)
            if isDeclared[0] == isDeclared[1] { try expectRun("check", in: folder, 0) }
        }
    }

    @Test func `a lock keeps the loss of a version with the hashes of an older one`() throws {
        try withFolder { folder in
            let versions = ["k", "n k", "n k z", "n k", "n k q"].map { names in
                textModel("A", names.split(separator: " ").map(String.init))
            }
            try writeBundle(versions, at: folder.appending(path: "M.xcdatamodeld"))
            for _ in 1...2 {
                try expectRun("lock M.xcdatamodeld", in: folder, 0)
                let text = try fileText(folder.appending(path: "M.xcdatamodeld.lock"))
                let lines = text.split(separator: "\n").filter {
                    $0.hasPrefix("version ") || $0.hasPrefix("loses ")
                }
                #expect(lines.firstIndex(of: "loses *") == 4 && lines.count == 6, "\(text)")
                try expectRun("check", in: folder, 0)
            }
        }
    }
}
