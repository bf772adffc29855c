package import ObjectModel

package struct EntityPair: Sendable, Hashable {
    package var from: Entity
    package var to: Entity
}

package struct DeclaredProperty<Value: Property>: Sendable, Hashable {
    package var property: Value
    package var declaredBy: String
}

package struct PropertyPair<Value: Property>: Sendable, Hashable {
    package var from: DeclaredProperty<Value>
    package var to: DeclaredProperty<Value>
}
