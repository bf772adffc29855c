import Foundation
import TestSupport

/// `swift run Mutations [WORD…]`: every mutation whose name has one of the words, or all, must be caught.
///
/// Ends with status 1 when a mutation survives or is stale, or what must catch it fails without it.
@main
struct MutationsCommand {
    static func main() throws {
        let package = Corpus.package
        let run = MutationRun(package: package, copy: package.appending(path: ".build/mutations"))
        let words = CommandLine.arguments.dropFirst()
        let chosen = Mutation.all.filter { mutation in
            words.isEmpty || words.contains { mutation.name.contains($0) }
        }
        do {
            try run.prepare(Mutation.all)
        } catch let stale as StaleMutation {
            end("error: \(stale)")
        }
        guard try run.build() else {
            end("error: the copy with the mutations does not build: see above")
        }
        for catcher in Set(chosen.map(\.caughtBy)).sorted() where try !run.isSound(catcher) {
            end("error: without a mutation \(catcher) fails")
        }
        let survivors = try chosen.filter { mutation in
            let isCaught = try run.isCaught(mutation)
            say("\(isCaught ? "caught  " : "survived")  \(mutation.name)")
            return !isCaught
        }
        say("\(chosen.count - survivors.count) of \(chosen.count) mutations caught")
        guard survivors.isEmpty else { exit(1) }
    }

    /// Writes a line at once, as the whole takes minutes.
    private static func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    private static func end(_ text: String) -> Never {
        say(text)
        exit(1)
    }
}
