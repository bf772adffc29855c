import ObjectModel

package enum SchemaChange: Sendable, Hashable {
    case recordTypeAdded(RecordType)
    case recordTypeRemoved(RecordType)
    case fieldAdded(RecordField, in: RecordType)
    case fieldRemoved(RecordField, in: RecordType)
    case fieldRetyped(from: RecordField, to: RecordField, in: RecordType)
    case encryptionChanged(from: RecordField, to: RecordField, in: RecordType)
    case optionsChanged(from: RecordField, to: RecordField, in: RecordType)
    /// The line of a server field was removed; its index goes with it, the field stays.
    case systemFieldRemoved(RecordField, in: RecordType)

    package enum Verdict: Sendable, Hashable {
        /// Production refuses it, and the whole schema with it.
        case refused
        case accepted
        /// It concerns indexes, and no data.
        case settings
    }

    package var verdict: Verdict {
        switch self {
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
        case (let from?, nil): changes.append(.recordTypeRemoved(from))
        case (nil, let to?): changes.append(.recordTypeAdded(to))
        case (nil, nil): break
        }
    }
    return changes
}

private func diff(from old: RecordType, to new: RecordType) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    for (from, to) in paired(old.fields, new.fields, by: \.name) {
        switch (from, to) {
        case (let from?, let to?):
            if from.type != to.type {
                changes.append(.fieldRetyped(from: from, to: to, in: new))
            } else if from.isEncrypted != to.isEncrypted {
                changes.append(.encryptionChanged(from: from, to: to, in: new))
            } else if from.options != to.options {
                changes.append(.optionsChanged(from: from, to: to, in: new))
            }
        case (let from?, nil):
            let isSystem = SystemNames.isSystemField(from.name)
            changes.append(
                isSystem ? .systemFieldRemoved(from, in: new) : .fieldRemoved(from, in: new)
            )
        case (nil, let to?):
            // Every record type has them, whether they are written or not.
            if !SystemNames.isSystemField(to.name) { changes.append(.fieldAdded(to, in: new)) }
        case (nil, nil): break
        }
    }
    return changes
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
