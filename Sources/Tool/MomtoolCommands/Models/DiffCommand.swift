import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import ModelChecking
import ModelDiffing
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel
import StoreFormat
import StoreMigration

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract:
            "Show the differences between two versions and what each means for stores, or between two stores.",
        discussion: """
            With one model, compares the current version with the previous one, or the
            versions that --from and --to name. With two models, compares their current
            versions. --against compares a model with its state at a git revision.

            --format edits prints the edits from the old version to the new one,
            for momtool model apply.

            A source contains more than a compiled model, so --level says how much is
            compared: hash compares what affects version hashes, store also what compiled
            models contain, and source everything. Without --level a source and a
            compiled model are compared by what both can contain, and any other pair by
            everything.

            With two stores, compares their rows, object by object and property by
            property; each store is read with its own version of the model. Objects
            are matched by entity and key, or by the attributes of --by: keys of
            two devices have nothing in common.

            EXAMPLE
              momtool diff Shop.xcdatamodeld --from V1 --to V3
              momtool diff Shop.xcdatamodeld --against main --format markdown=diff.md
              momtool diff Old.momd New.xcdatamodeld --exit-code
              momtool diff Shop.xcdatamodeld --from V1 --to V2 --format edits=edits.yml
              momtool diff Shop.xcdatamodeld --from V1 --to V2 --level hash
              momtool diff Old.sqlite Shop.sqlite --by Order.number --by Customer.name
            """
    )

    @Argument(
        help:
            "A model, or the old one and the new one, or two stores; with --git-driver, git's arguments.",
        completion: .model
    )
    var models: [String]

    @Option(help: "The old version.", completion: .version) var from: String?

    @Option(help: "The new version.", completion: .version) var to: String?

    @Option(help: "The git revision of the old model.") var against: String?

    @Option(help: "How much to compare: hash, store or source.") var level: DiffLevel?

    @Option(
        help: "The model of the two stores; the ones in the stores when left out.",
        completion: .model
    )
    var model: String?

    @Option(
        help:
            "With two stores: compare only the rows of this entity and its sub-entities; may be repeated.",
        completion: .entity
    )
    var entity: [String] = []

    @Option(
        help: ArgumentHelp(
            "With two stores: match the objects of an entity by these attributes, not by their keys; may be repeated.",
            valueName: "entity.attribute,…"
        )
    )
    var by: [String] = []

    @Flag(help: "With two stores: show only how many objects differ.") var summary = false

    @Flag(help: "End with status 2 when there is a difference.") var exitCode = false

    @Flag(help: "Accept the seven arguments that git passes to a diff driver.")
    var gitDriver = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<DiffFormats>

    func validate() throws {
        if gitDriver {
            guard [1, 7, 9].contains(models.count) else {
                throw ValidationError("git gives seven arguments to a diff driver")
            }
        } else if models.count > 2 {
            throw ValidationError(
                "name one or two models" + (versionAdvice(models).map { "; \($0)" } ?? "")
            )
        }
        if let advice = versionAdvice(models) ?? revisionAdvice(models) {
            throw ValidationError(advice)
        }
        if against != nil, models.count == 2 {
            throw ValidationError("--against goes with one model")
        }
    }

    func run() throws {
        if comparesStores { return try compareStores() }
        guard model == nil, entity.isEmpty, by.isEmpty, !summary else {
            // A missing file is not a model either.
            let hasStore = models.contains(where: isDatabase)
            for path in models where hasStore && !exists(path) { _ = try StoreFile(path: path) }
            throw CommandFailure(usage: "--model, --entity, --by and --summary go with two stores")
        }
        try gitDriver ? showForGit() : compare(sides())
    }

    func compare(_ sides: Sides) throws {
        let (old, new) = (sides.old, sides.new)
        let level = level ?? DiffLevel(comparing: old, new)
        let (before, after) = comparable(old, new)
        let isWhole = old.isWhole && new.isWhole
        let forms = (level.form(of: before), level.form(of: after))
        var report = report(from: forms.0, to: forms.1, level, isWhole: isWhole)
        report.notCompared = entitiesNotCompared(old, new).sorted()
        // An app may open one store with a model and with Swift sources.
        if models.count == 2, [old, new].contains(where: { $0.path.hasSuffix(".swift") }) {
            report.fit = StoreFit(old, new)
        }
        report.renames = try renames(in: sides)
        report.isForGit = gitDriver
        if let bundle = sides.bundle {
            report.isShipped =
                against != nil && old.name.hasSuffix(":\(sides.own.name)")
                && old.hashes != sides.own.hashes && !sides.own.isMigratedUnasked
                && bundle.lock()?.version(named: sides.own.name) != nil
            report.meant = try namedLosses(from: old, to: sides.own, report.mapping, in: bundle)
        }
        if output.format.contains(where: { $0.format == .edits }) {
            report.edits = try EditList(from: old, to: sides.own).text
        }
        try output.deliver(sparing: InputFiles(models), report.rendered)
        let isEqual = report.diff.isEmpty && report.diff.movedEntities.isEmpty
        guard isEqual || !exitCode || gitDriver else { throw CommandFailure(.differences, []) }
        try requireUnderstood(old, new)
        guard !report.diagnostics.contains(where: { $0.severity == .error }) else {
            throw CommandFailure(.findings, [])
        }
    }

    /// The two versions, by the names in reports.
    struct Sides {
        var old: ModelVersion
        var new: ModelVersion
        var own: ModelVersion
        /// The bundle of the new version, whose configuration names agreed losses.
        var bundle: ModelBundle?

        init(_ old: ModelVersion, _ new: ModelVersion, in bundle: ModelBundle? = nil) {
            (self.old, self.new, own, self.bundle) = (old, new, new, bundle)
        }
    }

    private func sides() throws -> Sides {
        var new = try ModelPlace(models[models.count - 1], swift: swift.settings).load(
            allowingGaps: true
        )
        // The app's code counts for both sides.
        let mirrored = new.mirroredByApp
        new = new.mirrored(mirrored).requiringValues
        guard models.count == 1 else {
            var old = try ModelPlace(models[0], swift: swift.settings).load(allowingGaps: true)
            old = old.mirrored(mirrored)
            return Sides(try side(old, from, isNamed: true), try side(new, to, isNamed: true))
        }
        guard let against else {
            let newVersion = try new.chosenVersion(to)
            let oldVersion = try from.map(new.chosenVersion) ?? new.predecessor(of: newVersion)
            return Sides(oldVersion, newVersion, in: new)
        }
        let path = models[0].split(separator: "#", maxSplits: 1).first.map(String.init) ?? ""
        var old = try ModelPlace(path, at: against, swift: swift.settings).load(allowingGaps: true)
        old = old.mirrored(mirrored)
        var sides = Sides(try side(old, from), try side(new, to), in: new)
        sides.old.name = "\(against):\(sides.old.name)"
        if sides.old.name == sides.new.name { sides.new.name += " now" }
        return sides
    }

    /// The renames that the step may hide, in the words of lint.
    private func renames(in sides: Sides) throws -> [Diagnostic] {
        guard let bundle = sides.bundle else {
            let ledger = LossLedger(versions: [sides.old, sides.new])
            return ledger.hiddenRenames(from: sides.old, to: sides.new, path: sides.new.path, nil)
        }
        return try bundle.lossLedger(.recorded)
            .hiddenRenames(from: sides.old, to: sides.own, path: bundle.path, bundle.lock())
    }

    private func side(
        _ bundle: ModelBundle,
        _ version: String?,
        isNamed: Bool = false
    ) throws -> ModelVersion {
        var version = try bundle.chosenVersion(version)
        if isNamed { version.name = version.path }
        return version
    }

    private func report(
        from old: ModelVersion,
        to new: ModelVersion,
        _ level: DiffLevel,
        isWhole: Bool
    ) -> DiffReport {
        let matching = ModelMatching(from: old, to: new)
        let diff = level.part(of: ModelDiffing.diff(matching))
        let mapping = inferMapping(matching, diff).taken(from: old, to: new, isWhole: isWhole)
        let questions = rowQuestions(of: mapping, from: old.model, to: new.model)
        let queries = Dictionary(grouping: questions.filter { $0.risk.path != nil }) {
            $0.risk.path ?? ""
        }
        var report = DiffReport(
            from: old,
            to: new,
            diff: diff,
            mapping: mapping,
            queries: queries.mapValues { $0.map(\.sql) }
        )
        // Part of no hash, and of no mapping; but the app may stop at them.
        report.enumFindings = enumFindings(from: old, to: new).map(\.diagnostic)
        return report
    }
}

