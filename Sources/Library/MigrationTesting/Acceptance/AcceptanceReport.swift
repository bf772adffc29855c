import Diagnostics
package import Essentials

/// What the acceptance program saw on a Mac, as it wrote it down.
package struct AcceptanceReport: Codable, Sendable, Hashable {
    /// The system that it ran on.
    package struct System: Codable, Sendable, Hashable {
        package var name: String
        package var version: String
        /// The processor.
        package var machine: String
        /// The version of Core Data.
        package var coreData: String
        /// The version of Xcode, whose compiler was asked; `none` without one.
        package var xcode: String
    }

    /// One thing that was looked at.
    package struct Check: Codable, Sendable, Hashable {
        /// The item of the kit.
        package var item: String
        /// What was looked at, such as `entity-hashes`.
        package var check: String
        /// The rulings that the item puts to the test.
        package var rules: [AcceptanceRule]
        /// What momtool expected when it wrote the kit; `nil` where it could not tell.
        package var expected: JSONValue?
        /// What Core Data did; `nil` where it was not asked.
        package var observed: JSONValue?
        /// Its words.
        package var note: String?

        private enum CodingKeys: String, CodingKey {
            case item = "case"
            case check, rules, expected, observed, note
        }
    }

    /// The form of the file.
    package var format: Int
    /// The version of momtool that wrote the kit.
    package var momtool: String
    /// The system that the program ran on.
    package var system: System
    /// What was looked at, in order.
    package var checks: [Check]

    /// Reads a report.
    ///
    /// - Parameter bytes: the contents of the file, which anybody may have sent.
    /// - Returns: the report.
    /// - Throws: ``AcceptanceFileError`` when the bytes are no report.
    package static func read(_ bytes: Data) throws(AcceptanceFileError) -> AcceptanceReport {
        let report: AcceptanceReport
        do {
            report = try JSONDecoder().decode(AcceptanceReport.self, from: bytes)
        } catch {
            throw AcceptanceFileError(
                saying: "this is no report of acceptance; \(.acceptance) writes one"
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
