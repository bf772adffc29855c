import Diagnostics
package import Essentials

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
            case item = "case"
            case check, rules, expected, observed, note
        }
    }

    package var format: Int
    package var momtool: String
    package var system: System
    package var checks: [Check]

    /// Reads a report, which anybody may have sent.
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
