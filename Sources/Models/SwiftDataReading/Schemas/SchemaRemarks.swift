import Diagnostics

extension SchemaReader {
    /// Says what is not understood of a class, not proven, or left out.
    mutating func say(_ entity: EntityDraft) {
        for remark in entity.refusals { refuse(remark) }
        for remark in entity.doubts { doubt(remark) }
        for remark in entity.omissions {
            let message = "\(remark.element): \(remark.message)"
            say(
                .swiftNotUnderstood,
                message,
                remark.notes,
                severity: .warning,
                at: remark.place,
                remark.element
            )
        }
    }

    /// Says what spoils an entity.
    mutating func refuse(_ remark: EntityDraft.Remark) {
        let message = "\(remark.element): \(remark.message)"
        say(
            remark.isFatal ? .swiftClassStored : .swiftNotUnderstood,
            message,
            remark.notes,
            at: remark.place,
            remark.element,
            field: remark.field
        )
    }

    /// Says what no store has shown, once where it is about more than one property.
    mutating func doubt(_ remark: EntityDraft.Remark) {
        if let subject = remark.subject, !subjects.insert(subject).inserted { return }
        let message = "\(remark.element): unproven, as no known store shows it: \(remark.message)"
        say(
            .swiftUnproven,
            message,
            remark.notes,
            severity: .warning,
            at: remark.place,
            remark.element
        )
    }

    /// Says which classes inherit from one that a version has, and are in no version themselves.
    mutating func checkHeirs(of versions: [SwiftModelVersion]) {
        let known = Set(versions.flatMap(\.types).map(\.name))
        func isKnown(_ id: Int) -> Bool {
            known.contains(index.nodes[id].path.joined(separator: "."))
        }
        for (id, node) in index.nodes.enumerated() where node.isModel && !node.inherited.isEmpty {
            guard !isKnown(id), let parent = draft(id).parent, isKnown(parent) else { continue }
            doubt(
                EntityDraft.Remark(
                    element: node.name,
                    message: "a subclass that no version lists",
                    notes: [
                        "add it to the models of the version that has \(index.nodes[parent].name)"
                    ],
                    place: node.place
                )
            )
        }
    }

    /// Keeps a remark about an unwritten inverse, once for all versions with the class.
    mutating func note(_ remark: EntityDraft.Remark, _ severity: Severity) {
        let diagnostic = Diagnostic(
            "inverse-not-written",
            "\(remark.element): \(remark.message)",
            severity: severity,
            at: index.location(remark.place),
            element: remark.element,
            notes: remark.notes.map { Diagnostic.Note(saying: $0) }
        )
        if reported.insert(diagnostic).inserted { remarks.append(diagnostic) }
    }

    mutating func say(
        _ rule: RuleID,
        _ message: String,
        _ notes: [Wording] = [],
        severity: Severity = .error,
        at place: Place?,
        _ element: String? = nil,
        field: Place? = nil
    ) {
        let fieldNote = field.map { Diagnostic.Note("it is here", at: index.location($0)) }
        let diagnostic = Diagnostic(
            rule,
            message,
            severity: severity,
            at: place.map { index.location($0) },
            element: element,
            notes: notes.map { Diagnostic.Note(saying: $0) } + (fieldNote.map { [$0] } ?? [])
        )
        add(diagnostic)
    }

    mutating func add(_ diagnostic: Diagnostic) {
        if reported.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }
}
