import CodeGeneration
import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelHashing
import ModelLoading
import ObjectModel
import SwiftDataReading

extension SwiftSourceEditor {
    /// Adds a version after the edited one: the old one keeps its hashes, the new one changes.
    ///
    /// A version that declares its own classes is copied; one that lists classes still being edited gets copies of
    /// them. Classes without a version become two versions and a plan.
    package mutating func startVersion(named name: String? = nil) throws(MomtoolError) {
        let old = try version
        guard bundle.swift?.schemas.contains(old.name) == true else {
            return try freezeFirst(old, named: name)
        }
        try requireAsShipped(old)
        let new = try newName(name ?? bundle.nextVersionName(after: old.name))
        var copy = SwiftSchemaCopy(old.name, as: new, identifier: try nextIdentifier(after: old))
        let owners = try owners(of: old)
        let shared = owners.filter { $0.owner == nil }.map(\.entity)
        guard shared.isEmpty || shared.count == owners.count else {
            let own = owners.filter { $0.owner != nil }.map(\.entity.name).listed(most: 3)
            let names = shared.map(\.name).listed(most: 3)
            throw refusal(
                """
                '\(old.name)' declares \(own) itself but uses the app's \(names), which the new version \
                would share: first declare copies in '\(old.name)'; \(.frozenClasses(of: old.name))
                """
            )
        }
        for (entity, owner) in owners {
            guard let owner, !old.name.isName(of: owner) else { continue }
            copy.borrowed.append(try borrowed(entity, of: owner))
        }
        var edits: [Int: [SwiftEdit]] = [:]
        for index in sources.indices where sources[index].names(old.name) {
            edits[index] = [.retarget(old.name, to: new)]
        }
        var text = try copied(copy)
        if !shared.isEmpty {
            for version in try versions(sharing: shared, besides: old) + [old] {
                try freeze(version, &edits)
            }
        }
        let planned = try addToPlan(old, new, &edits)
        let (home, _) = try position(of: old.model.source.element)
        if !planned {
            let outer = try around(old.model.source.element).reversed().map { $0 + "." }.joined()
            text += try indented(plan([outer + old.name, outer + new]), by: unit(of: home))
        }
        var files = try edited(edits)
        let file = folder(of: sources[home].path) + "/\(new).swift"
        files.append(SwiftSource(path: file, bytes: Array(text.utf8)))
        try finish(files, old, new)
    }

    /// The classes of a version, with the version that declares each; `nil` for those of the app.
    private func owners(
        of version: ModelVersion
    ) throws(MomtoolError) -> [(entity: Entity, owner: String?)] {
        let schemas = bundle.swift?.schemas ?? []
        return try version.model.entities.map { entity throws(MomtoolError) in
            let owner = try around(entity.source.element).first
            let isVersion = owner.map { owner in schemas.contains { $0.isName(of: owner) } }
            return (entity, isVersion == true ? owner : nil)
        }
    }

    /// The other versions that list only classes still being edited: they get copies too, as an edit would change them.
    private func versions(
        sharing classes: [Entity],
        besides old: ModelVersion
    ) throws(MomtoolError) -> [ModelVersion] {
        let schemas = bundle.swift?.schemas ?? []
        let places = classes.map(\.source.element)
        var found: [ModelVersion] = []
        for version in bundle.versions where version.name != old.name {
            guard schemas.contains(version.name),
                version.model.entities.contains(where: { places.contains($0.source.element) })
            else { continue }
            let owners = try owners(of: version)
            if owners.allSatisfy({ $0.owner == nil }) { found.append(version) }
        }
        return found
    }

    private mutating func freeze(
        _ version: ModelVersion,
        _ edits: inout [Int: [SwiftEdit]]
    ) throws(MomtoolError) {
        let (home, place) = try position(of: version.model.source.element)
        let modules = (bundle.swift?.shapes[version.name]?.modules ?? []).union(["Foundation"])
        let imports = modules.sorted().map { SwiftEdit.importModule($0) }
        edits[home, default: []] += imports.filter { edits[home]?.contains($0) != true }
        edits[home, default: []].append(.replaceType(at: place, with: try frozen(version)))
    }

    private func borrowed(
        _ entity: Entity,
        of owner: String
    ) throws(MomtoolError) -> BorrowedClass {
        let (file, offset) = try position(of: entity.source.element)
        do throws(SwiftEditFault) {
            let text = try text(ofTypeAt: offset, in: sources[file])
            return BorrowedClass(entity.name, of: owner, text: text)
        } catch { throw refusal(Wording(error.message)) }
    }

    func unit(of file: Int) -> String { indentation(of: sources[file]) }

    /// A version as it is written with classes of its own.
    struct FrozenVersion {
        var name: String
        var hashes: ModelHashes
        /// The first number of its identifier.
        var number: Int
        var text: String

