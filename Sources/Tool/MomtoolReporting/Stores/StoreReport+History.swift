import Diagnostics
import Essentials
import LogReading
import StoreFormat

extension StoreReport {
    package struct History: Sendable, KeyedReport {
        /// The days after which history is old.
        package static let age = 30.0

        let summary: HistorySummary

        package var jsonObject: JSONObject {
            [
                "total": summary.total.jsonObject, "authors": summary.authors.map(\.jsonObject),
                "entities": summary.entities.map(\.jsonObject), "old": summary.old.jsonObject,
                "bytes": summary.bytes, "oldBytes": summary.oldBytes,
            ]
        }

        func text(of store: String) -> String {
            let rows =
                [summary.total.row("all", summary.bytes)]
                + summary.authors.map { $0.row($0.name.map { "author \($0)" } ?? "no author") }
                + summary.entities.map { $0.row($0.name.map { "entity \($0)" } ?? "no entity") }
                + [summary.old.row("older than \(Int(Self.age)) days", summary.oldBytes)]
            let heading = ["history", "transactions", "changes", "first day", "last day", "bytes"]
            let table = textTable(rows, heading: heading)
            guard summary.old.transactions > 0 else { return table }
            let command = HelpfulCommand.call(
                .repair,
                .text(shellWord(store)),
                .following(.pruneHistory(olderThanDays: Self.age)),
                .following(.compact),
                .output("Smaller.sqlite")
            )
            let gain = summary.oldBytes.map { "about \($0.counted("byte"))" } ?? "the old part"
            return table + "\n\n" + "\(command.commandWords) frees \(gain)".onOneLine
        }
    }
}

extension HistorySummary.Part {
    fileprivate var jsonObject: JSONObject {
        [
            "name": name, "transactions": transactions, "changes": changes, "firstDay": day(first),
            "lastDay": day(last),
        ]
    }

    fileprivate func row(_ title: String, _ bytes: Int? = nil) -> [String] {
        [
            title, "\(transactions)", "\(changes)", day(first) ?? "", day(last) ?? "",
            bytes.map(String.init) ?? "",
        ]
    }

    /// The day in UTC, such as `2024-02-29`.
    private func day(_ seconds: Double?) -> String? {
        seconds.flatMap(StoredDate.text).map { String($0.prefix(10)) }
    }
}
