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

    @Test func `no recorded run prints an error and ends with 0, and every command is recorded`()
        throws
    {
        var commands: Set<Substring> = []
        for name in Self.names {
            let text = try fileText(transcriptsFolder.appending(path: name))
            for run in "\n\(text)".components(separatedBy: "\n$ ").dropFirst() {
                let lines = run.components(separatedBy: "\n# ")[0].split(separator: "\n")
                let words = lines[0].split(separator: " ").drop { $0.contains("=") }
                guard words.first == "momtool" else { continue }
                commands.formUnion(words.dropFirst().prefix(1))
                let isFailed = lines.contains { $0.hasPrefix("[") }
                let isError = lines.contains { line in
                    let words = line.split(separator: " ").prefix(3)
                    return line.hasPrefix("! ") && line.contains(": error: ")
                        || line.hasPrefix("| ") && words.last == "error:"
                        || words.dropFirst().first == "error:"
                }
                #expect(!isError || isFailed, "\(name): \(run)")
            }
        }
        guard ProcessInfo.processInfo.environment["MOMTOOL_WORDS"] == nil else { return }
        let help = try momtool("--help").output.split(separator: "\n")
        let all = help.drop { $0 != "SUBCOMMANDS:" }.dropFirst().filter {
            $0.hasPrefix("  ") && $0.dropFirst(2).first?.isLowercase == true
        }.compactMap { $0.split(separator: " ").first }
        #expect(all.count > 20 && Set(all).isSubset(of: commands))
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
