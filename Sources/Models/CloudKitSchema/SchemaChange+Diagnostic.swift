package import Diagnostics
import ObjectModel

extension SchemaChange {
    /// Says what Production does with the change, and where: an error if it is refused, a warning for a rename, otherwise a
    /// note.
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
