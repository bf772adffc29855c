package import Diagnostics
package import Essentials

/// What the acceptance program is given: models and stores that momtool made, and what momtool expects Core Data to do
/// with them.
///
/// Written as `kit.json` into the folder of the kit, beside the files that it names.
package struct AcceptanceKit: Codable, Sendable, Hashable {
    /// The form of the file; the program reads no other.
    package static let format = 1
    /// The name of the file.
    package static let fileName = "kit.json"

    /// The form of the file.
    package var format = Self.format
    /// The version of momtool that made it.
    package var momtool: String
    /// What is asked, in order.
    package var items: [AcceptanceItem] = []

    package init(momtool: String) {
        self.momtool = momtool
    }

    /// Reads a kit.
    ///
    /// - Parameter bytes: the contents of `kit.json`.
    /// - Returns: the kit.
    /// - Throws: ``AcceptanceFileError`` when the bytes are no kit.
    package static func read(_ bytes: Data) throws(AcceptanceFileError) -> AcceptanceKit {
        guard let kit = try? JSONDecoder().decode(AcceptanceKit.self, from: bytes) else {
            throw AcceptanceFileError(reason: "this is no kit of acceptance")
        }
        guard kit.format == format else {
            throw AcceptanceFileError(
                reason: "the kit has the format \(kit.format); this momtool reads \(format)"
            )
        }
        return kit
    }

    /// The kit as its file holds it: the same kit always gives the same bytes.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

/// Why a file is no kit or no report.
package struct AcceptanceFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it, for whoever reads it.
    package var wording: Wording

    init(reason: String) { self.init(saying: Wording(reason)) }

    init(saying wording: Wording) { self.wording = wording }

    /// What is wrong with it, in the words of code.
    package var description: String { wording.text(in: .code) }
}

/// One thing that Core Data is asked: about a version of a model, a step between two, or a store.
package struct AcceptanceItem: Codable, Sendable, Hashable {
    /// What an item is about.
    package enum Kind: String, Codable, Sendable, Hashable {
        case model, step, store
    }

    /// A stage, for `NSStagedMigrationManager`.
    package struct Stage: Codable, Sendable, Hashable {
        /// Whether it is a custom stage, without a handler; it has two versions then.
        package var custom: Bool
        package var versions: [Version]
    }

    /// A version that a stage lists.
    package struct Version: Codable, Sendable, Hashable {
        /// The compiled model.
        package var model: String
        /// The checksum of the version.
        package var checksum: String
    }

    /// What it is about.
    package var kind: Kind
    /// Its name, by which it can be chosen.
    package var name: String
    /// The rulings that it puts to the test; none where each check is a rule of its own.
    package var rules: [AcceptanceRule] = []
    /// The compiled model, of an item about a version.
    package var compiled: String?
    /// The source, which Apple's compiler can be given.
    package var source: String?
    /// The compiled model of the old version.
    package var from: String?
    /// The compiled model of the new version.
    package var to: String?
    /// The models that Core Data may look for the store's own among.
    package var models: [String]?
    /// The store of the old version.
    package var before: String?
    /// The store that momtool migrated.
    package var after: String?
    /// Whether the stores keep persistent history, which Core Data must be told.
    package var history: Bool?
    /// The stages that Core Data is to take.
    package var stages: [Stage]?
    /// What momtool expects, by the name of the check; null where momtool cannot tell.
    package var expected: [String: JSONValue] = [:]

    init(_ kind: Kind, _ name: String) {
        (self.kind, self.name) = (kind, name)
    }
}

/// A ruling on what Core Data does, with what it rests on.
package struct AcceptanceRule: Codable, Sendable, Hashable, Comparable {
    package var rule: String
    /// What it rests on, as the page of verdicts says it.
    package var evidence: String

    package static func < (first: AcceptanceRule, second: AcceptanceRule) -> Bool {
        (first.rule, first.evidence) < (second.rule, second.evidence)
    }
}
