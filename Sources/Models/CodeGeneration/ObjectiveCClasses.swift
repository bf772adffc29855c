import ObjectModel

func objectiveCFiles(of generated: GeneratedClass, _ extent: Extent) -> [GeneratedFile] {
    let name = generated.name
    let properties = [
        GeneratedFile(name: name + "+CoreDataProperties.h", text: propertiesHeader(of: generated)),
        GeneratedFile(name: name + "+CoreDataProperties.m", text: propertiesSource(of: generated)),
    ]
    guard extent == .wholeClass else { return properties }
    return [
        GeneratedFile(name: name + "+CoreDataClass.h", text: classHeader(of: generated)),
        GeneratedFile(
            name: name + "+CoreDataClass.m",
            text: objectiveCHeader + """
                #import "\(name)+CoreDataClass.h"

                @implementation \(name)

                @end

                """
        ),
    ] + properties
}

/// Writes the header that imports those of all classes.
func objectiveCModelFile(named name: String, classes: [String]) -> GeneratedFile {
    let imports = classes.map { "#import \"\($0)+CoreDataClass.h\"\n" }.joined()
    let text =
        objectiveCHeader + "#import <CoreData/CoreData.h>\n#import <Foundation/Foundation.h>\n\n"
        + imports
    return GeneratedFile(name: name + "+CoreDataModel.h", text: text)
}

private let objectiveCHeader =
    "// Generated from a Core Data model; changes are lost when it is generated again.\n\n"

private func classHeader(of generated: GeneratedClass) -> String {
    let (name, superclass) = (generated.name, generated.superclass)
    // The superclass must be imported; the others only need a forward declaration.
    let others = otherClasses(of: generated).map { "@class \($0);\n" }.joined()
    let own = superclass == "NSManagedObject" ? "" : "#import \"\(superclass)+CoreDataClass.h\"\n"
    return objectiveCHeader + """
        #import <CoreData/CoreData.h>
        #import <Foundation/Foundation.h>
        \(own)
        \(others)
        NS_ASSUME_NONNULL_BEGIN

        @interface \(name) : \(superclass)

        @end

        NS_ASSUME_NONNULL_END

        #import "\(name)+CoreDataProperties.h"

        """
}

private func otherClasses(of generated: GeneratedClass) -> [String] {
    let related =
        generated.entity.relationships.map { generated.className(ofEntity: $0.destinationEntity) }
        + generated.entity.fetchedProperties.map {
            generated.className(ofEntity: $0.fetchRequest?.entity)
        }
        + generated.entity.attributes.filter { $0.type == .transformable }.compactMap(\.valueClass)
        .filter(\.isIdentifier)
    return Set(related).subtracting([generated.name, generated.superclass, "NSManagedObject"])
        .sorted()
}

private func propertiesHeader(of generated: GeneratedClass) -> String {
    let entity = generated.entity
    var text =
        objectiveCHeader + """
            #import "\(generated.name)+CoreDataClass.h"

            NS_ASSUME_NONNULL_BEGIN

            @interface \(generated.name) (CoreDataProperties)

            + (NSFetchRequest<\(generated.name) *> *)fetchRequest NS_SWIFT_NAME(fetchRequest());


            """
    for attribute in entity.attributes { text += declaration(of: attribute) }
    for relationship in entity.relationships {
        let element = generated.className(ofEntity: relationship.destinationEntity)
        let type =
            !relationship.isToMany
            ? element
            : relationship.isOrdered ? "NSOrderedSet<\(element) *>" : "NSSet<\(element) *>"
        text += "@property (nullable, nonatomic, retain) \(type) *\(relationship.name);\n"
    }
    for property in entity.fetchedProperties {
        let element = generated.className(ofEntity: property.fetchRequest?.entity)
        text +=
            "@property (nullable, nonatomic, readonly) NSArray<\(element) *> *\(property.name);\n"
    }
    text += "\n@end\n"
    let toMany = entity.relationships.filter(\.isToMany)
    if !toMany.isEmpty {
        let accessors = toMany.map { relationship in
            let element = generated.className(ofEntity: relationship.destinationEntity)
            return objectiveCAccessors(of: relationship, element: element)
        }
        text += "\n@interface \(generated.name) (CoreDataGeneratedAccessors)\n\n"
        text += accessors.joined(separator: "\n") + "\n@end\n"
    }
    return text + "\nNS_ASSUME_NONNULL_END\n"
}

private func declaration(of attribute: Attribute) -> String {
    let accessor = attribute.type.row.objectiveC
    if let scalar = accessor?.scalar, attribute.isScalar {
        return "@property (nonatomic) \(scalar) \(attribute.name);\n"
    }
    let named = attribute.valueClass.flatMap { $0.isIdentifier ? $0 + " *" : nil } ?? "id "
    let (keeping, type) = (accessor?.keeping ?? "retain", accessor?.object ?? named)
    return "@property (nullable, nonatomic, \(keeping)) \(type)\(attribute.name);\n"
}

private func objectiveCAccessors(of relationship: Relationship, element: String) -> String {
    let large = relationship.name.capitalizedFirst
    let set = (relationship.isOrdered ? "NSOrderedSet" : "NSSet") + "<\(element) *> *"
    let list = "NSArray<\(element) *> *"
    let moves = [
        "insertObject:(\(element) *)value in\(large)AtIndex:(NSUInteger)idx",
        "removeObjectFrom\(large)AtIndex:(NSUInteger)idx",
        "insert\(large):(\(list))value atIndexes:(NSIndexSet *)indexes",
        "remove\(large)AtIndexes:(NSIndexSet *)indexes",
        "replaceObjectIn\(large)AtIndex:(NSUInteger)idx withObject:(\(element) *)value",
        "replace\(large)AtIndexes:(NSIndexSet *)indexes with\(large):(\(list))values",
    ]
    let changes = [
        "add\(large)Object:(\(element) *)value", "remove\(large)Object:(\(element) *)value",
        "add\(large):(\(set))values", "remove\(large):(\(set))values",
    ]
    return ((relationship.isOrdered ? moves : []) + changes).map { "- (void)\($0);\n" }.joined()
}

private func propertiesSource(of generated: GeneratedClass) -> String {
    let names = generated.entity.propertyNames.map { "@dynamic \($0);\n" }.joined()
    return objectiveCHeader + """
        #import "\(generated.name)+CoreDataProperties.h"

        @implementation \(generated.name) (CoreDataProperties)

        + (NSFetchRequest<\(generated.name) *> *)fetchRequest {
            return [NSFetchRequest fetchRequestWithEntityName:@"\(generated.entity.name.escaped)"];
        }

        \(names)
        @end

        """
}
