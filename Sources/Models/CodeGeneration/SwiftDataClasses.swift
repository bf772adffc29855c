package import Diagnostics
package import ObjectModel
package import SwiftDataReading

extension RuleID {
    /// Something in a model that `@Model` classes cannot say.
    package static let swiftdataInexpressible: RuleID = "swiftdata-inexpressible"
}

/// What is written round the classes of a SwiftData model.
package struct SwiftDataFrame: Sendable, Hashable {
    /// The name of the `VersionedSchema` that holds the classes; `nil` for classes by themselves.
    package var schemaName: String?
    /// The three numbers of the version.
    package var identifier: [Int]
    /// What the classes were made from, as the first line says.
    package var origin: String

    package init(schemaName: String?, identifier: [Int] = [1, 0, 0], origin: String) {
        self.schemaName = schemaName
        self.identifier = identifier
        self.origin = origin
    }
}

/// How the files begin that the tool writes with `@Model` classes.
package let writtenByMomtool = "// Written by momtool"

/// Writes the `@Model` classes that give a model's entities.
///
/// What cannot be said is left out and reported: an error where the hash of the entity then is another one, a warning
/// where only what the application sees is lost.
///
/// - Parameters:
///   - model: the model.
///   - frame: what stands round the classes.
///   - shapes: the types of the attributes where the model comes from Swift sources.
/// - Returns: a Swift file, with what it does not say.
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
            "// Stores of this version have these hashes; an edit of what is stored moves them.\n"
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
    /// The lines moved to the right by one level.
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }
}

/// Writes the classes of one model.
struct SwiftDataWriter {
    let model: ManagedObjectModel
    let shapes: SwiftShapes
    /// The entities that get a class.
    let entities: [Entity]
    var values: ValueTypeWriting
    private(set) var diagnostics: [Diagnostic] = []

    init(_ model: ManagedObjectModel, _ shapes: SwiftShapes) {
        self.model = model
        self.shapes = shapes
        entities = model.entities.filter { $0.fault == nil }
        values = ValueTypeWriting(model, taken: Set(entities.map(\.name)))
    }

    /// The enums and structs that attributes are made of, as declarations.
    var valueTypes: [String] { shapes.declarations + values.declarations }

    var entityNames: [String] { entities.map(\.name) }

    /// Writes all classes.
    mutating func classes() -> [String] {
        for entity in model.entities {
            if let fault = entity.fault { error(fault, entity.name, entity.source) }
        }
        for configuration in model.configurations
        where Set(configuration.memberEntities) != Set(model.entities.map(\.name)) {
            let message =
                "the configuration '\(configuration.name)' is set in code, by ModelConfiguration"
            warn(message, configuration.name, configuration.source)
        }
        for request in model.fetchRequestTemplates {
            warn("a fetch request template has no place in a class", request.name, request.source)
        }
        return entities.map { text(of: $0) }
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
        let name = entity.renamingIdentifier.map { "(originalName: \($0.swiftLiteral))" } ?? ""
        let parts = [macros, members, [initializer(parameters)]].filter { !$0.isEmpty }
        let body = parts.map { lines in lines.map { "    \($0)\n" }.joined() }
        return """
            @Model\(name)
            final class \(entity.name.swiftName) {
            \(body.joined(separator: "\n"))}

            """
    }

    /// What the initializer takes for a property that has no value by itself.
    struct Parameter {
        var name: String
        var type: String
    }

    private func initializer(_ parameters: [Parameter]) -> String {
        guard !parameters.isEmpty else { return "init() {}" }
        let list = parameters.map { "\($0.name.swiftName): \($0.type)" }.joined(separator: ", ")
        let body = parameters.map { "        self.\($0.name.swiftName) = \($0.name.swiftName)\n" }
        return "init(\(list)) {\n\(body.joined())    }"
    }

    /// Writes constraints and indexes, those of one attribute that are unique aside.
    private mutating func macros(of entity: Entity) -> [String] {
        var indexes: [String] = []
        for index in entity.fetchIndexes {
            let names = index.elements.compactMap(\.plainProperty)
            guard names.count == index.elements.count, index.partialIndexPredicate == nil,
                names.allSatisfy({ entity.property($0) != nil }), !names.isEmpty
            else {
                let message =
                    "the index '\(index.name)' is more than a list of properties; left out"
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
            warn("a fetched property has no place in a class", path, property.source)
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
        diagnostics.append(
            Diagnostic(
                .swiftdataInexpressible,
                "\(element): \(message)",
                severity: severity,
                at: source.element,
                element: element
            )
        )
    }
}

extension Entity {
    /// What keeps the entity from being a class; `nil` when nothing does.
    fileprivate var fault: String? {
        if parentEntity != nil {
            return "what SwiftData makes of a class that inherits is not known; no class is written"
        }
        if isAbstract { return "SwiftData has no abstract classes; no class is written" }
        guard name.isIdentifier else {
            return "the name can be none of a class; no class is written"
        }
        return nil
    }

    /// Whether a constraint is that of one attribute, which its own option says.
    func isPlainUnique(_ constraint: UniquenessConstraint) -> Bool {
        constraint.properties.count == 1
            && attributes.contains { $0.name == constraint.properties[0] }
    }
}

extension FetchIndex.Element {
    /// The property that is indexed in the plain way.
    fileprivate var plainProperty: String? {
        guard case .property(let name) = subject, collation == .binary, isAscending else {
            return nil
        }
        return name
    }
}

extension [String] {
    /// The names as a list of key paths.
    fileprivate var keyPaths: String {
        "[" + map { "\\." + $0.swiftName }.joined(separator: ", ") + "]"
    }
}

extension String {
    /// The text as a literal of Swift.
    var swiftLiteral: String {
        let text = unicodeScalars.map { scalar -> String in
            guard scalar.value < 0x20 else { return String(scalar).escaped }
            return "\\u{\(String(scalar.value, radix: 16))}"
        }
        return "\"\(text.joined())\""
    }
}
