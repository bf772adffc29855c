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
/// - ``init(rules:config:lock:checksAll:isRelease:stages:)``
///
/// ### Checking
/// - ``findings(in:)``
public struct Linter: Sendable {
    package var swift = SwiftSettings()
    private let rules: [RuleID: RuleSetting]
    let config: String?
    let lock: String?
    let checksAll: Bool
    let isRelease: Bool
    let stages: [String]
    /// The versions that Swift sources had at a revision, by which edits of what shipped are judged.
    package var earlier: [ModelVersion] = []
    /// Whether moves are compared with the last release, as no revision is named; edits of what shipped always are.
    package var comparesRelease = true

    /// Creates a linter; without arguments, one that uses the nearest `.momtool.yml` and the lock beside each model.
    ///
    /// - Parameters:
    ///   - rules: the severities of rules by ID, such as `["missing-inverse": .error]`, which override the
    ///     configuration. A check throws for an unknown ID.
    ///   - config: the path of the configuration, instead of the nearest one.
    ///   - lock: the path of the lock, instead of the one beside the model.
    ///   - checksAll: whether versions that shipped are checked too.
    ///   - isRelease: whether the current version ships now.
    ///   - stages: paths of stages files in addition to those of the configuration.
    public init(
        rules: [RuleID: RuleSetting] = [:],
        config: String? = nil,
        lock: String? = nil,
        checksAll: Bool = false,
        isRelease: Bool = false,
        stages: [String] = []
    ) {
        (self.rules, self.config, self.lock, self.checksAll) = (rules, config, lock, checksAll)
        (self.isRelease, self.stages) = (isRelease, stages)
    }

    package struct Result: Sendable {
        package var bundle: ModelBundle
        package var configuration: ToolConfiguration
        /// The configurations that are judged as mirrored to CloudKit because the app's code does so.
        package var mirrored: Set<String>?
        /// The lock, with versions by their present names.
        package var lock: ModelLock?
        /// The path of the lock, which need not be there.
        package var lockFile: LockFile
        /// The paths of the locks that were read: that of the model, and those of parts of its sources.
        package var lockPaths: [String] = []
        package var mappingModels: MappingModels
        package var findings: [Finding]
        /// The routes of older versions to the current one; `nil` when there is no readable current version.
        package var routes: RouteCheck?
        /// The findings by which stores of older versions do not reach the current one, or lose what is not named.
        package var harmsOfRoutes: [Finding] = []
        /// What migrations may lose: what was named or shipped, and what the findings report.
        package var ledger: LossLedger
        /// What disabled rules would have found; the migrations of generated objects count it as reported.
        package var unreported: [Finding] = []
    }

    package func result(for place: ModelPlace) throws(MomtoolError) -> Result {
        let (read, configuration) = try read(place)
        let mirrored = read.value.mirroredByApp
        let bundle = read.value.mirrored(mirrored).requiringValues
        let lockFile = LockFile(ofModel: bundle.path, chosen: lock)
        let lock = try lock(at: lockFile, place.versionName, of: bundle, configuration)
        let projects = ProjectFiles(around: bundle.path).read()
        let mappingModels = Diagnosed(around: bundle.path, configuration)
        let reading =
            read.diagnostics + bundle.storesSharedUnlike + (bundle.swift?.remarks ?? [])
            + (lock?.diagnostics ?? []) + projects.diagnostics + mappingModels.diagnostics
            + leftJournal(of: bundle.path)
            + bundle.unreadReleases(configuration, isLocked: lockFile.exists, comparesRelease)
        let (files, models) = (stagesFiles(configuration), mappingModels.value)
        // Where the sources of a plan are faulty, only that is reported.
        let plans = hasPlanFaults(reading) ? [] : bundle.planFailures()
        let lists = bundle.readStages(files, models, swift)
        let answers = lists.answers(models)
        let stages = plans + bundle.stageFailures(in: lists)
        var ledger = configuration.ledger(of: bundle.versions)
        ledger.stagesFile = lists.first { $0.sound != nil && !leadsToSwiftSources($0.path) }?.path
        let named = lists.filter { configuration.stagesFiles.contains($0.path) }
        let bridges = bundle.unfilledBridges(ledger, lock?.value.lock, named, models)
        let unmatched = unmatchedNames(ledger, configuration, answers.path, bundle, place, lockFile)
        let options = options(configuration)
        let isReleased = { name in bundle.release(of: name, configuration) != nil }
        var findings = bundle.stores.enumerated().flatMap { index, store in
            let losses = ledger.keeping(store).leavingToStages(of: store)
            return check(
                store.versions,
                path: bundle.path,
                reading: index == 0 ? reading + stages + bridges + unmatched : [],
                lock: lock?.value.keeping(store, of: bundle, isMain: index == 0),
                projects: projects.value,
                losses: losses,
                source: Self.source,
                mappingModel: answers.path,
                leavesOpen: answers.leaveOpen,
                unplanned: store.unplannedVersions,
                earlier: EarlierSources(earlier, losses: losses, isReleased: isReleased),
                isMirroredByApp: mirrored != nil && lock?.value.lock.newestTag == nil,
                order: store.statedOrder,
                options: options
            )
        }.map(configuration.wording)
        join(&findings, ofStagesIn: bundle, areFaulty: !stages.isEmpty || hasPlanFaults(reading))
        let locked = lock?.value.lock.following(bundle.versions).lock
        let result = Result(
            bundle: bundle,
            configuration: configuration,
            mirrored: mirrored,
            lock: locked,
            lockFile: lockFile,
            mappingModels: models,
            findings: findings,
            ledger: ledger.acceptingShipped(path: bundle.path, locked, mappingModel: models.path)
                .leavingOutEdits(of: locked)
        )
        return try judged(result, ledger, options, at: place)
    }

