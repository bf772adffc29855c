/// The type of an attribute, by its name in sources.
package enum AttributeTypeName: String, Sendable, Hashable, CaseIterable {
    /// Whole numbers.
    case integer16 = "Integer 16"
    /// Whole numbers.
    case integer32 = "Integer 32"
    /// Whole numbers.
    case integer64 = "Integer 64"
    /// Numbers with a decimal point, exactly.
    case decimal = "Decimal"
    /// Numbers with a decimal point.
    case double = "Double"
    /// Numbers with a decimal point, in half the room.
    case float = "Float"
    /// Texts.
    case string = "String"
    /// Truth values.
    case boolean = "Boolean"
    /// Moments.
    case date = "Date"
    /// Bytes.
    case binary = "Binary"
    /// Identifiers.
    case uuid = "UUID"
    /// Addresses.
    case uri = "URI"
    /// Objects that a transformer turns into bytes.
    case transformable = "Transformable"
    /// Values of a composite type.
    case composite = "Composite"
    /// Identifiers of objects, which no store has.
    case objectID = "ObjectID"
}

/// What deleting an object does to those that it leads to, by its name in sources.
package enum DeletionRuleName: String, Sendable, Hashable, CaseIterable {
    /// They lead to nothing.
    case nullify = "Nullify"
    /// They are deleted too.
    case cascade = "Cascade"
    /// The object is not deleted as long as there are some.
    case deny = "Deny"
    /// Nothing.
    case noAction = "No Action"
}

extension ElementSetting {
    /// The type of an attribute.
    package static func type(_ type: AttributeTypeName) -> ElementSetting {
        ElementSetting("attributeType", type.rawValue)
    }

    /// Whether there may be no value, or no object.
    package static func optional(_ isOptional: Bool) -> ElementSetting {
        ElementSetting("optional", isOptional ? "YES" : nil)
    }

    /// The default value of an attribute that is no date, as sources write it; `nil` for none.
    package static func defaultValue(_ text: String?) -> ElementSetting {
        ElementSetting("defaultValueString", text)
    }

    /// The entity that a relationship leads to.
    package static func destination(_ entity: String) -> ElementSetting {
        ElementSetting("destinationEntity", entity)
    }

    /// Whether a relationship leads to several objects.
    package static func toMany(_ isToMany: Bool) -> ElementSetting {
        ElementSetting("toMany", isToMany ? "YES" : nil)
    }

    /// The relationship that leads back; a new relationship has it made where it is not there.
    package static func inverse(_ name: String) -> ElementSetting {
        ElementSetting("inverseName", name)
    }

    /// What deleting an object does to those that the relationship leads to.
    package static func deletionRule(_ rule: DeletionRuleName) -> ElementSetting {
        ElementSetting("deletionRule", rule.rawValue)
    }

    /// The renaming identifier: the name in older versions.
    package static func renamingIdentifier(_ name: String?) -> ElementSetting {
        ElementSetting("elementID", name)
    }

    /// The hash modifier, which makes a version another one.
    package static func hashModifier(_ text: String?) -> ElementSetting {
        ElementSetting("versionHashModifier", text)
    }

    /// The properties of a new fetch index.
    package static func indexed(_ properties: [String]) -> ElementSetting {
        ElementSetting("properties", properties.joined(separator: ","))
    }
}
