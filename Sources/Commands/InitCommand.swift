import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationTesting
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import Reporting
import SettingsFiles

/// `momtool init`: writes what a project needs to be checked.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write what a project needs to be checked: locks, settings, a case, a workflow.",
        discussion: """
            Looks at what is below the folder and writes what is missing: a lock beside
            each model, .momtool.yml with the mapping models and policies that were found,
            one case of a migration, and a workflow for GitHub Actions. Overwrites
            nothing, and prints what it wrote.

            A version whose step loses something that nobody named is left out of the
            lock; .momtool.yml then has the lines that name it, as comments.

            EXAMPLE
              momtool init
              momtool init App
            """
    )

    @Argument(help: "The folder; the current one when left out.", completion: .directory)
    var folder = "."

    @OptionGroup var swift: SwiftOptions

    func run() throws {
        try Commands.run {
            let root = trimmedPath(folder)
            guard FileIdentity(of: root)?.isFolder == true, !InputFiles.isBundle(root) else {
                throw CommandFailure(.noInput, folder, "name a folder", .unreadableFile)
            }
            var contents = ProjectContents(below: root)
            if contents.models.isEmpty, contents.hasSwiftModels { contents.models = [root] }
            guard !contents.models.isEmpty else {
                throw CommandFailure(.noInput, folder, "there is no model here", "nothing-to-check")
            }
            var batch = Batch()
            var models: [NewProject.Model] = []
            for path in contents.models {
                let model = try batch.attempt {
                    NewProject.Model(
                        path: path,
                        bundle: try ModelArgument(path, swift.settings).load()
                    )
                }
                if let model { models.append(model) }
            }
            let project = NewProject(root: root, contents: contents, models: models)
            for model in models { _ = try batch.attempt { try project.writeLock(of: model) } }
            try project.writeSettings()
            try project.writeCase()
            try project.writeWorkflow()
            try batch.finish()
        }
    }
}

/// A project that gets what it lacks.
struct NewProject {
    /// A model of the project.
    struct Model {
        var path: String
        var bundle: ModelBundle
        /// What the steps lose that nobody named, by the version, oldest first.
        var losses: [(version: String, findings: [Finding])] = []

        init(path: String, bundle: ModelBundle) {
            self.path = path
            self.bundle = bundle
            guard let settings = try? loadConfiguration(nil, for: bundle.path) else { return }
            let lock = bundle.lock()
            let ledger = bundle.lossLedger(settings)
            let mappings = StepMappings(around: bundle.path, settings)
            losses = bundle.versions.compactMap { version in
                let found = unnamedLosses(
                    locking: [version.name],
                    ledger,
                    path: bundle.path,
                    lock,
                    mappingModel: mappings.path
                )
                return found.isEmpty ? nil : (version.name, found)
            }
        }
    }

    let root: String
    let contents: ProjectContents
    let models: [Model]

    /// Locks the versions of a model, but for those that lose something.
    func writeLock(of model: Model) throws {
        let file = LockFile(of: model.bundle, chosen: nil)
        guard !file.exists else { return say(file.path, isNew: false) }
        let left = Set(model.losses.map(\.version))
        let ledger = try model.bundle.lossLedger()
        let versions = model.bundle.versions.filter { !left.contains($0.name) }
        let lock = ModelLock(
            versions: versions.map { version in
                var locked = ModelLock.Version(version)
                locked.losses = namedLosses(into: version.name, ledger)
                return locked
            }
        )
        try file.write(lock, sparing: InputFiles([model.path]))
        say(file.path, isNew: true)
        for loss in model.losses {
            for finding in loss.findings { Console.say("  \(finding.diagnostic)") }
            Console.say("  '\(loss.version)' is left out of the lock until that is named or cured")
        }
    }

    /// Writes the configuration.
    func writeSettings() throws {
        let path = place(ToolConfiguration.fileName)
        guard FileIdentity(of: path) == nil else { return say(path, isNew: false) }
        try write(settings, to: path)
    }

    private var settings: String {
        var lines = ["# What momtool is told; momtool config MODEL prints what is in effect."]
        if !contents.mappingModels.isEmpty {
            let paths = contents.mappingModels.map { "  - \(quoted(relative($0)))" }
            lines += ["", "mappingModels:"] + paths
        }
        let policies = policies
        if !policies.isEmpty {
            lines += ["", "# What the migration policies do: delete, copy, or the path of a map."]
            lines += ["# policies:"] + policies.map { "#   \($0): copy" }
        }
        let losses = models.flatMap(\.losses)
        lines += [
            "", "# What is meant to be lost, by the version whose step loses it.", "# losses:",
        ]
        lines +=
            losses.isEmpty
            ? ["#   V2: [Notice, Book.notes]"]
            : losses.map { loss in
                let names = loss.findings.compactMap(\.loss).map(quoted)
                return "#   \(quoted(loss.version)): [\(names.joined(separator: ", "))]"
            }
        return lines.map { $0 + "\n" }.joined()
    }

    private var policies: [String] {
        Set(
            contents.mappingModels.flatMap { path in
                readMappingModel(at: path).value.entityMappings.compactMap(\.customPolicyClassName)
            }
        ).sorted()
    }

    /// Writes the case of the last step of the first model that has one.
    func writeCase() throws {
        guard contents.cases.isEmpty else { return say(contents.cases[0], isNew: false) }
        for model in models {
            guard let current = model.bundle.currentVersion,
                let before = try? model.bundle.predecessor(of: current)
            else { continue }
            let name = "\(before.name)-to-\(current.name)".replacing("/", with: "-")
            let folder = place("MigrationCases/\(name)")
            guard FileIdentity(of: folder) == nil else { return say(folder, isNew: false) }
            let ups = "../../" + relative(model.path)
            try write(
                caseTemplate(model: ups, from: before, to: current),
                to: folder + "/" + MigrationCase.fileName
            )
            return
        }
    }

    /// Writes the workflow, unless one runs momtool.
    func writeWorkflow() throws {
        let known = contents.workflows.first { path in
            (try? readFile(path, limit: 1 << 20))
                .map { String(decoding: $0, as: UTF8.self).contains("momtool") } ?? false
        }
        if let known { return say(known, isNew: false) }
        let path = place(".github/workflows/momtool.yml")
        guard FileIdentity(of: path) == nil else { return say(path, isNew: false) }
        try write(Self.workflow, to: path)
    }

    private static let workflow = """
        name: models
        on: [push, pull_request]
        jobs:
          models:
            runs-on: ubuntu-latest
            permissions: {contents: read, security-events: write}
            steps:
              - uses: actions/checkout@v5
                with: {fetch-depth: 0}
              - uses: owner/momtool/.github/actions/check@\(toolVersion)

        """

    private func place(_ path: String) -> String { root == "." ? path : "\(root)/\(path)" }

    /// The path of something in the project, from its root.
    private func relative(_ path: String) -> String {
        root == "." || path == root
            ? (path == root ? "." : path) : String(path.dropFirst(root.count + 1))
    }

    private func write(_ text: String, to path: String) throws {
        let url = fileURL(path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url)
        } catch {
            throw CommandFailure(.ioFailed, path, systemReason(error), .unreadableFile)
        }
        say(path, isNew: true)
    }

    private func say(_ path: String, isNew: Bool) {
        Console.say("\(isNew ? "wrote" : "kept") \(path)")
    }
}

/// A text as YAML takes it.
private func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "._/-".contains($0) }
    return isPlain && text.first?.isLetter == true ? text : "\"\(text)\""
}
