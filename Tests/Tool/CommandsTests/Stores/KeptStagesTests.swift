import Foundation
import TestSupport
import Testing

struct KeptStagesTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func withStore(_ body: (_ folder: URL, _ migrate: [String]) throws -> Void) throws {
        try withFolder { folder in
            let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
            let store = folder.appending(path: "Store.sqlite")
            try copyFile(fixture, to: store)
            let stages =
                "model: \(Self.model)\nstages:\n  - lightweight: [V1, V2, V3, V4, V5, V6]\n"
            try Data(stages.utf8).write(to: folder.appending(path: "Stages.yml"))
            let migrate = [
                "migrate", "Store.sqlite", "--stages", "Stages.yml", "--semantics", "stepwise",
                "--keep-stages", "Kept", "--quiet", "--allow-outside",
            ]
            try body(folder, migrate)
        }
    }

    @Test(arguments: [["-o", "New.sqlite"], ["--in-place"]])
    func `a refused run leaves none, so that it can be tried again`(target: [String]) throws {
        try withStore { folder, migrate in
            let kept = folder.appending(path: "Kept")
            for _ in 1...2 {
                try expectRun(migrate + target, in: folder, 3)
                #expect(!FileManager.default.fileExists(atPath: kept.path))
            }
            try expectRun(migrate + target + ["--allow-data-loss"], in: folder, 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: kept.path)
            #expect(names.contains("1-V2.sqlite"), "\(names)")
        }
    }

    @Test(arguments: [["-o", "New.sqlite"], ["--in-place"]])
    func `a stage that fails leaves what it started from, until the next run`(
        target: [String]
    ) throws {
        try withStore { folder, migrate in
            let stages = """
                model: \(Self.model)
                stages:
                  - lightweight: [V1]
                  - custom: {from: V2, to: V3}
                    willMigrate: work.sql
                  - lightweight: [V4, V5, V6]
                """
            try Data(stages.utf8).write(to: folder.appending(path: "Stages.yml"))
            func write(_ script: String) throws {
                try Data(script.utf8).write(to: folder.appending(path: "work.sql"))
            }
            let kept = folder.appending(path: "Kept").path
            let all = migrate + target + ["--allow-data-loss"]
            for _ in 1...2 {
                try write("SELECT no_such_function(1);")
                let failed = try expectRun(all, in: folder, 4)
                let note = "note: the stores of the steps before the failure are in Kept; "
                #expect(failed.errors.contains(note), "\(failed.errors)")
                #expect(!failed.errors.contains("did you mean"), "\(failed.errors)")
                let names = try FileManager.default.contentsOfDirectory(atPath: kept)
                #expect(
                    names.filter { !$0.hasPrefix(".") }.sorted() == [
                        "1-V2.sqlite", "unfinished.txt",
                    ]
                )
                let verify = ["verify", "Kept/1-V2.sqlite", "--model", Self.model]
                try expectRun(verify, in: folder, 0)
            }
            try write("SELECT 1;")
            let done = try expectRun(all, in: folder, 0)
            #expect(!done.errors.contains("before the failure"))
            let names = try FileManager.default.contentsOfDirectory(atPath: kept)
            #expect(names.contains("2-V2.sqlite") && !names.contains("unfinished.txt"), "\(names)")
        }
    }

    @Test func `a list of copies leads to no file elsewhere`() throws {
        try withStore { folder, migrate in
            let kept = folder.appending(path: "Kept")
            try makeFolder(kept)
            let list = "../Store.sqlite\nnotes.txt\n"
            try Data(list.utf8).write(to: kept.appending(path: "unfinished.txt"))
            try Data("mine".utf8).write(to: kept.appending(path: "notes.txt"))
            try expectRun(migrate + ["--allow-data-loss", "-o", "New.sqlite"], in: folder, 0)
            #expect(exists(folder.appending(path: "Store.sqlite").path))
            #expect(exists(kept.appending(path: "notes.txt").path))
        }
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func `what another run left there stays, and is not written over`() throws {
        try withStore { folder, migrate in
            let all = migrate + ["--allow-data-loss", "-o"]
            #expect(try momtool(all + ["New.sqlite"], in: folder).status == 0)
            let kept = folder.appending(path: "Kept")
            let before = try FileManager.default.contentsOfDirectory(atPath: kept.path).sorted()
            try expectRun(all + ["Other.sqlite"], in: folder, 73)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: kept.path).sorted() == before
            )
        }
    }
}
