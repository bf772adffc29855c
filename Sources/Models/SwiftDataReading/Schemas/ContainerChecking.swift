import Diagnostics
import ObjectModel

struct ContainerUse: Sendable, Hashable {
    /// Its arguments, with variables replaced by their values.
    var arguments: [Expression.Argument]
    /// Whether it may be only in memory.
    var isTemporary: Bool
    /// Whether it is only in memory, as in previews.
    var isPreview: Bool
    /// The conditions of `#if` around it.
    var conditions: [Condition]
    /// The names of the types around the call, outermost first.
    var types: [String]
    var place: Place
}

extension SchemaReader {
    /// Reports containers with other classes than the last version of their plan has, and plans without a container.
    mutating func checkContainers(_ versions: [SwiftModelVersion], _ plans: [SwiftMigrationPlan]) {
        guard !plans.isEmpty else { return }
        var isUsed = false
        var others: [(use: ContainerUse, scope: Scope)] = []
        for (use, scope) in uses {
            guard let plan = plan(of: use, in: scope, plans) else {
                // A parameter may be a plan.
                let names = use.arguments.contains {
                    $0.label == "migrationPlan" && $0.value != .null
                }
                isUsed = isUsed || names
                if !names, !isTemporary(use, in: scope) { others.append((use, scope)) }
                continue
            }
            isUsed = isUsed || !isPreview(use, in: scope)
            check(use, in: scope, plan, versions)
        }
        guard !isUsed, let plan = plans.first(where: { !$0.stages.isEmpty }) else { return }
        // Another container may be for other classes.
        let planned = versions.first { $0.name == plan.schemas.last }?.classNames ?? []
        let opening = others.first { use, scope in
            classes(of: use, in: scope).map { !names(reachedFrom: $0).isDisjoint(with: planned) }
                ?? false
        }
        guard let use = (opening ?? others.first)?.use else { return }
        add(
            Diagnostic(
                "plan-not-used",
                "the container is opened without migrationPlan:, so no stage of \(plan.name) ever runs",
                severity: .warning,
                at: index.location(use.place),
                notes: [Diagnostic.Note("the plan is here", at: plan.source.element)]
            )
        )
    }

    /// Whether a persistent container is opened with exactly the classes of a version.
    mutating func opens(_ version: SwiftModelVersion?) -> Bool {
        guard let version else { return false }
        for (use, scope) in uses where !isTemporary(use, in: scope) {
            guard let listed = classes(of: use, in: scope) else { continue }
            if names(reachedFrom: listed) == version.classNames { return true }
        }
        return false
    }

    private mutating func names(reachedFrom listed: [Int]) -> Set<String> {
        Set(members(of: listed).map { index.nodes[$0].path.joined(separator: ".") })
    }

    func scope(of use: ContainerUse, in file: Int) -> Scope {
        let path = use.types.map { TypeForm.Component(name: $0) }
        guard !path.isEmpty,
            case .declared(let id) = index.resolve(.named(path), in: Scope(file: file))
        else { return Scope(file: file) }
        var scope = index.nodes[id].scope
        scope.file = file
        return scope
    }

    private func plan(
        of use: ContainerUse,
        in scope: Scope,
        _ plans: [SwiftMigrationPlan]
    ) -> SwiftMigrationPlan? {
        guard let value = use.arguments.first(where: { $0.label == "migrationPlan" })?.value,
            let (_, meaning) = lists.type(value, in: scope), case .declared(let id) = meaning
        else { return nil }
        let name = index.nodes[id].path.joined(separator: ".")
        return plans.first { $0.name == name }
    }

