/// A diagnostic as JSON: what `--format json` shows as a finding, by the same keys.
///
/// The message is in the words of code, and the lines of a note are in its message. Advice is not part of it.
///
/// ```swift
/// let json = try JSONEncoder().encode(Store("Shop.sqlite").verify())
/// ```
extension Diagnostic: Codable {
    private enum CodingKeys: String, CodingKey {
        case rule, severity, message, element, notes, rows, loss
    }

    /// Writes the diagnostic; `path`, `line` and `column` of its location are beside the other keys.
    public func encode(to encoder: any Encoder) throws {
        try location?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(rule, forKey: .rule)
        try container.encode(severity, forKey: .severity)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(element, forKey: .element)
        try container.encode(notes, forKey: .notes)
        try container.encodeIfPresent(rows, forKey: .rows)
        try container.encodeIfPresent(loss, forKey: .loss)
    }

    /// Reads a diagnostic.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(RuleID.self, forKey: .rule),
            try container.decode(String.self, forKey: .message),
            severity: try container.decode(Severity.self, forKey: .severity),
            at: try FileLocation.beside(decoder),
            element: try container.decodeIfPresent(String.self, forKey: .element),
            notes: try container.decode([Note].self, forKey: .notes),
            rows: try container.decodeIfPresent(AffectedRows.self, forKey: .rows),
            loss: try container.decodeIfPresent(String.self, forKey: .loss)
        )
    }
}

extension Diagnostic.Note: Codable {
    private enum CodingKeys: String, CodingKey { case message }

    /// Writes the note; `path`, `line` and `column` of its location are beside the message.
    public func encode(to encoder: any Encoder) throws {
        try location?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .message)
    }

    /// Reads a note.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .message),
            at: try FileLocation.beside(decoder)
        )
    }
}

extension FileLocation {
    private enum PathKey: String, CodingKey { case path }

    fileprivate static func beside(_ decoder: any Decoder) throws -> FileLocation? {
        let container = try decoder.container(keyedBy: PathKey.self)
        return try container.contains(.path) ? FileLocation(from: decoder) : nil
    }
}

extension RuleID: Codable {}
extension Severity: Codable {}
