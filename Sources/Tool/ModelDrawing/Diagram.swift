package import ModelDiffing
package import ObjectModel

/// A diagram of a model as boxes and lines, independent of the drawing language.
package struct Diagram: Sendable, Hashable {
    /// The change of something between two versions.
    package enum Mark: String, Sendable, Hashable {
        /// Nothing, or there is one version only.
        case same
        case added, removed, changed
    }

    package struct Row: Sendable, Hashable {
        package var name: String
        /// Its type, or its destination.
        package var kind: String
        package var mark: Mark
    }

    package enum Shape: String, Sendable, Hashable { case entity, composite }

    package struct Box: Sendable, Hashable {
        package var name: String
        package var parent: String?
        package var isAbstract: Bool
        /// The stored and transient properties, attributes first.
        package var rows: [Row]
        package var mark: Mark
        package var shape = Shape.entity
        /// The number of connected boxes that are left out.
        package var unseen = 0
    }

    package enum Count: String, Sendable, Hashable {
        case one = "0..1", exactlyOne = "1"
        case many = "*"
    }

    package struct Line: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// The first is a kind of the second.
            case inheritance
            /// The first has an attribute of the second's type.
            case composite(attribute: String)
            case relationship(Ties)
        }

        package struct Ties: Sendable, Hashable {
            /// The name of the relationship, which begins where the line does.
            package var name: String
            package var inverse: String?
            package var count: Count
            package var inverseCount: Count?

            package init(name: String, inverse: String?, count: Count, inverseCount: Count?) {
                (self.name, self.inverse) = (name, inverse)
                (self.count, self.inverseCount) = (count, inverseCount)
            }
        }

        package var from: Int
        package var to: Int
        package var kind: Kind
        package var mark: Mark
    }

    package var boxes: [Box]
    package var lines: [Line]

    package init(_ model: ManagedObjectModel) { self.init(model, marks: ChangeMarks()) }

    /// Draws a new version with what was removed since the old one, each with its mark.
    package init(from: ManagedObjectModel, to: ManagedObjectModel, diff: ModelDiff) {
        let marks = ChangeMarks(diff)
        self.init(marks.union(of: from, to, diff), marks: marks)
    }

    private init(_ model: ManagedObjectModel, marks: ChangeMarks) {
        boxes = model.entities.map { entity in
            let attributes = entity.attributes.map { Row($0, marks.of(entity.name, $0.name)) }
            let relationships = entity.relationships.map { relationship in
                Row(
                    name: relationship.name,
                    kind: marks.rule(of: entity.name, relationship.name) + relationship.arrow
                        + (relationship.destinationEntity ?? "?"),
                    mark: marks.of(entity.name, relationship.name)
                )
            }
            return Box(
                name: entity.name,
                parent: entity.parentEntity,
                isAbstract: entity.isAbstract,
                rows: attributes + relationships,
                mark: marks.of(entity.name, nil)
            )
        }
        boxes += model.composites.map { composite in
            Box(
                name: composite.name,
                parent: nil,
                isAbstract: false,
                rows: composite.attributes.map { Row($0, .same) },
                mark: .same,
                shape: .composite
            )
        }
        lines = Self.lines(of: model, marks: marks) + Self.compositeLines(of: model, marks: marks)
    }

    private static func compositeLines(of model: ManagedObjectModel, marks: ChangeMarks) -> [Line] {
        let types = Dictionary(
            firstOf: model.composites.enumerated().map { ($1.name, $0 + model.entities.count) }
        )
        let owners =
            model.entities.map { ($0.name, $0.attributes) }
            + model.composites.map { ($0.name, $0.attributes) }
        return owners.enumerated().flatMap { index, owner in
            owner.1.compactMap { attribute in
                guard let type = attribute.compositeName.flatMap({ types[$0] }) else { return nil }
                return Line(
                    from: index,
                    to: type,
                    kind: .composite(attribute: attribute.name),
                    mark: index < model.entities.count ? marks.of(owner.0, attribute.name) : .same
                )
            }
        }
    }

    private static let drawnChildren = 16

    private static func lines(of model: ManagedObjectModel, marks: ChangeMarks) -> [Line] {
        let graph = ModelGraph(model)
        let indexes = Dictionary(firstOf: model.entities.enumerated().map { ($1.name, $0) })
        var lines: [Line] = []
        var drawn: Set<[String]> = []
        for (index, entity) in model.entities.enumerated() {
            // A parent of many would be under lines from everywhere: the titles of the boxes name it.
            if let name = entity.parentEntity, let parent = indexes[name],
                graph.subentities(of: model.entities[parent]).count <= Self.drawnChildren
            {
                let mark = marks.of(entity.name, nil) == .added ? Mark.added : .same
                lines.append(Line(from: index, to: parent, kind: .inheritance, mark: mark))
            }
            for relationship in entity.relationships {
                guard let end = relationship.destinationEntity.flatMap({ indexes[$0] }),
                    !drawn.contains([entity.name, relationship.name])
                else { continue }
                let inverse = graph.inverse(of: relationship)
                if let inverse { drawn.insert([inverse.declaredBy.name, inverse.0.name]) }
                let ties = Line.Ties(
                    name: relationship.name,
                    inverse: inverse?.0.name,
                    count: relationship.count,
                    inverseCount: inverse?.0.count
                )
                let mark = marks.of(entity.name, relationship.name)
                lines.append(Line(from: index, to: end, kind: .relationship(ties), mark: mark))
            }
        }
        return lines
    }
}

extension Diagram.Row {
    fileprivate init(_ attribute: Attribute, _ mark: Diagram.Mark) {
        let kind = attribute.compositeName ?? attribute.type.sourceName ?? "Undefined"
        self.init(name: attribute.name, kind: kind + (attribute.isOptional ? "?" : ""), mark: mark)
    }
}

extension Relationship {
    fileprivate var count: Diagram.Count { isToMany ? .many : (isOptional ? .one : .exactlyOne) }

    fileprivate var arrow: String { isToMany ? (isOrdered ? "↠ ordered " : "↠ ") : "→ " }
}
