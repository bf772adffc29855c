package import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationTesting
import ModelHashing
import ModelChecking
package import ModelLoading
package import Momtool
import ObjectModel
import SettingsFiles
import YAMLReading

/// The files that `momtool init` creates: a lock for each model, settings, a case and a workflow.
package struct NewProject {
    package struct File: Sendable {
        package var path: String
        /// The content; `nil` when there is such a file already.
        package var text: String?
        package var remarks: [Wording] = []
    }

    package struct Model {
        var path: String
        package let bundle: ModelBundle
        let mappingModels: MappingModels
        /// The versions after the current one that no release has: nothing says that they shipped.
        let versionsAhead: [String]
        /// The versions that no release has, where there are releases.
        let unreleased: [String]
        var obstacles = LockUpdate.Obstacles()

        /// Whether an error keeps a version out of the lock, or that it cannot be read.
        package var isRefused: Bool {
            !bundle.unreadableVersions.isEmpty
                || obstacles.findings.flatMap(\.findings).contains {
                    $0.diagnostic.severity == .error
                }
        }

        package init(path: String, bundle: ModelBundle) {
            (self.path, self.bundle) = (path, bundle)
            let settings = try? settings(for: bundle.path)
            let mappings =
                settings.flatMap { try? MappingModels(around: bundle.path, $0) }
                ?? MappingModels().searching(around: bundle.path)
            mappingModels = mappings
            let releases = settings.flatMap { bundle.lockOfReleases($0)?.lock }
            versionsAhead = bundle.versions.drop { !$0.isCurrent }.dropFirst().map(\.name)
                .filter { releases?.version(named: $0) == nil }
            unreleased = settings.map(bundle.unreleasedVersions) ?? []
            let update = LockUpdate(of: bundle, unshipped: versionsAhead)
            // Errors are reported when the lock is made.
            obstacles = (try? update.obstacles()) ?? obstacles
        }
    }

    /// The folder of cases, also for new ones of `momtool test`.
    package static let casesFolder = "MigrationCases"

    /// The findings of a version that are printed before they are only counted.
    private static let findingLimit = 6

    private let root: String
    private let contents: ProjectContents
    private let models: [Model]
    private let release: String

    /// Takes a project; the release is that of momtool in the workflow.
    package init(root: String, contents: ProjectContents, models: [Model], release: String) {
        (self.release, self.root, self.contents, self.models) = (release, root, contents, models)
    }

    /// Creates the lock of a model as `momtool lock` does, with all versions except those that it would refuse.
    package func lock(of model: Model) throws(MomtoolError) -> File {
        let file = LockFile(ofModel: model.bundle.path)
        guard !file.exists else { return File(path: file.path) }
        let left = model.obstacles.findings.map(\.version) + model.versionsAhead + model.unreleased
        // Stores of older versions meet on their way to later ones what is left out.
        let later = model.bundle.versions.map(\.name).drop { !left.contains($0) }
        func update(without names: [String]) throws(MomtoolError) -> LockUpdate.Result {
            try LockUpdate(of: model.bundle, unshipped: names).result(for: file)
        }
        let result: LockUpdate.Result
        var more: [String] = []
        if let all = try? update(without: left) {
            result = all
        } else {
            result = try update(without: left + later)
            more = later.filter { !left.contains($0) }
        }
        return File(
            path: file.path,
            text: result.lock.text,
            remarks: result.releases.map { Wording("  \($0)") } + remarks(on: model)
                + more.map { "  '\($0.onOneLine)' is left out of the lock as well" }
        )
    }

    /// What keeps versions out of the lock of a model.
    private func remarks(on model: Model) -> [Wording] {
        let remarks = model.obstacles.findings.flatMap { loss in
            let findings = loss.findings.map(\.diagnostic)
            // The notes of one tell what can be done about all; the lock prints them all.
            let shown = findings.prefix(Self.findingLimit).enumerated().map { number, finding in
                var finding = finding
                if number > 0 { finding.notes = [] }
                return "  \(finding.printed.replacing("\n", with: "\n  "))" as Wording
            }
            let more = findings.count - shown.count
            return shown
                + (more > 0
                    ? ["  and \(more) more, which momtool lock \(shellWord(model.path)) prints"]
                    : []) + [
                    "  '\(loss.version.onOneLine)' is left out of the lock until this is allowed or fixed"
                ]
        }
        let cure: [Wording] =
            model.obstacles.areCuredByEveryStep
            ? [
                "  if the app's own code migrates stores version by version, set migration: stepwise in .momtool.yml"
            ] : []
        let unread: [Wording] = model.bundle.unreadableVersions.map {
            "  '\($0.name.onOneLine)' is left out of the lock, as it cannot be read"
        }
        let unreleased: [Wording] = model.unreleased.map {
            "  '\($0.onOneLine)' is left out of the lock, as it is in no release; when it ships: \(.lock)"
        }
        let ahead: [Wording] = model.versionsAhead.filter { !model.unreleased.contains($0) }.map {
            "  '\($0.onOneLine)' is left out of the lock, as it comes after the current version"
        }
        return remarks + cure + unread + unreleased + ahead
    }

    package var configuration: File { file(ToolConfiguration.fileName, settingsText) }

    private var settingsText: String {
        var lines = ["# Settings of momtool; momtool config MODEL prints the effective ones."]
        if !contents.mappingModels.isEmpty {
            let paths = contents.mappingModels.map { "  - \(yamlText(relative($0)))" }
            lines += ["", "mappingModels:"] + paths
        }
        let policies = policies
        if !policies.isEmpty {
            lines += ["", "# What the migration policies do: delete, copy, or the path of a map."]
            lines += ["# policies:"] + policies.map { "#   \(yamlText($0)): copy" }
        }
        if models.contains(where: \.obstacles.areCuredByEveryStep) {
            lines += ["", "# If the app's own code migrates stores version by version:"]
            lines += ["# migration: stepwise"]
        }
        let losses = namesOfLosses
        lines += [
            "", "# Intended losses, by the version whose step drops the data.", "# losses:",
        ]
        lines +=
            losses.isEmpty
            ? ["#   V2: [Notice, Book.notes]"]
            : losses.map { "#   \(yamlText($0.version)): [\($0.names.joined(separator: ", "))]" }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The losses, each version once: several models may have versions of one name.
    private var namesOfLosses: [(version: String, names: [String])] {
        var all: [(version: String, names: [String])] = []
        for loss in models.flatMap(\.obstacles.findings) {
            let names = loss.findings.map(\.diagnostic).filter { $0.rule != "undeclared-rename" }
                .compactMap(\.loss).map(yamlText)
            guard !names.isEmpty else { continue }
            guard let index = all.firstIndex(where: { $0.version == loss.version }) else {
                all.append((loss.version, names))
                continue
            }
            all[index].names += names.filter { !all[index].names.contains($0) }
        }
        return all
    }

    private var policies: [String] {
        Set(
            contents.mappingModels.flatMap { path in
                readMappingModel(at: path).value.entityMappings.compactMap(\.customPolicyClassName)
            }
        ).sorted()
    }

    /// The case of the newest step of the first model that has one; skipped for undeclared policies of a mapping model.
    package var firstCase: File? {
        if let known = contents.cases.first { return File(path: known) }
        for model in models {
            guard let step = model.newestStep else { continue }
            let name = "\(step.from.name)-to-\(step.to.name)".replacing("/", with: "-")
            let folder = place("\(Self.casesFolder)/\(name)")
            guard FileIdentity(of: folder) == nil else { return File(path: folder) }
            let new = NewCaseTexts(
                model: relative(model.path) == "." ? "../.." : "../../" + relative(model.path),
                from: step.from,
                to: step.to,
                model.mappingModels
            )
            return File(
                path: folder + "/" + MigrationCase.fileName,
                text: new.text(new.forms[0]),
                remarks: new.remark.map { [Wording("  \($0)")] } ?? []
            )
        }
        return nil
    }

    /// Why there is no case, with the command that writes one if there is a step; `nil` if there is a case.
    package var missingCase: Wording? {
        guard contents.cases.isEmpty, models.allSatisfy({ $0.newestStep == nil }) else {
            return nil
        }
        let changed = models.first { model in
            zip(model.bundle.versions, model.bundle.versions.dropFirst())
                .contains { $0.isWhole && $1.isWhole && $0.hashes != $1.hashes }
        }
        guard let model = changed else {
            let unread = models.flatMap { model in
                model.bundle.unreadableVersions.map(\.name)
                    + model.bundle.versions.filter { !$0.isWhole }.map(\.name)
            }.map { "'\($0)'" }
            return unread.isEmpty
                ? "no case is written, as no model has two different versions"
                : "no case is written, as momtool does not understand all of \(unread.listed(most: 3))"
        }
        return """
            no case is written, as no step can be inferred completely; next: \
            \(.writingCase(folder: Self.casesFolder, model: model.path))
            """
    }

    /// How to keep a store of every version that shipped; `nil` where some are kept.
    package var proposedCorpus: Wording? {
        guard contents.corpora.isEmpty, let model = models.first(where: { !$0.isRefused }) else {
            return nil
        }
        let hint = Hint.recordingCorpus(Corpus.folderName, model: model.path)
        return
            "next: \(hint) records a store of each version; CI tests them in a step of its own"
    }

    /// The workflow, unless one runs momtool.
    package var workflow: File {
        let known = contents.workflows.first { path in
            (try? readText(path, limit: 1 << 20))?.contains("momtool") ?? false
        }
        guard known == nil else { return File(path: known ?? "") }
        var file = file(".github/workflows/momtool.yml", workflowText)
        if Self.isUnpublished {
            file.remarks = ["  replace \(Self.repository) there: \(Self.replacement)"]
        }
        return file
    }

    /// The repository of the workflow's action; a test compares it with that of the packages.
    private static let repository = "owner/momtool"

    /// Whether momtool has not been published under an account yet.
    private static let isUnpublished = repository.hasPrefix("owner/")

    private static let replacement =
        "this copy of momtool does not name its publisher: use the GitHub repository that you got momtool from"

    private var workflowText: String {
        """
        name: models
        on: {push: {branches: [\(yamlText(defaultBranch))]}, pull_request: {}}
        jobs:
          models:
            runs-on: ubuntu-latest
            permissions: {contents: read, security-events: write, pull-requests: write}
            steps:
              - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
                with: {fetch-depth: 0}
        \(publisherNote)      - uses: \(Self.repository)/.github/actions/check@\(release)

        """
    }

    /// The branch whose pushes are checked; other branches are checked before a merge.
    private var defaultBranch: String {
        repositoryFolder(around: resolvedPath(root)).flatMap {
            workingBranch(ofRepositoryAt: $0)
        } ?? "main"
    }

    private var publisherNote: String {
        guard Self.isUnpublished else { return "" }
        return "      # Replace \(Self.repository): \(Self.replacement).\n"
    }

    private func file(_ name: String, _ text: @autoclosure () -> String) -> File {
        let path = place(name)
        return File(path: path, text: FileIdentity(of: path) == nil ? text() : nil)
    }

    private func place(_ path: String) -> String { root == "." ? path : "\(root)/\(path)" }

    private func relative(_ path: String) -> String {
        root == "." || path == root
            ? (path == root ? "." : path) : String(path.dropFirst(root.count + 1))
    }
}

extension NewProject.Model {
    /// The newest step, from the current version backwards, that can have a case: one that Core Data infers without a
    /// mapping model, or one whose mapping model calls undeclared policies.
    fileprivate var newestStep: (from: ModelVersion, to: ModelVersion)? {
        guard let current = bundle.currentVersion,
            let end = bundle.versions.firstIndex(where: { $0.isSame(as: current) })
        else { return nil }
        let versions = bundle.versions[...end]
        for (from, to) in zip(versions, versions.dropFirst()).reversed()
        where from.isWhole && to.isWhole && from.hashes != to.hashes {
            let policies = mappingModels.undeclaredPolicies(from: from, to: to)
            let isInferred =
                mappingModels.path(from: from, to: to) == nil
                && inferMapping(from: from, to: to).isInferable
                // A case without the stage's code would fail.
                && bundle.unrunStages(from: from.name, to: to.name).isEmpty
            if isInferred || !policies.isEmpty { return (from, to) }
        }
        return nil
    }
}
