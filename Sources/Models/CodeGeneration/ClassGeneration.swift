package import Diagnostics
package import ObjectModel

extension RuleID {
    /// A name that no class, property or function can have.
    package static let unusableName: RuleID = "unusable-name"
    /// Two entities of one class, of which only one could be generated.
    package static let sharedGeneratedClass: RuleID = "shared-generated-class"
}

/// The languages that classes of managed objects are generated in.
package enum ClassLanguage: String, Sendable, Hashable, CaseIterable {
    /// Swift.
    case swift
    /// Objective-C, with headers.
    case objectiveC = "objective-c"

    /// The language that a model's `sourceLanguage` names; Swift unless that is Objective-C.
    package init(of model: ManagedObjectModel) {
        self = model.documentSettings["sourceLanguage"] == "Objective-C" ? .objectiveC : .swift
    }
}

/// Which entities get what is generated.
package enum ClassSelection: Sendable, Hashable {
    /// What each entity asks for (`codeGenerationType`): a class, the properties only, or nothing.
    case asMarked
    /// A class for each entity that has one of its own.
    case all
}

/// What Swift's classes look like, by the Xcode that would write them.
package enum SwiftClassForm: Sendable, Hashable {
    /// As Xcode 26 writes them: with public imports, and names for sets, one for each file.
    case publicImports
    /// As earlier ones do: with imports that are public unless `InternalImportsByDefault` says otherwise.
    case plainImports

    /// The form that a version of Xcode writes, by its number in compiled models, such as `260000`.
    package init(xcodeVersion: Int) {
        self = xcodeVersion < 260_000 ? .plainImports : .publicImports
    }
}

/// A source file that was generated.
package struct GeneratedFile: Sendable, Hashable {
    /// The name, such as `Person+CoreDataProperties.swift`.
    package var name: String
    package var text: String
}

/// Generates the classes of managed objects, in files of the names and with the members that Apple's have.
///
/// For `Person`: `Person+CoreDataClass`, made once to be extended by hand or in each build, and
/// `Person+CoreDataProperties`; for the model `Shop+CoreDataModel`. Objects are optional in Swift whether or not the
/// attribute is: an object that is not saved yet may lack them. Numbers, truth values and dates are scalars where
/// the model says so (`usesScalarValueType`).
///
/// - Parameters:
///   - model: the model, read without errors.
///   - name: the name of the model, which the last file bears.
///   - language: the language.
///   - selection: which entities get a class.
///   - form: what Swift's classes look like.
/// - Returns: the files by name, with an error for each entity or property that cannot be written.
package func generatedClasses(
    of model: ManagedObjectModel,
    named name: String,
    language: ClassLanguage,
    selection: ClassSelection = .asMarked,
    form: SwiftClassForm = .publicImports
) -> Diagnosed<[GeneratedFile]> {
    let graph = ModelGraph(model)
    var files: [GeneratedFile] = []
    var diagnostics: [Diagnostic] = []
    var classes: [String: Entity] = [:]
    for entity in model.entities {
        guard let extent = extent(of: entity, selection), let className = entity.ownClassName
        else { continue }
        let faults = faults(in: entity, className, earlier: classes[className])
        diagnostics += faults
        guard faults.isEmpty else { continue }
        classes[className] = entity
        let generated = GeneratedClass(name: className, entity: entity, graph: graph)
        switch language {
        case .swift: files += swiftFiles(of: generated, extent, form)
        case .objectiveC: files += objectiveCFiles(of: generated, extent)
        }
    }
    let whole = model.entities.filter { extent(of: $0, selection) == .wholeClass }
        .compactMap(\.ownClassName).filter { classes[$0] != nil }
    switch language {
    case .swift: files.append(swiftModelFile(named: name, model, graph, form))
    case .objectiveC: files.append(objectiveCModelFile(named: name, classes: whole.sorted()))
    }
    return Diagnosed(files.sorted { $0.name < $1.name }, diagnostics)
}

/// How much of a class is generated.
enum Extent {
    /// The class and its properties.
    case wholeClass
    /// The properties, for a class that is written by hand.
    case properties
}

private func extent(of entity: Entity, _ selection: ClassSelection) -> Extent? {
    guard selection == .asMarked else { return .wholeClass }
    switch entity.sourceSettings["codeGenerationType"] {
    case "class": return .wholeClass
    case "category": return .properties
    default: return nil
    }
}

/// An entity whose class is generated.
struct GeneratedClass {
    /// The name of the class.
    var name: String
    var entity: Entity
    /// The model.
    var graph: ModelGraph

    /// The class of the nearest ancestor that has one of its own.
    var superclass: String {
        graph.lineage(of: entity).dropFirst().lazy.compactMap(\.ownClassName).first
            ?? "NSManagedObject"
    }

    /// The class of an entity's objects.
    func className(ofEntity name: String?) -> String {
        let entity = name.flatMap(graph.entity)
        return entity.flatMap { graph.lineage(of: $0).lazy.compactMap(\.ownClassName).first }
            ?? "NSManagedObject"
    }
}

extension Entity {
    /// The name of the class without its module; `nil` for an entity without a class of its own.
    var ownClassName: String? {
        let name = className?.split(separator: ".").last.map(String.init)
        return name == "NSManagedObject" ? nil : name
    }
}

private func faults(
    in entity: Entity,
    _ className: String,
    earlier: Entity?
) -> [Diagnostic] {
    if let earlier {
        let message =
            "'\(entity.name)' has the class '\(className)' of '\(earlier.name)'; write it by hand"
        return [
            Diagnostic(
                .sharedGeneratedClass,
                message,
                at: entity.source.location(of: "representedClassName"),
                element: entity.name,
                notes: [.init("the other entity is here", at: earlier.source.element)]
            )
        ]
    }
    func fault(_ name: String, _ element: String, _ place: SourceMark, _ attribute: String)
        -> Diagnostic?
    {
        guard !name.isIdentifier else { return nil }
        let message = "'\(name)' cannot be a name in source code; choose letters and digits"
        let location = place.location(of: attribute)
        return Diagnostic(.unusableName, message, at: location, element: element)
    }
    let own = fault(className, entity.name, entity.source, "representedClassName")
    return [own].compactMap(\.self)
        + entity.properties.compactMap { property in
            fault(property.name, "\(entity.name).\(property.name)", property.source, "name")
        }
}

extension String {
    /// Whether the text can name something in Swift and in Objective-C.
    var isIdentifier: Bool {
        guard let first = unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
            return false
        }
        return unicodeScalars.allSatisfy(\.properties.isXIDContinue)
    }

    /// The text with its first letter large, as it stands in the names of accessors.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The text as a literal of Swift or Objective-C, without quotes.
    var escaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Attribute {
    /// Whether numbers, truth values and dates come as such rather than as objects.
    var isScalar: Bool {
        ["YES", "true", "1"].contains(sourceSettings["usesScalarValueType"] ?? "")
    }

    /// The class of a transformable attribute's values, where it is the name of a type and nothing more.
    var valueClass: String? {
        guard let name = customClassName, !name.isEmpty,
            name.unicodeScalars.allSatisfy({
                $0.properties.isXIDContinue || "[]<>:,.? ".unicodeScalars.contains($0)
            })
        else { return nil }
        return name
    }
}
