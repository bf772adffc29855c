import Diagnostics
import Essentials
import FileSystem
package import MappingInference
import MigrationPlanning
import ModelChecking
import ModelLoading
import ObjectModel
import SettingsFiles
import StoreMigration

/// The mapping models of the project around a model, which an app carries beside it in its bundle.
///
/// They may be anywhere in the project: in the git repository, or below the nearest folder with a project file, a
/// package or a configuration. If nothing marks the extent of a project, they are beside the model. Files that are not
/// mapping models are left out.
enum NearbyMappingModels {
    static func items(of model: String) -> [MappingModels.Item] {
        let folder = parent(of: resolvedPath(trimmedPath(model)))
        guard let root = repositoryFolder(around: folder) else {
            return read(projectFolder(around: folder).map(mappingFiles) ?? files(in: folder))
        }
        return Surroundings.current.memory.found(for: root) { read(mappingFiles(at: root)) }
    }

    private static func files(in folder: String) -> [String] {
        let names = (try? Files.names(in: folder)) ?? []
        return names.sorted().filter(isMappingModel).map { "\(folder)/\($0)" }
    }

    static func read(_ paths: [String]) -> [MappingModels.Item] {
        paths.compactMap { path in
            let read = readMappingModel(at: path)
            guard !read.hasErrors || !read.value.entityMappings.isEmpty else { return nil }
            var item = MappingModels.Item(path, read.value, .found)
            item.faults = read.diagnostics.filter { $0.severity == .error }
            return item
        }
    }
}

extension MappingModels.Item {
    /// Tells that it names a version that a bundle no longer has, so that no step uses it; `nil` if it is for another model.
    func stray(of bundle: ModelBundle) -> Diagnostic? {
        let file = fileURL(bundle.path).lastPathComponent
        let known = bundle.versions.map(\.name) + bundle.unreadableVersions.map(\.name)
        let ends = [(start, source.sourceModelPath), (end, source.destinationModelPath)]
        let lost = ends.map { end, path in
            end.hashes == nil && "/\(path ?? "")".contains("/\(file)/")
                && !known.contains(end.name ?? "")
        }
        func mayBe(_ version: ModelVersion, _ index: Int) -> Bool {
            let end = ends[index].0
            let entities = Set(version.model.entities.map(\.name))
            return lost[index] ? entities.isSuperset(of: end.entities) : end.fits(version)
        }
        let steps = zip(bundle.versions, bundle.versions.dropFirst())
        guard let name = lost.firstIndex(of: true).flatMap({ ends[$0].0.name }),
            let (from, to) = steps.first(where: { mayBe($0, 0) && mayBe($1, 1) })
        else { return nil }
        let advice =
            "if it is for the step '\(from.name)' → '\(to.name)', choose its models again in Xcode, or correct their paths "
            + "in its xcmapping.xml; if it is left over, delete it"
        return Diagnostic(
            .mappingModelNotRun,
            "this mapping model names the version '\(name)', which \(file) does not have, so no step uses it",
            severity: origin == .found ? .note : .warning,
            at: FileLocation(path: path),
            notes: [Diagnostic.Note(advice)]
        )
    }

    /// Whether it names a version of a bundle by its path.
    func names(_ version: String, of bundle: String) -> Bool {
        let path = "/\(fileURL(bundle).lastPathComponent)/\(version).xcdatamodel"
        return [source.sourceModelPath, source.destinationModelPath].contains {
            "/\($0 ?? "")".hasSuffix(path)
        }
    }
}

struct CalledPolicy: Sendable {
    /// The name of its class, as the mapping model spells it.
    var name: String
    /// What it does; `nil` where not declared.
    var policy: MappingPolicy?
}

extension [CalledPolicy] {
    /// Refuses Swift code of policies that no mapping model at the path of the model or stages file calls.
    func requireUse(of names: some Sequence<String>, _ path: String) throws(MomtoolError) {
        let used = Set(compactMap { if case .code(let name)? = $0.policy { name } else { nil } })
        guard let stray = names.sorted().first(where: { !used.contains($0) }) else { return }
        let near = suggestion(
            for: stray,
            among: flatMap { [$0.name, MappingPolicy.shortName($0.name)] }
        )
        let message = "no mapping model of the versions calls the policy '\(stray)'\(near)"
        throw MomtoolError(.usage, path, message, "unknown-policy")
    }
}

extension MappingModels {
    package func path(from source: ModelVersion, to destination: ModelVersion) -> String? {
        fitting(from: source, to: destination)?.path
    }

