import Diagnostics
import Essentials
import ModelHashing
package import ObjectModel

/// What a model says about itself, as `momtool inspect` gives it.
package struct ModelReport: Sendable, Encodable, Rendering {
    /// One version.
    package struct Version: Sendable, Encodable {
        package var name: String
        /// Whether it is the current one.
        package var current: Bool
        /// The version identifiers that are not empty.
        package var identifiers: [String]
        /// Apple's version checksum, in base64.
        package var checksum: String
        /// How many there are of each kind.
        package var counts: Counts
        /// The entities, in their order; `nil` where their outline stands for them.
        package var entities: [EntityReport]?
        /// The entities with the number of their properties, where no more was asked for.
        package var outline: [EntityOutline]?
        /// The names of the configurations.
        package var configurations: [String]
        /// The names of the fetch request templates.
        package var fetchRequests: [String]
        /// The composite types.
        package var composites: [CompositeReport]
    }

    /// An entity with the number of its own properties.
    package struct EntityOutline: Sendable, Encodable {
        package var name: String
        /// The name of the parent.
        package var parent: String?
        /// The number of its own attributes.
        package var attributes: Int
        /// The number of its own relationships.
        package var relationships: Int
    }

    /// How many there are of each kind in a version.
    package struct Counts: Sendable, Encodable {
        package var entities: Int
        /// The attributes that entities declare themselves.
        package var attributes: Int
        /// The relationships that entities declare themselves.
        package var relationships: Int
        package var fetchedProperties: Int
        /// The fetch indexes, compound indexes among them.
        package var indexes: Int
        package var uniquenessConstraints: Int
    }

    /// A composite type.
    package struct CompositeReport: Sendable, Encodable {
        package var name: String
        /// The elements.
        package var attributes: [AttributeReport]
    }

    /// The path of the model.
    package var model: String
    /// The versions, in their order.
    package var versions: [Version]
    /// The names of all versions where others are shown than these; `nil` where all are shown.
    package var versionNames: [String]?

    /// Creates a report of versions.
    ///
    /// - Parameters:
    ///   - model: the path of the model.
    ///   - versions: the versions that are shown.
    ///   - names: the names of all versions, where they are not all shown.
    package init(model: String, versions: [ModelVersion], names: [String]? = nil) {
        (self.model, versionNames) = (model, names)
        hashTogether(versions)
        self.versions = versions.map(Version.init)
    }

    /// The names of all entities.
    package var entityNames: [String] { versions.flatMap { ($0.entities ?? []).map(\.name) } }

    /// Leaves out all entities but some; where none is named, and no more is asked for, all but their outline.
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

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
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
            ["checksum", checksum],
            ["identifiers", identifiers.joined(separator: ", ")],
            [
                "holds",
                [
                    counts.entities.counted("entity"), counts.attributes.counted("attribute"),
                    counts.relationships.counted("relationship"),
                    counts.fetchedProperties.counted("fetched property"),
                    counts.indexes.counted("index"),
                    counts.uniquenessConstraints.counted("uniqueness constraint"),
                ].joined(separator: ", "),
            ],
            ["configurations", configurations.joined(separator: ", ")],
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
