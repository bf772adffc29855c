public import ModelDiffing
public import ObjectModel

/// A picture of a model in terms of boxes and lines, before it is drawn in any form.
public struct Diagram: Sendable, Hashable {
    /// What became of something between two versions.
    public enum Mark: String, Sendable, Hashable {
        /// Nothing, or there is one version only.
        case same
        /// It is new.
        case added
        /// It is gone.
        case removed
        /// Something about it changed.
        case changed
    }

    /// A line of text in a box: a property.
    public struct Row: Sendable, Hashable {
        /// The name of the property.
        public var name: String
        /// Its type, or where it leads.
        public var kind: String
        /// What became of it.
        public var mark: Mark
    }

    /// An entity.
    public struct Box: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The name of the parent.
        public var parent: String?
        /// Whether it is abstract.
        public var isAbstract: Bool
        /// The stored and transient properties, attributes first.
        public var rows: [Row]
        /// What became of it.
        public var mark: Mark
    }

    /// How many objects stand at one end of a line.
    public enum Count: String, Sendable, Hashable {
        /// At most one.
        case one = "0..1"
        /// Exactly one.
        case exactlyOne = "1"
        /// Any number.
        case many = "*"
    }

    /// A line between two boxes.
    public struct Line: Sendable, Hashable {
        /// What the line stands for.
        public enum Kind: Sendable, Hashable {
            /// The first is a kind of the second.
            case inheritance
            /// A relationship, and its inverse where there is one.
            case relationship(name: String, inverse: String?, count: Count, inverseCount: Count?)
        }

        /// The index of the box at which it begins.
        public var from: Int
        /// The index of the box at which it ends.
        public var to: Int
        /// What it stands for.
        public var kind: Kind
        /// What became of it.
        public var mark: Mark
    }

    /// The boxes, in the order of the model.
    public var boxes: [Box]
    /// The lines.
    public var lines: [Line]

    /// Draws up one version.
    public init(_ model: ManagedObjectModel) {
        self.init(model, marks: Marks())
    }

    /// Draws up a new version with what was removed since the old one, each with its mark.
    public init(from: ManagedObjectModel, to: ManagedObjectModel, diff: ModelDiff) {
        let marks = Marks(diff)
        self.init(marks.union(of: from, to, diff), marks: marks)
    }

    private init(_ model: ManagedObjectModel, marks: Marks) {
        boxes = model.entities.map { entity in
            let attributes = entity.attributes.map { attribute in
                let kind = attribute.compositeName ?? attribute.type.sourceName ?? "Undefined"
                return Row(
                    name: attribute.name,
                    kind: kind + (attribute.isOptional ? "?" : ""),
                    mark: marks.of(entity.name, attribute.name)
                )
            }
            let relationships = entity.relationships.map { relationship in
                Row(
                    name: relationship.name,
                    kind: relationship.arrow + (relationship.destinationEntity ?? "?"),
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
        lines = Self.lines(of: model, marks: marks)
    }

    /// The most children to which lines are drawn from one parent.
    private static let drawnChildren = 8

    private static func lines(of model: ManagedObjectModel, marks: Marks) -> [Line] {
        let graph = ModelGraph(model)
        let indexes = Dictionary(
            model.entities.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
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
                let kind = Line.Kind.relationship(
                    name: relationship.name,
                    inverse: inverse?.0.name,
                    count: relationship.count,
                    inverseCount: inverse?.0.count
                )
                let mark = marks.of(entity.name, relationship.name)
                lines.append(Line(from: index, to: end, kind: kind, mark: mark))
            }
        }
        return lines
    }
}

extension Relationship {
    fileprivate var count: Diagram.Count {
        isToMany ? .many : (isOptional ? .one : .exactlyOne)
    }

    fileprivate var arrow: String { isToMany ? (isOrdered ? "↠ ordered " : "↠ ") : "→ " }
}
