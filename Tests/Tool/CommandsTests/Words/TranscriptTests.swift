import Foundation
import TestSupport
import Testing

private let transcriptsFolder = Corpus.package.appending(path: "Fixtures/Words")

struct TranscriptTests {
    private static let names: [String] = {
        let all =
            (try? FileManager.default.contentsOfDirectory(atPath: transcriptsFolder.path)) ?? []
        let wanted = ProcessInfo.processInfo.environment["MOMTOOL_WORDS"]
        return all.filter { $0.hasSuffix(".txt") && (wanted == nil || $0 == wanted) }.sorted()
    }()

    /// What each command prints and how it ends, as `Fixtures/Words` records it.
    @Test(arguments: names)
    func `commands print what is recorded`(name: String) throws {
        let file = transcriptsFolder.appending(path: name)
        let recorded = try fileText(file)
        let now = try withFolder { folder in
            try Transcript(recorded).text(in: folder.resolvingSymlinksInPath()) { step, folder in
                try TranscriptShell(folder: folder).answer(to: step)
            }
        }
        if ProcessInfo.processInfo.environment["MOMTOOL_RECORD"] != nil {
            try Data(now.utf8).write(to: file)
        } else if now != recorded {
            Issue.record("\(Self.difference(recorded, now)); MOMTOOL_RECORD=1 writes \(name) anew")
        }
    }

    /// The first line that differs, with its number.
    private static func difference(_ old: String, _ new: String) -> Comment {
        let (old, new) = (old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
        let line =
            zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        func at(_ lines: [String]) -> String { line < lines.count ? lines[line] : "the end" }
        return "line \(line + 1) is '\(at(new))', not '\(at(old))'"
    }
}
