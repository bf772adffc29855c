package import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import ModelChecking
package import ModelDiffing
import ModelLoading
package import ObjectModel
import SettingsFiles
import StoreMigration
import SwiftDataReading

func leadsToSwiftSources(_ path: String) -> Bool {
    let place = withoutName(path).path
    guard let identity = FileIdentity(of: place) else {
        return packageTarget(place) != nil || GitPlace(place) != nil
    }
    return identity.isFolder || place.hasSuffix(".swift")
}

private func withoutName(_ path: String) -> (path: String, name: String?) {
    guard let mark = path.lastIndex(of: "#"), FileIdentity(of: path) == nil else {
        return (path, nil)
    }
    return (String(path[..<mark]), String(path[path.index(after: mark)...]))
}

/// Reads a `SchemaMigrationPlan` as the list of stages that Core Data walks; throws for none, or several.
func readSwiftPlan(_ place: String, _ swift: SwiftSettings) throws(MomtoolError) -> Diagnosed<
    (file: StagesFile, plan: SwiftMigrationPlan, bundle: ModelBundle)
> {
    let (path, name) = withoutName(place)
    var bundle = try ModelPlace(path, swift: swift).readUsable()
    if bundle.value.swift?.plans.isEmpty != false {
        bundle = versions(ofPlanAt: path, swift) ?? bundle
    }
    let plans = (bundle.value.swift?.plans ?? []).filter { plan in
        name == nil || plan.name == name || plan.name.hasSuffix("." + (name ?? ""))
    }
    guard plans.count == 1 else {
        let names = plans.map(\.name).joined(separator: ", ")
        let message =
            plans.isEmpty
            ? "the sources have no SchemaMigrationPlan" + (name.map { " named '\($0)'" } ?? "")
            : "the sources have \(plans.count.counted("plan")); name one after #: \(names)"
        throw MomtoolError(plans.isEmpty ? .noInput : .usage, path, message, "no-plan")
    }
    guard !plans[0].stages.isEmpty else {
        let reason = "has no stages: SwiftData infers each step"
        throw MomtoolError(.usage, path, "\(plans[0].name) \(reason)", "no-plan")
    }
    let file = StagesFile(
        path: plans[0].source.element?.path ?? path,
        stages: stageList(of: plans[0])
    )
    return bundle.map { (file, plans[0], $0.store(with: plans[0].schemas)) }
}

/// Reads the target with a plan's versions, which the plan's target beside it imports; `nil` for none.
private func versions(ofPlanAt path: String, _ swift: SwiftSettings) -> Diagnosed<ModelBundle>? {
    let target = packageTarget(path) ?? trimmedPath(path)
    let (own, folder) = (resolvedPath(target) + "/", parent(of: target))
    return ((try? Files.names(in: folder)) ?? []).sorted().lazy.map { "\(folder)/\($0)" }
        .filter { importers(ofTarget: $0).contains { resolvedPath($0).hasPrefix(own) } }
        .compactMap { try? ModelPlace($0, swift: swift).readUsable() }
        .first { $0.value.swift?.plans.isEmpty == false }
}

/// Lists each version once: SwiftData stages name their two ends, Core Data stages mark versions.
func stageList(of plan: SwiftMigrationPlan) -> [StagesFile.Stage] {
    var list: [StagesFile.Stage] = []
    var listed: Set<String> = []
    for stage in plan.stages {
        let place = stage.source.element ?? FileLocation(path: "")
        let ends = [stage.from, stage.to].map { name in
            StagesFile.Version(name: name, checksum: nil, location: place)
        }
        guard stage.kind == .lightweight else {
            if let last = list.indices.last, !list[last].isCustom {
                list[last].versions.removeAll { $0.name == stage.from || $0.name == stage.to }
                if list[last].versions.isEmpty { list.removeLast() }
            }
            list.append(.init(isCustom: true, versions: ends, location: place))
            listed.formUnion([stage.from, stage.to])
            continue
        }
        let new = ends.filter { listed.insert($0.name).inserted }
        guard !new.isEmpty else { continue }
        if let last = list.indices.last, !list[last].isCustom {
            list[last].versions += new
        } else {
            list.append(.init(isCustom: false, versions: new, location: place))
        }
    }
    return list
}

extension ModelBundle {
    /// Notes at custom stages of plans between two versions that their functions do not run here.
    package func unrunStages(from source: String, to target: String) -> [Diagnostic] {
        stagesWithCode(from: source, to: target).map(unrunNote)
    }