        init(_ name: String, _ hashes: ModelHashes, number: Int, _ text: String) {
            (self.name, self.hashes, self.number, self.text) = (name, hashes, number, text)
        }
    }

    /// Puts the classes that no version lists into a version, and makes the next one.
    private mutating func freezeFirst(
        _ old: ModelVersion,
        named name: String?
    ) throws(MomtoolError) {
        try requireNoVersions()
        try requireAsShipped(old)
        let first = try newName("SchemaV1")
        let text = try frozenText(of: old, named: first, identifier: [1, 0, 0])
        let frozen = FrozenVersion(first, old.hashes, number: 1, text)
        try startFirstVersions(of: old, after: frozen, named: name)
        noteEquality(first, versionName)
    }

    func requireNoVersions() throws(MomtoolError) {
        guard bundle.versions.count == 1 else {
            throw refusal(
                """
                versions already exist, but none has these classes, so the next one cannot be added; \
                by hand: \(versionsByHand)
                """
            )
        }
    }

    /// Lists the classes that no version lists in one behind a version that shipped, and puts both into a plan.
    mutating func startFirstVersions(
        of old: ModelVersion,
        after shipped: FrozenVersion,
        named name: String?
    ) throws(MomtoolError) {
        let new = try newName(name ?? "SchemaV\(shipped.number + 1)")
        let (home, _) = try position(of: old.model.entities.first?.source.element)
        let (folder, unit) = (folder(of: sources[home].path), unit(of: home))
        let list = old.model.entities.map { "\($0.name.swiftName).self" }.joined(separator: ", ")
        let text = """
            import SwiftData

            /// The classes of the app as they are now.
            enum \(new): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(shipped.number + 1), 0, 0)
                static var models: [any PersistentModel.Type] { [\(list)] }
            }

            """
        let plan = try plan([shipped.name, new])
        var files = sources
        for (name, text) in [(shipped.name, shipped.text), (new, text + plan)] {
            let bytes = Array(indented(text, by: unit).utf8)
            files.append(SwiftSource(path: "\(folder)/\(name).swift", bytes: bytes))
        }
        try take(files, editing: new) { $0 == old.name }
        try requireHashes([(shipped.name, shipped.hashes), (new, old.hashes)])
    }

    private mutating func finish(
        _ files: [SwiftSource],
        _ old: ModelVersion,
        _ new: String
    ) throws(MomtoolError) {
        try take(files, editing: new) { _ in false }
        try requireHashes([(old.name, old.hashes), (new, old.hashes)])
        for source in sources where !source.path.hasSuffix("/\(new).swift") {
            guard source.names(old.name), let offsets = try? mentions(of: old.name, in: source),
                !source.declares(old.name)
            else { continue }
            let isPlan = bundle.swift?.plans.contains { $0.source.element?.path == source.path }
            guard isPlan != true, let offset = offsets.first else { continue }
            let line = source.bytes[..<offset].count { $0 == 0x0A } + 1
            remarks.append(
                "\(source.path):\(line) still names '\(old.name)'; if that means the newest version, write \(new)"
            )
        }
        noteEquality(old.name, new)
    }

    private mutating func noteEquality(_ old: String, _ new: String) {
        remarks.append(
            "change a class before you ship: while '\(new)' has the hashes of '\(old)', Core Data raises an exception for a "
                + "plan with both"
        )
    }

    /// Proves that two versions that follow each other in a plan have the hashes of stores.
    func requireHashes(_ wanted: [(name: String, hashes: ModelHashes)]) throws(MomtoolError) {
        for (name, hashes) in wanted {
            guard bundle.version(named: name)?.hashes == hashes else {
                throw refusal("nothing was written: '\(name)' would have other hashes")
            }
        }
        let names = wanted.map(\.name)
        let leads = bundle.swift?.plans.contains { plan in
            zip(plan.schemas, plan.schemas.dropFirst()).contains { [$0, $1] == names }
        }
        guard leads == true else {
            throw refusal("nothing was written: the plan would not lead to '\(names[1])'")
        }
    }

    func newName(_ name: String) throws(MomtoolError) -> String {
        let name = name.filter { $0 != " " }
        let scalars = name.unicodeScalars
        guard let first = scalars.first, first.properties.isXIDStart || first == "_",
            scalars.allSatisfy({ $0.properties.isXIDContinue }), name.swiftName == name
        else { throw refusal("'\(name)' is not a valid type name") }
        let isTaken = bundle.version(named: name) != nil || sources.contains { $0.declares(name) }
        guard !isTaken else { throw refusal("the type '\(name)' already exists") }
        return name
    }

    /// The numbers of the next version: the greatest first number plus one.
    private func nextIdentifier(after old: ModelVersion) throws(MomtoolError) -> [Int] {
        let all = bundle.versions.compactMap { version in
            let parts = (version.model.versionIdentifiers.first ?? "").split(separator: ".")
            return parts.count == 3 ? parts.first.flatMap { Int($0) } : nil
        }
        guard let last = all.max(), last < .max else {
            throw refusal("the versions have no numbers such as Schema.Version(1, 0, 0)")
        }
        return [last + 1, 0, 0]
    }

