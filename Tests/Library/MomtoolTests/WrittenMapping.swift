import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import Momtool
import ObjectModel
import PropertyLists
import TestSupport

/// The second version adds an attribute, the third changes the type of the first.
let mappedModels = [
    "V1": "<attribute name='a' optional='YES' attributeType='String'/>",
    "V2": "<attribute name='a' optional='YES' attributeType='String'/>"
        + "<attribute name='b' optional='YES' attributeType='String'/>",
    "V3": "<attribute name='a' optional='YES' attributeType='Integer 16'/>"
        + "<attribute name='b' optional='YES' attributeType='String'/>",
].mapValues { "<model><entity name='A'>\($0)</entity></model>" }

/// The attributes get the values of expressions.
func writeMapping(
    of values: [String: String],
    policy: String? = nil,
    userInfo: [String: String] = [:],
    entities: (source: String, destination: String) = ("A", "A"),
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
        sourceName: entities.source,
        destinationName: entities.destination,
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

/// Runs with the first two versions in `M.xcdatamodeld`, the mapping model `One.cdm`, and the store `Old.sqlite` of the
/// first.
func withMappedStore(
    of values: [String: String],
    policy: String,
    userInfo: [String: String] = [:],
    rows: String,
    _ body: (_ folder: URL, Model, Store) throws -> Void
) throws {
    try withFolder { folder in
        let bundle = folder.appending(path: "M.xcdatamodeld")
        try writeBundle(mappedModels.filter { $0.key != "V3" }, current: "V2", at: bundle)
        let model = try Model(bundle.path)
        try writeMapping(
            of: values,
            policy: policy,
            userInfo: userInfo,
            from: model.version("V1").model,
            to: model.version("V2").model,
            at: folder.appending(path: "One.cdm")
        )
        let path = folder.appending(path: "Old.sqlite").path
        try body(folder, model, Store.create(path, of: model, version: "V1", rows: .json(rows)))
    }
}
