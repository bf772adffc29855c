import ObjectModel

package struct SchemaChange: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case recordTypeAdded, recordTypeRemoved, fieldAdded, fieldRemoved, fieldRetyped
        case encryptionChanged, optionsChanged
        /// The line of a server field was removed; its index goes with it, the field stays.
        case systemFieldRemoved
    }

    package let kind: Kind
    /// The record type, in the new schema if it is there.
    let type: RecordType
    let from: RecordField?
    let to: RecordField?

    init(_ kind: Kind, _ type: RecordType, from: RecordField? = nil, to: RecordField? = nil) {
        (self.kind, self.type, self.from, self.to) = (kind, type, from, to)
    }

    var field: RecordField? { to ?? from }

    package enum Verdict: Sendable, Hashable {
        /// Production refuses it, and the whole schema with it.
        case refused
        case accepted
        /// It concerns indexes, and no data.
        case settings
    }

    package var verdict: Verdict {
        switch kind {
        case .recordTypeRemoved, .fieldRemoved, .fieldRetyped, .encryptionChanged: .refused
        case .recordTypeAdded, .fieldAdded: .accepted
        case .optionsChanged, .systemFieldRemoved: .settings
        }
    }
}

/// Compares the deployed schema with a new one, sorted by record type and field.
///
/// Roles and grants are ignored, and so is the record type of users, which no schema makes.
package func diff(from old: RecordSchema, to new: RecordSchema) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    for (from, to) in paired(old.recordTypes, new.recordTypes, by: \.name)
    where (from ?? to)?.name != SystemNames.users {
        switch (from, to) {
        case (let from?, let to?): changes += diff(from: from, to: to)
        case (let from?, nil): changes.append(SchemaChange(.recordTypeRemoved, from))
        case (nil, let to?): changes.append(SchemaChange(.recordTypeAdded, to))
        case (nil, nil): break
        }
    }
    return changes
}

private func diff(from old: RecordType, to new: RecordType) -> [SchemaChange] {
    paired(old.fields, new.fields, by: \.name).compactMap { from, to in
        change(from: from, to: to).map { SchemaChange($0, new, from: from, to: to) }
    }
}

private func change(from: RecordField?, to: RecordField?) -> SchemaChange.Kind? {
    switch (from, to) {
    case (let from?, let to?):
        if from.type != to.type { return .fieldRetyped }
        if from.isEncrypted != to.isEncrypted { return .encryptionChanged }
        return from.options == to.options ? nil : .optionsChanged
    case (let from?, nil):
        return SystemNames.isSystemField(from.name) ? .systemFieldRemoved : .fieldRemoved
    // Every record type has them, whether they are written or not.
    case (nil, let to?): return SystemNames.isSystemField(to.name) ? nil : .fieldAdded
    case (nil, nil): return nil
    }
}

/// Pairs equal names of both sides, sorted by name; of several of one name the first counts.
private func paired<Element>(
    _ old: [Element],
    _ new: [Element],
    by name: (Element) -> String
) -> [(Element?, Element?)] {
    let olds = Dictionary(firstOf: old.map { (name($0), $0) })
    let news = Dictionary(firstOf: new.map { (name($0), $0) })
    return Set(olds.keys).union(news.keys).sorted().map { (olds[$0], news[$0]) }
}