    /// The names of the types around a class or a version, the innermost first.
    private func around(_ place: FileLocation?) throws(MomtoolError) -> [String] {
        let (file, offset) = try position(of: place)
        do throws(SwiftEditFault) {
            return try typesAround(typeAt: offset, in: sources[file])
        } catch { throw refusal(Wording(error.message)) }
    }

    private func copied(_ copy: SwiftSchemaCopy) throws(MomtoolError) -> String {
        var (imports, texts): ([String], [String]) = ([], [])
        for source in sources where source.declares(copy.name) {
            do throws(SwiftEditFault) {
                let found = try declarations(copying: copy, in: source)
                imports += found.imports.filter { !imports.contains($0) }
                texts += found.texts
            } catch { throw refusal(Wording(error.message)) }
        }
        guard !texts.isEmpty else { throw refusal("'\(copy.name)' is not declared in the sources") }
        return (imports.joined(separator: "\n") + "\n\n") + texts.joined(separator: "\n\n") + "\n"
    }

    /// A version with its own copies of all classes, without the types around it.
    private mutating func frozen(_ old: ModelVersion) throws(MomtoolError) -> String {
        let numbers = (old.model.versionIdentifiers.first ?? "").split(separator: ".")
            .compactMap { Int($0) }
        let text = try frozenText(of: old, named: old.name, identifier: numbers)
        guard let start = text.firstRange(of: "enum \(old.name.swiftName): VersionedSchema") else {
            throw refusal("'\(old.name)' cannot be written with its own classes")
        }
        return String(text[start.lowerBound...].dropLast())
    }

    /// Writes a version with classes of its own; that of an earlier state of the sources where one is given.
    mutating func frozenText(
        of old: ModelVersion,
        named name: String,
        identifier: [Int],
        in earlier: (bundle: ModelBundle, origin: String)? = nil
    ) throws(MomtoolError) -> String {
        let gaps = old.model.entities.flatMap(\.gaps)
        guard gaps.isEmpty else {
            throw refusal(
                """
                '\(old.name)' cannot be written with its own classes, as momtool does not understand part of it: \(gaps[0]); \
                types: and swift: inverses: in .momtool.yml supply what the sources leave open; \(.fitting(of: path)) finds the lines; \
                by hand: \(versionsByHand)
                """
            )
        }
        let origin = earlier?.origin ?? path
        let frame = SwiftDataFrame(schemaName: name, identifier: identifier, origin: origin)
        let shapes = (earlier?.bundle ?? bundle).swift?.shapes[old.name] ?? SwiftShapes()
        let written = swiftDataClasses(of: old.model, in: frame, shapes: shapes)
        guard !written.hasErrors else { throw MomtoolError(.refused, saying: written.diagnostics) }
        remarks += written.diagnostics.map(\.message)
        return written.value
    }

    /// Adds the version to the plans that end with the previous one; returns whether there was one.
    private func addToPlan(
        _ old: ModelVersion,
        _ new: String,
        _ edits: inout [Int: [SwiftEdit]]
    ) throws(MomtoolError) -> Bool {
        let plans = (bundle.swift?.plans ?? []).filter { $0.schemas.last == old.name }
        for plan in plans {
            let (file, offset) = try position(of: plan.source.element)
            edits[file, default: []].append(.addToPlan(at: offset, version: new, from: old.name))
        }
        return !plans.isEmpty
    }

    private mutating func plan(_ names: [String]) throws(MomtoolError) -> String {
        let name = try newName("ModelMigrationPlan")
        remarks.append(
            "pass the plan to the container: ModelContainer(for: …, migrationPlan: \(name).self)"
        )
        let list = names.map { "\($0).self" }.joined(separator: ", ")
        return """

            enum \(name): SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [\(list)] }

                static var stages: [MigrationStage] {
                    [.lightweight(fromVersion: \(names[0]).self, toVersion: \(names[1]).self)]
                }
            }

            """
    }

    func folder(of path: String) -> String { parent(of: path) }
}

extension String {
    /// Whether the name of a version, with or without the types around it, is that of a type.
    fileprivate func isName(of type: String) -> Bool { self == type || hasSuffix("." + type) }
}

extension SwiftSource {
    func names(_ name: String) -> Bool { bytes.firstRange(of: Array(name.utf8)) != nil }

    func declares(_ name: String) -> Bool {
        ["enum ", "struct ", "class ", "extension "].contains { word in
            bytes.ranges(of: Array("\(word)\(name)".utf8)).contains { range in
                guard range.upperBound < bytes.count else { return true }
                let next = Unicode.Scalar(bytes[range.upperBound])
                return bytes[range.upperBound] < 0x80 && !next.properties.isXIDContinue
            }
        }
    }
}