    private func options(_ configuration: ToolConfiguration) -> CheckOptions {
        var options = configuration.check.reportingLosses
        if checksAll { options.scope = .all }
        options.isRelease = isRelease
        return options
    }

    /// Adds what the routes of stores, the history and the last release tell, and words all findings.
    private func judged(
        _ result: Result,
        _ ledger: LossLedger,
        _ options: CheckOptions,
        at place: ModelPlace
    ) throws(MomtoolError) -> Result {
        let configuration = result.configuration
        let place = result.lockFile.isShared ? nil : place
        var judged = try comparingParts(
            result.judgingRoutes(through: stages, swift, options, ledger)
                .addingHistory(options).withoutUnreported(configuration.check).guardingFixes()
        ).addingEdits(at: place).addingMoves(at: comparesRelease ? place : nil)
            .addingMappingsInNoTarget()
        judged.findings = judged.findings.withoutLossesOfEdits.map(configuration.naming)
        return judged
    }

    /// The rules about two equal versions, for which a plan that lists both fails.
    private static let ofEqualVersions: Set<RuleID> = ["equal-checksums", "index-only-version"]

    /// Joins a step that Core Data refuses with the fault of the stage that takes it.
    private func join(
        _ findings: inout [Finding],
        ofStagesIn bundle: ModelBundle,
        areFaulty: Bool
    ) {
        if areFaulty, bundle.swift?.plans.isEmpty == false {
            findings.removeAll { Self.ofEqualVersions.contains($0.diagnostic.rule) }
        }
        for stage in (bundle.swift?.plans ?? []).flatMap(\.stages) {
            let step = findings.firstIndex {
                $0.diagnostic.rule == "step-not-inferable" && $0.version == stage.to
            }
            let fault = findings.firstIndex {
                $0.diagnostic.rule == .stagesFail && $0.diagnostic.location == stage.source.element
                    && $0.diagnostic.message.contains("'\(stage.from)' to '\(stage.to)'")
            }
            guard let step, let fault else { continue }
            let refused = findings[step].diagnostic
            findings[fault].diagnostic.notes +=
                [Diagnostic.Note("it is here now", at: refused.location)] + refused.notes
            findings.remove(at: step)
        }
    }

    private func comparingParts(_ result: Result) throws(MomtoolError) -> Result {
        var result = result
        let file = result.lockFile
        result.lockPaths = result.lock == nil || result.lock?.newestTag != nil ? [] : [file.path]
        guard lock == nil, result.bundle.swift != nil else { return result }
        if let whole = try file.findingsOfShared(swift, earlier) {
            result.lockPaths.append(whole.lock)
            result.findings.addNew(whole.findings)
        }
        for (model, part) in LockFile.parts(of: result.bundle.path, besides: file) {
            // A folder without models is none of these sources.
            guard let read = try ModelPlace(lockedAt: model, swift: swift).readIfThere(),
                !read.value.versions.isEmpty, let known = try part.read()
            else { continue }
            result.lockPaths.append(part.path)
            let found = read.value.findings(of: known, earlier, by: result.configuration)
            result.findings.addNew(found)
        }
        return result
    }

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

    /// Reads the lock, which must exist if it was named, or what releases tell; for a single version, only its entry.
    private func lock(
        at file: LockFile,
        _ version: String?,
        of bundle: ModelBundle,
        _ configuration: ToolConfiguration
    ) throws(MomtoolError) -> Diagnosed<LocatedLock>? {
        guard lock == nil || file.exists else {
            throw MomtoolError(
                .noInput,
                file.path,
                saying: "this lock does not exist; \(.lock) writes one",
                .unreadableFile
            )
        }
        var read =
            try file.read()
            ?? (file.isShared ? nil : bundle.lockOfReleases(configuration)).map { Diagnosed($0) }
        if let version { read?.value.lock.versions.removeAll { $0.name != version } }
        return read
    }

