extension [Diagnostic] {
    /// The diagnostics, keeping each note about a whole file only at its first occurrence.
    package var withoutRepeatedFileNotes: [Diagnostic] {
        var reported: Set<Diagnostic.Note> = []
        return map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.notes.removeAll { note in
                guard let location = note.location, location.line == nil else { return false }
                return !reported.insert(note).inserted
            }
            return diagnostic
        }
    }
}
