public import Diagnostics
import FileSystem
package import MigrationPlanning
package import ModelChecking
package import ModelLoading
import ObjectModel
package import SettingsFiles
import SwiftDataReading

/// Checks a model with what lies around it: its lock, its configuration, its projects and its stages.
///
/// ```swift
/// for finding in try Linter().findings(in: "Shop.xcdatamodeld") { print(finding) }
/// ```
///
/// ## Topics
///
/// ### Creating
/// - ``init()``
///
/// ### What is looked at
/// - ``config``
/// - ``lock``
/// - ``checksAll``
/// - ``isRelease``
/// - ``stages``
/// - ``rules``
public struct Linter: Sendable {
    /// What is said of Swift sources.
    package var swift: SwiftSettings
    /// The configuration, instead of the nearest one.
    public var config: String?
    /// The lock, instead of the one beside the model.
    public var lock: String?
    /// Whether versions that shipped are checked too.
    public var checksAll: Bool
    /// Whether the current version ships now.
    public var isRelease: Bool
    /// Stages files beside those of the configuration.
    public var stages: [String]
    /// What becomes of rules, by their IDs; it counts before what the configuration says of them.
    ///
    /// `["missing-inverse": .error]` is one. A check throws for an ID that no rule has.
    public var rules: [RuleID: RuleSetting] = [:]
    /// The lock of the model where it was looked for already: below Swift sources that takes a walk.
    package var foundLock: LockFile?
    /// The versions that Swift sources had at a revision, by which edits of what shipped are judged.
    package var earlier: [ModelVersion] = []

    package init(
        swift: SwiftSettings = SwiftSettings(),
        config: String? = nil,
        lock: String? = nil,
        checksAll: Bool = false,
        isRelease: Bool = false,
        stages: [String] = []
    ) {
        self.swift = swift
        self.config = config
        self.lock = lock
        self.checksAll = checksAll
        self.isRelease = isRelease
        self.stages = stages
    }

    /// What was found, with all that it was found by.
    package struct Result: Sendable {
        /// The model, in the order of the configuration.
        package var bundle: ModelBundle
        /// What is said for the model.
        package var configuration: ToolConfiguration
        /// Whether the bundle is judged as one that the code of the app mirrors, though it does not say so.
        package var isMirrored: Bool
        /// The lock, with versions by the names that they have now.
        package var lock: ModelLock?
        /// Where the lock is, or would be.
        package var lockFile: LockFile
        /// The paths of the locks that were read: that of the model, and those of parts of its sources.
        package var lockPaths: [String] = []
        /// The mapping models of the project.
        package var mappingModels: MappingModels
        package var findings: [Finding]
        /// The routes of older versions to the current one; `nil` when there is no current version that can be read.
        package var routes: RouteCheck?
        /// Those of the findings by which stores of older versions do not come to the current one, or lose what is not named.
        package var harmsOfRoutes: [Finding] = []
        /// What migrations may lose: what was named or shipped, and what the findings tell of.
        package var ledger: LossLedger
        /// What rules that are switched off would have found; the migrations of generated objects take it for told.
        package var unsaid: [Finding] = []
    }

    /// Checks a model.
    ///
    /// - Parameter place: the model.
    /// - Returns: the findings.
    /// - Throws: ``MomtoolError`` when there is nothing to check.
    package func result(for place: ModelPlace) throws(MomtoolError) -> Result {
        let (read, configuration) = try read(place)
        let isMirrored = read.value.isMirroredByApp
        let bundle = isMirrored ? read.value.mirrored : read.value
        let lockFile = lockFile(of: bundle.path)
        let lock = try lock(at: lockFile, place.versionName)
        let projects = ProjectFiles(around: bundle.path).read()
        let mappingModels = Diagnosed(around: bundle.path, configuration)
        let reading =
            read.diagnostics + (bundle.swift?.remarks ?? []) + (lock?.diagnostics ?? [])
            + projects.diagnostics + mappingModels.diagnostics
        let files = stagesFiles(configuration)
        let stages = stageFaults(of: bundle, reading, files, mappingModels.value)
        let ledger = configuration.ledger(of: bundle.versions)
        let models = mappingModels.value
        let bridges = bundle.unfilledBridges(ledger, lock?.value.lock, configuration, swift, models)
        let unmatched = unmatchedNames(ledger, configuration, models, bundle, place, lockFile)
        var options = configuration.check.tellingLosses
        if checksAll { options.scope = .all }
        options.isRelease = isRelease
        var findings = check(
            bundle.versions,
            path: bundle.path,
            reading: reading + stages + bridges + unmatched,
            lock: lock?.value,
            projects: projects.value,
            losses: ledger.leavingToStages(of: bundle),
            source: Self.source,
            mappingModel: { models.path(from: $0, to: $1, in: bundle, files, swift) },
            unplanned: bundle.unplannedVersions,
            earlier: earlier,
            options: options
        ).map(configuration.wording)
        if bundle.swift?.plans.isEmpty == false, !stages.isEmpty || hasPlanFaults(reading) {
            findings.removeAll { Self.ofEqualVersions.contains($0.diagnostic.rule) }
        }
        let result = Result(
            bundle: bundle,
            configuration: configuration,
            isMirrored: isMirrored,
            lock: lock?.value.lock.following(bundle.versions).lock,
            lockFile: lockFile,
            mappingModels: mappingModels.value,
            findings: findings,
            ledger: ledger.acceptingShipped(
                path: bundle.path,
                lock?.value.lock.following(bundle.versions).lock,
                mappingModel: mappingModels.value.path
            )
        )
        return try comparingParts(
            result.judgingRoutes(through: self.stages, swift, options, ledger)
                .withoutUnsaid(configuration.check).guardingFixes()
        )
    }

