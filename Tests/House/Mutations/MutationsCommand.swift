import Diagnostics
import Foundation
import TestSupport

/// `swift run Mutations`: each mutation of the list must be caught by a case of `Fixtures/Cases`.
///
/// Names behind it choose some of them. Ends with status 1 when a mutation survives, is stale, or is caught by
/// other cases than the list says.
@main
struct MutationsCommand {
    static func main() throws {
        let run = MutationRun(package: Corpus.package)
        let names = CommandLine.arguments.dropFirst()
        let chosen = Mutation.all.filter { names.isEmpty || names.contains($0.name) }
        do {
            try run.prepare(Mutation.all)
        } catch let stale as StaleMutation {
            say("error: \(stale)")
            exit(1)
        }
        guard try run.build() else {
            say("error: the copy with the mutations does not build: see above")
            exit(1)
        }
        let baseline = try run.verdict(nil)
        guard baseline.failed.isEmpty, !baseline.isCrash else {
            say("error: without a mutation these cases fail: \(baseline.failed)")
            exit(1)
        }
        let verdicts = try chosen.concurrentMap { mutation in
            Result {
                let (failed, isCrash) = try run.verdict(mutation)
                let verdict = MutationVerdict(
                    mutation: mutation,
                    catchers: failed,
                    isCrash: isCrash
                )
                say(line(verdict))
                return verdict
            }
        }.map { try $0.get() }
        let survivors = verdicts.filter { !$0.isCaught }
        let strangers = verdicts.filter {
            $0.isCaught && !$0.catchers.contains($0.mutation.caughtBy)
        }
        say("\(verdicts.count - survivors.count) of \(verdicts.count) mutations caught")
        for verdict in strangers {
            say("error: \(verdict.mutation.name): \(verdict.mutation.caughtBy) does not catch it")
        }
        guard survivors.isEmpty, strangers.isEmpty else { exit(1) }
    }

    /// Writes a line at once, as the whole takes minutes.
    private static func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    private static func line(_ verdict: MutationVerdict) -> String {
        let name = verdict.mutation.name
        guard verdict.isCaught else { return "survived  \(name)" }
        return "caught    \(name): "
            + (verdict.isCrash ? "the command crashed" : verdict.catchers.joined(separator: ", "))
    }
}
