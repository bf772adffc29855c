import Diagnostics
import Essentials
import ObjectModel

extension SchemaReader {
    /// Reports versions before the last that reach types which change with the app, each type once.
    ///
    /// A separate namespace, such as `FrozenModels`, may well be frozen: one note covers all its types.
    mutating func checkReach(of versions: [SwiftModelVersion], at place: String?) {
        var reached: [ReachedTypes] = []
        for version in versions.filter(\.isVersioned).dropLast() {
            let names = Set(version.types.map(\.name))
            for type in version.types where !type.isFrozen {
                let root = type.name.split(separator: ".").first.map(String.init) ?? type.name
                let isLive = root == type.name || names.contains(root)
                let name = isLive ? type.name : root
                let index = reached.firstIndex { $0.name == name && $0.isLive == isLive }
                if let index {
                    reached[index].types.insert(type.name)
                    if reached[index].versions.last != version.name {
                        reached[index].versions.append(version.name)
                    }
                } else {
                    reached.append(ReachedTypes(name, isLive, type, version.name))
                }
            }
        }
        let files = Dictionary(firstOf: versions.map { ($0.name, $0.path) })
        for types in reached {
            report(
                "frozen-version-reaches-live-type",
                types.message,
                types.advice(at: place, files: files),
                severity: types.isLive ? .warning : .note,
                at: types.source
            )
        }
    }

    /// Reports what prevents a plan from being executed.
    mutating func check(_ plan: SwiftMigrationPlan, _ versions: [SwiftModelVersion]) {
        if plan.stages.isEmpty, plan.schemas.count > 1 {
            let message = "\(plan.name) has no stages: SwiftData infers each step"
            report(.stageMissing, message, [], severity: .note, at: plan.source)
        } else {
            for (from, to) in zip(plan.schemas, plan.schemas.dropFirst())
            where !plan.stages.contains(where: { $0.from == from && $0.to == to }) {
                let stage = ".lightweight(fromVersion: \(from).self, toVersion: \(to).self)"
                let message =
                    "\(plan.name) has no stage from \(from) to \(to), so it does not migrate stores of \(from): add \(stage)"
                report(.stageMissing, message, [], at: plan.source)
            }
        }
        var latest: (stage: SwiftMigrationPlan.Stage, from: Int)?
        for stage in plan.stages {
            let places = [stage.from, stage.to].map { plan.schemas.firstIndex(of: $0) }
            guard let from = places[0], let to = places[1] else {
                let name = places[0] == nil ? stage.from : stage.to
                let message = "\(plan.name) has a stage with \(name), which its schemas do not list"
                report(.stageOrder, message, [], at: stage.source)
                continue
            }
            guard to == from + 1 else {
                let message =
                    "\(plan.name): the stage from \(stage.from) to \(stage.to) is not a step of the list"
                report(.stageOrder, message, [], at: stage.source)
                continue
            }
            guard let last = latest, from < last.from else {
                latest = (stage, from)
                continue
            }
            // Lightweight stages run nothing, in whichever order.
            let runs = plan.stages.contains { $0.kind == .custom }
            let message =
                "\(plan.name): the stage from \(stage.from) comes after that from \(last.stage.from), and stages run in the "
                + "order of the list: stores of \(stage.from) pass over the latter, or do not open (134506)"
            report(.stageOrder, message, [], severity: runs ? .warning : .note, at: stage.source)
        }
        checkIdentifiers(versions.filter { plan.schemas.contains($0.name) })
    }

