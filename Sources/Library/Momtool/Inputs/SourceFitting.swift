import ModelHashing
package import ModelLoading
package import ObjectModel
import SwiftDataReading

/// Settles what Swift sources leave open by the hashes of a store that the app wrote.
package struct SourceFitting: Sendable {
    /// Answers about relationships and properties.
    package struct Reading: Sendable, Hashable {
        /// Inverses of relationships, by their names; `none` for none.
        package var inverses: [String: String] = [:]
        package var types: [String: String] = [:]
        /// Whether constraints that are written twice count once, by their properties.
        package var uniqueness: [String: Bool] = [:]

        package var configuration: [String] {
            var lines: [String] = []
            if !inverses.isEmpty {
                lines += ["swift:", "  inverses:"]
                lines += inverses.sorted { $0.key < $1.key }.map { "    \($0): \($1)" }
            }
            if !types.isEmpty {
                lines.append("types:")
                lines += types.sorted { $0.key < $1.key }.map { "  \($0): \($1)" }
            }
            return lines
                + uniqueness.sorted { $0.key < $1.key }.map { name, isOnce in
                    let advice = "once: write only one of .unique and #Unique"
                    return "# \(name) is unique \(isOnce ? advice : "twice, as it is written")"
                }
        }
    }

    package enum Outcome: Sendable, Hashable {
        /// The store has other entities, or other hashes of entities that are understood: these.
        case isAnother([String])
        case fitsAlready
        /// The readings with the store's hashes: none, the right one, or several.
        case readings([Reading])
        /// These entities are not understood for reasons that no answer settles.
        case cannotBeSet([String])
        /// There are too many readings to try.
        case tooMany
    }

    private static let trialLimit = 4_000
    /// The types to try for a property, in the words of a configuration.
    private static let types = [
        "Data", "String", "Int", "Int16", "Int32", "Double", "Float", "Bool", "Date", "UUID",
        "URL", "Decimal", "Transformable", "{ enum: String }", "{ enum: Int }",
    ]

    private let hashes: ModelHashes
    private let swift: ModelBundle.SwiftDetails

    /// Takes sources and the hashes of a store; `nil` for a model from other sources.
    package init?(_ bundle: ModelBundle, hashes: ModelHashes) {
        guard let swift = bundle.swift else { return nil }
        (self.swift, self.hashes) = (swift, hashes)
    }

    package func outcome(for version: ModelVersion) -> Outcome {
        let gaps = version.entitiesWithGaps
        let known = version.hashes.entities
        let names = Set(version.model.entities.map(\.name))
        let foreign = names.symmetricDifference(hashes.entities.keys)
        guard foreign.isEmpty else { return .isAnother(foreign.sorted()) }
        let questions = swift.questions[version.name] ?? []
        let open = gaps.union(questions.map(\.entity))
        let different = names.filter { !open.contains($0) && known[$0] != hashes.entities[$0] }
        guard different.isEmpty else { return .isAnother(different.sorted()) }
        guard !open.isEmpty else { return .fitsAlready }
        // Inherited properties are questions of the parent entity.
        let owners = version.model.entities.flatMap { entity in
            entity.gaps.map { $0.entity ?? entity.name }
        }
        let unsettable = Set(owners).subtracting(questions.map(\.entity))
        guard unsettable.isEmpty else { return .cannotBeSet(unsettable.sorted()) }
        var readings = [Reading()]
        for group in groups(of: questions) {
            guard let found = fitting(group, version.name) else { return .tooMany }
            readings = readings.flatMap { reading in found.map { reading.merging($0) } }
            if readings.isEmpty || readings.count > 100 { break }
        }
        return .readings(readings)
    }

    /// The questions that depend on each other: those of one entity, and of entities that may be each other's inverses.
    private func groups(of questions: [SwiftQuestion]) -> [[SwiftQuestion]] {
        var groups: [(entities: Set<String>, questions: [SwiftQuestion])] = []
        for question in questions {
            var entities: Set<String> = [question.entity]
            if case .inverse(let names) = question.kind {
                entities.formUnion(names.map { String($0.prefix { $0 != "." }) })
            }
            var merged = (entities: entities, questions: [question])
            for group in groups where !group.entities.isDisjoint(with: entities) {
                merged.entities.formUnion(group.entities)
                merged.questions = group.questions + merged.questions
            }
            groups.removeAll { !$0.entities.isDisjoint(with: merged.entities) }
            groups.append(merged)
        }
        return groups.map(\.questions)
    }

    /// Returns the readings of a group with the store's hashes; `nil` when there are too many to try.
    private func fitting(_ questions: [SwiftQuestion], _ version: String) -> [Reading]? {
        guard let readings = swift.readings else { return [] }
        var all = [Reading()]
        var seen: Set<String> = []
        for question in questions where seen.insert(question.name).inserted {
            all = all.flatMap { reading in answers(to: question).map(reading.merging) }
            if all.count > Self.trialLimit { return nil }
        }
        let entities = Set(questions.map(\.entity))
        return all.filter { reading in
            guard let options = reading.applied(to: readings.options),
                let found = readings.models(options).version(named: version)
            else { return false }
            let hashes = versionHashes(of: reading.applied(to: found.model)).entities
            return entities.allSatisfy { name in
                !found.spoiledEntities.contains(name) && hashes[name] == self.hashes.entities[name]
            }
        }
    }

    private func answers(to question: SwiftQuestion) -> [Reading] {
        switch question.kind {
        case .inverse(let names): (["none"] + names).map { Reading(inverses: [question.name: $0]) }
        case .uniqueness: [false, true].map { Reading(uniqueness: [question.name: $0]) }
        case .type(let types):
            (types.isEmpty ? Self.types : types).map { Reading(types: [question.name: $0]) }
        }
    }
}

extension SourceFitting.Reading {
    fileprivate func merging(_ other: Self) -> Self {
        Self(
            inverses: inverses.merging(other.inverses) { first, _ in first },
            types: types.merging(other.types) { first, _ in first },
            uniqueness: uniqueness.merging(other.uniqueness) { first, _ in first }
        )
    }

    /// The model with constraints that count once.
    fileprivate func applied(to model: ManagedObjectModel) -> ManagedObjectModel {
        var model = model
        for index in model.entities.indices {
            var known: Set<String> = []
            let entity = model.entities[index]
            model.entities[index].uniquenessConstraints.removeAll { constraint in
                let name = "\(entity.name).\(constraint.properties.joined(separator: "."))"
                return !known.insert(name).inserted && uniqueness[name] == true
            }
        }
        return model
    }

    /// The options with the reading; `nil` for one that contradicts itself.
    fileprivate func applied(to options: SwiftReadingOptions) -> SwiftReadingOptions? {
        for (name, inverse) in inverses where inverse != "none" {
            // Both sides name each other, or one was not asked about.
            guard inverses[inverse] ?? name == name else { return nil }
        }
        var options = options
        options.inverses.merge(inverses) { $1 }
        for (name, type) in types {
            guard type.hasPrefix("{") else {
                options.types[name] = .alias(type)
                continue
            }
            let fields = type.dropFirst(2).dropLast(2).split(separator: ",").map { text in
                let words = text.split(separator: ":").map { String($0.drop { $0 == " " }) }
                return ForeignType.Field(name: words[0], type: words[1])
            }
            options.types[name] =
                fields[0].name == "enum" ? .rawValues(of: fields[0].type) : .fields(fields)
        }
        return options
    }
}