    func stagesWithCode(from source: String, to target: String) -> [SwiftMigrationPlan.Stage] {
        let order = Dictionary(firstOf: versions.enumerated().map { ($1.name, $0) })
        guard let start = order[source], let end = order[target], start < end else { return [] }
        return (swift?.plans ?? []).flatMap(\.stages).filter { stage in
            guard !stage.closures.isEmpty, let from = order[stage.from], let to = order[stage.to]
            else { return false }
            return start <= from && to <= end
        }
    }

    func unrunNote(of stage: SwiftMigrationPlan.Stage) -> Diagnostic {
        let names = stage.closures.joined(separator: " and ")
        return Diagnostic(
            .customStageNotRun,
            "\(stage.from) → \(stage.to) runs \(names) in Swift, \(unrunEffect(on: lossesLeft(to: stage)))",
            severity: .note,
            at: stage.source.element
        )
    }
}

/// The effect of not running the functions of a stage whose step drops or requires something.
private func unrunEffect(on losses: [StepLoss]) -> String {
    let names = losses.map(\.name).listed(most: 3)
    let open = losses.isEmpty ? "" : "; it may keep or fill: \(names)"
    return
        "which momtool cannot run, so its effect is unknown\(open); write the effect in SQL or as a map "
        + "in a stages file, and test it with a case"
}

extension Stages {
    /// Findings on the functions of a `SchemaMigrationPlan`, which cannot run here; empty for a stages file.
    package var closures: [Diagnostic] {
        plan?.value.closureFindings(of: unrunStages.map(\.stage), plan?.place ?? "") ?? []
    }

    /// The custom stages of a plan by index, with their functions that have no handler.
    private var unrunStages: [(index: Int, stage: SwiftMigrationPlan.Stage)] {
        let indexes = file.stages.indices.filter { file.stages[$0].isCustom }
        let customs = plan?.value.stages.filter { $0.kind == .custom } ?? []
        return zip(indexes, customs).compactMap { index, custom in
            var stage = custom
            let given = works[index]?.parts.map(\.rawValue) ?? []
            stage.closures.removeAll(where: given.contains)
            return stage.closures.isEmpty ? nil : (index, stage)
        }
    }

    /// Whether functions of a plan on a route may change the rows that one of its steps fails on.
    package func mayChangeRows(on route: MigrationRoute) -> Bool {
        unrunStages(on: route).mayChangeRows(before: route.steps.last?.destination.name ?? "")
    }

    /// The custom stages of a plan on a route, with their functions that have no handler.
    func unrunStages(on route: MigrationRoute) -> [SwiftMigrationPlan.Stage] {
        let taken = Set(route.steps.compactMap(\.stage))
        return unrunStages.filter { taken.contains($0.index) }.map(\.stage)
    }

    package func unrunNotes(on route: MigrationRoute) -> [Diagnostic] {
        guard let bundle = models.last else { return [] }
        return unrunStages(on: route).map(bundle.unrunNote)
    }
}

extension [SwiftMigrationPlan.Stage] {
    /// Whether functions of these stages run before the last step of a route to a version.
    func mayChangeRows(before target: String) -> Bool {
        contains { $0.to != target || $0.closures.contains("willMigrate") }
    }
}

extension SwiftMigrationPlan.Stage {
    fileprivate var unrunFunctions: String {
        let names = closures.joined(separator: " and ")
        return
            "\(from) → \(to): \(names) \(closures.count == 1 ? "is" : "are") Swift code, which momtool cannot run"
    }

    /// The refusal to migrate through the stage, with advice.
    var refusal: Diagnostic {
        let hint = Hint.stageCode("\(from) → \(to)")
        return Diagnostic(
            .customStageNotRun,
            saying: "\(unrunFunctions), so nothing is migrated: \(hint)",
            severity: .error,
            at: source.element
        )
    }
}

extension ModelBundle {
    /// The steps for which plans of Swift sources have functions, with the paths of their sources.
    package var stepsWithFunctions: [(from: String, to: String, path: String)] {
        (swift?.plans ?? []).flatMap(\.stages).filter { !$0.closures.isEmpty }
            .map { ($0.from, $0.to, $0.source.element?.path ?? path) }
    }
}

extension SwiftMigrationPlan {
    /// Notes that functions of custom stages cannot run here, followed by the stages file to write instead.
    func closureFindings(of open: [Stage], _ place: String) -> [Diagnostic] {
        var findings = open.map { stage in
            Diagnostic(
                .customStageNotRun,
                stage.unrunFunctions,
                severity: .note,
                at: stage.source.element
            )
        }
        let advice =
            "to test the rest, write the effect in SQL, or as a map instead of inference, in a stages file:"
        if let last = findings.indices.last {
            findings[last].notes = [Diagnostic.Note("\(advice)", lines: yaml(place))]
        }
        return findings
    }

