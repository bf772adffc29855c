import Essentials
import Diagnostics
import ObjectModel

/// Finds the conditions of `#if` that the model depends on, by inverting each, and those that are true together only.
struct ConditionTrials {
    private static let limit = 24

    let files: [FileDeclarations]
    let foreign: [String: ForeignForm]
    let options: SwiftReadingOptions

    /// Reports the conditions that lead to other models, and what is not `known` of plans for other systems.
    func differences(
        from models: SwiftModels,
        _ conditions: BuildConditions,
        _ known: [Diagnostic]
    ) -> [Diagnostic] {
        let questions = questions(conditions)
        var diagnostics: [Diagnostic] = []
        var reported: [Condition: Set<String>] = [:]
        for question in questions.prefix(Self.limit) {
            var other = conditions
            let (holds, parts) = (conditions.holds(question.condition), question.condition.parts)
            other.inverted = conditions.flips(question.condition, to: !holds)
            var reader = SchemaReader(TypeIndex(files, other, foreign: foreign))
            let result = reader.models(options)
            let names = changed(models, result)
            let said = parts.reduce(into: Set()) { $0.formUnion(reported[$1] ?? []) }
            let isNew = models.versions.isEmpty || !said.isSuperset(of: names)
            guard !names.isEmpty, isNew else { continue }
            let condition = question.condition
            if case .question("os", _) = condition {
                for var fault in reader.diagnostics where !known.contains(fault) {
                    guard [.stageMissing, .stageOrder].contains(fault.rule) else { continue }
                    let reading = "\(holds ? "without" : "with") \(condition.text)"
                    fault.notes.append(Diagnostic.Note("it is so \(reading)"))
                    diagnostics.append(fault)
                }
            }
            reported[condition] = Set(names)
            let message =
                "the model is different \(holds ? "without" : "with") "
                + "\(condition.text): \(names.joined(separator: ", "))"
            let place = files[question.file].places.location(of: nil, ofElementAt: 0)?.path
            diagnostics.report(
                .swiftCondition,
                message,
                severity: .warning,
                at: place.map { FileLocation(path: $0) },
                notes: [Diagnostic.Note(saying: Wording(.conditions))]
            )
        }
        if questions.count > Self.limit {
            let count = questions.count.counted("condition")
            let message = "only \(Self.limit) of \(count) #if conditions were tested"
            diagnostics.append(Diagnostic(.swiftCondition, message, severity: .warning))
        }
        return diagnostics
    }

    /// The names of the entities that differ; none if the other reading has no model at all.
    private func changed(_ models: SwiftModels, _ others: SwiftModels) -> [String] {
        var names: Set<String> = []
        guard others.versions.contains(where: { !$0.model.entities.isEmpty }) else { return [] }
        for version in models.versions {
            guard let other = others.versions.first(where: { $0.name == version.name }) else {
                names.insert(version.name)
                continue
            }
            guard version.model != other.model else { continue }
            let entities = Dictionary(firstOf: other.model.entities.map { ($0.name, $0) })
            for entity in version.model.entities where entities[entity.name] != entity {
                names.insert(entity.name)
            }
            let known = Set(version.model.entities.map(\.name))
            names.formUnion(Set(entities.keys).subtracting(known))
            if version.model.composites != other.model.composites {
                names.insert("the values of composites")
            }
        }
        func steps(_ plan: SwiftMigrationPlan) -> [[String]] {
            [plan.schemas] + plan.stages.map { [$0.from, $0.to] }
        }
        for (one, other) in zip(models.plans, others.plans)
        where one.name == other.name && steps(one) != steps(other) {
            names.insert(one.name)
        }
        for other in others.versions
        where !models.versions.contains(where: { $0.name == other.name }) {
            names.formUnion(other.isVersioned ? [other.name] : other.model.entities.map(\.name))
        }
        return names.sorted()
    }

    private struct Question {
        var condition: Condition
        var file: Int
    }

    /// The conditions around declarations, each once, joined ones last.
    private func questions(_ conditions: BuildConditions) -> [Question] {
        var found: [Question] = []
        var seen: Set<Condition> = []
        for (number, file) in files.enumerated() {
            for condition in parts(file.declarations) where seen.insert(condition).inserted {
                if mayVary(condition) { found.append(Question(condition: condition, file: number)) }
            }
        }
        // The parts of one that holds are asked for themselves.
        let joined = found.filter { question in
            question.condition.parts.count > 1 && !conditions.holds(question.condition)
                && conditions.flips(question.condition, to: true).allSatisfy(mayVary)
        }
        return found.filter { $0.condition.parts.count == 1 } + joined
    }

    private func mayVary(_ condition: Condition) -> Bool {
        switch condition {
        case .question("canImport", let name): name != "SwiftData" && name != "Foundation"
        case .question(let question, _): !["compiler", "swift"].contains(question)
        default: true
        }
    }

    private func parts(
        _ items: [Conditional<Declaration>],
        in outer: Condition? = nil
    ) -> [Condition] {
        parts(items, in: outer) { declaration, outer in
            switch declaration {
            case .type(let type):
                parts(type.attributes, in: outer) { _, _ in [] } + parts(type.members, in: outer)
            case .property(let property):
                parts(property.attributes, in: outer) { _, _ in [] } + parts(property, in: outer)
            default: []
            }
        }
    }

    /// The conditions in a static property, which may list the classes of a version.
    private func parts(_ property: PropertyDeclaration, in outer: Condition?) -> [Condition] {
        guard property.isStatic, case .computed(let statements) = property.accessors else {
            return []
        }
        return parts(statements, in: outer) { _, _ in [] }
    }

    private func parts<Item>(
        _ items: [Conditional<Item>],
        in outer: Condition?,
        _ inner: (Item, Condition?) -> [Condition]
    ) -> [Condition] {
        items.flatMap { item -> [Condition] in
            switch item {
            case .item(let item): inner(item, outer)
            case .choice(let branches) where branches.contains { !$0.items.isEmpty }:
                branches.flatMap { branch -> [Condition] in
                    let own = branch.condition
                    let whole = outer.flatMap { outer in own.map { .all(outer, $0) } } ?? own
                    return (own?.parts ?? [])
                        + [whole].compactMap(\.self).filter { $0.parts.count > 1 }
                        + parts(branch.items, in: whole, inner)
                }
            case .choice: []
            }
        }
    }
}
