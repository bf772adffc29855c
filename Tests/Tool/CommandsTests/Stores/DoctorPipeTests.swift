import Foundation
import TestSupport
import Testing

struct DoctorPipeTests {
    @Test func `a pipe among stores is told, and the others are looked at`() throws {
        try withFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            try Data("\(store)\n\(pipe)\n".utf8).write(to: folder.appending(path: "l"))
            for words in [[store, store, pipe], ["--from-list", "l"]] {
                let run = try result(
                    of: URL(fileURLWithPath: "/usr/bin/env"),
                    ["timeout", "60", commandURL.path, "doctor"] + words,
                    in: folder
                )
                #expect(run.status == 65, "\(run.errors)")
                #expect(run.output.contains("which version wrote it"), "\(run.output)")
                #expect(run.errors.contains("\(pipe): error: this is a device or a pipe"))
            }
        }
    }
}
