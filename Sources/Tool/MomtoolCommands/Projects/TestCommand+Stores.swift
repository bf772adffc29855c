import Diagnostics
import FileSystem
import MigrationTesting
import ModelChecking
import ModelLoading
import Momtool
import SettingsFiles

extension TestCommand {
    var testsStores: Bool { !stores.isEmpty || fromList != nil }

    func storePaths() throws -> [String] {
        let listed = try fromList.map(StoreLists.paths)
        return try stores.flatMap(paths) + (listed ?? [])
    }

    func fieldTests() throws -> [MigrationTest] {
        guard let name = model.last, testsStores else { return [] }
        let bundles = try model.map { try ModelArgument($0, swift.settings).load() }
        guard let bundle = bundles.last else { return [] }
        let settings = try settings(for: bundle.path)
        let mappings = try MappingModels(around: bundle.path, settings)
        Console.show(Linter.unmatchedLosses(of: bundle, settings, mappings))
        return try MigrationTesting.fieldTests(
            in: name,
            ofStores: try storePaths(),
            areListed: fromList != nil,
            among: bundles.flatMap(\.versions),
            to: try bundle.chosenVersion(nil),
            by: try Migrator(
                by: settings,
                of: bundle,
                beside: bundles.dropLast(),
                mappingModels: mappings,
                swift.settings
            ),
            options: matrixOptions(for: bundle, settings, mappings, .named)
        )
    }

    /// Returns the files of a shell pattern, with `**` for any folders; a path without one is itself.
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
