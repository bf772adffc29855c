extension [Diagnostic] {
    /// The diagnostics, with each note about a whole file only at the first that has it.
    package var withoutRepeatedFileNotes: [Diagnostic] {
        var told: Set<Diagnostic.Note> = []
        return map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.notes.removeAll { note in
                guard let location = note.location, location.line == nil else { return false }
                return !told.insert(note).inserted
            }
            return diagnostic
        }
    }
}
