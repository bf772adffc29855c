import Diagnostics
import Essentials
import ModelHashing
package import ObjectModel

package struct ModelReport: Sendable, TextReport {
    package struct Version: Sendable, Encodable {
        package var name: String
        package var current: Bool
        package var identifiers: [String]
        /// In base64.
        package var checksum: String
        package var counts: Counts
        /// `nil` where there is an outline instead.
        package var entities: [EntityReport]?
        /// The entities with the number of their properties, where no more was asked for.
        package var outline: [EntityOutline]?
        package var configurations: [String]
        package var fetchRequests: [String]
        package var composites: [CompositeReport]
    }

    package struct EntityOutline: Sendable, Encodable {
        package var name: String
        package var parent: String?
        package var attributes: Int
        package var relationships: Int
    }

    package struct Counts: Sendable, Encodable {
        package var entities: Int
        /// Without inherited ones, like relationships.
        package var attributes: Int
        package var relationships: Int
        package var fetchedProperties: Int
        /// The fetch indexes, including compound indexes.
        package var indexes: Int
        package var uniquenessConstraints: Int
    }

    package struct CompositeReport: Sendable, Encodable {
        package var name: String
        package var attributes: [AttributeReport]
    }

    package var model: String
    package var versions: [Version]
    /// The names of all versions if not all are shown; otherwise `nil`.
    package var versionNames: [String]?

    package init(model: String, versions: [ModelVersion], names: [String]? = nil) {
        (self.model, versionNames) = (model, names)
        hashTogether(versions)
        self.versions = versions.map(Version.init)
    }

    package var entityNames: [String] { versions.flatMap { ($0.entities ?? []).map(\.name) } }

    /// Leaves out all entities except some; if none is named, and no more is requested, everything except their outline.
    package mutating func show(_ names: [String], isBrief: Bool) {
        for place in versions.indices {
            let entities = versions[place].entities ?? []
            if !names.isEmpty {
                versions[place].entities = entities.filter { names.contains($0.name) }
            } else if isBrief {
                versions[place].outline = entities.map { entity in
                    EntityOutline(
                        name: entity.name,
                        parent: entity.parent,
                        attributes: entity.attributes.count,
                        relationships: entity.relationships.count
                    )
                }
                versions[place].entities = nil
            }
        }
    }

    package var text: String {
        let names = versionNames.map { "versions: \($0.joined(separator: ", "))".onOneLine }
        return ([model.onOneLine] + [names].compactMap(\.self) + versions.map(\.text))
            .joined(separator: "\n\n")
    }
}

extension ModelReport.Version {
    fileprivate init(_ version: ModelVersion) {
        let model = version.model
        name = version.name
        current = version.isCurrent
        identifiers = model.versionIdentifiers.filter { !$0.isEmpty }
        checksum = version.checksum
        func sum(_ count: (Entity) -> Int) -> Int { model.entities.map(count).reduce(0, +) }
        counts = ModelReport.Counts(
            entities: model.entities.count,
            attributes: sum(\.attributes.count),
            relationships: sum(\.relationships.count),
            fetchedProperties: sum(\.fetchedProperties.count),
            indexes: sum { $0.fetchIndexes.count + $0.compoundIndexes.count },
            uniquenessConstraints: sum(\.uniquenessConstraints.count)
        )
        entities = model.entities.map(EntityReport.init)
        configurations = model.configurations.map(\.name)
        fetchRequests = model.fetchRequestTemplates.map(\.name)
        composites = model.composites.map { composite in
            ModelReport.CompositeReport(
                name: composite.name,
                attributes: composite.attributes.map(AttributeReport.init)
            )
        }
    }

    fileprivate var text: String {
        var facts = [
            ["checksum", checksum], ["identifiers", identifiers.joined(separator: ", ")],
            [
                "holds",
                [
                    counts.entities.counted("entity"), counts.attributes.counted("attribute"),
                    counts.relationships.counted("relationship"),
                    counts.fetchedProperties.counted("fetched property"),
                    counts.indexes.counted("index"),
                    counts.uniquenessConstraints.counted("uniqueness constraint"),
                ].joined(separator: ", "),
            ], ["configurations", configurations.joined(separator: ", ")],
            ["fetch requests", fetchRequests.joined(separator: ", ")],
        ]
        for composite in composites {
            let parts = composite.attributes.map(\.text).joined(separator: ", ")
            facts.append(["composite", "\(composite.name) { \(parts) }"])
        }
        let outlines = (outline ?? []).map { entity in
            "  \(entity.name): \(entity.attributes.counted("attribute")), "
                + entity.relationships.counted("relationship")
        }
        let lines = (entities ?? []).flatMap { entity in
            let name = entity.parent.map { "\(entity.name) : \($0)" } ?? entity.name
            return ["  " + name + (entity.abstract ? " (abstract)" : "")]
                + entity.propertyLines.map { "    \($0)" }
        }
        let head = name + (current ? " (current)" : "")
        return head.onOneLine + "\n" + textTable(facts.filter { !$0[1].isEmpty }) + "\n\n"
            + textLines(outlines + lines)
    }
}
