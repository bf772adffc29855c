import ArgumentParser
import ModelLoading
import Momtool
import MomtoolReporting

struct HistoryOptions: ParsableArguments {
    @Flag(help: "Also search the git history of the model for versions.")
    var git = false

    @Option(help: "The revisions that --git searches, such as v1.0..main; all when left out.")
    var range: String?

    func validate() throws {
        if range != nil, !git { throw ValidationError("--range goes with --git") }
    }

    /// Loads a model with the versions of its history after its own, and the commits that had these.
    func load(
        _ argument: ModelPlace,
        allowingGaps: Bool
    ) throws -> (bundle: ModelBundle, commits: [String: VersionCommits]) {
        guard let history = try history(of: argument.path, argument.swift) else {
            return (try argument.load(allowingGaps: allowingGaps), [:])
        }
        do {
            var bundle = try argument.load(allowingGaps: allowingGaps)
            bundle.versions += history.versions
            return (bundle, history.commits)
        } catch let failure as MomtoolError where failure.kind == .noInput {
            let bundle = ModelBundle(path: argument.path, versions: history.versions)
            return (bundle, history.commits)
        }
    }

    /// The history of a model; `nil` when it is not asked for.
    func history(of model: String, _ swift: SwiftSettings) throws -> ModelHistory? {
        guard git else { return nil }
        let history = try WorkDisplay.during("git", unit: "versions") { progress in
            try ModelHistory(of: model, range: range, swift: swift, progress: progress)
        }
        if history.isShallow {
            Console.complain(
                "\(model): note: the clone is shallow: older versions are not searched"
            )
        }
        for fault in history.unreadable { Console.complain("\(model): warning: \(fault)") }
        return history
    }
}

extension VersionCommits {
    func report(of version: String) -> VersionCommitsReport {
        VersionCommitsReport(
            version: version,
            path: path,
            first: (first, date, author, subject),
            last: last,
            tags: tags
        )
    }
}
