import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationTesting
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel
import SettingsFiles

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

    /// Records the corpus; ends with findings where a store is not migrated.
    func recordCorpus() throws {
        var work = WorkReport()
        let recorded = try corpusRun().record()
        for line in recorded.lines { work.add(corpusFolder, .written, line) }
        try output.deliver(work, sparing: model)
        if !recorded.isWhole { throw CommandFailure(.findings, []) }
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

/// The case that `momtool test --new` and `--write-case` write.
extension TestCommand {
    var writesNewCase: Bool { new != nil || writeCase }

    func requireSoundNewCase() throws {
        guard new == nil || !writeCase else {
            throw ValidationError("--write-case names the case itself; leave out --new")
        }
        guard writesNewCase || (from == nil && to == nil) else {
            throw ValidationError(
                "--from and --to go with --new and --write-case; for a matrix, name the destination with --matrix"
                    + " MODEL#VERSION, or use --to-every-version"
            )
        }
        if let new, new.isEmpty || new.contains("/") || new.hasPrefix(".") {
            throw ValidationError("--new takes the name of a folder")
        }
    }

    /// Writes the case into a folder of its own below that of cases; throws where there is one, or none can be written.
    func newCase(
        in folder: String,
        _ model: String,
        _ bundle: ModelBundle
    ) throws -> (path: String, losses: [String], remark: String?) {
        let destination = try bundle.chosenVersion(to)
        let source =
            try from.map { try bundle.chosenVersion($0) }
            ?? bundle.shippedPredecessor(of: destination)
        let name = new ?? "\(source.name)-to-\(destination.name)".replacing("/", with: "-")
        let place = fileURL(folder).standardizedFileURL.appending(path: name)
        let file = place.appending(path: MigrationCase.fileName)
        guard FileIdentity(of: place.path) == nil else {
            throw CommandFailure(
                .refused,
                pathFromHere(place.path),
                "this case already exists; choose another name",
                "existing-case"
            )
        }
        let path = relativePath(from: place, to: fileURL(model).standardizedFileURL)
        let plain = CaseFile(model: path, from: source.name, to: destination.name)
        let mappings = try? MigrationCase(folder: place, plain).mappingModels()
        let written = NewCaseTexts(
            model: path,
            from: source,
            to: destination,
            mappings ?? MappingModels()
        )
        do {
            try Files.makeFolder(at: place.path)
            // The first that passes unchanged, or the one that shows most, to be completed. A skipped case proves nothing.
            var first: (text: String, losses: [String])?
            for form in written.forms where written.undeclared.isEmpty {
                try Data(written.text(form, losing: []).utf8).write(to: file)
                let losses = try? MigrationCase.cases(at: place).first?.lossesAtStake()
                let text = written.text(form, losing: losses)
                try Data(text.utf8).write(to: file)
                let cases = (try? MigrationCase.cases(at: place)) ?? []
                if !cases.isEmpty, cases.allSatisfy({ $0.run().status == .passed }) {
                    return (pathFromHere(file.path), losses ?? [], nil)
                }
                first = first ?? (text, losses ?? [])
            }
            let text = first?.text ?? written.text(written.forms[0])
            try Data(text.utf8).write(to: file)
            return (pathFromHere(file.path), first?.losses ?? [], written.remark)
        } catch {
            let path = pathFromHere(file.path)
            throw CommandFailure(.ioFailed, path, systemReason(error), .unreadableFile)
        }
    }
}
