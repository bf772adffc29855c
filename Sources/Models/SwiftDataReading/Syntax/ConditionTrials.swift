import Essentials
import Diagnostics
import ObjectModel

/// Finds the conditions of `#if` that the model depends on, by inverting each.
struct ConditionTrials {
    private static let limit = 24

    let files: [FileDeclarations]
    let foreign: [String: ForeignForm]
    let options: SwiftReadingOptions

    /// Reports the conditions that lead to other models.
    func differences(from models: SwiftModels, _ conditions: BuildConditions) -> [Diagnostic] {
        let questions = questions(joined: models.versions.isEmpty)
        var diagnostics: [Diagnostic] = []
        for question in questions.prefix(Self.limit) {
            var other = conditions
            let holds = conditions.holds(question.condition)
            other.inverted = conditions.flips(question.condition, to: !holds)
            var reader = SchemaReader(TypeIndex(files, other, foreign: foreign))
            let result = reader.models(options)
            let names = changed(models, result)
            guard !names.isEmpty else { continue }
            let condition = question.condition
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

    /// The conditions around declarations, each once; joined ones too where a model is looked for.
    private func questions(joined: Bool) -> [Question] {
        var found: [Question] = []
        var seen: Set<Condition> = []
        for (number, file) in files.enumerated() {
            for condition in parts(file.declarations, joined) where seen.insert(condition).inserted
            { if mayVary(condition) { found.append(Question(condition: condition, file: number)) } }
        }
        return found
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
        _ joined: Bool,
        in outer: Condition? = nil
    ) -> [Condition] {
        items.flatMap { item -> [Condition] in
            switch item {
            case .item(.type(let type)):
                attributes(type.attributes) + parts(type.members, joined, in: outer)
            case .item(.property(let property)): attributes(property.attributes)
            case .item: []
            case .choice(let branches):
                branches.contains { !$0.items.isEmpty }
                    ? branches.flatMap { branch -> [Condition] in
                        let own = branch.condition
                        let whole = outer.flatMap { outer in own.map { .all(outer, $0) } } ?? own
                        return (own?.parts ?? []) + (joined ? [whole].compactMap(\.self) : [])
                            + parts(branch.items, joined, in: whole)
                    } : []
            }
        }
    }

    private func attributes(_ items: [Conditional<AttributeUse>]) -> [Condition] {
        items.flatMap { item -> [Condition] in
            guard case .choice(let branches) = item else { return [] }
            return branches.flatMap { ($0.condition?.parts ?? []) + attributes($0.items) }
        }
    }
}
