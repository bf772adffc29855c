import Foundation
import TestSupport
import Testing

struct CompiledModelCommandTests {
    /// Commands that take a model, with `MODEL`, `STORE` and `OUT` in place of their paths.
    private static let commands = [
        "hash MODEL", "hash MODEL#V2 --explain Book", "identify STORE --model MODEL",
        "migrate STORE --allow-data-loss --model MODEL -o OUT.sqlite", "lock MODEL",
        "decompile MODEL -o OUT", "decompile MODEL#V3 -o OUT", "create OUT.sqlite --model MODEL",
        "export STORE --model MODEL#V1", "verify STORE --model MODEL",
        "generate MODEL -o OUT --all", "test --matrix MODEL", "test --model MODEL --stores STORE",
        "inspect MODEL", "plan MODEL --from V1 --to V6", "plan MODEL --store STORE --sql",
        "lint MODEL", "diff MODEL --from V1 --to V2", "graph MODEL", "graph MODEL --from V1",
    ]

    /// Commands that print locations or the order of elements, which compiled models lack.
    private static let ordered = ["inspect", "plan", "lint", "diff", "graph"]

    @Test(arguments: commands)
    func `a command that takes a model takes a compiled one, and says the same`(
        command: String
    ) throws {
        try withFolder { folder in
            let losses = "losses: {V3: [Book.notes, Book], V6: [Notice]}\n"
            try write(losses, ".momtool.yml", in: folder)
            let source = folder.appending(path: "Library.xcdatamodeld")
            try copyFile(Corpus.package.appending(path: "Models/Library.xcdatamodeld"), to: source)
            try expectRun("compile Library.xcdatamodeld -o .", in: folder, 0)
            let models = [folder.appending(path: "Library.momd").path, source.path]
            let results = try models.enumerated().map { index, model in
                let own = folder.appending(path: "\(index)")
                try makeFolder(own)
                let store = own.appending(path: "Library.sqlite")
                let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
                try copyFile(fixture, to: store)
                let words = command.components(separatedBy: " ").map {
                    $0.replacing("MODEL", with: model).replacing("STORE", with: store.path)
                        .replacing("OUT", with: own.appending(path: "out").path)
                }
                let run = try expectRun(words, in: own, 0)
                return run.output.replacing(model, with: "MODEL").replacing(own.path, with: "OWN")
                    // Seconds differ from run to run, and with them the widths of columns.
                    .replacing(#/[0-9]+\.[0-9]+/#, with: "0").replacing(#/ +/#, with: " ")
            }
            let isOrdered = Self.ordered.contains { command.hasPrefix($0) }
            #expect(isOrdered || results[0] == results[1])
        }
    }
}
