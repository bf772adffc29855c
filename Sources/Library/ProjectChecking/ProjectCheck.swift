import Diagnostics
import Essentials
import FileSystem
import MappingInference
package import MigrationTesting
package import ModelChecking
import ModelLoading
package import Momtool
package import ObjectModel
import SettingsFiles

/// A run of `momtool check`.
package struct ProjectCheck {
    package struct Options: Sendable {
        package var swift = SwiftSettings()
        /// Whether the current versions ship now.
        package var isRelease = false
        package var revision: String?
        /// Whether to find the notes that the revision has too.
        package var comparesNotes = false
        package var matrix = MatrixOptions(rows: 10, skipsRefused: true)

        package init() {}
    }

    /// A step that a reader of the change wants to see.
    package struct Step: Sendable {
        package var model: String
        package var from: ModelVersion
        package var to: ModelVersion
        /// The agreed losses between them.
        package var meant: [String]
        /// Whether it edits a version that shipped in place, so that its stores do not open.
        package internal(set) var isShipped = false

        init(_ model: String, from: ModelVersion, to: ModelVersion, in bundle: ModelBundle) {
            (self.model, self.from, self.to) = (model, from, to)
            meant =
                (try? namedLosses(from: from, to: to, inferMapping(from: from, to: to), in: bundle))
                ?? []
        }
    }

    package struct WholeModel: Sendable {
        package var model: String
        package var versions: [String]
        package var isNew: Bool
    }

    let contents: ProjectContents
    let options: Options
    /// The findings so far, in the order of the models.
    package internal(set) var findings: [Finding] = []
    /// The steps that a reader of the change wants to see: from the revision, or from the previous version.
    package internal(set) var steps: [Step] = []
    /// The models that the revision lacks, and those that only it has.
    package internal(set) var wholeModels: [WholeModel] = []
    /// The notes that the revision also has, as far as they are about its versions; none without a revision.
    package internal(set) var knownNotes: Set<Finding> = []
    var movedPaths: Set<String> = []
    /// The migrations and cases to run; `isReported` says whether a refusal by Core Data was already reported,
    /// `version` is the one to start from, `nil` for a case.
    var tests: [(place: FileLocation, test: MigrationTest, isReported: Bool, version: String?)] = []
    private var locksRead: Set<String> = []
    /// The models that were checked already.
    private var opened: [ModelBundle] = []
    private var locksOfRevision: [String: [(path: String, text: String)]] = [:]
    /// The versions that Swift sources had at the revision, by which edits of what shipped are judged.
    var earlier: [ModelVersion] = []
    var counts = (models: 0, versions: 0, locks: 0, migrations: 0, cases: 0)
    /// The versions and locks of the checked paths, read when a lock of the revision has no model.
    lazy var held = HeldVersions(in: contents, options.swift)
    /// Those of the whole repository, read when they are not there.
    lazy var heldElsewhere = HeldVersions(around: contents, options.swift)

    package init(of contents: ProjectContents, _ options: Options) {
        (self.contents, self.options) = (contents, options)
    }

    package var summary: String {
        [
            counts.models.counted("model"), counts.versions.counted("version"),
            counts.locks.counted("lock"), counts.migrations.counted("migration"),
            counts.cases.counted("case"),
        ].joined(separator: ", ")
    }

    /// Checks everything: models with their locks and steps, locks without models, mapping models and cases.
    package mutating func checkAll(running run: ([MigrationTest]) -> [CaseOutcome]) {
        findings += contents.folders.flatMap(partsNotSeen)
        for place in contents.places(options.swift) { check(place.text, at: place) }
        if counts.models > 0 { findings += contents.folders.flatMap { faultsOfApp(below: $0) } }
        checkLocks()
        checkLocksOfRevision()
        checkModelsOfRevision()
        checkMappingModels()
        checkCorpora()
        addCases()
        // What keeps cases from running is noted at one finding, for all models.
        findings = distinct(findings)
        take(run(tests.map(\.test)))
        findings = distinct(heedingSettings())
    }

    /// The findings, with the configured severities for those of migrations and cases.
    private func heedingSettings() -> [Finding] {
        var known: [String: CheckOptions] = [:]
        return findings.flatMap { finding in
            guard finding.diagnostic.rule == "migration-test-failed",
                let path = finding.diagnostic.location?.path
            else { return [finding] }
            let options = known[path] ?? (try? settings(for: path))?.check ?? CheckOptions()
            known[path] = options
            return heeded([finding], [], options)
        }
    }

    private mutating func check(_ model: String, at place: ModelPlace) {
        counts.models += 1
        var linter = Linter(isRelease: options.isRelease, stages: contents.stages)
        linter.swift = options.swift
        linter.comparesRelease = options.revision == nil
        let (past, isNew) = past(of: model)
        if let past, past.bundle.swift != nil {
            linter.earlier = [past.version]
            earlier.append(past.version)
        }
        do throws(MomtoolError) {
            let result = try linter.result(for: place)
            counts.versions += result.bundle.versions.count
            counts.locks += result.lockPaths.count
            locksRead.formUnion(result.lockPaths.map(resolvedPath))
            findings +=
                news(in: result, since: past) + result.heeded(unfoundClasses(of: result.bundle))
            guard result.isReadable else { return }
            let shared = opened.compactMap(result.bundle.storeShared).map { Finding($0) }
            findings += result.heeded(shared)
            opened.append(result.bundle)
            addSteps(of: result)
            if options.revision == nil, let current = result.bundle.currentVersion,
                let before = try? result.bundle.predecessor(of: current),
                result.isRead(current), result.isRead(before)
            {
                steps.append(Step(model, from: before, to: current, in: result.bundle))
            }
            compare(result, model, with: past, isNew: isNew)
            compareWithRelease(result, model)
        } catch { add(error, at: model) }
    }

    /// Returns the locks that the revision has below a folder, which is searched once.
    mutating func locks(
        at revision: String,
        below folder: String
    ) -> [(path: String, text: String)] {
        if let known = locksOfRevision[folder] { return known }
        let locks = LockFile.all(at: revision, below: folder)
        locksOfRevision[folder] = locks
        return locks
    }

    /// Reports locks that no model was compared with: their models were removed, or are not models.
    private mutating func checkLocks() {
        for lock in contents.locks where !locksRead.contains(resolvedPath(lock)) {
            guard let model = LockFile.model(ofLock: lock), !contents.models.contains(model) else {
                continue
            }
            guard !isModelBundle(model), !model.hasSuffix(".swift") else {
                if FileIdentity(of: model) != nil {
                    compare(model, with: lock)
                } else if !countPruned(lock) {
                    report(unread: lock, of: model)
                }
                continue
            }
            guard !compare(model, with: lock), !countPruned(lock) else { continue }
            report(unread: lock, of: model)
        }
    }

    /// Compares the sources at a path with a lock; `false` if there is no model.
    @discardableResult
    private mutating func compare(_ model: String, with lock: String) -> Bool {
        do throws(MomtoolError) {
            let place = ModelPlace(lockedAt: model, swift: options.swift)
            guard let read = try place.readIfThere(), !read.value.versions.isEmpty,
                let known = try LockFile(ofModel: model, chosen: lock).read()
            else { return false }
            counts.locks += 1
            let settings = try settings(for: model)
            findings.addNew(read.value.findings(of: known, earlier, by: settings))
        } catch { add(error, at: model) }
        return true
    }

    /// Reports mapping models that cannot be read, which perform no step.
    private mutating func checkMappingModels() {
        for path in contents.mappingModels {
            let faults = readMappingModel(at: path).diagnostics.filter { $0.severity == .error }
            findings += faults.map { Finding($0) }
        }
    }

    private mutating func addCases() {
        for file in contents.cases {
            let folder = fileURL(file).deletingLastPathComponent()
            let place = FileLocation(path: file)
            do throws(MigrationCaseError) {
                for item in try MigrationCase.cases(at: folder) {
                    counts.cases += 1
                    let group = parent(of: parent(of: file))
                    let run = CaseRunOptions(
                        allowsPrograms: options.matrix.allowsPrograms,
                        words: options.matrix.words
                    )
                    tests.append((place, item.test(in: group, run), true, nil))
                }
            } catch {
                findings.append(Finding(Diagnostic(.brokenCase, error.reason, at: error.location)))
            }
        }
    }

    mutating func add(_ error: MomtoolError, at model: String) {
        let faults = error.diagnostics.filter { $0.severity == .error && $0.location != nil }
        guard faults.isEmpty else { return findings += faults.map { Finding($0) } }
        let place = FileLocation(path: ModelPlace(model).path)
        let notes = error.lines.dropFirst().map { Diagnostic.Note(saying: $0) }
        let first = error.lines.first ?? "it could not be checked"
        report("not-checked", first, severity: .error, at: place, notes: notes)
    }

    mutating func report(
        _ rule: RuleID,
        _ wording: Wording,
        severity: Severity = .warning,
        at place: FileLocation,
        notes: [Diagnostic.Note] = [],
        version: String? = nil
    ) {
        let diagnostic = Diagnostic(
            rule,
            saying: wording,
            severity: severity,
            at: place,
            notes: notes
        )
        findings.append(Finding(diagnostic, version: version))
    }

    /// Warns about versions in the lock of a model without a store in its corpus.
    mutating func checkCorpora() {
        for path in contents.corpora {
            let (folder, place) = (parent(of: path), FileLocation(path: path))
            guard let index = CorpusIndex.read(in: folder) else {
                let message: Wording =
                    "it cannot be read; \(Hint.recordingCorpus(folder)) writes it"
                report("corpus-incomplete", message, at: place)
                continue
            }
            let named = resolvedPath("\(folder)/\(index.model)")
            let models = contents.models + contents.swiftFolders
            guard let model = models.first(where: { LockFile.isOneModel($0, and: named) }),
                let lock = (try? LockFile(ofModel: model).read())?.value.lock
            else { continue }
            let known = Set(index.stores.map(\.checksum))
            for version in lock.versions where !known.contains(version.checksum) {
                let message: Wording =
                    "'\(version.name)' shipped, but the corpus has no store of it; \(Hint.recordingCorpus(folder)) creates it"
                report("corpus-incomplete", message, at: place)
            }
        }
    }

    /// Warns about code that loses stores of any model.
    func faultsOfApp(below folder: String) -> [Finding] {
        let options = (try? settings(for: folder))?.check ?? CheckOptions()
        let isOld = counts.versions > counts.models
        let faults = appFaults(below: folder, hasOlderVersions: isOld)
        return heeded((faults + sharedEntities(below: folder)).map { Finding($0) }, [], options)
    }

    /// Warns of different entities of one name in models that code merges.
    private func sharedEntities(below folder: String) -> [Diagnostic] {
        guard contents.models.count > 1 else { return [] }
        var reported: Set<FileLocation?> = []
        return mergedModels(among: contents.models, below: folder)
            .flatMap { sharedEntities(of: $0.models, mergedAt: $0.code) }
            .filter { reported.insert($0.location).inserted }
    }

    private func sharedEntities(
        of models: [String],
        mergedAt code: FileLocation
    ) -> [Diagnostic] {
        let bundles = models.compactMap { try? ModelPlace($0).readUsable().value }
            .filter { $0.swift == nil }
        var owners: [String: ModelVersion] = [:]
        return bundles.compactMap { $0.currentVersion ?? $0.versions.last }.flatMap { version in
            version.model.entities.compactMap { entity -> Diagnostic? in
                let (name, hashes) = (entity.name, version.hashes.entities)
                guard let other = owners.updateValue(version, forKey: name),
                    other.hashes.entities[name] != hashes[name]
                else { return nil }
                return Diagnostic(
                    "models-share-entity",
                    "'\(name)' is another entity in \(other.path): Core Data raises an exception where code merges both models",
                    severity: .warning,
                    at: entity.source.element,
                    element: name,
                    notes: [Diagnostic.Note("models are merged here", at: code)]
                )
            }
        }
    }

    /// Warns of entities whose class Core Data does not find by the name that the model has, as it is one of Swift.
    func unfoundClasses(of bundle: ModelBundle) -> [Finding] {
        guard let version = bundle.currentVersion, !contents.classes.isEmpty else { return [] }
        return version.model.entities.compactMap { entity in
            // A class that Xcode writes has its name in Objective-C.
            guard let name = entity.className, let place = contents.classes[name],
                entity.sourceSettings["codeGenerationType"] != "class"
            else { return nil }
            let diagnostic = Diagnostic(
                "class-not-found",
                "Core Data finds no class '\(name)' and creates plain NSManagedObjects for '\(entity.name)': it is a "
                    + "Swift class, whose name begins with that of its module",
                severity: .warning,
                at: entity.source.location(of: "representedClassName"),
                element: entity.name,
                notes: [
                    Diagnostic.Note(
                        "write @objc(\(name)) before the class, or choose its module in the model editor: '.\(name)'",
                        at: place
                    )
                ]
            )
            return Finding(diagnostic, version: version.name)
        }
    }

    /// Compares with the last release where no revision is named: Swift sources that Core Data migrates without being asked,
    /// as values of Swift that become mandatory are in no hash, and a new model with the one that it replaces.
    mutating func compareWithRelease(_ result: Linter.Result, _ model: String) {
        let isLocked = !result.lockPaths.isEmpty
        let isUnasked = result.bundle.currentVersion?.isMigratedUnasked == true
        guard options.revision == nil, isUnasked || !isLocked,
            let tag = result.bundle.lastRelease(result.configuration)
        else { return }
        var against = options
        against.revision = tag
        var other = ProjectCheck(of: contents, against)
        if !isUnasked, isModelBundle(model), ModelPlace(model, at: tag).isInRevision { return }
        let own = other.past(of: model).past
        guard isUnasked || own == nil,
            let past = own ?? replaced(by: result.bundle, since: tag)
        else { return }
        // What a release has shipped, whatever the configuration says.
        var result = result
        if own != nil { result.configuration.unshippedVersions = [] }
        let unmatched = findings.filter { $0.diagnostic.rule == .unmatchedLoss }
        other.findings = unmatched
        other.earlier = [past.version]
        other.compare(result, model, with: past, isNew: false)
        findings.removeAll { unmatched.contains($0) && !other.findings.contains($0) }
        findings += other.findings.filter { finding in
            let rule = finding.diagnostic.rule
            return finding.diagnostic.severity > .note && rule != "not-checked"
                && (!isLocked || rule == "missing-swift-value")
        }
    }
}
