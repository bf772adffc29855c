import Diagnostics
import Essentials
import ModelHashing
package import ObjectModel

package struct ModelReport: Sendable, TextReport, KeyedReport {
    private let model: String
    private let versions: [ModelVersion]
    /// The names of all versions if not all are shown; otherwise `nil`.
    private let versionNames: [String]?
    /// The names of the entities that are shown; `nil` for all.
    private var shownNames: [String]?
    /// Whether entities have only the number of their properties.
    private var isOutline = false

    package init(model: String, versions: [ModelVersion], names: [String]? = nil) {
        (self.model, self.versions, versionNames) = (model, versions, names)
        hashTogether(versions)
    }

    package var entityNames: [String] { versions.flatMap { $0.model.entities.map(\.name) } }

    /// Leaves out all entities except some; if none is named, and no more is requested, everything except their outline.
    package mutating func show(_ names: [String], isBrief: Bool) {
        if names.isEmpty { isOutline = isBrief } else { shownNames = names }
    }

    static let shape = """
        model = report { model: string "The path.", versions: [version],
          versionNames?: [string] "With --current: all versions; MODEL#VERSION shows another one." }
        version = { name: string, current: boolean, identifiers: [string],
          checksum: string "Apple's version checksum, in base64.", counts: {integer},
          entities?: [entity] "But with --brief.", outline?: [{ name: string, parent?: string, attributes: integer,
          relationships: integer }] "With --brief: how many properties each entity has.", configurations: [string],
          fetchRequests: [string], composites: [{ name: string, attributes: [attribute] }] }
        """
    package var jsonObject: JSONObject {
        ["model": model, "versions": versions.map(jsonObject), "versionNames": versionNames]
    }

    private func jsonObject(_ version: ModelVersion) -> JSONObject {
        let model = version.model
        let outline = model.entities.map { entity -> JSONObject in
            [
                "name": entity.name, "parent": entity.parentEntity,
                "attributes": entity.attributes.count, "relationships": entity.relationships.count,
            ]
        }
        let composites = model.composites.map { composite -> JSONObject in
            [
                "name": composite.name,
                "attributes": composite.attributes.map(MomtoolReporting.jsonObject),
            ]
        }
        return [
            "name": version.name, "current": version.isCurrent,
            "identifiers": identifiers(of: model), "checksum": version.checksum,
            "counts": Dictionary(counts(of: model).map { ($0.key, $0.number) }) { $1 },
            "entities": isOutline ? nil : shownEntities(of: model).map(MomtoolReporting.jsonObject),
            "outline": isOutline ? outline : nil,
            "configurations": model.configurations.map(\.name),
            "fetchRequests": model.fetchRequestTemplates.map(\.name), "composites": composites,
        ]
    }

    private func identifiers(of model: ManagedObjectModel) -> [String] {
        model.versionIdentifiers.filter { !$0.isEmpty }
    }

    private func shownEntities(of model: ManagedObjectModel) -> [Entity] {
        model.entities.filter { shownNames?.contains($0.name) ?? true }
    }

    /// The number of what a model has, without inherited properties.
    private func counts(
        of model: ManagedObjectModel
    ) -> [(key: String, noun: String, number: Int)] {
        func sum(_ count: (Entity) -> Int) -> Int { model.entities.map(count).reduce(0, +) }
        let indexes = sum { $0.fetchIndexes.count + $0.compoundIndexes.count }
        let constraints = sum(\.uniquenessConstraints.count)
        return [
            ("entities", "entity", model.entities.count),
            ("attributes", "attribute", sum(\.attributes.count)),
            ("relationships", "relationship", sum(\.relationships.count)),
            ("fetchedProperties", "fetched property", sum(\.fetchedProperties.count)),
            ("indexes", "index", indexes),
            ("uniquenessConstraints", "uniqueness constraint", constraints),
        ]
    }

    package var text: String {
        let names = versionNames.map { "versions: \($0.joined(separator: ", "))".onOneLine }
        return ([model.onOneLine] + [names].compactMap(\.self) + versions.map(text))
            .joined(separator: "\n\n")
    }

    private func text(_ version: ModelVersion) -> String {
        let model = version.model
        let counts = counts(of: model).map { $0.number.counted($0.noun) }
        let requests = model.fetchRequestTemplates.map(\.name)
        var facts = [
            ["checksum", version.checksum],
            ["identifiers", identifiers(of: model).joined(separator: ", ")],
            ["holds", counts.joined(separator: ", ")],
            ["configurations", model.configurations.map(\.name).joined(separator: ", ")],
            ["fetch requests", requests.joined(separator: ", ")],
        ]
        for composite in model.composites {
            let parts = composite.attributes.map(\.line).joined(separator: ", ")
            facts.append(["composite", "\(composite.name) { \(parts) }"])
        }
        let lines = shownEntities(of: model).flatMap(isOutline ? outline : lines)
        let head = version.name + (version.isCurrent ? " (current)" : "")
        return head.onOneLine + "\n" + textTable(facts.filter { !$0[1].isEmpty }) + "\n\n"
            + textLines(lines)
    }

    private func outline(of entity: Entity) -> [String] {
        [
            "  \(entity.name): \(entity.attributes.count.counted("attribute")), "
                + entity.relationships.count.counted("relationship")
        ]
    }

    private func lines(of entity: Entity) -> [String] {
        let name = entity.parentEntity.map { "\(entity.name) : \($0)" } ?? entity.name
        let properties =
            entity.attributes.map(\.line) + entity.relationships.map(\.line)
            + entity.fetchedProperties.map { "\($0.name): fetched" }
        return ["  " + name + (entity.isAbstract ? " (abstract)" : "")]
            + properties.map { "    \($0)" }
    }
}
