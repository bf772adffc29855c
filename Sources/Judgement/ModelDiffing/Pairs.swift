public import ObjectModel

/// An entity of the old version and the entity of the new version that continues it.
public struct EntityPair: Sendable, Hashable {
    /// The entity of the old version.
    public var from: Entity
    /// The entity of the new version.
    public var to: Entity

    /// Creates a pair.
    public init(from: Entity, to: Entity) {
        self.from = from
        self.to = to
    }
}

/// A property together with the entity that declares it.
public struct DeclaredProperty<Value: Property>: Sendable, Hashable {
    /// The property.
    public var property: Value
    /// The name of the entity that declares it, which a sub-entity inherits it from.
    public var declaredBy: String

    /// Creates a declared property.
    public init(_ property: Value, declaredBy: String) {
        self.property = property
        self.declaredBy = declaredBy
    }
}

/// A property of the old version and the property of the new version that continues it.
public struct PropertyPair<Value: Property>: Sendable, Hashable {
    /// The property of the old version, with the entity that declares it there.
    public var from: DeclaredProperty<Value>
    /// The property of the new version, with the entity that declares it there.
    public var to: DeclaredProperty<Value>

    /// Creates a pair.
    public init(from: DeclaredProperty<Value>, to: DeclaredProperty<Value>) {
        self.from = from
        self.to = to
    }
}
