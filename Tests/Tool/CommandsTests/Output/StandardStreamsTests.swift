import Foundation
import TestSupport
import Testing

/// Stores and compiled models in pipes; texts are in `Fixtures/Words/standard-streams.txt`.
struct StandardStreamsTests {
    private static let model = "Models/Library.xcdatamodeld"
    private static let store = "Fixtures/Library-V1.sqlite"

    @Test func `a store that comes in is read as a file is`() throws {
        let piped = try shell("cat \(Self.store) | $m identify - --model \(Self.model)")
        #expect(piped.output == "-: V1\n")
        let rows = try momtool("export", Self.store)
        #expect(try shell("$m export - < \(Self.store)").output == rows.output)
        let verified = try shell("$m verify - < \(Self.store)").output
        #expect(verified.contains(/^-: \d+ rows of \d entities: nothing found\n$/))
    }

    @Test(arguments: [
        "$m hash - --format json < \(model)/V1.xcdatamodel/contents",
        "$m compile \(model)/V1.xcdatamodel -o - | $m hash - --format json",
        "$m compile \(model)/V1.xcdatamodel -o - | $m decompile - -o - | $m hash - --format json",
    ])
    func `a model that comes in is known by what it holds`(line: String) throws {
        func hashes(_ run: CommandResult) -> [String] {
            run.output.matches(of: /[0-9a-f]{64}/).map { String($0.output) }
        }
        let entities = hashes(
            try momtool("hash", Self.model + "/V1.xcdatamodel", "--format", "json")
        )
        #expect(entities.count > 3)
        #expect(hashes(try shell(line)) == entities)
    }

    @Test func `a store goes out whole and nothing else with it`() throws {
        try withFolder { folder in
            let new = folder.appending(path: "New.sqlite").path
            let piped = try shell(
                "$m migrate - --model \(Self.model) --to V2 -o - < \(Self.store) > '\(new)'"
            )
            #expect(piped.status == 0)
            #expect(piped.errors.contains("-: V1 → V2 in -"))
            #expect(try momtool("verify", new).output.hasSuffix(" entities: nothing found\n"))
            let made = folder.appending(path: "Made.sqlite").path
            let created = try shell(
                "$m export \(Self.store)"
                    + " | $m create - --model \(Self.model) --version V1 --rows - > '\(made)'"
            )
            #expect(created.status == 0)
            #expect(try momtool("export", made).output == momtool("export", Self.store).output)
        }
    }

    @Test func `what is refused sends nothing out`() throws {
        let result = try shell("$m migrate - --model \(Self.model) -o - < \(Self.store) | wc -c")
        #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "0")
        #expect(result.errors.contains("-: error: Notice: 5 rows at stake"))
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [
            "lint \(model)", "hash \(model)", "rules", "graph \(model)",
            "inspect Fixtures/Library-V1.sqlite", "config \(model)", "cloudkit schema \(model)",
        ]
    )
    func `output that cannot be written is a failure`(line: String) throws {
        let result = try shell("$m \(line) > /dev/full")
        #expect(result.status == 74)
        #expect(result.errors.contains("standard output: error: No space left on device"))
    }
}

/// A container may have no `/proc`, from which Swift reads the arguments.
struct NoProcTests {
    /// Runs words of a shell where `/proc` is an empty folder; with none, tells whether that is possible here.
    private static func withoutProc(_ command: String) throws -> CommandResult {
        let script = "mount -t tmpfs none /proc && exec \(command)"
        return try result(
            of: URL(fileURLWithPath: "/usr/bin/env"),
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
        )
    }

    private static let canHideProc = (try? withoutProc("true").status) == 0

    @Test(.enabled(if: canHideProc && !hasAddressSanitizer))
    func `the arguments are known where there is no /proc`() throws {
        let model = "Models/Library.xcdatamodeld"
        let hidden = try Self.withoutProc("\(commandURL.path) hash \(model)")
        let open = try momtool("hash", model)
        #expect(open.status == 0 && !open.output.isEmpty)
        #expect(hidden.status == 0, "\(hidden.errors)")
        #expect(hidden.output == open.output)
    }
}

struct ClosedStreamTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    @Test(arguments: ["inspect -", "verify --from-list -"])
    func `a closed standard input is an empty one`(words: String) throws {
        let closed = try shell("timeout 60 \"$m\" \(words) <&-")
        let empty = try shell("timeout 60 \"$m\" \(words) </dev/null")
        #expect(closed.status == empty.status && closed.status != 124)
        #expect(closed.errors == empty.errors)
    }

    @Test func `stores are migrated and reported without standard streams`() throws {
        try withFolder { folder in
            try write("\(Self.store)\n", "l", in: folder)
            let run = try shell(
                "timeout 300 \"$m\" migrate --from-list l --model '\(Self.model)' --to V2 -o O "
                    + "--journal j.jsonl --format json=r.json <&- >&-",
                in: folder
            )
            #expect(!run.errors.contains("interrupted"), "\(run.errors)")
            let report = try Data(contentsOf: folder.appending(path: "r.json"))
            #expect(report.first == UInt8(ascii: "{") || report.first == UInt8(ascii: "["))
        }
    }

    @Test func `what cannot be written without standard output is still an error`() throws {
        let run = try shell("\"$m\" inspect '\(Self.model)' <&- >&-")
        #expect(run.status == 74)
        #expect(run.errors.contains("standard output: error: "), "\(run.errors)")
    }
}
