import Diagnostics
import Essentials
import FileSystem
import Foundation
import SettingsFiles
import TestSupport
import Testing

/// Every way in which a file of a project names a path, against every place outside.
struct ProjectBoundsTests {
    struct Way: Sendable {
        var text: String
        var read: @Sendable (String, String) -> [Diagnostic]
    }

    private static let ways =
        [
            "stages: ['~']", "mappingModels: ['~']", "policies: {P: '~'}",
            "swift: {sources: ['~']}",
        ].map { Way(text: $0) { readConfiguration($0, path: $1).diagnostics } }
        + [
            "{model: '~', stages: []}", "{mappingModels: ['~'], stages: []}",
            "{policies: {P: '~'}, stages: []}", "stages: [{lightweight: ['~']}]",
            "stages: [{lightweight: [{'~': sum}]}]", "stages: [{custom: {from: '~', to: V2}}]",
            "stages: [{custom: {from: V1, to: V2}, map: '~'}]",
            "stages: [{custom: {from: V1, to: V2}, willMigrate: '~'}]",
            "stages: [{custom: {from: V1, to: V2}, didMigrate: '~'}]",
        ].map { Way(text: $0) { readStagesFile($0, path: $1).diagnostics } }
        + [
            "model: '~'", "base: '~'", "base: ['~']", "before: '~'", "after: '~'", "stages: '~'",
            "mappingModels: ['~']", "policies: {P: '~'}", "cases: {one: {before: '~'}}",
        ].map { text in
            let known = text.hasPrefix("model") ? "from: V1\n" : "model: M\nfrom: V1\n"
            return Way(text: known + text) { readCaseFile($0, path: $1).diagnostics }
        }

    @Test(arguments: ways.indices)
    func `no path of a file leads out of its project`(index: Int) throws {
        let way = Self.ways[index]
        try withFolder { outside in
            try write("secret", "secret", in: outside)
            try withFolder { folder in
                try write("own", "own", in: folder)
                for (name, target) in [
                    ("link", outside.path), ("passwords", "/etc/passwd"), ("zero", "/dev/zero"),
                ] {
                    try FileManager.default.createSymbolicLink(
                        atPath: folder.appending(path: name).path,
                        withDestinationPath: target
                    )
                }
                #expect(mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
                func faults(_ path: String) -> [Diagnostic] {
                    way.read(way.text.replacing("~", with: path), "\(folder.path)/file.yml")
                }
                let places = [
                    "\(outside.path)/secret", "../\(outside.lastPathComponent)/secret", "link",
                    "link/secret", "link#V1", "gone/../../secret", "/etc/passwd", "passwords",
                    "/dev/zero", "zero", "pipe",
                ]
                for place in places {
                    #expect(faults(place).isEmpty, "the library takes '\(place)'")
                }
                kept(in: "/") {
                    for place in places {
                        #expect(faults(place).first?.message.contains("'\(place)'") == true)
                    }
                    for place in ["own", "./own", "gone", "own#V1", "\(folder.path)/own"] {
                        #expect(faults(place).isEmpty, "'\(place)': \(faults(place))")
                    }
                }
                kept(in: outside.path, server: folder.path) {
                    #expect(faults("own").isEmpty && !faults("link").isEmpty)
                }
            }
        }
    }

    @Test func `the repository is the project, else the folder that a command runs in`() throws {
        try withFolder { folder in
            try write("", "App/Cases/one/case.yml", in: folder)
            let inner = folder.appending(path: "App/Cases/one").path
            func isInside(from place: String) -> Bool {
                kept(in: place) { boundsFault("../../Shared.yml", in: inner) == nil }
            }
            #expect(isInside(from: folder.path) && isInside(from: folder.path + "/App"))
            #expect(!isInside(from: folder.path + "/App/Cases") && !isInside(from: "/"))
            try write("", "App/.momtool.yml", in: folder)
            #expect(isInside(from: folder.path + "/App/Cases") && isInside(from: "/usr"))
            try FileManager.default.removeItem(at: folder.appending(path: "App/.momtool.yml"))
            try write("", ".git/HEAD", in: folder)
            #expect(isInside(from: folder.path + "/App/Cases") && isInside(from: "/usr"))
        }
    }

    /// Does something as a command does that runs in a folder.
    private func kept<Result>(
        in folder: String,
        server: String? = nil,
        _ body: () -> Result
    ) -> Result {
        let surroundings = Surroundings(
            folder: folder,
            environment: server.map { [ProjectBounds.variable: $0] } ?? [:],
            streams: Streams(input: [], output: Nowhere(), errors: Nowhere())
        )
        return Surroundings.$current.withValue(surroundings) {
            ProjectBounds.areKept = server == nil
            return body()
        }
    }
}

private struct Nowhere: TextSink {
    func write(_ bytes: UnsafeRawBufferPointer) {}
}
