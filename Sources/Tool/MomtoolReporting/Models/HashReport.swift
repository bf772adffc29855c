import Diagnostics
package import ModelHashing
package import ObjectModel

package struct HashReport: Sendable, TextReport {
    static let shape = """
        hashes = report { model: string, versions: [{ name: string, current: boolean,
          checksum?: string "Apple's version checksum, in base64.",
          digest?: string "Apple's digest of all hashes, in base64.",
          entities: {string} "The hash of each, in hexadecimal.", notUnderstood?: {[string]}, unproven?: {[string]} }] }
        """
    package struct Version: Sendable, Encodable {
        package var name: String
        package var current: Bool
        /// Apple's version checksum, in base64; `nil` if an entity has no hash.
        package var checksum: String?
        /// Apple's digest of the entity hashes, in base64; `nil` if an entity has no hash.
        package var digest: String?
        /// In hexadecimal digits.
        package var entities: [String: String]
        /// The entities without a hash, as their source is not understood, with the reasons.
        package var notUnderstood: [String: [String]]?
        /// The entities whose hash depends on what no store has shown, with the reasons.
        package var unproven: [String: [String]]?

        package init(_ version: ModelVersion) {
            name = version.name
            current = version.isCurrent
            let all = version.model.entities
            let gaps = Dictionary(all.map { ($0.name, $0.gaps.map(\.description)) }) { $0 + $1 }
            let doubts = Dictionary(all.map { ($0.name, $0.doubts) }) { $0 + $1 }
            let spoiled = gaps.filter { !$0.value.isEmpty }
            let unproven = doubts.filter { !$0.value.isEmpty && spoiled[$0.key] == nil }
            checksum = spoiled.isEmpty ? version.checksum : nil
            digest = spoiled.isEmpty ? version.hashes.digest : nil
            entities = version.hashes.entities.filter { spoiled[$0.key] == nil }.mapValues(\.hex)
            notUnderstood = spoiled.isEmpty ? nil : spoiled
            self.unproven = unproven.isEmpty ? nil : unproven
        }

        /// Creates the report of hashes without their model, as the metadata of a store has them.
        package init(of hashes: ModelHashes, named name: String) {
            self.name = name
            current = false
            checksum = hashes.checksum
            digest = hashes.digest
            entities = hashes.entities.mapValues(\.hex)
        }
    }

    package var model: String
    package var versions: [Version]

    package init(model: String, versions: [Version]) {
        (self.model, self.versions) = (model, versions)
    }

    package var text: String {
        versions.map { version in
            let head = version.name + (version.current ? " (current)" : "")
            let names = Array(version.entities.keys) + (version.notUnderstood ?? [:]).keys
            let entities = names.sorted().map { name -> [String] in
                let mark = version.unproven?[name] == nil ? "" : " unproven"
                return [name, version.entities[name].map { $0 + mark } ?? "not understood"]
            }
            let unknown = "unknown, as momtool does not understand an entity"
            let digests = [
                ["checksum", version.checksum ?? unknown], ["digest", version.digest ?? unknown],
            ]
            let rows = digests + entities
            return head.onOneLine + "\n" + textTable(rows)
        }.joined(separator: "\n\n")
    }
}

package func hashExplanation(
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
    return textLines(["\(entity): \(hash.hex)", "SHA-256 of:"] + parts) + "\n\n" + silentEdits
}

private let silentEdits = """
    These edits do not change the hash, so Core Data opens old stores without migrating them:
      of an entity: class name, user info, renaming identifier, fetch indexes, fetched properties
      of an attribute: default value, validation, transformer, custom class, scalar use, Spotlight,
        cloud encryption, user info, renaming identifier; all but the expression of a derived one
      of a relationship: delete rule, user info, renaming identifier
      of a transient property: everything
    With a version hash modifier, such an edit changes the hash.
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
