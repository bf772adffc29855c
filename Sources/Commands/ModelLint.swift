import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import Momtool
import Reporting
import SettingsFiles

/// What `lint` and `check` ask of a model, its lock, its projects and its stages.
struct ModelLint {
    /// What is said of Swift sources.
    var swift: SwiftSettings
    /// The configuration, instead of the nearest one.
    var config: String?
    /// The lock, instead of the one beside the model.
    var lock: String?
    /// Whether versions that shipped are checked too.
    var checksAll = false
    /// Whether the current version ships now.
    var isRelease = false
    /// Stages files beside those of the configuration.
    var stages: [String] = []

    /// What was found, with the model that it was found in.
    struct Result {
        var bundle: ModelBundle
        var configuration: ToolConfiguration
        var lock: ModelLock?
        var findings: [Finding]
    }

    /// Checks a model.
    ///
    /// - Throws: `CommandFailure` when there is nothing to check.
    func result(for model: String) throws -> Result {
        var read = try ModelArgument(model, swift).loadWithFaults()
        let isUnreadable = read.diagnostics.contains { $0.rule == .unreadableFile }
        guard !isUnreadable || !read.value.versions.isEmpty else {
            throw CommandFailure(.noInput, read.diagnostics.map(\.description))
        }
        let configuration = try loadConfiguration(config, for: read.value.path)
        let order = configuration.versionOrder
        if !order.isEmpty { read.value = read.value.ordered(by: order) }
        let bundle = read.value
        var options = configuration.check
        if checksAll { options.scope = .all }
        options.isRelease = isRelease
        let file = LockFile(of: bundle, chosen: lock)
        if lock != nil, !file.exists {
            throw CommandFailure(.noInput, file.path, "there is no such lock", .unreadableFile)
        }
        let lock = try file.read()
        let projects = ProjectFiles(around: bundle.path).read()
        let mappings = StepMappings(around: bundle.path, configuration)
        let reading =
            read.diagnostics + (bundle.swift?.remarks ?? []) + (lock?.diagnostics ?? [])
            + projects.diagnostics
        let stages = stageFaults(of: bundle, reading, configuration)
        var findings = ModelChecking.check(
            bundle.versions,
            path: bundle.path,
            reading: reading + stages,
            lock: lock?.value,
            projects: projects.value,
            losses: configuration.ledger(of: bundle.versions),
            source: Self.source,
            mappingModel: mappings.path,
            options: options
        )
        if bundle.swift?.plans.isEmpty == false, !stages.isEmpty || hasPlanFaults(reading) {
            // The plan that lists two equal versions is what fails.
            findings.removeAll {
                ["equal-checksums", "index-only-version"].contains($0.diagnostic.rule)
            }
        }
        return Result(
            bundle: bundle,
            configuration: configuration,
            lock: lock?.value.lock.following(bundle.versions).lock,
            findings: findings
        )
    }

    private func hasPlanFaults(_ reading: [Diagnostic]) -> Bool {
        reading.contains { Rule.ofPlans.contains($0.rule) && $0.severity > .note }
    }

    /// Walks the stages; of a plan whose sources are faulty already, that is told alone.
    private func stageFaults(
        of bundle: ModelBundle,
        _ reading: [Diagnostic],
        _ configuration: ToolConfiguration
    ) -> [Diagnostic] {
        let folder = configuration.path.map(parent) ?? "."
        let named = configuration.stages.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        let files = named + stages
        let plans = hasPlanFaults(reading) ? [] : bundle.planFailures()
        guard !files.isEmpty else { return plans }
        let mappings = (try? MappingModels([], configuration)) ?? MappingModels()
        var known: Set<String> = []
        let own = files.filter { known.insert(resolvedPath($0)).inserted }
        return plans + bundle.stageFailures(in: own, mappingModels: mappings)
    }

    /// The source of a version as it lies on disk.
    private static func source(of version: ModelVersion) -> (path: String, bytes: [UInt8])? {
        let isFolder = version.path.hasSuffix(".xcdatamodel")
        let path = isFolder ? version.path + "/contents" : version.path
        guard path.hasSuffix("contents") else { return nil }
        return (try? readFile(path, limit: 16 << 20)).map { (path, $0) }
    }
}
