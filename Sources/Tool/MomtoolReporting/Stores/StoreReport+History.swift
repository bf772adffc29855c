import Diagnostics
import Essentials
import LogReading
import StoreFormat

extension StoreReport {
    /// What persistent history holds.
    package struct History: Sendable, Encodable {
        /// A part of it: all, what an author did, what happened to an entity.
        package struct Part: Sendable, Encodable {
            /// The author or the entity.
            package var name: String?
            /// The number of transactions.
            package var transactions: Int
            /// The number of changes.
            package var changes: Int
            /// The day of the first transaction in UTC, such as `2024-02-29`.
            package var firstDay: String?
            /// The day of the last one.
            package var lastDay: String?
        }

        /// The days after which history is old.
        package static let age = 30.0

        /// All of it.
        package var total: Part
        /// What each author did.
        package var authors: [Part]
        /// What happened to each entity.
        package var entities: [Part]
        /// What is older than 30 days.
        package var old: Part
        /// The bytes of all.
        package var bytes: Int?
        /// The bytes that removing what is old frees, about.
        package var oldBytes: Int?

        init(_ summary: HistorySummary) {
            total = Part(summary.total)
            authors = summary.authors.map(Part.init)
            entities = summary.entities.map(Part.init)
            old = Part(summary.old)
            (bytes, oldBytes) = (summary.bytes, summary.oldBytes)
        }

        /// The table for people.
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
            let gain = oldBytes.map { "about \($0.counted("byte"))" } ?? "what is old"
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
