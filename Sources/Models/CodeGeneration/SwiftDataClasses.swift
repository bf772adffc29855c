package import Diagnostics
package import ObjectModel
package import SwiftDataReading

/// The surroundings of the classes of a SwiftData model.
package struct SwiftDataFrame: Sendable, Hashable {
    /// The name of the `VersionedSchema` that holds the classes; `nil` for top-level classes.
    package var schemaName: String?
    package var identifier: [Int]
    package var origin: String

    package init(schemaName: String?, identifier: [Int] = [1, 0, 0], origin: String) {
        (self.schemaName, self.identifier, self.origin) = (schemaName, identifier, origin)
    }
}

/// The beginning of the files that the tool writes with `@Model` classes.
package let writtenByMomtool = "// Written by momtool"

/// Writes the `@Model` classes of a model's entities.
///
/// What cannot be expressed is left out and reported: an error where it changes the hash of the entity, a warning where
/// only the application sees the loss. `shapes` are the types of attributes from Swift sources.
package func swiftDataClasses(
    of model: ManagedObjectModel,
    in frame: SwiftDataFrame,
    shapes: SwiftShapes = SwiftShapes()
) -> Diagnosed<String> {
    var writer = SwiftDataWriter(model, shapes)
    let classes = writer.classes()
    let origin = frame.origin == "." ? "the sources of this folder" : frame.origin.onOneLine
    var parts = ["\(writtenByMomtool) from \(origin).\n"]
    if frame.schemaName != nil {
        parts[0] +=
            "// Stores of this version have these hashes; an edit of stored properties changes them.\n"
    }
    let modules = shapes.modules.union(["Foundation", "SwiftData"]).sorted()
    parts.append(modules.map { "import \($0)\n" }.joined())
    let declarations = writer.valueTypes + classes
    if let name = frame.schemaName {
        let list = writer.entityNames.map { "            \($0.swiftName).self,\n" }.joined()
        let numbers = frame.identifier.map(String.init).joined(separator: ", ")
        let head = """
            enum \(name.swiftName): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(numbers))
                static var models: [any PersistentModel.Type] {
                    [
            \(list)        ]
                }

            """
        parts.append(head + declarations.map { "\n" + $0.indented }.joined() + "}\n")
    } else {
        parts += declarations
    }
    return Diagnosed(parts.joined(separator: "\n"), writer.diagnostics)
}

extension String {
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }

    var swiftLiteral: String {
        let text = unicodeScalars.map { scalar -> String in
            guard scalar.value < 0x20 else { return String(scalar).escaped }
            return "\\u{\(String(scalar.value, radix: 16))}"
        }
        return "\"\(text.joined())\""
    }
}

/// The systems whose SwiftData has classes that inherit.
private let inheritanceSystems =
    "@available(iOS 26, macOS 26, tvOS 26, visionOS 26, watchOS 26, *)\n"

struct SwiftDataWriter {
    let model: ManagedObjectModel
    let shapes: SwiftShapes
    let entities: [Entity]
    var values: ValueTypeWriting
    private let graph: ModelGraph
    /// The parameters of the initializers of superclasses and their superclasses.
    private var parameters: [String: [Parameter]] = [:]
    private(set) var diagnostics: [Diagnostic] = []

    init(_ model: ManagedObjectModel, _ shapes: SwiftShapes) {
        (self.model, self.shapes) = (model, shapes)
        let graph = ModelGraph(model)
        entities = model.entities.filter { graph.lineage(of: $0).allSatisfy { $0.fault == nil } }
        self.graph = graph
        values = ValueTypeWriting(model, taken: Set(entities.map(\.name)))
    }

    /// The enums and structs in attributes, as declarations.
    var valueTypes: [String] { shapes.declarations + values.declarations }

    var entityNames: [String] { entities.map(\.name) }

    mutating func classes() -> [String] {
        for entity in model.entities {
            for fault in graph.lineage(of: entity).compactMap(\.fault).prefix(1) {
                error(fault, entity.name, entity.source)
            }
        }
        for configuration in model.configurations
        where Set(configuration.memberEntities) != Set(model.entities.map(\.name)) {
            let message =
                "the configuration '\(configuration.name)' is set in code, by ModelConfiguration"
            warn(message, configuration.name, configuration.source)
        }
        for request in model.fetchRequestTemplates {
            warn("a class cannot have a fetch request template", request.name, request.source)
        }
        var texts = [String](repeating: "", count: entities.count)
        // Initializers pass on the parameters of their superclasses.
        let depths = entities.map { graph.lineage(of: $0).count }
        for place in entities.indices.sorted(by: { (depths[$0], $0) < (depths[$1], $1) }) {
            texts[place] = text(of: entities[place])
        }
        return texts
    }

