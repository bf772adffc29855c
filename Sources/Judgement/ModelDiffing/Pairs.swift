package import ObjectModel

/// An entity of the old version and the entity of the new version that continues it.
package struct EntityPair: Sendable, Hashable {
    /// The entity of the old version.
    package var from: Entity
    /// The entity of the new version.
    package var to: Entity
}

/// A property together with the entity that declares it.
package struct DeclaredProperty<Value: Property>: Sendable, Hashable {
    package var property: Value
    /// The name of the entity that declares it, which a sub-entity inherits it from.
    package var declaredBy: String

    package init(_ property: Value, declaredBy: String) {
        self.property = property
        self.declaredBy = declaredBy
    }
}

/// A property of the old version and the property of the new version that continues it.
package struct PropertyPair<Value: Property>: Sendable, Hashable {
    /// The property of the old version, with the entity that declares it there.
    package var from: DeclaredProperty<Value>
    /// The property of the new version, with the entity that declares it there.
    package var to: DeclaredProperty<Value>
}
