import Diagnostics
import Essentials
import LogReading
import StoreFormat

extension StoreReport {
    package struct History: Sendable, Encodable {
        /// A part of it: all, that of an author, or that of an entity.
        package struct Part: Sendable, Encodable {
            package var name: String?
            package var transactions: Int
            package var changes: Int
            /// The day of the first transaction in UTC, such as `2024-02-29`.
            package var firstDay: String?
            package var lastDay: String?
        }

        /// The days after which history is old.
        package static let age = 30.0

        package var total: Part
        package var authors: [Part]
        package var entities: [Part]
        package var old: Part
        package var bytes: Int?
        /// The bytes that removing old history frees, as an estimate.
        package var oldBytes: Int?

        init(_ summary: HistorySummary) {
            total = Part(summary.total)
            authors = summary.authors.map(Part.init)
            entities = summary.entities.map(Part.init)
            old = Part(summary.old)
            (bytes, oldBytes) = (summary.bytes, summary.oldBytes)
        }

        func text(of store: String) -> String {
            let rows =
                [total.row("all", bytes)]
                + authors.map { $0.row($0.name.map { "author \($0)" } ?? "no author") }
                + entities.map { $0.row($0.name.map { "entity \($0)" } ?? "no entity") }
                + [old.row("older than \(Int(Self.age)) days", oldBytes)]
            let heading = ["history", "transactions", "changes", "first day", "last day", "bytes"]
            let table = textTable(rows, heading: heading)
            guard old.transactions > 0 else { return table }
            let command = HelpfulCommand.call(
                .repair,
                .text(shellWord(store)),
                .following(.pruneHistory(olderThanDays: Self.age)),
                .following(.compact),
                .output("Smaller.sqlite")
            )
            let gain = oldBytes.map { "about \($0.counted("byte"))" } ?? "the old part"
            return table + "\n\n" + "\(command.commandWords) frees \(gain)".onOneLine
        }
    }
}

extension StoreReport.History.Part {
    init(_ part: HistorySummary.Part) {
        func day(_ seconds: Double?) -> String? {
            seconds.flatMap(StoredDate.text).map { String($0.prefix(10)) }
        }
        (name, transactions, changes) = (part.name, part.transactions, part.changes)
        (firstDay, lastDay) = (day(part.first), day(part.last))
    }

    fileprivate func row(_ title: String, _ bytes: Int? = nil) -> [String] {
        [
            title, "\(transactions)", "\(changes)", firstDay ?? "", lastDay ?? "",
            bytes.map(String.init) ?? "",
        ]
    }
}
