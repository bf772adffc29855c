import Diagnostics
import ObjectModel

/// Which old properties the code of policies has read: values that it has not read are not carried over.
final class ReadRecord: Sendable {
    private struct Property: Hashable {
        var entity: String
        var name: String
    }

    /// What was read; `nil` where that may be anything.
    private let properties = Locked<Set<Property>?>([])

    /// Notes that a property was read, by the entity that the object was requested as.
    func note(_ name: String, of entity: String) {
        properties.withLock { _ = $0?.insert(Property(entity: entity, name: name)) }
    }

    /// Notes that the code ran SQL of its own, which may read anything.
    func noteStatement() { properties.withLock { $0 = nil } }

    /// Whether a property may have been read for objects of an entity, or for a parent or sub-entity.
    func mayHold(_ name: String, of entity: String, _ graph: ModelGraph) -> Bool {
        properties.withLock { known in
            known?.contains { $0.name == name && graph.areKin($0.entity, entity) } ?? true
        }
    }
}

extension ModelGraph {
    fileprivate func areKin(_ first: String, _ second: String) -> Bool {
        guard let one = entity(first), let other = entity(second) else { return false }
        return isEntity(one, kindOf: other) || isEntity(other, kindOf: one)
    }
}