    /// Reports classes whose objects a stage fetches or makes before or after its step although the version at that point lacks them.
    mutating func checkFetches(_ versions: [SwiftModelVersion]) {
        for fetch in fetches {
            let name = fetch.closure == "willMigrate" ? fetch.stage.from : fetch.stage.to
            let type = index.nodes[fetch.type].path.joined(separator: ".")
            guard let version = versions.first(where: { $0.name == name }),
                !version.types.contains(where: { $0.name == type && $0.kind == .model })
            else { continue }
            let own = version.types.first {
                $0.kind == .model
                    && $0.name.split(separator: ".").last == type.split(separator: ".").last
            }
            let location = index.location(fetch.use.place)
            let verb = fetch.use.isMade ? "make" : "fetch"
            add(
                Diagnostic(
                    "stage-fetches-other-type",
                    "\(fetch.closure) from \(fetch.stage.from) to \(fetch.stage.to) \(verb)\(fetch.use.isMade ? "s" : "es") \(type), "
                        + "which is not a class of \(name): the app crashes there",
                    severity: .warning,
                    at: location,
                    notes: own.map { [Diagnostic.Note("\(verb) \($0.name)")] } ?? []
                )
            )
        }
    }

    /// Reports versions that no plan lists, where there are plans.
    mutating func checkListing(of versions: [SwiftModelVersion], in plans: [SwiftMigrationPlan]) {
        let listed = Set(plans.flatMap(\.schemas))
        // Without a stage SwiftData infers the step, regardless of what is listed.
        guard plans.contains(where: { !$0.stages.isEmpty }) else { return }
        for version in versions where version.isVersioned && !listed.contains(version.name) {
            report(
                "version-not-in-plan",
                "no plan lists \(version.name): its stores fail with 134504, an unknown version",
                [],
                at: version.source
            )
        }
    }

    private mutating func checkIdentifiers(_ versions: [SwiftModelVersion]) {
        var seen: [String: String] = [:]
        for version in versions {
            guard let identifier = version.identifier else { continue }
            if let other = seen[identifier] {
                let message = "\(version.name) reuses the identifier \(identifier) of \(other)"
                report("identifier-reused", message, [], at: version.source)
            }
            seen[identifier] = version.name
        }
    }

    private mutating func report(
        _ rule: RuleID,
        _ message: String,
        _ notes: [Wording],
        severity: Severity = .warning,
        at source: SourceMark
    ) {
        add(
            Diagnostic(
                rule,
                message,
                severity: severity,
                at: source.element,
                notes: notes.map { Diagnostic.Note(saying: $0) }
            )
        )
    }
}

/// A type outside the versions that reach it, or a namespace with such types.
private struct ReachedTypes {
    var name: String
    /// Whether it is a type that changes with the app.
    var isLive: Bool
    var types: Set<String>
    var versions: [String]
    private let kind: SwiftModelType.Kind
    let source: SourceMark

    init(_ name: String, _ isLive: Bool, _ type: SwiftModelType, _ version: String) {
        (self.name, self.isLive) = (name, isLive)
        (types, versions) = ([type.name], [version])
        (kind, source) = (type.kind, type.source)
    }

    private var who: String {
        switch versions.count {
        case 1: "\(versions[0]) uses"
        case 2: "\(versions[0]) and \(versions[1]) use"
        default: "\(versions[0]) to \(versions[versions.count - 1]) use"
        }
    }

    var message: String {
        let hashes = versions.count == 1 ? "a version that shipped" : "versions that shipped"
        guard isLive else {
            let count = types.count.counted("type")
            return
                "\(who) \(count) of \(name), declared outside the versions: an edit of one changes the hashes of "
                + hashes
        }
        let what = kind == .model ? "the class" : "the type"
        return
            "\(who) \(what) \(name), declared outside the versions: an edit of it changes the hashes of \(hashes)"
    }

    /// The advice; a command that writes a version is given for each.
    func advice(at place: String?, files: [String: String]) -> [Wording] {
        guard isLive else { return ["do not change \(name), or declare copies in the versions"] }
        let target = versions.count == 1 ? "in \(versions[0])" : "in each of these versions"
        let commands = versions.map { version -> Wording in
            let file = place == nil ? nil : files[version]
            return "\(.ownClasses(of: version, in: place, file: file))"
        }
        return [
            """
            declare a copy of it \(target); this replaces the existing declaration of the version with one that has its own \
            copies, and refuses if handwritten code would be lost:
            """
        ] + commands
    }
}
