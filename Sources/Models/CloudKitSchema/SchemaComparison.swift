package import Diagnostics
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

extension SchemaChange {
    /// Says what Production does with the change, and where: an error if refused, a warning for a rename, else a note.
    ///
    /// `path` is that of the new schema, for changes without a location there; `renames` shows which renames the change may
    /// be half of.
    package func diagnostic(path: String, renames: SchemaRenames = SchemaRenames()) -> Diagnostic {
        let old = from?.source ?? (kind == .recordTypeRemoved ? type.source : nil)
        let new = to?.source ?? (kind == .recordTypeRemoved ? nil : type.source)
        let (rule, words, severity) = finding(renamedTo: renames.newName(of: self))
        return Diagnostic(
            rule,
            words,
            severity: severity,
            at: new?.element ?? FileLocation(path: path),
            element: element,
            notes: [old?.element.map { Diagnostic.Note("it was here", at: $0) }].compactMap(\.self)
        )
    }

    private func finding(renamedTo newName: String?) -> (RuleID, String, Severity) {
        if let newName {
            let words = "it is now '\(newName)', which is new in CloudKit; the old one stays"
            return ("cloudkit-renamed-item", "\(message): \(words) with its values", .warning)
        }
        switch verdict {
        case .refused:
            let words = "\(message): Production refuses it, and the whole schema with it"
            return ("cloudkit-refused-change", words, .error)
        case .accepted: return ("cloudkit-accepted-change", message, .note)
        case .settings: return ("cloudkit-settings-change", message, .note)
        }
    }

    /// What changed, such as `CD_Person.CD_name`.
    package var element: String {
        [type.name, field?.name].compactMap(\.self).joined(separator: ".")
    }

    private var message: String {
        let (type, name) = (type.name, field?.name ?? "")
        let (old, new) = (from?.typeText ?? "", to?.typeText ?? "")
        return switch kind {
        case .recordTypeAdded: "record type '\(type)' is new"
        case .recordTypeRemoved: "record type '\(type)' is gone"
        case .fieldAdded: "'\(type)' has a new field '\(name)', \(new)"
        case .fieldRemoved: "field '\(name)' of '\(type)' is gone"
        case .fieldRetyped: "field '\(name)' of '\(type)' was \(old) and is \(new)"
        case .encryptionChanged:
            "field '\(name)' of '\(type)' is \(to?.isEncrypted == true ? "now" : "no longer") encrypted"
        case .optionsChanged:
            "field '\(name)' of '\(type)' was \(from?.optionsText ?? "") and is \(to?.optionsText ?? "")"
        case .systemFieldRemoved:
            "'\(type)' has no line for '\(name)': the field stays, but loses its index"
        }
    }
}

extension RecordField {
    fileprivate var optionsText: String {
        options.isEmpty ? "without index" : options.map(\.rawValue).joined(separator: " ")
    }
}
