import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import ObjectModel
import PropertyLists

/// Three versions of the entity `A`: it gets an attribute, and then another type of the first.
let mappedModels = [
    "V1": "<attribute name='a' optional='YES' attributeType='String'/>",
    "V2": "<attribute name='a' optional='YES' attributeType='String'/>"
        + "<attribute name='b' optional='YES' attributeType='String'/>",
    "V3": "<attribute name='a' optional='YES' attributeType='Integer 16'/>"
        + "<attribute name='b' optional='YES' attributeType='String'/>",
].mapValues { "<model><entity name='A'>\($0)</entity></model>" }

/// Writes a compiled mapping model of the entity `A`, whose attributes get the values of expressions.
func writeMapping(
    of values: [String: String],
    policy: String? = nil,
    userInfo: [String: String] = [:],
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    at file: URL
) throws {
    let attributes = try values.sorted { $0.key < $1.key }.map { name, value in
        MappingModelSource.PropertyMapping(
            name: name,
            valueExpression: try PredicateExpression(parsing: value)
        )
    }
    var mapping = MappingModelSource.EntityMapping(
        sourceName: "A",
        destinationName: "A",
        policyClassName: policy,
        number: 1,
        attributes: attributes
    )
    mapping.userInfo = userInfo.map { UserInfoEntry(key: $0, value: $1) }
    let compiled = compileMappingModel(
        MappingModelSource(entityMappings: [mapping]),
        from: source,
        to: destination
    )
    try compiled.value.binaryData.write(to: file)
}
