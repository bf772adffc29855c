import Diagnostics
import FileSystem
import MigrationTesting
import ModelLoading
import Momtool
import MomtoolReporting

extension TestCommand {
    var testsStores: Bool { !stores.isEmpty || fromList != nil }

    func storePaths() throws -> [String] {
        try stores.flatMap(paths) + StoreList.paths(inList: fromList)
    }

    func fieldTests() throws -> [MigrationTest] {
        guard let name = model.last, testsStores else { return [] }
        let bundles = try model.map { try ModelPlace($0, swift: swift.settings).load() }
        guard let bundle = bundles.last else { return [] }
        let app = try AppMigrations(
            of: bundle,
            beside: bundles.dropLast(),
            chosenOptions,
            // Losses of real stores must be named, as for `migrate`.
            taking: .named,
            swift.settings
        )
        Console.show(app.unmatchedLosses)
        return try MigrationTesting.fieldTests(
            in: name,
            ofStores: try storePaths(),
            areListed: fromList != nil,
            among: bundles.flatMap(\.versions),
            to: try bundle.chosenVersion(nil),
            by: app.migrator,
            options: app.options
        )
    }

    private var corpusFolder: String { folders.first ?? Corpus.folderName }

    /// The tests of a corpus: one of each store, and one that fails for each version that has none.
    func corpusTests() throws -> [MigrationTest] {
        guard corpus else { return [] }
        let run = try corpusRun()
        guard run.corpus.index != nil else {
            let advice =
                "momtool test --corpus \(shellWord(corpusFolder)) --model MODEL --record makes it"
            throw CommandFailure(
                .noInput,
                corpusFolder,
                "there is no corpus; \(advice)",
                "no-cases"
            )
        }
        return try run.tests()
            + run.corpus.missing.map { version in
                let reason =
                    "'\(version.version.name)' shipped, but has no store here; --record creates it"
                return .failing(group: corpusFolder, name: version.name, reason: reason)
            }
            + run.corpus.stale.map { name in
                let reason = "its rows were changed; --record creates the store again"
                return .failing(group: corpusFolder, name: name, reason: reason)
            }
    }

    func recordedCorpus() throws -> WorkReport {
        var work = WorkReport()
        for line in try corpusRun().record() { work.add(corpusFolder, .written, line) }
        return work
    }

    private func corpusRun() throws -> CorpusRun {
        let known = CorpusIndex.read(in: corpusFolder)?.model
        if model.isEmpty, let known, let fault = boundsFault(known, in: corpusFolder) {
            let file = "\(corpusFolder)/\(CorpusIndex.fileName)"
            throw CommandFailure(.badData, file, fault, "broken-case")
        }
        let place = known.map { pathFromHere(resolvedPath("\(corpusFolder)/\($0)")) }
        guard let path = model.last ?? place else {
            throw CommandFailure(
                usage: "--corpus needs --model if there is no \(CorpusIndex.fileName)"
            )
        }
        let bundle = try ModelPlace(path, swift: swift.settings).load()
        return try CorpusRun(at: corpusFolder, bundle, chosenOptions, swift.settings)
    }

    /// Returns the files that a pattern names, as a shell does, with `**` for any folders; a path without one names itself.
    private func paths(of pattern: String) throws -> [String] {
        guard pattern.contains(where: { "*?[".contains($0) }) else {
            guard FileIdentity(of: pattern)?.isFolder != true else {
                let message =
                    "this is a folder, not a store; name its stores, as '\(trimmedPath(pattern))/*.sqlite'"
                throw CommandFailure(.noInput, pattern, message, .unreadableFile)
            }
            return [pattern]
        }
        let found = matchingPaths(pattern)
        guard !found.isEmpty else {
            throw CommandFailure(.noInput, pattern, "no file matches", "no-cases")
        }
        return found
    }
}
