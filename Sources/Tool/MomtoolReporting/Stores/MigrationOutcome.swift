import Essentials
import ObjectModel
package import StoreMigration

package struct MigrationOutcome: Sendable, KeyedReport {
    /// The command of the journal; absent in reports.
    package var command: String?
    package var store: String
    /// Absent when the store was changed in place, or not at all.
    package var result: String?
    /// The ending: `migrated`; `done`, where the result was there before; `refused` before anything was written; or
    /// `failed` with the store unchanged.
    ///
    /// Other commands' journals have `repaired`, `sound`, `exported`, `identified`, `unknown`, `healthy`, `ill`.
    package var status: String
    /// Absent where it is not known.
    package var from: String?
    package var to: String?
    /// What was wrong with the store before; absent where that was not asked for.
    package var damage: [StoreDamage]?
    private let losses: [RowFinding]
    package var messages: [String]
    /// What happened to each table, in all steps.
    private var tables: [MigrationReport.TableLine]?
    /// The performed steps; empty if there was nothing to do.
    private var steps: [StagedPlanReport.Step]?
    package var summary: String

    /// Creates the outcome of a migration that was run; `result` is nil when the store was changed in place.
    package init(
        of migration: Migration,
        on store: String,
        to result: String?,
        losses: [RowFinding],
        messages: [String] = []
    ) {
        (self.store, self.result) = (store, result)
        status = "migrated"
        var reports = MigrationReport.reports(of: migration, store: store, findings: losses)
        (from, to) = (migration.source?.name, migration.destination?.name)
        tables = reports.flatMap { $0.tables ?? [] }
        steps = migration.route.steps.map { StagedPlanReport.Step($0, migration.route.manager) }
        (self.losses, self.messages) = (losses, messages)
        if migration.route.isDirect || migration.route.steps.isEmpty, !reports.isEmpty {
            reports[0].result = result
            summary = reports[0].summary
            return
        }
        // As they were counted while they ran.
        let count = migration.route.stageCount
        let end = count == 0 ? "nothing to do" : "\(count.counted("stage")) to \(to ?? "")"
        let place = result ?? "place"
        summary = "\(store): \(end) in \(place)\(MigrationReport.text(of: losses))"
    }

    /// Creates the outcome of a store whose result an earlier run left, which stays as it is.
    package init(done store: String, in result: String?, from: String?, to: String?) {
        (self.store, self.result, self.from, self.to) = (store, result, from, to)
        status = "done"
        (losses, messages) = ([], [])
        summary = "\(store): done before\(result.map { " in \($0)" } ?? "")"
    }

    static let shape = """
        outcomes = report { stores: [outcome] }
        outcome = { formatVersion?: integer "In the lines of a journal.", command?: string "In the lines of a journal.",
          store: string, result?: string, status: "migrated" | "exported" | "repaired" | "sound" | "identified" |
          "unknown" | "healthy" | "ill" | "done" | "refused" | "failed", from?: string, to?: string, damage?: [damage],
          losses: [loss], messages: [string], tables?: [table], steps?: [step], summary: string }
        """
    package var jsonObject: JSONObject {
        [
            "command": command, "store": store, "result": result, "status": status, "from": from,
            "to": to, "damage": damage?.map(MomtoolReporting.jsonObject),
            "losses": lossObjects(losses), "messages": messages, "tables": tables, "steps": steps,
            "summary": summary,
        ]
    }

    package var line: String { json(self, isPretty: false) }

    /// Creates the outcome of other work on a store than a migration; `result` is the path of what was written.
    package init(
        _ status: String,
        of store: String,
        in result: String? = nil,
        summary: String,
        messages: [String] = []
    ) {
        (self.status, self.store, self.result) = (status, store, result)
        (self.summary, self.messages) = (summary, messages)
        losses = []
    }

    /// Creates the outcome of an unchanged store.
    package init(store: String, isRefused: Bool, messages: [String], losses: [RowFinding]) {
        self.store = store
        status = isRefused ? "refused" : "failed"
        (self.messages, self.losses) = (messages, losses)
        summary = messages.first ?? "\(store): \(status)"
    }
}

package struct OutcomeCounts: Sendable {
    private var counts: [String: Int] = [:]
    private var all = 0

    package init() {}

    package mutating func add(_ outcome: MigrationOutcome) {
        counts[outcome.status, default: 0] += 1
        all += 1
    }

    package subscript(status: String) -> Int { counts[status] ?? 0 }

    /// Such as `3 of 5 stores migrated, 1 done before`.
    package func words(for status: String) -> String {
        let others = [("sound", "with nothing to repair"), ("done", "done before")].map {
            self[$0.0] == 0 ? "" : ", \(self[$0.0]) \($0.1)"
        }
        return "\(self[status]) of \(all.counted("store")) \(status)\(others.joined())"
    }
}

package struct MigrationOutcomes: Sendable, TextReport {
    package var stores: [MigrationOutcome]

    package init(_ stores: [MigrationOutcome]) { self.stores = stores }

    package var text: String { textLines(stores.map(\.summary)) }
}