    /// What is said of two equal versions, where it is the plan which lists them that fails.
    private static let ofEqualVersions: Set<RuleID> = ["equal-checksums", "index-only-version"]

    /// Compares the parts of Swift sources that have locks of their own.
    private func comparingParts(_ result: Result) throws(MomtoolError) -> Result {
        var result = result
        let file = result.lockFile
        result.lockPaths = result.lock == nil ? [] : [file.path]
        guard lock == nil, result.bundle.swift != nil else { return result }
        for (model, part) in LockFile.parts(of: result.bundle.path, besides: file) {
            // A folder without models is none of these sources.
            guard let read = try ModelPlace(lockedAt: model, swift: swift).readIfThere(),
                !read.value.versions.isEmpty, let known = try part.read()
            else { continue }
            result.lockPaths.append(part.path)
            let found = read.value.findings(of: known, earlier, by: result.configuration)
            result.findings.addUnsaid(found)
        }
        return result
    }

    /// Reads a model, and what is said for it.
    private func read(
        _ place: ModelPlace
    ) throws(MomtoolError) -> (Diagnosed<ModelBundle>, ToolConfiguration) {
        var read = try place.readChosen()
        let isUnreadable = read.diagnostics.contains { $0.rule == .unreadableFile }
        guard !isUnreadable || !read.value.versions.isEmpty else {
            throw MomtoolError(.noInput, saying: read.diagnostics)
        }
        let configuration = try setting(rules, in: settings(config, for: read.value.path))
        let order = configuration.versionOrder
        if !order.isEmpty { read.value = read.value.ordered(by: order) }
        read.value = read.value.choosing(claimants: configuration.claimants)
        return (read, configuration)
    }

    /// Finds the lock, once for all that asks for it.
    private func lockFile(of model: String) -> LockFile {
        guard lock == nil, let foundLock, foundLock.model == trimmedPath(model) else {
            return LockFile(ofModel: model, chosen: lock)
        }
        return foundLock
    }

    /// Reads the lock, which must be there when it was named.
    ///
    /// A version that is judged alone is compared with its own entry; the others are not missing.
    private func lock(
        at file: LockFile,
        _ version: String?
    ) throws(MomtoolError) -> Diagnosed<LocatedLock>? {
        guard lock == nil || file.exists else {
            throw MomtoolError(
                .noInput,
                file.path,
                saying: "there is no such lock; \(.lock) writes one",
                .unreadableFile
            )
        }
        var read = try file.read()
        if let version { read?.value.lock.versions.removeAll { $0.name != version } }
        return read
    }

    /// Finds what is named in the configuration and in the lock, and means nothing.
    ///
    /// The configuration may speak of other models below its folder, and of other versions than the one that is judged alone.
    private func unmatchedNames(
        _ ledger: LossLedger,
        _ configuration: ToolConfiguration,
        _ mappingModels: MappingModels,
        _ bundle: ModelBundle,
        _ place: ModelPlace,
        _ file: LockFile
    ) -> [Diagnostic] {
        guard place.versionName == nil else { return [] }
        let text = try? (file.exists ? readText(file.path, limit: 256 << 20) : nil)
        let recorded = text.map { ModelLock.namedLosses(in: $0, path: file.path) } ?? []
        // Read when there is need, and once.
        lazy var others = Self.otherModels(than: bundle.path, configuration)
        let losses = Self.unmatchedLosses(ledger, configuration, mappingModels, others: { others })
        let ignored = unmatchedVersions(
            of: configuration.check.suppressions,
            among: bundle.versions,
            others: { others.flatMap(\.versions) }
        )
        return losses + ignored + ledger.unmatched(recorded)
    }

    /// Finds names of losses in a configuration that mean nothing for a model, nor for others below its folder.
    ///
    /// - Parameters:
    ///   - bundle: the model.
    ///   - configuration: what is said for it.
    ///   - mappingModels: its mapping models.
    /// - Returns: a note for each, with the name that may have been meant.
    package static func unmatchedLosses(
        of bundle: ModelBundle,
        _ configuration: ToolConfiguration,
        _ mappingModels: MappingModels
    ) -> [Diagnostic] {
        let ledger = configuration.ledger(of: bundle.versions)
        return unmatchedLosses(ledger, configuration, mappingModels) {
            otherModels(than: bundle.path, configuration)
        }
    }

