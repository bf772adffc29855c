package import Diagnostics
package import ObjectModel

extension ModelChange {
    /// The marks of the change in both versions; `nil` on the side that lacks it.
    ///
    /// For what was added to or removed from an entity, the other side is the entity itself, so that a report can
    /// always show where to look.
    package var sources: (from: SourceMark?, to: SourceMark?) {
        switch self {
        case .entityAdded(let entity): (nil, entity.source)
        case .entityRemoved(let entity): (entity.source, nil)
        case .entityChanged(let pair, let change): change.sources(in: pair)
        case .attributeAdded(let attribute, let pair): (pair.from.source, attribute.source)
        case .attributeRemoved(let attribute, let pair): (attribute.source, pair.to.source)
        case .attributeChanged(let pair, let change): change.sources(in: pair)
        case .relationshipAdded(let property, let pair): (pair.from.source, property.source)
        case .relationshipRemoved(let property, let pair): (property.source, pair.to.source)
        case .relationshipChanged(let pair, _): (pair.from.property.source, pair.to.property.source)
        case .part(let part): (part.from, part.to)
        case .setting: (nil, nil)
        }
    }

    /// The location in the old version: the changed XML attribute, or the element.
    package var fromLocation: FileLocation? { Self.location(sources.from, words.attribute) }

    /// The location in the new version: the changed XML attribute, or the element.
    package var toLocation: FileLocation? { Self.location(sources.to, words.attribute) }

    private static func location(_ mark: SourceMark?, _ attribute: String?) -> FileLocation? {
        guard let attribute else { return mark?.element }
        return mark?.location(of: attribute)
    }
}

extension EntityChange {
    fileprivate func sources(in pair: EntityPair) -> (from: SourceMark?, to: SourceMark?) {
        switch self {
        case .uniquenessConstraintAdded(let constraint): (pair.from.source, constraint.source)
        case .uniquenessConstraintRemoved(let constraint): (constraint.source, pair.to.source)
        case .fetchIndexAdded(let index): (pair.from.source, index.source)
        case .fetchIndexRemoved(let index): (index.source, pair.to.source)
        case .fetchIndex(let from, let to): (from.source, to.source)
        case .name, .abstractness, .parent, .compoundIndexes, .setting:
            (pair.from.source, pair.to.source)
        }
    }
}

extension AttributeChange {
    fileprivate func sources(
        in pair: PropertyPair<Attribute>
    ) -> (from: SourceMark?, to: SourceMark?) {
        let marks = (pair.from.property.source, pair.to.property.source)
        guard case .element(_, let change) = self else { return marks }
        return switch change {
        case .added(let element): (marks.0, element.source)
        case .removed(let element): (element.source, marks.1)
        case .changed(let from, let to, _): (from.source, to.source)
        }
    }
}