    /// The declared policies of a mapping model, by the names that it calls them by.
    func policies(of source: MappingModelSource, at path: String) -> [String: MappingPolicy] {
        let called = calledPolicies(of: source, at: path).map { ($0.name, $0.policy) }
        return Dictionary(uniqueKeysWithValues: called).compactMapValues(\.self)
    }

    /// The declared policy of a mapping model: a class may differ by model, as `BookV1toV2/BookPolicy` says.
    private func policy(_ name: String, in model: String) -> MappingPolicy? {
        let models = ["\(model)/", "\(model.prefix { $0 != "." })/", ""]
        let names = [name, MappingPolicy.shortName(name)].flatMap { name in models.map { $0 + name }
        }
        return names.first(where: codeNames.contains).map { MappingPolicy.code($0) }
            ?? names.lazy.compactMap { policies[$0] }.first
    }

    package func undeclaredPolicies(
        from source: ModelVersion,
        to destination: ModelVersion
    ) -> [String] {
        guard let item = fitting(from: source, to: destination) else { return [] }
        return calledPolicies(of: item).filter { $0.policy == nil }.map(\.name)
    }

    /// Whether the mapping model for a step leaves open what that requires of rows: it copies them, or calls code that nobody
    /// declared, before a new index; or it gives a new mandatory property no value.
    package func leavesOpen(
        _ loss: StepLoss,
        from source: ModelVersion,
        to destination: ModelVersion
    ) -> Bool {
        guard let item = fitting(from: source, to: destination) else { return false }
        let policies = calledPolicies(of: item).map(\.policy)
        let isCopy = policies.allSatisfy { $0 == .copy }
        guard !loss.isOfIndex else { return isCopy || policies.contains(nil) }
        let map = map(of: item)
        return isCopy && loss.kind == .required && loss.risk.source == nil && !map.hasErrors
            && map.value.leavesOpen(loss, from: source)
    }

    /// The policies that a mapping model calls, with what is declared.
    func calledPolicies(of source: MappingModelSource, at path: String) -> [CalledPolicy] {
        let model = String(path.split(separator: "/").last ?? "")
        return Set(source.entityMappings.compactMap(\.customPolicyClassName)).sorted().map {
            CalledPolicy(name: $0, policy: policy($0, in: model))
        }
    }

    func calledPolicies(among versions: [ModelVersion]) -> [CalledPolicy] {
        items.filter { item in
            versions.contains(where: item.start.fits) && versions.contains(where: item.end.fits)
        }.flatMap(calledPolicies)
    }

    func codeNames(from source: ModelVersion, to destination: ModelVersion) -> [String] {
        let called = fitting(from: source, to: destination).map(calledPolicies) ?? []
        return called.compactMap { if case .code(let name)? = $0.policy { name } else { nil } }
    }

    func calledPolicies(of item: Item) -> [CalledPolicy] {
        calledPolicies(of: item.source, at: item.path)
    }

    func declaredPolicies(of item: Item) -> [MappingPolicy] {
        calledPolicies(of: item).compactMap(\.policy).filter { $0 != .unreadable }
    }

    /// A line that the mapping model for a step is used unnamed, or why it is not used; `nil` for none, or a named one.
    func remark(on step: RouteStep) -> String? {
        guard step.kind.changesVersion,
            let item = fitting(from: step.source, to: step.destination), item.origin == .found
        else { return nil }
        if let unused = unused(on: step) { return "\(item.path): note: \(unused.message)" }
        let title = "'\(step.source.name)' → '\(step.destination.name)'"
        return
            "\(item.path): note: this mapping model is for the step \(title) by its hashes, and is used"
    }

    /// Warns that several mapping models are for a step, at the used one; `nil` for a single or a chosen one.
    ///
    /// Core Data takes one too, and does not document which. Several that each take a part of the rows are run one
    /// after the other by an app's own code, which is not done here.
    func ambiguity(on step: RouteStep) -> Diagnostic? {
        guard step.kind.changesVersion else { return nil }
        let items = candidates(from: step.source, to: step.destination)
        guard items.count > 1, let taken = fitting(from: step.source, to: step.destination) else {
            return nil
        }
        // A copy, or the compiled form of a source, is not another mapping model.
        let others = items.filter { $0.stem != taken.stem && !$0.isCopy(of: taken) }
            .map(\.name).sorted()
        guard !others.isEmpty else { return nil }
        let title = "'\(step.source.name)' → '\(step.destination.name)'"
        return Diagnostic(
            .severalMappingModels,
            "\(others.count + 1) mapping models are for the step \(title), and this one is used: Core Data uses only one",
            severity: .warning,
            at: FileLocation(path: taken.path),
            notes: [
                Diagnostic.Note("the others are \(others.joined(separator: ", "))"),
                Diagnostic.Note(
                    "if the app's code runs them one after the other, describe the whole step as a custom stage "
                        + "in a stages file; if one is left over, name the right one under mappingModels: "
                        + "in .momtool.yml"
                ),
            ]
        )
    }

