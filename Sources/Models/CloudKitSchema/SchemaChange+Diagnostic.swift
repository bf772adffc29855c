package import Diagnostics
import ObjectModel

extension SchemaChange {
    /// Says what Production does with the change, and where: an error if it is refused, a warning for a rename, otherwise a
    /// note.
    ///
    /// `path` is that of the new schema, for changes without a location there; `renames` shows which renames the change may
    /// be half of.
    package func diagnostic(path: String, renames: SchemaRenames = SchemaRenames()) -> Diagnostic {
        let (message, old, new) = words
        let location = new?.element ?? FileLocation(path: path)
        let notes = [old?.element.map { Diagnostic.Note("it was here", at: $0) }].compactMap(\.self)
        if let name = renames.newName(of: self) {
            return Diagnostic(
                .renamedItem,
                "\(message): it is now '\(name)', which is new in CloudKit; the old one stays"
                    + " with its values",
                severity: .warning,
                at: location,
                element: element,
                notes: notes
            )
        }
        switch verdict {
        case .refused:
            return Diagnostic(
                .refusedChange,
                "\(message): Production refuses it, and the whole schema with it",
                at: location,
                element: element,
                notes: notes
            )
        case .accepted:
            return Diagnostic(
                .acceptedChange,
                message,
                severity: .note,
                at: location,
                element: element
            )
        case .settings:
            return Diagnostic(
                .settingsChange,
                message,
                severity: .note,
                at: location,
                element: element,
                notes: notes
            )
        }
    }

    /// What changed, such as `CD_Person.CD_name`.
    package var element: String {
        switch self {
        case .recordTypeAdded(let type), .recordTypeRemoved(let type): type.name
        case .fieldAdded(let field, let type), .fieldRemoved(let field, let type),
            .fieldRetyped(_, let field, let type), .encryptionChanged(_, let field, let type),
            .optionsChanged(_, let field, let type), .systemFieldRemoved(let field, let type):
            "\(type.name).\(field.name)"
        }
    }

    /// The change in words, with its old and new positions.
    private var words: (message: String, old: SourceMark?, new: SourceMark?) {
        switch self {
        case .recordTypeAdded(let type): ("record type '\(type.name)' is new", nil, type.source)
        case .recordTypeRemoved(let type): ("record type '\(type.name)' is gone", type.source, nil)
        case .fieldAdded(let field, let type):
            ("'\(type.name)' has a new field '\(field.name)', \(field.typeText)", nil, field.source)
        case .fieldRemoved(let field, let type):
            ("field '\(field.name)' of '\(type.name)' is gone", field.source, type.source)
        case .fieldRetyped(let from, let to, let type):
            (
                "field '\(to.name)' of '\(type.name)' was \(from.typeText) and is \(to.typeText)",
                from.source, to.source
            )
        case .encryptionChanged(let from, let to, let type):
            (
                "field '\(to.name)' of '\(type.name)' is \(to.isEncrypted ? "now encrypted" : "no longer encrypted")",
                from.source, to.source
            )
        case .optionsChanged(let from, let to, let type):
            (
                "field '\(to.name)' of '\(type.name)' was \(from.optionsText) and is \(to.optionsText)",
                from.source, to.source
            )
        case .systemFieldRemoved(let field, let type):
            (
                "'\(type.name)' has no line for '\(field.name)': the field stays, but loses its index",
                field.source, type.source
            )
        }
    }
}

extension RecordField {
    fileprivate var optionsText: String {
        options.isEmpty ? "without index" : options.map(\.rawValue).joined(separator: " ")
    }
}