enum DiffFormats: FormatList { static let formats = DiffReport.formats }

extension RowRisk {
    fileprivate var path: String? {
        switch kind {
        case .newUniquenessConstraint, .becomesAbstract: destinationEntity
        default: destination?.description
        }
    }
}

extension DiffCommand {
    /// Shows a file as git's diff driver.
    ///
    /// A status other than 0 ends `git diff` before later files. So a file that is not understood as a model is shown
    /// line by line, after a line with the reason.
    func showForGit() throws {
        // For a file in conflict git passes only the path.
        guard models.count > 1 else { return try show("* Unmerged path \(models[0])") }
        do {
            let sides = try sidesOfGit()
            if let reason = gap(in: sides.old) ?? gap(in: sides.new) {
                return try showLines(as: reason)
            }
            try compare(sides)
        } catch {
            let failure = CommandFailure(error)
            // Only the output can still fail.
            guard [.badData, .noInput, .refused].contains(failure.status) else { throw error }
            try showLines(as: failure.messages.first ?? "the file is not a model")
        }
    }

    /// What is not understood in a version, in a line; `nil` for nothing.
    private func gap(in version: ModelVersion) -> String? {
        for entity in version.model.entities {
            if let gap = entity.gaps.first {
                return "momtool does not understand \(entity.name): \(gap)"
            }
        }
        return nil
    }

