import Diagnostics
import ObjectModel

struct SchemaReader {
    let index: TypeIndex
    let lists: SchemaLists
    private var inverses: [String: String] = [:]
    /// The classes of a list that is made at run time, and those of versions with such a list.
    private var statedTypes: [String] = []
    private var statedLists: Set<[Int]> = []
    /// The files of other targets, which may be about other models.
    private(set) var importers: Set<String> = []
    private var drafts: [Int: EntityDraft] = [:]
    private var roots: Set<[String]> = []
    var fetches: [StageFetch] = []
    /// The versions with whose classes containers that have a plan are opened.
    var openedVersions: Set<String> = []
    /// The plans with stages whose containers are opened with the classes of no version.
    var plansOpenedOtherwise: Set<String> = []
    /// The classes of a container that has more than the last version of its plan with stages.
    var openedBeyondPlan: [Int]?
    var diagnostics: [Diagnostic] = []
    /// Remarks that only a check of models reports.
    var remarks: [Diagnostic] = []
    /// Earlier remarks: a class that several versions reach is mentioned once.
    var reported: Set<Diagnostic> = []
    /// Subjects of doubts that were already reported.
    var subjects: Set<String> = []

    init(_ index: TypeIndex) {
        self.index = index
        lists = SchemaLists(index: index)
    }

    mutating func models(_ options: SwiftReadingOptions) -> SwiftModels {
        var options = options
        statedTypes = options.modelTypes
        inverses = options.inverses
        importers = Set(options.importers)
        let versioned = index.nodes.indices.filter { isType($0, conformingTo: "VersionedSchema") }
        roots = Set(versioned.map { index.nodes[$0].path })
        var versions = versioned.compactMap { version($0) }
        var plans = index.nodes.indices.filter { isType($0, conformingTo: "SchemaMigrationPlan") }
            .compactMap { plan($0) }
        versions = ordered(versions, by: plans)
        if !statedLists.isEmpty { options.modelTypes = [] }
        checkReach(of: versions, at: options.place)
        for plan in plans { check(plan, versions) }
        checkHeirs(of: versions)
        checkContainers(versions, plans)
        for index in plans.indices where plansOpenedOtherwise.contains(plans[index].name) {
            plans[index].isOpenedOtherwise = true
        }
        let planned = Set(plans.flatMap(\.schemas))
        if openedVersions.count == 1, openedVersions.isDisjoint(with: planned),
            let index = versions.firstIndex(where: { openedVersions.contains($0.name) })
        {
            versions.append(versions.remove(at: index))
        }
        checkListing(of: versions.filter { !openedVersions.contains($0.name) }, in: plans)
        checkFetches(versions)
        var opensUnversioned = false
        // Remarks about an omitted version do not matter.
        let isOnly = plans.count == 1 && uses.count { !isTemporary($0.use, in: $0.scope) } == 1
        if !isOnly || !options.modelTypes.isEmpty { openedBeyondPlan = nil }
        var trial = self
        if let rest = trial.unversioned(options) {
            let isKnown = versions.contains { $0.classNames == rest.classNames }
            if !isKnown || !options.modelTypes.isEmpty {
                self = trial
                // Stages lead to the last version of a plan, unless the only container has more.
                opensUnversioned =
                    openedBeyondPlan != nil
                    || plans.allSatisfy(\.stages.isEmpty) && opens(rest) && !opens(versions.last)
                versions.append(rest)
            }
        } else {
            diagnostics = trial.diagnostics
        }
        checkStatedInverses(of: versions)
        var models = SwiftModels(versions: versions, plans: plans, remarks: remarks)
        models.opensUnversioned = opensUnversioned
        if openedVersions.count == 1, plans.allSatisfy({ $0.schemas.last != openedVersions.first })
        {
            models.openedVersion = openedVersions.first
        }
        models.stores = stores(options.groups)
        models.memoryStores = memoryStores()
        return models
    }

    /// Warns about configured inverses of relationships that no version has, except those of other models.
    private mutating func checkStatedInverses(of versions: [SwiftModelVersion]) {
        let entities = versions.flatMap(\.model.entities)
        let known = Set(
            entities.flatMap { entity in entity.relationships.map { "\(entity.name).\($0.name)" } }
        )
        for name in inverses.keys.sorted() where !known.contains(name) {
            let advice = suggestion(for: name, among: known.sorted())
            let owner = name.prefix { $0 != "." }
            guard !advice.isEmpty || entities.contains(where: { $0.name == owner }) else {
                continue
            }
            let message = "inverses: no version has the relationship '\(name)'\(advice)"
            say(.swiftNotReadable, message, severity: .warning, at: nil, name)
        }
    }

    private func isType(_ id: Int, conformingTo name: String) -> Bool {
        guard let kind = index.nodes[id].declaration?.kind, kind != .protocol else { return false }
        return index.conforms(id, to: name)
    }

