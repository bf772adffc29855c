import ObjectModel
import SwiftDataReading

func swiftFiles(
    of generated: GeneratedClass,
    _ extent: Extent,
    _ form: SwiftClassForm
) -> [GeneratedFile] {
    let properties = GeneratedFile(
        name: generated.name + "+CoreDataProperties.swift",
        text: swiftProperties(of: generated, form)
    )
    guard extent == .wholeClass else { return [properties] }
    let text =
        swiftHeader(form) + setName(of: generated, "CoreDataClassSet", form) + """
            @objc(\(generated.name))
            public class \(generated.name.swiftName): \(generated.superclass.swiftName) {

            }

            """
    return [GeneratedFile(name: generated.name + "+CoreDataClass.swift", text: text), properties]
}

func swiftModelFile(
    named name: String,
    _ model: ManagedObjectModel,
    _ graph: ModelGraph,
    _ form: SwiftClassForm
) -> GeneratedFile {
    var names: Set<String> = []
    let templates = model.fetchRequestTemplates.filter {
        $0.name.isIdentifier && names.insert($0.name.capitalizedFirst).inserted
    }
    let functions = templates.map { request in
        let entity = request.entity.flatMap(graph.entity)
        let result =
            request.resultType ?? 0 == 0
            ? entity?.ownClassName?.swiftName ?? "NSManagedObject"
            : request.resultType == 1 ? "NSManagedObjectID" : "NSDictionary"
        return """
                /// The template `\(request.name)`, with values for its variables.
                public func \("fetchRequest" + request.name.capitalizedFirst)(
                    _ variables: [String: Any] = [:]
                ) -> NSFetchRequest<\(result)>? {
                    fetchRequestFromTemplate(
                        withName: "\(request.name.escaped)",
                        substitutionVariables: variables
                    ) as? NSFetchRequest<\(result)>
                }

            """
    }
    var text = swiftHeader(form)
    if !functions.isEmpty {
        let body = functions.joined(separator: "\n")
        text += "extension NSManagedObjectModel {\n\(body)}\n"
    }
    return GeneratedFile(name: name + "+CoreDataModel.swift", text: text)
}

private func swiftHeader(_ form: SwiftClassForm) -> String {
    let access = form == .publicImports ? "public " : ""
    return """
        // Generated from a Core Data model; changes are lost when it is generated again.

        \(access)import CoreData
        \(access)import Foundation


        """
}

/// The name that a file of current Xcode gives to sets of its class.
private func setName(
    of generated: GeneratedClass,
    _ suffix: String,
    _ form: SwiftClassForm
) -> String {
    guard form == .publicImports else { return "" }
    return "public typealias \(generated.name)\(suffix) = NSSet\n\n"
}

private func swiftProperties(of generated: GeneratedClass, _ form: SwiftClassForm) -> String {
    let entity = generated.entity
    let name = generated.name.swiftName
    var text =
        swiftHeader(form) + setName(of: generated, "CoreDataPropertiesSet", form) + """
            extension \(name) {

                @nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {
                    return NSFetchRequest<\(name)>(entityName: "\(entity.name.escaped)")
                }


            """
    for attribute in entity.attributes {
        text += declaration(of: attribute.name, swiftType(of: attribute))
    }
    for relationship in entity.relationships {
        let type =
            !relationship.isToMany
            ? generated.className(ofEntity: relationship.destinationEntity).swiftName
            : relationship.isOrdered ? "NSOrderedSet" : "NSSet"
        text += declaration(of: relationship.name, type + "?")
    }
    for property in entity.fetchedProperties {
        let element = generated.className(ofEntity: property.fetchRequest?.entity).swiftName
        text += declaration(of: property.name, "[\(element)]?")
    }
    text += "}\n"
    for relationship in entity.relationships where relationship.isToMany {
        let element = generated.className(ofEntity: relationship.destinationEntity).swiftName
        text += "\n// Accessors for \(relationship.name)\nextension \(name) {\n"
        text += swiftAccessors(of: relationship, element: element)
        text += "}\n"
    }
    // Subclasses inherit the conformance, and must not repeat it.
    if entity.parentEntity == nil { text += "\nextension \(name): Identifiable {\n\n}\n" }
    return text
}

private func declaration(of name: String, _ type: String) -> String {
    "    @NSManaged public var \(name.swiftName): \(type)\n"
}

private func swiftType(of attribute: Attribute) -> String {
    guard let accessor = attribute.type.row.swift else {
        let name = attribute.valueClass ?? "NSObject"
        return name.hasSuffix("?") ? name : name + "?"
    }
    return accessor.scalar.flatMap { attribute.isScalar ? $0 : nil } ?? accessor.object
}

private func swiftAccessors(of relationship: Relationship, element: String) -> String {
    let large = relationship.name.capitalizedFirst
    let set = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    let changes: [(selector: String, function: String)] = [
        ("add\(large)Object:", "addTo\(large)(_ value: \(element))"),
        ("remove\(large)Object:", "removeFrom\(large)(_ value: \(element))"),
        ("add\(large):", "addTo\(large)(_ values: \(set))"),
        ("remove\(large):", "removeFrom\(large)(_ values: \(set))"),
    ]
    let moves: [(selector: String, function: String)] = [
        ("insertObject:in\(large)AtIndex:", "insertInto\(large)(_ value: \(element), at idx: Int)"),
        ("removeObjectFrom\(large)AtIndex:", "removeFrom\(large)(at idx: Int)"),
        (
            "insert\(large):atIndexes:",
            "insertInto\(large)(_ values: [\(element)], at indexes: NSIndexSet)"
        ), ("remove\(large)AtIndexes:", "removeFrom\(large)(at indexes: NSIndexSet)"),
        (
            "replaceObjectIn\(large)AtIndex:withObject:",
            "replace\(large)(at idx: Int, with value: \(element))"
        ),
        (
            "replace\(large)AtIndexes:with\(large):",
            "replace\(large)(at indexes: NSIndexSet, with values: [\(element)])"
        ),
    ]
    return ((relationship.isOrdered ? moves : []) + changes).map { change in
        "\n    @objc(\(change.selector))\n    @NSManaged public func \(change.function)\n"
    }.joined() + "\n"
}
