import ObjectModel

/// Compares two attributes; `elements` are the changes in elements of composite ones.
func attributeChanges(
    from: Attribute,
    to: Attribute,
    elements: [AttributeChange]
) -> [AttributeChange] {
    // Most attributes are equal; their elements may still differ.
    guard from != to else { return elements }
    return storedChanges(from: from, to: to) + elements + settingsChanges(from: from, to: to)
}

func changed<Property, Value: Equatable, Change>(
    _ from: Property,
    _ to: Property,
    _ value: (Property) -> Value,
    _ change: (Value, Value) -> Change
) -> [Change] {
    let (old, new) = (value(from), value(to))
    return old == new ? [] : [change(old, new)]
}

private func storedChanges(from: Attribute, to: Attribute) -> [AttributeChange] {
    var changes: [AttributeChange] = []
    changes += changed(from, to, \.name) { .name(from: $0, to: $1) }
    changes += changed(from, to, \.type) { .type(from: $0, to: $1) }
    changes += changed(from, to, \.isOptional) { .optionality(from: $0, to: $1) }
    changes += changed(from, to, \.isTransient) { .transience(from: $0, to: $1) }
    // A default that no file shows, or that differs in each build of the model, cannot be compared.
    if from.unstatedDefault == nil, to.unstatedDefault == nil {
        changes += changed(from, to, \.defaultValue) { .defaultValue(from: $0, to: $1) }
    }
    changes += changed(from, to, \.derivation) { .derivation(from: $0, to: $1) }
    changes += textChange(.compositeName, from.compositeName, to.compositeName).map(plain)
    return changes
}

/// Returns the flags that differ, with their new state.
func flagChanges(_ from: PropertyFlags, _ to: PropertyFlags) -> [(PropertyFlag, Bool)] {
    PropertyFlag.allCases.filter { from[$0] != to[$0] }.map { ($0, to[$0]) }
}

private func settingsChanges(from: Attribute, to: Attribute) -> [AttributeChange] {
    let values =
        changed(from, to, \.validation) { (.validation, $0.words, $1.words) }
        + textChange(.valueTransformerName, from.valueTransformerName, to.valueTransformerName)
        + textChange(.customClassName, from.customClassName, to.customClassName)
    let plainly = identityChanges(from: from, to: to) + remainingChanges(from: from, to: to)
    return values.map(plain)
        + flagChanges(from.flags, to.flags).map { .flag($0, from: !$1, to: $1) }
        + plainly.map(plain)
}

private func plain(_ change: PlainChange) -> AttributeChange {
    .setting(change.setting, from: change.from, to: change.to)
}
