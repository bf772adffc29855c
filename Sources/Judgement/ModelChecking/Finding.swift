package import Diagnostics

/// What a rule has to say about a model.
package struct Finding: Sendable, Hashable {
    /// What, where, and what to do.
    package var diagnostic: Diagnostic
    /// The name of the version that it is in; `nil` for the bundle as a whole.
    package var version: String?
    /// An edit that is certain to cure it.
    package var fix: Fix?

    /// Creates a finding.
    package init(_ diagnostic: Diagnostic, version: String? = nil, fix: Fix? = nil) {
        self.diagnostic = diagnostic
        self.version = version
        self.fix = fix
    }
}

/// An edit of one XML tag, or of the order of all, that moves no version hash.
package struct Fix: Sendable, Hashable {
    /// A change of one attribute of the tag.
    package enum Edit: Sendable, Hashable {
        /// Gives an attribute another name and keeps its value.
        case rename(attribute: String, to: String)
        /// Takes an attribute away, with the white space before it.
        case remove(attribute: String)
        /// Adds an attribute where Xcode writes it.
        case add(attribute: String, value: String)
        /// Writes the whole file as Xcode does, after every other edit.
        case rewrite
    }

    /// What the fix does; imperative.
    package var summary: String
    /// Where the tag begins.
    package var location: SourceLocation
    /// The change.
    package var edit: Edit

    init?(_ summary: String, at location: SourceLocation?, _ edit: Edit) {
        guard let location, location.line != nil, location.column != nil else { return nil }
        self.summary = summary
        self.location = location
        self.edit = edit
    }
}
