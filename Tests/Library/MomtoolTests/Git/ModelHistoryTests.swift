import Foundation
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import TestSupport
import Testing

struct ModelHistoryTests {
    /// The distinct contents of a project's models, with their files.
    private struct Edit {
        var file: String
        var bytes: Data
        var hashes: ModelHashes?
    }

    private static func edits() throws -> [String: [Edit]] {
        var edits: [String: [Edit]] = [:]
        var known: Set<Data> = []
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodel") }).sorted() {
            let contents = Corpus.path(path) + "/contents"
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: contents)),
                known.insert(bytes).inserted, let project = path.split(separator: "/").first
            else { continue }
            let bundle = readModelBundle(at: Corpus.path(path))
            let name = path.split(separator: "/").last ?? "V"
            edits[String(project), default: []].append(
                Edit(
                    file: "App/M.xcdatamodeld/\(name)/contents",
                    bytes: bytes,
                    hashes: bundle.hasErrors ? nil : bundle.value.versions.first?.hashes
                )
            )
        }
        return edits
    }

    /// A history with one tagged commit for each edit, as git reads it.
    private func stream(_ edits: [Edit]) -> Data {
        var stream = Data()
        func add(_ text: String) { stream += Data(text.utf8) }
        for (place, edit) in edits.enumerated() {
            let date = 1_700_000_000 + 86_400 * place
            add("commit refs/heads/main\n")
            add("committer A <a@example.org> \(date) +0000\ndata 1\n.\n")
            add("M 100644 inline \"\(edit.file)\"\ndata \(edit.bytes.count)\n")
            stream += edit.bytes
            add("\nreset refs/tags/t\(place)\nfrom refs/heads/main\n\n")
        }
        return stream
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `every content that a model of the corpus had is found in the history`() throws {
        var (found, contents) = (0, 0)
        for (project, edits) in try Self.edits().sorted(by: { $0.key < $1.key }) {
            try withFolder { folder in
                let file = folder.appending(path: "stream")
                try stream(edits).write(to: file)
                let script = "git init -q -b main . && git fast-import --quiet < stream"
                let made = try result(
                    of: URL(fileURLWithPath: "/bin/sh"),
                    ["-c", script],
                    in: folder
                )
                #expect(made.status == 0, "\(project): \(made.errors)")
                let place = folder.appending(path: "App/M.xcdatamodeld").path
                let history = try ModelHistory(of: place)
                #expect(!history.isShallow)
                for (number, edit) in edits.enumerated() {
                    contents += 1
                    guard let hashes = edit.hashes else { continue }
                    let versions = history.versions.filter { $0.hashes == hashes }
                    #expect(!versions.isEmpty, "\(project): \(edit.file)")
                    let isTagged = versions.contains { $0.name.contains(", tag") }
                    #expect(isTagged, "t\(number): \(versions.map(\.name))")
                    found += 1
                }
                #expect(history.versions.count + history.unreadable.count == edits.count)
            }
        }
        print("\(found) of \(contents) contents are found by their hashes")
        #expect(found >= 100)
    }

    @Test func `one content that is too large, or another encoding of messages, hides no version`()
        throws
    {
        try withFolder { folder in
            let contents = "M.xcdatamodel/contents"
            let model = "<model><entity name='Stop'/></model>"
            try makeRepository(folder)
            let large = Data(repeating: UInt8(ascii: " "), count: 65 << 20)
            for (place, bytes) in [Data(model.utf8), large].enumerated() {
                let file = folder.appending(path: contents)
                try makeFolder(file.deletingLastPathComponent())
                try bytes.write(to: file)
                try commit("Commit \(place)", in: folder)
            }
            try git("config", "i18n.logOutputEncoding", "UTF-16", in: folder)
            let history = try ModelHistory(of: folder.appending(path: "M.xcdatamodel").path)
            #expect(history.versions.count == 1 && history.unreadable.count == 1)
            let commits = try #require(history.versions.first.flatMap { history.commits[$0.name] })
            #expect(commits.subject == "Commit 0" && commits.date.count == 10, "\(commits)")
        }
    }
}
