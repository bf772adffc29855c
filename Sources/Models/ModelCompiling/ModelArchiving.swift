package import Diagnostics
package import ObjectModel
package import PropertyLists

extension RuleID {
    package static let danglingName: RuleID = "dangling-name"
    package static let unprovenCompiledForm: RuleID = "unproven-compiled-form"
}

/// Compiles a model into the keyed archive of a `.mom` file.
///
/// Keys, classes, number widths and shared objects follow CompiledModels, "Archives". The objects are numbered in the
/// order of names: Apple's are in hash order, which differs from build to build and hides the order of the source.
///
/// A model that was read without errors compiles without errors; others give an error for each part that is left out.
package func compileModel(
    _ model: ManagedObjectModel,
    options: CompilerOptions = CompilerOptions()
) -> Diagnosed<KeyedArchive> {
    var archiver = ModelArchiver(model.sortedByName, options: options)
    archiver.addModel()
    return Diagnosed(archiver.archive, archiver.diagnostics)
}

/// Builds the archive of one model, or of a mapping model from the same parts.
package struct ModelArchiver {
    package typealias Reference = KeyedArchive.Reference

    /// What a diagnostic is about, mostly a property; its text is made only when there is one.
    package struct Owner: CustomStringConvertible {
        private let name: String
        private let property: String?
        let source: SourceMark

        package init(_ name: String, _ property: String? = nil, source: SourceMark = SourceMark()) {
            (self.name, self.property, self.source) = (name, property, source)
        }

        package var description: String { property.map { "\(name).\($0)" } ?? name }
    }

    let model: ManagedObjectModel
    let graph: ModelGraph
    let options: CompilerOptions
    /// The entities with distinct names; of several with one name the first counts.
    let entities: [Entity]
    package var archive = KeyedArchive()
    package var diagnostics: [Diagnostic] = []
    var root = Reference.null
    var entityReferences: [String: Reference] = [:]
    var entityAtHand = Reference.null
    /// The properties of the current entity that have an index of their own, ascending.
    ///
    /// Such an index is mirrored in the flag that older systems index by.
    var mirroredIndexes: Set<String> = []
    var expressionNumber = 0
    /// How many composite elements may still be written; nested types can multiply.
    var compositeAllowance = 100_000
    /// With room for the names of a common model.
    private var stringReferences = [String: Reference](minimumCapacity: 128)
    /// The last entity with a property of a name, by the number of the name.
    private var holders: [Int] = []
    private var plainReferences: [PropertyList: Reference] = [:]
    private var sharedReferences: [KeyedArchive.ClassRecord: Reference] = [:]

    package init(_ model: ManagedObjectModel, options: CompilerOptions) {
        (self.model, self.options) = (model, options)
        graph = ModelGraph(model)
        var names: Set<String> = []
        entities =
            model.entities.map(\.name).holdsDuplicates
            ? model.entities.filter { names.insert($0.name).inserted } : model.entities
    }

    mutating func addModel() {
        root = reserve()
        // By index, here and below: copying an entity out of the array takes longer than the work on it.
        let entities = entities
        for index in entities.indices {
            entityReferences[entities[index].name] = reserve()
            for _ in 0..<entities[index].propertyCount { _ = reserve() }
        }
        var values: KeyedArchive.Values = [
            "NSEntities": .reference(
                dictionary(
                    distinct: entities.indices.map {
                        (entities[$0].name, entityReference(entities[$0].name))
                    },
                    .mutableDictionary
                )
            ), "NSFetchRequestTemplates": .reference(fetchRequestTemplates()),
            "NSVersionIdentifiers": .reference(
                collection(model.versionIdentifiers.map { plain(.string($0)) }, .set)
            ),
        ]
        if !model.configurations.isEmpty {
            values["NSConfigurations"] = .reference(configurations())
        }
        values["CDMCompilerToolVersion"] = options.toolsVersion.map { .plain(.real64($0)) }
        values["CDMCompilerXcodeVersion"] = options.xcodeVersion.map { .integer(Int64($0)) }
        fill(root, .model, values)
        for entity in entities { addEntity(entity) }
        archive.top = ["root": .reference(root)]
    }

    private mutating func fetchRequestTemplates() -> Reference {
        guard !model.fetchRequestTemplates.isEmpty else { return .null }
        let requests = model.fetchRequestTemplates.map { ($0.name, fetchRequest($0, of: $0.name)) }
        return dictionary(requests, .mutableDictionary)
    }

    private mutating func configurations() -> Reference {
        let sets = model.configurations.map { configuration in
            let members = configuration.memberEntities.compactMap { name in
                requiredEntity(name, "configuration '\(configuration.name)'", configuration.source)
            }
            return (configuration.name, collection(members, .set))
        }
        return dictionary(sets, .mutableDictionary)
    }

    package mutating func reserve() -> KeyedArchive.Reference { archive.add(.null) }

    package mutating func fill(
        _ reference: Reference,
        _ classRecord: KeyedArchive.ClassRecord,
        _ values: KeyedArchive.Values
    ) { archive.objects[reference.index] = .instance(.init(classRecord, values)) }

    package mutating func add(
        _ classRecord: KeyedArchive.ClassRecord,
        _ values: KeyedArchive.Values = [:]
    ) -> Reference { archive.add(.instance(.init(classRecord, values))) }

    /// Adds a string, number or bytes, once for each value.
    package mutating func plain(_ value: PropertyList) -> KeyedArchive.Reference {
        if case .string(let text) = value { return plain(text) }
        if let reference = plainReferences[value] { return reference }
        let reference = archive.add(.plain(value))
        plainReferences[value] = reference
        return reference
    }

    /// Adds a string, once for each value.
    mutating func plain(_ text: String) -> Reference {
        if let reference = stringReferences[text] { return reference }
        let reference = archive.add(.plain(.string(text)))
        stringReferences[text] = reference
        return reference
    }

    /// Notes that an entity has a property of a name, and tells whether it is the first of it.
    mutating func takes(_ name: Reference, for entity: Reference) -> Bool {
        if name.index >= holders.count {
            holders += repeatElement(0, count: archive.objects.count - holders.count)
        }
        guard holders[name.index] != entity.index else { return false }
        holders[name.index] = entity.index
        return true
    }

    package mutating func string(_ text: String?) -> KeyedArchive.Value {
        .reference(text.map { plain($0) } ?? .null)
    }

    /// Returns the only object of a class, made on first use.
    mutating func shared(
        _ classRecord: KeyedArchive.ClassRecord,
        _ values: @autoclosure () -> KeyedArchive.Values
    ) -> Reference {
        if let reference = sharedReferences[classRecord] { return reference }
        let reference = add(classRecord, values())
        sharedReferences[classRecord] = reference
        return reference
    }

    // The same arrays for all objects, so that keys need not be compared one by one.
    private static let collectionKeys = ["NS.objects"]
    private static let dictionaryKeys = ["NS.keys", "NS.objects"]

    package mutating func collection(
        _ elements: [Reference],
        _ classRecord: KeyedArchive.ClassRecord
    ) -> Reference { add(classRecord, .init(keys: Self.collectionKeys, [.references(elements)])) }

    /// Adds a dictionary; of several equal keys the first counts.
    package mutating func dictionary(
        _ entries: [(String, Reference)],
        _ classRecord: KeyedArchive.ClassRecord
    ) -> Reference {
        var names: Set<String> = []
        return dictionary(distinct: entries.filter { names.insert($0.0).inserted }, classRecord)
    }

    /// Adds a dictionary whose keys are known to differ.
    mutating func dictionary(
        distinct entries: [(String, Reference)],
        _ classRecord: KeyedArchive.ClassRecord
    ) -> Reference { dictionary(keys: entries.map { plain($0.0) }, entries.map(\.1), classRecord) }

    /// Adds a dictionary whose keys are already in the archive.
    mutating func dictionary(
        keys: [Reference],
        _ values: [Reference],
        _ classRecord: KeyedArchive.ClassRecord
    ) -> Reference {
        add(
            classRecord,
            .init(keys: Self.dictionaryKeys, [.references(keys), .references(values)])
        )
    }

    /// Returns the dictionary of a user info, by its keys; all empty ones are the same object.
    mutating func userInfo(_ entries: [UserInfoEntry]) -> Reference {
        guard !entries.isEmpty else {
            return shared(.dictionary, ["NS.keys": .references([]), "NS.objects": .references([])])
        }
        var entries = entries
        entries.sortIfNeeded(by: \.key)
        let values = entries.map { ($0.key, plain(.string($0.value))) }
        return dictionary(values, .dictionary)
    }

    func entityReference(_ name: String?) -> Reference {
        name.flatMap { entityReferences[$0] } ?? .null
    }

    /// Returns the object reserved for a property: these follow that of their entity.
    func propertyReference(at place: Int, of entity: String) -> Reference {
        Reference(entityReference(entity).index + 1 + place)
    }

    mutating func requiredEntity(
        _ name: String,
        _ owner: @autoclosure () -> String,
        _ source: SourceMark
    ) -> Reference? {
        if let reference = entityReferences[name] { return reference }
        report(.danglingName, "\(owner()) names the entity '\(name)', which is missing", source)
        return nil
    }

    mutating func report(
        _ rule: RuleID,
        _ message: String,
        _ source: SourceMark,
        severity: Severity = .error,
        attribute: String = ""
    ) {
        diagnostics.append(
            Diagnostic(rule, message, severity: severity, at: source.location(of: attribute))
        )
    }
}

