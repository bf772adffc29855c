import Foundation
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