    /// Finds names in the configuration and the lock that match nothing.
    private func unmatchedNames(
        _ ledger: LossLedger,
        _ configuration: ToolConfiguration,
        _ mappingModel: @escaping (ModelVersion, ModelVersion) -> String?,
        _ bundle: ModelBundle,
        _ place: ModelPlace,
        _ file: LockFile
    ) -> [Diagnostic] {
        guard place.versionName == nil else { return [] }
        let text = try? (file.exists ? readText(file.path, limit: 256 << 20) : nil)
        let recorded = text.map { ModelLock.namedLosses(in: $0, path: file.path) } ?? []
        lazy var others = Self.otherModels(than: bundle.path, configuration)
        let losses = Self.unmatchedLosses(ledger, configuration, mappingModel) {
            others + [bundle.editedSinceRelease(by: place, configuration)].compactMap(\.self)
        }
        let ignored = unmatchedVersions(
            of: configuration.check.suppressions + bundle.namedVersions(in: configuration),
            among: bundle.versions,
            others: { others.flatMap(\.versions) }
        )
        return losses + ignored + ledger.unmatched(recorded, mappingModel: mappingModel)
    }

    /// Finds names of losses in a configuration that match nothing in a model, nor in others below its folder.
    package static func unmatchedLosses(
        of bundle: ModelBundle,
        _ configuration: ToolConfiguration,
        _ mappingModels: MappingModels
    ) -> [Diagnostic] {
        let ledger = configuration.ledger(of: bundle.versions)
        return unmatchedLosses(ledger, configuration, mappingModels.path) {
            otherModels(than: bundle.path, configuration)
        }
    }

    private static func unmatchedLosses(
        _ ledger: LossLedger,
        _ configuration: ToolConfiguration,
        _ mappingModel: @escaping (ModelVersion, ModelVersion) -> String?,
        others: () -> [ModelBundle]
    ) -> [Diagnostic] {
        ledger.unmatched(
            configuration.namedLosses,
            others: { others().map { configuration.ledger(of: $0.versions) } },
            mappingModel: mappingModel
        )
    }

    private static func otherModels(
        than path: String,
        _ configuration: ToolConfiguration
    ) -> [ModelBundle] {
        guard let folder = configuration.path.map(parent) else { return [] }
        let (own, contents) = (resolvedPath(path), ProjectContents(below: folder))
        let places = contents.places(SwiftSettings())
        return places.filter { resolvedPath($0.path) != own }
            .compactMap { try? $0.readUsable().value }
    }

    private func hasPlanFaults(_ reading: [Diagnostic]) -> Bool {
        reading.contains { Rule.ofPlans.contains($0.rule) && $0.severity > .note }
    }

    private func stagesFiles(_ configuration: ToolConfiguration) -> [String] {
        var known: Set<String> = []
        return (configuration.stagesFiles + stages)
            .filter { known.insert(resolvedPath($0)).inserted }
    }

    private static func source(of version: ModelVersion) -> (path: String, bytes: [UInt8])? {
        let isFolder = version.path.hasSuffix(".xcdatamodel")
        let path = isFolder ? version.path + "/contents" : version.path
        guard path.hasSuffix("contents") else { return nil }
        return (try? readFile(path, limit: 16 << 20)).map { (path, $0) }
    }
}

extension Linter.Result {
    fileprivate func withoutUnreported(_ options: CheckOptions) -> Linter.Result {
        func isUnreported(_ finding: Finding) -> Bool {
            options.settings[finding.diagnostic.rule] == .off
        }
        var result = self
        result.unreported = findings.filter(isUnreported)
        result.findings.removeAll(where: isUnreported)
        result.harmsOfRoutes.removeAll(where: isUnreported)
        return result
    }
}

extension Diagnosed<MappingModels> {
    /// Finds the mapping models of an app; if those of the configuration cannot be read, the others carry the error.
    fileprivate init(around model: String, _ configuration: ToolConfiguration) {
        do throws(MomtoolError) {
            let all = try MappingModels(around: model, configuration)
            self.init(all, all.warnings)
        } catch {
            // Other findings about migrations still hold.
            let usable = MappingModels(usableOf: configuration, around: model)
            self.init(usable, error.diagnostics)
        }
    }
}

extension ToolConfiguration {
    fileprivate func naming(_ finding: Finding) -> Finding {
        guard !losses.isEmpty, let version = finding.version else { return finding }
        var finding = finding
        finding.namedLosses = []
        if case .named(let names)? = losses[version] { finding.namedLosses = names.sorted() }
        return finding
    }

    /// Words a finding about a relationship to which `swift: inverses:` gives no inverse: what follows from it.
    func wording(_ finding: Finding) -> Finding {
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