    /// The plan as a stages file, in the order of its versions, with a script for each function.
    private func yaml(_ place: String) -> [String] {
        let order = Dictionary(firstOf: schemas.enumerated().map { ($1, $0) })
        var sorted = self
        sorted.stages.sort { order[$0.from] ?? .max < order[$1.from] ?? .max }
        let lines = stageList(of: sorted).flatMap { stage -> [String] in
            let names = stage.versions.map(\.name)
            guard stage.isCustom else {
                return ["  - lightweight: [\(names.joined(separator: ", "))]"]
            }
            let closures = stages.first { $0.from == names[0] && $0.to == names[1] }?.closures ?? []
            return ["  - custom: {from: \(names[0]), to: \(names[1])}"]
                + closures.map { part in
                    let short = part == "willMigrate" ? "will" : "did"
                    return "    \(part): \(names[0])-\(names[1]).\(short).sql"
                }
        }
        return ["model: \(withoutName(place).path)", "stages:"] + lines
    }
}

/// Evidence that Swift sources open the stores of a model.
package struct SwiftDataProof: Sendable {
    package var fit: StoreFit
    /// What the sources declare and no store has shown.
    package var doubts: [Diagnostic]
    package var faults: [Diagnostic]
    /// The attributes, such as `Entry.kind`, with another default or none; hashes do not tell.
    package var otherDefaults: [String]

    package var words: String {
        guard !otherDefaults.isEmpty else { return fit.words }
        let verb = otherDefaults.count == 1 ? "differs" : "differ"
        let names = otherDefaults.joined(separator: ", ")
        return "\(fit.words), \(otherDefaults.count.counted("default")) \(verb): \(names)"
    }

    /// Compares the hashes of sources with those of the version whose stores they must open; `place` is a path whose
    /// nearest configuration describes types of other modules.
    package init(
        of text: String,
        at path: String,
        named name: String?,
        gives version: ModelVersion,
        _ swift: SwiftSettings = SwiftSettings(),
        settingsFor place: String
    ) throws(MomtoolError) {
        var options = swift.applied(to: try configuration(nil, for: place).value.swift)
        options.modelTypes = []
        let source = SwiftSource(path: path, bytes: Array(text.utf8))
        let bundle = readSwiftBundle([source], path: path, options: options)
        let found =
            name.flatMap { bundle.value.version(named: $0) }
            ?? (name == nil ? bundle.value.versions.last : nil)
        let read = found ?? ModelVersion(name: name ?? path, model: ManagedObjectModel())
        fit = StoreFit(version, read)
        otherDefaults = SwiftDataProof.otherDefaults(version.model, read.model)
        doubts = bundle.diagnostics.filter { $0.rule == .swiftUnproven }
        faults = fit.entities.compactMap { entity in
            entity.fault(in: read).map { message in
                let mark = read.model.entities.first { $0.name == entity.name }?.source
                return Diagnostic(
                    "swiftdata-hash-differs",
                    "\(entity.name): \(message)",
                    at: mark?.element ?? FileLocation(path: path),
                    element: entity.name
                )
            }
        }
    }

    private static func otherDefaults(
        _ model: ManagedObjectModel,
        _ read: ManagedObjectModel
    ) -> [String] {
        let others = Dictionary(firstOf: read.entities.map { ($0.name, $0.attributes) })
        return model.entities.flatMap { entity in
            entity.attributes.filter { attribute in
                guard attribute.type != .composite,
                    let other = others[entity.name]?.first(where: { $0.name == attribute.name })
                else { return false }
                return attribute.defaultValue != other.defaultValue
                    || attribute.unreadDefault != other.unreadDefault
            }.map { "\(entity.name).\($0.name)" }
        }
    }
}

extension StoreFit.EntityFit {
    fileprivate func fault(in read: ModelVersion) -> String? {
        switch relation {
        case .equal: nil
        case .onlyInFirst: "the classes lack the entity"
        case .onlyInSecond: "the model lacks the entity"
        case .unknown:
            read.model.entities.first { $0.name == name }?.gaps.first
                .map { "not understood: \($0)" } ?? "not understood"
        case .different(let properties):
            properties.isEmpty
                ? "the hash differs because of the entity's own settings"
                : "the hash differs because of \(properties.joined(separator: ", "))"
        }
    }
}