    /// Shows the lines that differ, as git does without a driver.
    private func showLines(as reason: String) throws {
        func bytes(_ file: String) throws -> [UInt8]? {
            file == "/dev/null" ? nil : try readFile(file, limit: 64 << 20)
        }
        let why = reason.replacing(": error: ", with: ": ")
        var lines = ["\(models[0]) is compared line by line, not as a model: \(why)".onOneLine]
        do {
            let path = models.count > 7 ? models[7] : models[0]
            let (old, new) = (try bytes(models[1]), try bytes(models[4]))
            lines.append(FilePatch(models[0], to: path, old: old, new: new).text)
        } catch { lines.append("the file cannot be read") }
        try show(lines.joined(separator: "\n"))
    }

    private func show(_ text: String) throws {
        try output.deliver(sparing: InputFiles(models)) { _ in text }
    }

    /// Git passes: path, old file, old hex, old mode, new file, new hex, new mode; /dev/null for no file.
    private func sidesOfGit() throws -> Sides {
        func side(_ file: String, _ revision: String) throws -> ModelVersion {
            let title = "\(revision) \(models[0])"
            guard file != "/dev/null" else {
                return ModelVersion(name: title, model: ManagedObjectModel())
            }
            let data = Data(try readText(file, limit: 256 << 20).utf8)
            let model = readModel(contents: data, path: models[0])
            let unread: Set<RuleID> = [.notAModel, .mergeConflict, "malformed-xml"]
            guard !model.diagnostics.contains(where: { unread.contains($0.rule) }) else {
                throw CommandFailure(.badData, model.diagnostics.map(\.commandWords))
            }
            return ModelVersion(name: title, path: file, model: model.value)
        }
        let isNew = models[1] == "/dev/null"
        let old = try (isNew ? predecessor(ofContents: models[0]) : nil) ?? side(models[1], "old")
        return Sides(old, try side(models[4], "new"))
    }

    /// The version before one whose source is new to git, where the model is on disk: it shows what a new version
    /// changes better than a list of all that it holds.
    private func predecessor(ofContents path: String) -> ModelVersion? {
        let version = parent(of: path)
        guard version.hasSuffix(".xcdatamodel"),
            let bundle = try? ModelPlace(parent(of: version)).readUsable().value,
            let new = bundle.versions.first(where: { $0.path == version }),
            var old = try? bundle.predecessor(of: new)
        else { return nil }
        old.name = "'\(old.name)', the previous version"
        return old
    }
}