extension ManagedObjectModel {
    /// The model with everything sorted by name that archives hold without an order.
    ///
    /// Usually the source is in that order, except for names that differ in case; what is in order is not copied.
    var sortedByName: ManagedObjectModel {
        var model = self
        model.entities.sortIfNeeded(by: \.name)
        for index in model.entities.indices {
            model.entities[index].attributes.sortIfNeeded(by: \.name)
            model.entities[index].relationships.sortIfNeeded(by: \.name)
            model.entities[index].fetchedProperties.sortIfNeeded(by: \.name)
        }
        model.fetchRequestTemplates.sortIfNeeded(by: \.name)
        model.configurations.sortIfNeeded(by: \.name)
        for index in model.configurations.indices {
            model.configurations[index].memberEntities.sortIfNeeded(by: \.self)
        }
        return model
    }
}

extension Array {
    /// Sorts the elements by their names as archives do, unless they are in that order.
    mutating func sortIfNeeded(by name: (Element) -> String) {
        guard count > 1 else { return }
        let names = map(name)
        guard zip(names, names.dropFirst()).contains(where: { $1.precedesByCodeUnits($0) }) else {
            return
        }
        self = zip(names, self).enumerated().sorted { left, right in
            left.element.0 == right.element.0
                ? left.offset < right.offset : left.element.0.precedesByCodeUnits(right.element.0)
        }.map(\.element.1)
    }
}
