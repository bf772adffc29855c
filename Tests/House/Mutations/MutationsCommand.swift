import Diagnostics
import Foundation
import TestSupport

/// `swift run Mutations`: each mutation of the list must be caught by a case of `Fixtures/Cases`.
///
/// Names behind it choose some of them. `--record` writes their results into the page. Ends with status 1 when a mutation survives, is stale, or is caught by
/// other cases than the list says.
@main
struct MutationsCommand {
    static let page = "Sources/Library/Momtool/Momtool.docc/Mutations.md"

    static func main() throws {
        let run = MutationRun(package: Corpus.package)
        let names = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
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
        if CommandLine.arguments.contains("--record") {
            let url = Corpus.package.appending(path: page)
            try Data(
                markdown(verdicts, page: (try? String(contentsOf: url, encoding: .utf8)) ?? "").utf8
            ).write(to: url)
            say("wrote \(page)")
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

    /// The page with the new verdicts; those that were not asked for stay as they are.
    private static func markdown(_ verdicts: [MutationVerdict], page: String) -> String {
        let lines = page.components(separatedBy: "\n")
        let rows = Mutation.all.compactMap { mutation -> String? in
            guard let verdict = verdicts.first(where: { $0.mutation == mutation }) else {
                return lines.first { $0.hasPrefix("| \(mutation.name) |") }
            }
            let names = verdict.catchers.prefix(4).joined(separator: ", ")
            let rest = verdict.catchers.count > 4 ? " and \(verdict.catchers.count - 4) more" : ""
            let cases = verdict.isCaught ? names + rest : "**none**"
            let file = verdict.mutation.file.split(separator: "/").last ?? ""
            return "| \(verdict.mutation.name) | `\(file)` | \(cases) |"
        }
        return """
            # Mutations

            Faults that are put into a copy of momtool on purpose, and the fixture cases and probes that detect them.

            ```sh
            swift run Mutations            # build the copy; run cases and probes for each mutation
            swift run Mutations 'NAME'     # only for the mutations with this name
            swift run Mutations --record   # also write this page
            ```

            The mutations are listed in `Tests/House/Mutations/MutationList.swift`. Each entry names a file, a piece of its text,
            the replacement, and the case, or the probe of `Tests/House/Mutations/Probe.swift`, that must detect it. A test checks
            that each piece of text occurs exactly once, and reports outdated entries. The command ends with status 1 when
            no case or probe detects a mutation.

            | mutation | file | caught by |
            | --- | --- | --- |
            \(rows.joined(separator: "\n"))

            """
    }
}