    private mutating func text(of entity: Entity) -> String {
        noteLosses(of: entity)
        var members: [String] = []
        let macros = macros(of: entity)
        var parameters: [Parameter] = []
        for attribute in entity.attributes {
            guard let written = text(of: attribute, in: entity) else { continue }
            members.append(written.text)
            if let parameter = written.parameter { parameters.append(parameter) }
        }
        for relationship in entity.relationships {
            guard let written = text(of: relationship, in: entity) else { continue }
            members.append(written.text)
            if let parameter = written.parameter { parameters.append(parameter) }
        }
        let inherited = entity.parentEntity.flatMap { self.parameters[$0] }
        self.parameters[entity.name] = (inherited ?? []) + parameters
        let name = entity.renamingIdentifier.map { "(originalName: \($0.swiftLiteral))" } ?? ""
        let parts = [macros, members, [initializer(parameters, inherited)]].filter { !$0.isEmpty }
        let isParent = entities.contains { $0.parentEntity == entity.name }
        let parent = entity.parentEntity.map { ": \($0.swiftName)" } ?? ""
        let body = parts.map { lines in lines.map { "    \($0)\n" }.joined() }
        return """
            \(entity.parentEntity == nil ? "" : inheritanceSystems)@Model\(name)
            \(isParent ? "" : "final ")class \(entity.name.swiftName)\(parent) {
            \(body.joined(separator: "\n"))}

            """
    }

    /// The initializer's parameter for a property without a default.
    struct Parameter {
        var name: String
        var type: String
    }

    private func initializer(_ parameters: [Parameter], _ inherited: [Parameter]?) -> String {
        guard !parameters.isEmpty || inherited != nil else { return "init() {}" }
        let list = ((inherited ?? []) + parameters)
            .map { "\($0.name.swiftName): \($0.type)" }.joined(separator: ", ")
        var body = parameters.map { "        self.\($0.name.swiftName) = \($0.name.swiftName)\n" }
        if let inherited {
            let values = inherited.map { "\($0.name.swiftName): \($0.name.swiftName)" }
            body.append("        super.init(\(values.joined(separator: ", ")))\n")
        }
        let isOverride = inherited != nil && parameters.isEmpty
        return "\(isOverride ? "override " : "")init(\(list)) {\n\(body.joined())    }"
    }

    /// Writes constraints and indexes, except uniqueness of one attribute.
    private mutating func macros(of entity: Entity) -> [String] {
        var indexes: [String] = []
        for index in entity.fetchIndexes {
            let names = index.elements.compactMap(\.plainProperty)
            guard names.count == index.elements.count, index.partialIndexPredicate == nil,
                names.allSatisfy({ entity.property($0) != nil }), !names.isEmpty
            else {
                let message =
                    "the index '\(index.name)' is not just a list of properties, so it is left out"
                warn(message, "\(entity.name).\(index.name)", index.source)
                continue
            }
            indexes.append(names.keyPaths)
        }
        indexes += entity.compoundIndexes.map(\.keyPaths)
        let constraints = entity.uniquenessConstraints.filter { !entity.isPlainUnique($0) }
            .map(\.properties.keyPaths)
        var macros: [String] = []
        for (name, lists) in [("Index", indexes), ("Unique", constraints)] where !lists.isEmpty {
            macros.append("#\(name)<\(entity.name.swiftName)>(\(lists.joined(separator: ", ")))")
        }
        return macros
    }

    private mutating func noteLosses(of entity: Entity) {
        if entity.versionHashModifier != nil {
            error("SwiftData has no version hash modifier for entities", entity.name, entity.source)
        }
        for property in entity.fetchedProperties {
            let path = "\(entity.name).\(property.name)"
            warn("a class cannot have a fetched property", path, property.source)
        }
    }

    mutating func error(_ message: String, _ element: String, _ source: SourceMark) {
        report(message, .error, element, source)
    }

    mutating func warn(_ message: String, _ element: String, _ source: SourceMark) {
        report(message, .warning, element, source)
    }

    private mutating func report(
        _ message: String,
        _ severity: Severity,
        _ element: String,
        _ source: SourceMark
    ) {
        diagnostics.report(
            "swiftdata-inexpressible",
            "\(element): \(message)",
            severity: severity,
            at: source.element,
            element: element
        )
    }
}

extension Entity {
    /// What prevents the entity from being a class; `nil` when nothing does.
    fileprivate var fault: String? {
        if isAbstract { return "SwiftData has no abstract classes, so no class is written" }
        guard name.isIdentifier else {
            return "the name is not a valid class name, so no class is written"
        }
        return nil
    }

    /// Whether a constraint is that of one attribute, which its own option expresses.
    func isPlainUnique(_ constraint: UniquenessConstraint) -> Bool {
        constraint.properties.count == 1
            && attributes.contains { $0.name == constraint.properties[0] }
    }
}

extension FetchIndex.Element {
    fileprivate var plainProperty: String? {
        guard case .property(let name) = subject, collation == .binary, isAscending else {
            return nil
        }
        return name
    }
}

extension [String] {
    fileprivate var keyPaths: String {
        "[" + map { "\\." + $0.swiftName }.joined(separator: ", ") + "]"
    }
}
