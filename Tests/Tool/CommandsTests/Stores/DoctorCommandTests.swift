import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct DoctorCommandTests {
    private static let library = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    @Test func `a file that SQLite does not open has ways out`() throws {
        let damages = [(50_000..<69_632, 0), (0..<4096, 4096), (0..<100, 100)]
        let lines = try damages.flatMap { range, zeros in
            try withFolder { folder in
                var bytes = try Data(contentsOf: Self.library)
                bytes.replaceSubrange(range, with: Data(count: zeros))
                try bytes.write(to: folder.appending(path: "Broken.sqlite"))
                let run = try expectRun(
                    "doctor Broken.sqlite",
                    in: folder,
                    1,
                    "-wal",
                    "backup",
                    ".recover",
                    "momtool verify Broken-saved/Recovered.sqlite",
                    ".Recovered_SUPPORT"
                )
                return run.output.components(separatedBy: "\n").filter { $0.contains("error: ") }
            }
        }
        try expectRecorded(lines, as: "doctor-damage")
    }

    @Test(arguments: [true, false])
    func `a mirrored store is not migrated to a renamed entity`(isMirrored: Bool) throws {
        try withFolder { folder in
            let models = ["name='Note'", "name='Memo' elementID='Note'"].map {
                "<model><entity \($0)><attribute name='t' optional='YES' attributeType='String'/></entity></model>"
            }
            try writeBundle(models, "M.xcdatamodeld", in: folder)
            try expectRun("create S --model M.xcdatamodeld --version V1", in: folder, 0)
            if isMirrored {
                let store = try SQLiteConnection(
                    path: folder.appending(path: "S").path,
                    mode: .readWrite
                )
                try store.execute("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
            }
            let said = try expectRun("doctor S --model M.xcdatamodeld", in: folder, 1).output
            #expect(said.contains("renamed entity 'Memo'") == isMirrored, "\(said)")
        }
    }

    @Test func `a pipe among stores is told, and the others are looked at`() throws {
        try withFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let store = Self.library.path
            try write("\(store)\n\(pipe)\n", "l", in: folder)
            for words in ["'\(store)' '\(store)' pipe", "--from-list l"] {
                let run = try shell("timeout 60 $m doctor \(words)", in: folder)
                #expect(run.status == 65, "\(run.errors)")
                #expect(run.output.contains("Library-V1.sqlite"), "\(run.output)")
                #expect(run.errors.contains("pipe: error: "))
            }
        }
    }
}
