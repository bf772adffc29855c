package import Diagnostics
package import ObjectModel

package enum ClassLanguage: String, Sendable, Hashable, CaseIterable {
    case swift
    case objectiveC = "objective-c"

    /// The language in a model's `sourceLanguage`; Swift unless that is Objective-C.
    package init(of model: ManagedObjectModel) {
        self = model.documentSettings["sourceLanguage"] == "Objective-C" ? .objectiveC : .swift
    }
}

/// The entities for which code is generated.
package enum ClassSelection: Sendable, Hashable {
    /// What each entity asks for (`codeGenerationType`): a class, the properties only, or nothing.
    case asMarked
    /// A class for each entity that has one of its own.
    case all
}

/// The form of Swift classes, by the Xcode that would write them.
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

package struct GeneratedFile: Sendable, Hashable {
    /// The name, such as `Person+CoreDataProperties.swift`.
    package var name: String
    package var text: String
}

/// Generates the classes of managed objects, in files with Apple's names and members.
///
/// For `Person`: `Person+CoreDataClass`, made once to be extended by hand or in each build, and
/// `Person+CoreDataProperties`; for the model `Shop+CoreDataModel`. Objects are optional in Swift whether or not the
/// attribute is: an unsaved object may lack them. Numbers, truth values and dates are scalars where the model says so
/// (`usesScalarValueType`).
///
/// Returns an error for each entity or property that cannot be written.
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

enum Extent {
    case wholeClass
    /// The properties, for a handwritten class.
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

struct GeneratedClass {
    var name: String
    var entity: Entity
    var graph: ModelGraph

    /// The class of the nearest ancestor that has one of its own.
    var superclass: String {
        graph.lineage(of: entity).dropFirst().lazy.compactMap(\.ownClassName).first
            ?? "NSManagedObject"
    }

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

private func faults(in entity: Entity, _ className: String, earlier: Entity?) -> [Diagnostic] {
    if let earlier {
        let message =
            "'\(entity.name)' and '\(earlier.name)' have the same class '\(className)'; write it by hand"
        return [
            Diagnostic(
                "shared-generated-class",
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
        return Diagnostic("unusable-name", message, at: location, element: element)
    }
    let own = fault(className, entity.name, entity.source, "representedClassName")
    return [own].compactMap(\.self)
        + entity.properties.compactMap { property in
            fault(property.name, "\(entity.name).\(property.name)", property.source, "name")
        }
}

extension String {
    /// Whether the text is an identifier in Swift and in Objective-C.
    var isIdentifier: Bool {
        guard let first = unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
            return false
        }
        return unicodeScalars.allSatisfy(\.properties.isXIDContinue)
    }

    /// The text with its first letter capitalized, as in the names of accessors.
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
    /// Whether numbers, truth values and dates are scalars rather than objects.
    var isScalar: Bool {
        ["YES", "true", "1"].contains(sourceSettings["usesScalarValueType"] ?? "")
    }

    /// The class of a transformable attribute's values, if it is just the name of a type.
    var valueClass: String? {
        guard let name = customClassName, !name.isEmpty,
            name.unicodeScalars.allSatisfy({
                $0.properties.isXIDContinue || "[]<>:,.? ".unicodeScalars.contains($0)
            })
        else { return nil }
        return name
    }
}