    private mutating func version(_ id: Int) -> SwiftModelVersion? {
        let node = index.nodes[id]
        let name = node.path.joined(separator: ".")
        do throws(Refusal) {
            let listed = try listed(in: id)
            var version = version(named: name, listed, within: node.path, id)
            version.identifier = identifier(of: id, name)
            if let identifier = version.identifier {
                version.model.versionIdentifiers = [identifier]
            }
            return version
        } catch {
            say(
                .swiftNotReadable,
                "\(name): \(error.reason)",
                error.notes.map { Wording($0) },
                at: error.place ?? node.place
            )
            return nil
        }
    }

    private mutating func listed(in id: Int) throws(Refusal) -> [Int] {
        let elements: [SchemaLists.Element]
        do throws(Refusal) { elements = try lists.elements(of: "models", in: id) } catch {
            let scope = index.nodes[id].scope
            let stated = statedTypes.compactMap { model(named: $0, in: scope) }
            guard !stated.isEmpty, stated.count == statedTypes.count,
                statedLists.insert(stated).inserted
            else { throw error }
            return stated
        }
        var listed: [Int] = []
        for element in elements { listed.append(try model(element)) }
        return listed
    }

    private func model(named name: String, in scope: Scope) -> Int? {
        let names = name.split(separator: ".").map { TypeForm.Component(name: String($0)) }
        guard case .declared(let id) = index.resolve(.named(names), in: scope),
            index.nodes[id].isModel
        else { return nil }
        return id
    }

    private func model(_ element: SchemaLists.Element) throws(Refusal) -> Int {
        guard let (form, meaning) = lists.type(element.value, in: element.scope) else {
            throw Refusal("momtool cannot read a list that is built at run time", at: element.place)
        }
        switch meaning {
        case .declared(let id) where index.nodes[id].isModel: return id
        case .unknown(_, .ambiguous(let places)):
            let note = index.notes(on: .ambiguous(places))
            throw Refusal("\(form.text) is declared more than once", note, at: element.place)
        default:
            let note = "also add the source that declares it"
            throw Refusal(
                "\(form.text) is not a @Model class of the sources",
                [note],
                at: element.place
            )
        }
    }

    /// Reads the identifier, such as `Schema.Version(1, 0, 0)`.
    private mutating func identifier(of id: Int, _ name: String) -> String? {
        guard var (property, scope) = lists.property("versionIdentifier", of: id) else {
            say(
                .swiftNotReadable,
                "\(name): the version identifier is not written in the sources",
                severity: .warning,
                at: index.nodes[id].place
            )
            return nil
        }
        for _ in 0..<20 {
            guard let value = try? lists.value(of: property) else { break }
            if case .call(_, let arguments) = value {
                let numbers = arguments.compactMap { argument -> String? in
                    if case .integer(let text) = argument.value { text } else { nil }
                }
                guard numbers.count == 3, arguments.count == 3 else { break }
                return numbers.joined(separator: ".")
            }
            guard let next = lists.follow(value, in: scope) else { break }
            (property, scope) = next
        }
        let message = "\(name): the version identifier is built at run time"
        say(.swiftNotReadable, message, severity: .warning, at: property.place)
        return nil
    }

    // A container without a plan opens the classes that no version declares.
    private mutating func unversioned(_ options: SwiftReadingOptions) -> SwiftModelVersion? {
        var listed: [Int] = []
        if let openedBeyondPlan {
            listed = openedBeyondPlan
        } else if options.modelTypes.isEmpty {
            listed = index.nodes.indices.filter { id in
                let path = index.nodes[id].path
                return index.nodes[id].isModel
                    && !path.indices.contains { roots.contains(Array(path[..<$0])) }
            }
        } else {
            for name in options.modelTypes {
                if let id = model(named: name, in: Scope(file: -1)) {
                    listed.append(id)
                } else {
                    say(.swiftNotReadable, "\(name) is not a @Model class of the sources", at: nil)
                }
            }
        }
        guard !listed.isEmpty else { return nil }
        // Of two classes with the same name, the one in fewer types is the app's own.
        listed.sort { index.nodes[$0].path.count < index.nodes[$1].path.count }
        var version = version(named: SwiftModelVersion.unversionedName, listed, within: nil, nil)
        version.identifier = "1.0.0"
        version.isVersioned = false
        return version
    }

