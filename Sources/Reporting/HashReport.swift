public import ModelHashing
public import ObjectModel

/// The version hashes of a model, as `momtool hash` gives them.
public struct HashReport: Sendable, Codable, Rendering {
    /// One version.
    public struct Version: Sendable, Codable {
        /// The name.
        public var name: String
        /// Whether it is the current one.
        public var current: Bool
        /// Apple's version checksum, in base64.
        public var checksum: String
        /// Apple's digest of the entity hashes, in base64.
        public var digest: String
        /// The hash of each entity, in hexadecimal digits.
        public var entities: [String: String]

        /// Creates the report of a version.
        public init(_ version: ModelVersion) {
            name = version.name
            current = version.isCurrent
            checksum = version.checksum
            digest = version.hashes.digest
            entities = version.hashes.entities.mapValues(\.hex)
        }
    }

    /// The path of the model.
    public var model: String
    /// The versions, in their order.
    public var versions: [Version]

    /// Creates a report.
    public init(model: String, versions: [Version]) {
        self.model = model
        self.versions = versions
    }

    /// Writes the report.
    public func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
        versions.map { version in
            let head = version.name + (version.current ? " (current)" : "")
            let entities = version.entities.keys.sorted().map { [$0, version.entities[$0] ?? ""] }
            let rows = [["checksum", version.checksum], ["digest", version.digest]] + entities
            return head + "\n" + textTable(rows)
        }.joined(separator: "\n\n")
    }
}

/// Writes what an entity's hash is made of, piece by piece, and what takes no part in it.
public func hashExplanation(
    entity: String,
    hash: VersionHash,
    components: [HashComponent]
) -> String {
    func lines(_ component: HashComponent, depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        let head = "\(indent)\(component.label): \(component.readableBytes)"
        return [head] + component.parts.flatMap { lines($0, depth: depth + 1) }
    }
    let parts = components.flatMap { lines($0, depth: 1) }
    return (["\(entity): \(hash.hex)", "SHA-256 of:"] + parts + ["", silentEdits])
        .joined(separator: "\n")
}

private let silentEdits = """
    These edits leave the hash alone, so that Core Data opens old stores without migrating them:
      of an entity: class name, user info, renaming identifier, fetch indexes, fetched properties
      of an attribute: default value, validation, transformer, custom class, scalar use, Spotlight,
        cloud encryption, user info, renaming identifier; all but the expression of a derived one
      of a relationship: delete rule, user info, renaming identifier
      of a transient property: everything
    A version hash modifier makes such an edit move the hash.
    """

extension HashComponent {
    /// The bytes in hexadecimal digits, with the text where they are some.
    fileprivate var readableBytes: String {
        let digits = bytes.hex
        guard parts.isEmpty, bytes.count != 32, !bytes.isEmpty,
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        else { return digits }
        return "\(digits) \"\(text)\""
    }
}