    /// A note why the mapping model for a step is not used; `nil` where there is none, or it is used.
    func unused(on step: RouteStep) -> Diagnostic? {
        guard step.kind == .lightweight,
            let item = fitting(from: step.source, to: step.destination), item.origin == .found
        else { return nil }
        let faults = item.faults + map(of: item).diagnostics.filter { $0.severity == .error }
        let reason = faults.first?.wording ?? "it cannot be used"
        let title = "'\(step.source.name)' → '\(step.destination.name)'"
        return Diagnostic(
            .mappingModelNotRun,
            saying: "this mapping model is for the step \(title), but is not used: \(reason)",
            severity: .note,
            at: FileLocation(path: item.path)
        )
    }

    /// Warns of unused mapping models, which skip versions where the app's code takes every one; once for all forms.
    func skipping(on route: MigrationRoute) -> [Diagnostic] {
        guard isStepwise, !items.isEmpty, let start = route.source else { return [] }
        let stops = [start] + route.steps.filter(\.kind.changesVersion).map(\.destination)
        var known: Set<String> = []
        return items.compactMap { item in
            let isOfStep = zip(stops, stops.dropFirst()).contains {
                item.start.fits($0) && item.end.fits($1)
            }
            guard !isOfStep, let start = stops.lastIndex(where: item.start.fits),
                let end = stops[start...].dropFirst(2).firstIndex(where: item.end.fits),
                item.origin != .found || item.maps(aChangeFrom: stops[start], to: stops[end]),
                known.insert(item.stem).inserted
            else { return nil }
            let past = stops[(start + 1)..<end].map { "'\($0.name)'" }.listed(most: 3)
            return Diagnostic(
                .mappingModelSkipsVersions,
                "this mapping model leads from '\(stops[start].name)' to '\(stops[end].name)', skipping \(past), and is "
                    + "not used: with migration: stepwise in .momtool.yml, the app's code migrates version by version",
                severity: .warning,
                at: FileLocation(path: item.path),
                notes: [
                    Diagnostic.Note(
                        "add one for each of the steps, or delete it if it is left over"
                    )
                ]
            )
        }
    }
}

/// A way through other versions by mapping models, which Core Data does not go: it takes one step.
struct MappingChain: Sendable, Hashable {
    var names: [String]
    /// The paths of the mapping models, in the order of the steps.
    var mappingModels: [String]

    /// Whether every step has its mapping model, so that an app most likely takes them one after the other.
    var isWhole: Bool { mappingModels.count + 1 == names.count }

    var title: String { names.joined(separator: " → ") }

    /// Why no store migrates along it.
    var refusal: String {
        "Core Data takes a single step, and no mapping model leads there: \(title) are \(names.count - 1) "
            + "steps, which only an app's own code takes (migration: stepwise in .momtool.yml)"
    }

    /// Tells that mapping models lead on only one after the other.
    ///
    /// If every step has one, an app most likely takes them, and momtool asks; otherwise stores do not open.
    func finding(from version: ModelVersion, to target: ModelVersion) -> Finding {
        let reason =
            isWhole
            ? "migrate to '\(target.name)' in several steps: Core Data takes only one, so the app's own code must take them"
            : "cannot migrate to '\(target.name)': no mapping model leads there, and Core Data does not take several steps"
        let diagnostic = Diagnostic(
            isWhole ? .severalSteps : .versionCannotOpen,
            "stores of '\(version.name)' \(reason)",
            severity: isWhole ? .warning : .error,
            // Chains to one version have the last one in common, and are reported together.
            at: mappingModels.last.map { FileLocation(path: $0) },
            notes: [
                Diagnostic.Note(
                    "if the app's code takes \(title), set migration: stepwise in .momtool.yml"
                )
            ]
        )
        return Finding(diagnostic, version: version.name)
    }
}

extension Migrator {
    /// A route through other versions with mapping models, without a setting that the app's code takes it.
    func unaskedChain(_ route: MigrationRoute) -> MappingChain? {
        guard case .versions(_, let mappingModels, _) = road, !mappingModels.isStepwise,
            !route.mappingModels.isEmpty, route.steps.count > 1, let source = route.source
        else { return nil }
        return MappingChain(
            names: [source.name] + route.steps.map(\.destination.name),
            mappingModels: route.mappingModels.sorted { $0.key < $1.key }.map(\.value)
        )
    }
}