    private static func unmatchedLosses(
        _ ledger: LossLedger,
        _ configuration: ToolConfiguration,
        _ mappingModels: MappingModels,
        others: () -> [ModelBundle]
    ) -> [Diagnostic] {
        ledger.unmatched(
            configuration.namedLosses,
            others: { others().map { configuration.ledger(of: $0.versions) } },
            mappingModel: mappingModels.path
        )
    }

    /// Reads the other models below the folder of a configuration, as far as they can be read.
    private static func otherModels(
        than path: String,
        _ configuration: ToolConfiguration
    ) -> [ModelBundle] {
        guard let folder = configuration.path.map(parent) else { return [] }
        let own = resolvedPath(path)
        let contents = ProjectContents(below: folder)
        let places =
            contents.models.filter { resolvedPath($0) != own }.map { ModelPlace($0) }
            + contents.swiftFolders.map { ModelPlace(swiftSourcesBelow: $0) }
        return places.compactMap { try? $0.readUsable().value }
    }

    private func hasPlanFaults(_ reading: [Diagnostic]) -> Bool {
        reading.contains { Rule.ofPlans.contains($0.rule) && $0.severity > .note }
    }

    /// Walks the stages; of a plan whose sources are faulty already, that is told alone.
    private func stageFaults(
        of bundle: ModelBundle,
        _ reading: [Diagnostic],
        _ files: [String],
        _ mappingModels: MappingModels
    ) -> [Diagnostic] {
        let plans = hasPlanFaults(reading) ? [] : bundle.planFailures()
        return plans
            + bundle.stageFailures(in: files, swift, mappingModels: mappingModels.named)
    }

    /// The stages files that the configuration names, and those that were found, each once.
    private func stagesFiles(_ configuration: ToolConfiguration) -> [String] {
        var known: Set<String> = []
        return (configuration.stagesFiles + stages)
            .filter { known.insert(resolvedPath($0)).inserted }
    }

    /// The source of a version as it lies on disk.
    private static func source(of version: ModelVersion) -> (path: String, bytes: [UInt8])? {
        let isFolder = version.path.hasSuffix(".xcdatamodel")
        let path = isFolder ? version.path + "/contents" : version.path
        guard path.hasSuffix("contents") else { return nil }
        return (try? readFile(path, limit: 16 << 20)).map { (path, $0) }
    }
}

extension Linter.Result {
    /// Sets aside what rules that are switched off found.
    fileprivate func withoutUnsaid(_ options: CheckOptions) -> Linter.Result {
        func isUnsaid(_ finding: Finding) -> Bool {
            options.settings[finding.diagnostic.rule] == .off
        }
        var result = self
        result.unsaid = findings.filter(isUnsaid)
        result.findings.removeAll(where: isUnsaid)
        result.harmsOfRoutes.removeAll(where: isUnsaid)
        return result
    }
}

extension MappingModels {
    /// The path of the mapping model for a step, else of the stages file that maps it.
    fileprivate func path(
        from source: ModelVersion,
        to target: ModelVersion,
        in bundle: ModelBundle,
        _ files: [String],
        _ swift: SwiftSettings
    ) -> String? {
        path(from: source, to: target)
            ?? bundle.stagesFile(
                mapping: source,
                to: target,
                in: files,
                swift,
                mappingModels: named
            )
    }
}

extension Diagnosed<MappingModels> {
    /// Finds the mapping models of an app; where those of the configuration cannot be read, that comes with the others.
    fileprivate init(around model: String, _ configuration: ToolConfiguration) {
        do throws(MomtoolError) {
            let all = try MappingModels(around: model, configuration)
            self.init(all, all.warnings)
        } catch {
            // What else is said of migrations still holds.
            let usable = MappingModels(usableOf: configuration, around: model)
            self.init(usable, error.diagnostics)
        }
    }
}

extension ToolConfiguration {
    /// Says of a relationship that `swift: inverses:` gives no inverse what follows from that, instead of asking for one.
    fileprivate func wording(_ finding: Finding) -> Finding {
        guard finding.diagnostic.rule == "missing-inverse",
            let name = finding.diagnostic.element, swift.inverses[name] == "none"
        else { return finding }
        var finding = finding
        let own = name.split(separator: ".").last.map(String.init) ?? name
        finding.diagnostic.message =
            "'\(own)' has no inverse, as swift: inverses: in .momtool.yml says: links to deleted objects stay"
        finding.fix = nil
        return finding
    }
}

/// Finds the models that an argument stands for: those below a folder, else what it names.
package func modelPaths(_ argument: String) -> [String] {
    let path = trimmedPath(argument)
    guard FileIdentity(of: path)?.isFolder == true, !isModelBundle(path), !path.hasSuffix(".app")
    else { return [argument] }
    let found = modelSources(below: path)
    return found.isEmpty ? [argument] : found
}

/// Whether a path has the name of a folder that is one model.
package func isModelBundle(_ path: String) -> Bool {
    [".xcdatamodeld", ".xcdatamodel", ".xcmappingmodel", ".momd", ".momd_precompiled"]
        .contains(where: path.hasSuffix)
}