    /// Makes the version of some classes and of all that their relationships reach.
    private mutating func version(
        named name: String,
        _ listed: [Int],
        within path: [String]?,
        _ id: Int?
    ) -> SwiftModelVersion {
        let members = members(listed, name)
        let entities = members.map { draft($0) }
        let pairing = InversePairing(entities, stated: inverses)
        let refusals = entities.flatMap(\.refusals) + pairing.refusals.map(\.remark)
        let gaps = refusals.byEntity(index)
        let doubts = (entities.flatMap(\.doubts) + pairing.doubts.map(\.remark)).byEntity(index)
        var assembly = ModelAssembly(index)
        var model = assembly.model(of: entities, inverses: pairing.inverses, identifier: "1.0.0")
        for number in model.entities.indices {
            let name = model.entities[number].name
            model.entities[number].gaps = gaps[name] ?? []
            model.entities[number].doubts = doubts[name]?.map(\.description) ?? []
        }
        spoilHeirs(in: &model)
        if let id { model.source = index.mark(index.nodes[id].place) }
        for entity in entities { say(entity) }
        for (_, remark) in pairing.refusals { refuse(remark) }
        for (_, remark) in pairing.doubts { doubt(remark) }
        for (remark, isPaired) in pairing.unwritten { note(remark, isPaired ? .note : .warning) }
        let spoiled = model.entities.filter { !$0.gaps.isEmpty }.map(\.name)
        let unproven = model.entities.filter { !$0.doubts.isEmpty }.map(\.name)
        let place = id.map { index.nodes[$0].place } ?? index.nodes[members[0]].place
        return SwiftModelVersion(
            name: name,
            path: index.location(place).path,
            isVersioned: id != nil,
            model: model,
            spoiledEntities: Set(spoiled),
            unprovenEntities: Set(unproven),
            questions: (refusals + entities.flatMap(\.doubts)).compactMap(\.question),
            types: types(of: entities, listed: Set(listed), within: path),
            shapes: ShapeWriting.shapes(of: entities, index),
            source: index.mark(place)
        )
    }

    /// The hash of an entity includes that of its parent, so a gap in the parent is a gap in the entity.
    private func spoilHeirs(in model: inout ManagedObjectModel) {
        let graph = ModelGraph(model)
        for number in model.entities.indices {
            let parents = graph.lineage(of: model.entities[number]).dropFirst()
            model.entities[number].gaps += parents.flatMap(\.gaps)
        }
    }

    /// Returns the classes of a version: the listed ones, and those that relationships lead to.
    private mutating func members(_ listed: [Int], _ version: String) -> [Int] {
        let (members, duplicates) = reached(from: listed)
        for (id, other) in duplicates { duplicate(id, other, version) }
        return members
    }

    /// Returns some classes and their destinations.
    mutating func members(of listed: [Int]) -> [Int] { reached(from: listed).members }

    private mutating func reached(
        from listed: [Int]
    ) -> (members: [Int], duplicates: [(id: Int, other: Int)]) {
        var names: [String: Int] = [:]
        var members: [Int] = []
        var duplicates: [(id: Int, other: Int)] = []
        func add(_ id: Int) -> Int? {
            let known = names[index.nodes[id].name]
            guard known == nil else { return known == id ? nil : known }
            names[index.nodes[id].name] = id
            members.append(id)
            return nil
        }
        for id in listed {
            guard let other = add(id) else { continue }
            duplicates.append((id, other))
        }
        var next = 0
        while next < members.count {
            // A listed class replaces a reached one, relationships go by names; but not in classes of another version.
            let member = draft(members[next])
            for id in member.relationships.map(\.destination) + (member.parent.map { [$0] } ?? []) {
                guard let other = add(id) else { continue }
                let paths = [members[next], id, other].map { index.nodes[$0].path }
                let isApart = roots.contains { root in
                    paths.map { $0.starts(with: root) } == [true, true, false]
                }
                if isApart { duplicates.append((id, other)) }
            }
            next += 1
        }
        return (members, duplicates)
    }

    private mutating func duplicate(_ id: Int, _ other: Int, _ version: String) {
        guard index.nodes[id].declaration != index.nodes[other].declaration else { return }
        // A nested copy that a version uses is intentional.
        let isUnversioned = version == SwiftModelVersion.unversionedName
        if isUnversioned, index.nodes[id].path.count > 1, drafts[id] != nil { return }
        let name = index.nodes[id].name
        let place = index.location(index.nodes[other].place)
        say(
            .swiftDuplicateClass,
            "\(version): two classes are named \(name); the one at \(place) is used",
            [
                "declare copies of the classes that lead to it, or leave its source out with exclude: under swift: in .momtool.yml"
            ],
            severity: isUnversioned ? .warning : .error,
            at: index.nodes[id].place
        )
    }

    mutating func draft(_ id: Int) -> EntityDraft {
        if let draft = drafts[id] { return draft }
        let draft = EntityReader.read(id, index)
        drafts[id] = draft
        return draft
    }

    private func types(
        of entities: [EntityDraft],
        listed: Set<Int>,
        within path: [String]?
    ) -> [SwiftModelType] {
        func type(_ id: Int, _ kind: SwiftModelType.Kind) -> SwiftModelType {
            let node = index.nodes[id]
            return SwiftModelType(
                name: node.path.joined(separator: "."),
                kind: kind,
                isOwn: path.map { node.path.starts(with: $0) } ?? true,
                isFrozen: node.path.indices.contains { roots.contains(Array(node.path[..<$0])) },
                isListed: listed.contains(id),
                source: index.mark(node.place)
            )
        }
        let values = entities.reduce(into: Set<Int>()) { $0.formUnion($1.values) }
        return entities.map { type($0.id, .model) } + values.sorted().map { type($0, .value) }
    }
}

extension [EntityDraft.Remark] {
    fileprivate func byEntity(_ index: TypeIndex) -> [String: [EntityGap]] {
        let gaps = map { EntityGap(in: $0.element, $0.message, at: index.mark($0.place)) }
        return Dictionary(grouping: gaps) { $0.entity ?? "" }
    }
}
