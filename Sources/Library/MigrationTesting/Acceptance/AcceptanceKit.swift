package import Diagnostics
package import Essentials

/// The input of the acceptance program: models and stores that momtool made, and what it expects Core Data to do.
///
/// Written as `kit.json` into the folder of the kit, beside the files that it names.
package struct AcceptanceKit: Codable, Sendable, Hashable {
    /// The format of the file; the program reads no other.
    package static let format = 1
    package static let fileName = "kit.json"

    package var format = Self.format
    package var momtool: String
    package var items: [AcceptanceItem] = []

    package init(momtool: String) { self.momtool = momtool }

    package static func read(_ bytes: Data) throws(AcceptanceFileError) -> AcceptanceKit {
        guard let kit = try? JSONDecoder().decode(AcceptanceKit.self, from: bytes) else {
            throw AcceptanceFileError(reason: "this is not an acceptance kit")
        }
        guard kit.format == format else {
            throw AcceptanceFileError(
                reason: "the kit has the format \(kit.format); this momtool reads \(format)"
            )
        }
        return kit
    }

    /// The content of its file: the same kit always gives the same bytes.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

package struct AcceptanceFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var wording: Wording

    init(reason: String) { self.init(saying: Wording(reason)) }

    init(saying wording: Wording) { self.wording = wording }

    package var description: String { wording.text(in: .code) }
}

/// A question to Core Data about a version of a model, a step between two, or a store.
package struct AcceptanceItem: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, Hashable { case model, step, store }

    /// A stage, for `NSStagedMigrationManager`.
    package struct Stage: Codable, Sendable, Hashable {
        package var custom: Bool
        package var versions: [Version]
    }

    package struct Version: Codable, Sendable, Hashable {
        package var model: String
        package var checksum: String
    }

    package var kind: Kind
    package var name: String
    /// The rulings that it tests; none where each check is a rule of its own.
    package var rules: [AcceptanceRule] = []
    /// The compiled model, of an item about a version.
    package var compiled: String?
    /// The source, for Apple's compiler.
    package var source: String?
    package var from: String?
    package var to: String?
    /// The models among which Core Data may look for the store's own.
    package var models: [String]?
    package var before: String?
    package var after: String?
    /// Whether the stores keep persistent history, which Core Data needs as an option.
    package var history: Bool?
    package var stages: [Stage]?
    /// What momtool expects, by the name of the check; null where it cannot tell.
    package var expected: [String: JSONValue] = [:]

    init(_ kind: Kind, _ name: String) { (self.kind, self.name) = (kind, name) }
}

package struct AcceptanceRule: Codable, Sendable, Hashable, Comparable {
    package var rule: String
    /// Its evidence, as the page of verdicts names it.
    package var evidence: String

    package static func < (first: AcceptanceRule, second: AcceptanceRule) -> Bool {
        (first.rule, first.evidence) < (second.rule, second.evidence)
    }
}

/// What the acceptance program observed on a Mac.
package struct AcceptanceReport: Codable, Sendable, Hashable {
    package struct System: Codable, Sendable, Hashable {
        package var name: String
        package var version: String
        package var machine: String
        package var coreData: String
        /// The version of Xcode, whose compiler was used; `none` without one.
        package var xcode: String
    }

    package struct Check: Codable, Sendable, Hashable {
        package var item: String
        /// Such as `entity-hashes`.
        package var check: String
        package var rules: [AcceptanceRule]
        /// What momtool expected when it wrote the kit; `nil` where it could not tell.
        package var expected: JSONValue?
        /// What Core Data did; `nil` where it was not asked.
        package var observed: JSONValue?
        package var note: String?

        private enum CodingKeys: String, CodingKey {
            case item = "case", check, rules, expected, observed, note
        }
    }

    package var format: Int
    package var momtool: String
    package var system: System
    package var checks: [Check]

    package static func read(_ bytes: Data) throws(AcceptanceFileError) -> AcceptanceReport {
        let report: AcceptanceReport
        do { report = try JSONDecoder().decode(AcceptanceReport.self, from: bytes) } catch {
            throw AcceptanceFileError(
                saying: "this is not an acceptance report; \(.acceptance) writes one"
            )
        }
        guard report.format == AcceptanceKit.format else {
            throw AcceptanceFileError(
                reason: "the report has the format \(report.format); "
                    + "this momtool reads \(AcceptanceKit.format)"
            )
        }
        var seen: Set<[String]> = []
        for check in report.checks where !seen.insert([check.item, check.check]).inserted {
            throw AcceptanceFileError(
                reason: "the report has the check '\(check.check)' of '\(check.item)' twice"
            )
        }
        return report
    }
}
