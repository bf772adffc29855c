package import ObjectModel

extension ElementSetting {
    package static func type(_ type: AttributeType) -> ElementSetting {
        ElementSetting("attributeType", type.sourceName)
    }

    /// Whether the value or object may be missing.
    package static func optional(_ isOptional: Bool) -> ElementSetting {
        ElementSetting("optional", isOptional ? "YES" : nil)
    }

    /// The default value of an attribute other than a date, as sources write it; `nil` for none.
    package static func defaultValue(_ text: String?) -> ElementSetting {
        ElementSetting("defaultValueString", text)
    }

    package static func destination(_ entity: String) -> ElementSetting {
        ElementSetting("destinationEntity", entity)
    }

    package static func toMany(_ isToMany: Bool) -> ElementSetting {
        ElementSetting("toMany", isToMany ? "YES" : nil)
    }

    /// The inverse; a new relationship gets it made where it is missing.
    package static func inverse(_ name: String) -> ElementSetting {
        ElementSetting("inverseName", name)
    }

    /// What happens to the destination objects when an object is deleted.
    package static func deletionRule(_ rule: Relationship.DeleteRule) -> ElementSetting {
        ElementSetting("deletionRule", rule.sourceName)
    }

    /// The version hash modifier, which changes the hash.
    package static func hashModifier(_ text: String?) -> ElementSetting {
        ElementSetting("versionHashModifier", text)
    }

    package static func indexed(_ properties: [String]) -> ElementSetting {
        ElementSetting("properties", properties.joined(separator: ","))
    }
}