    private mutating func check(
        _ use: ContainerUse,
        in scope: Scope,
        _ plan: SwiftMigrationPlan,
        _ versions: [SwiftModelVersion]
    ) {
        guard !isTemporary(use, in: scope), let last = plan.schemas.last,
            let version = versions.first(where: { $0.name == last }),
            let listed = classes(of: use, in: scope)
        else { return }
        let opened = names(reachedFrom: listed)
        let planned = version.classNames
        // A version outside the plan that is opened instead of its last one is the current version.
        let other = versions.last {
            $0.isVersioned && $0.classNames == opened && !plan.schemas.contains($0.name)
        }
        let older = plan.schemas.dropLast().last { name in
            versions.contains { $0.name == name && $0.classNames == opened }
        }
        openedVersions.insert(opened == planned ? last : older ?? other?.name ?? last)
        guard opened != planned else { return }
        if other == nil, older == nil, !plan.stages.isEmpty {
            plansOpenedOtherwise.insert(plan.name)
            if planned.isSubset(of: opened) { openedBeyondPlan = listed }
        }
        let missing = planned.subtracting(opened).sorted()
        let surplus = opened.subtracting(planned).sorted()
        let cure = "Schema(versionedSchema: \(last).self)"
        let parts = [
            missing.isEmpty ? nil : "it lacks \(missing.listed(most: 5))",
            surplus.isEmpty ? nil : "it has \(surplus.listed(most: 5))",
        ].compactMap(\.self)
        add(
            Diagnostic(
                "container-list-differs",
                "the container is opened with classes that differ from \(last), the last version of \(plan.name): "
                    + parts.joined(separator: ", and "),
                // Apps without any stage ship so, and their stores open.
                severity: plan.stages.isEmpty ? .note : .warning,
                at: index.location(use.place),
                notes: [
                    Diagnostic.Note(
                        other.map { "list \($0.name) in \(plan.name), with a stage to it" }
                            ?? (missing.isEmpty
                                ? "add a version with its classes to the plan; \(cure) lacks some"
                                : "give it \(cure)"),
                        at: (other ?? version).source.element
                    )
                ]
            )
        )
    }

    /// The classes that a container is opened with; `nil` where the list is made at run time.
    func classes(of use: ContainerUse, in scope: Scope) -> [Int]? {
        classes(listedFirstIn: use.arguments, in: scope)
    }

    /// Returns the classes that the first label of some arguments has; several configurations have one label, too.
    func classes(listedFirstIn arguments: [Expression.Argument], in scope: Scope) -> [Int]? {
        var classes: [Int] = []
        for (place, argument) in arguments.enumerated() {
            guard place == 0 || argument.label == nil else { break }
            guard let found = self.classes(argument.value, in: scope, depth: 0) else { return nil }
            classes += found
        }
        return classes
    }

    func classes(_ value: Expression, in scope: Scope, depth: Int) -> [Int]? {
        guard depth < 20 else { return nil }
        switch value {
        case .array(let values):
            var classes: [Int] = []
            for value in values {
                guard let found = self.classes(value, in: scope, depth: depth + 1) else {
                    return nil
                }
                classes += found
            }
            return classes
        case .cast(let value, _): return classes(value, in: scope, depth: depth + 1)
        case .operators(let lists, let operators) where operators.allSatisfy({ $0 == "+" }):
            return classes(.array(lists), in: scope, depth: depth + 1)
        case .call(.name("Schema", _), let arguments):
            guard let first = arguments.first else { return nil }
            guard first.label == "versionedSchema" else {
                return first.label == nil ? classes(first.value, in: scope, depth: depth + 1) : nil
            }
            guard let (_, meaning) = lists.type(first.value, in: scope),
                case .declared(let id) = meaning
            else { return nil }
            return listed(in: id)
        case .member(let base?, "models"):
            guard let form = base.typeForm, case .declared(let id) = index.resolve(form, in: scope)
            else { return nil }
            return listed(in: id)
        case .member(_, "self"):
            guard let (_, meaning) = lists.type(value, in: scope), case .declared(let id) = meaning,
                index.nodes[id].isModel
            else { return nil }
            return [id]
        default:
            guard let (property, scope) = lists.follow(value, in: scope),
                let value = try? lists.value(of: property)
            else { return nil }
            return classes(value, in: scope, depth: depth + 1)
        }
    }

    private func listed(in id: Int) -> [Int]? {
        guard let elements = try? lists.elements(of: "models", in: id) else { return nil }
        var classes: [Int] = []
        for element in elements {
            guard let (_, meaning) = lists.type(element.value, in: element.scope),
                case .declared(let id) = meaning, index.nodes[id].isModel
            else { return nil }
            classes.append(id)
        }
        return classes
    }
}
