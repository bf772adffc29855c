import Diagnostics
import Foundation
import LossCases
import ModelCompiling
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct LossPageTests {
    struct Row {
        var title: String
        var cells: [String]
        /// What it shows of what roads lose, with the losses.
        var shown: [(kind: LossKind, road: LossRoad)] = []
        var losses: [Loss] = []

        var line: String { "| \(([title] + cells).joined(separator: " | ")) |" }
    }

    struct Loss: Decodable, Equatable {
        var name: String
        var count: Int
        var unit: String

        var text: String { "`\(name)`: \(count) \(count == 1 ? String(unit.dropLast()) : unit)" }
    }

    struct Plan: Decodable {
        var summary: String
        var findings: [String]
        var losses: [Loss]
        var uncertain: [String]?
    }

    struct Outcomes: Decodable {
        struct Outcome: Decodable {
            var status: String
            var losses: [Loss]
            var messages: [String]
            var summary: String
        }
        var stores: [Outcome]
    }

    @Test func `no kind of loss is silent, and what each command says is recorded`() throws {
        #expect(LossCase.all.count >= 50)
        let rows = try LossCase.all.map { example in
            try withFolder { folder in try row(of: example, in: folder) }
        }
        let staged = try StagedLossCase.all.map { example in
            try withFolder { folder in try stagedRow(of: example, in: folder) }
        }
        let repaired = try RepairLossCase.all.map { damaged in
            try withFolder { folder in try repairRow(of: damaged, in: folder) }
        }
        let name = "Fixtures/Losses.md"
        let file = Corpus.package.appending(path: name)
        let text = Self.page(
            rows.map(\.line),
            staged.map(\.line),
            repaired.map(\.line),
            Self.roads(staged + repaired)
        )
        if isRecording { try Data(text.utf8).write(to: file) }
        #expect(
            (try? fileText(file)) == text,
            "\(name) is stale: run MOMTOOL_RECORD=1 swift test --filter LossPageTests"
        )
    }

    private static func page(
        _ lines: [String],
        _ staged: [String],
        _ repaired: [String],
        _ roads: [String]
    ) -> String {
        """
        # What is lost

        What each command says of a small store, for each kind of change that loses or alters something. The numbers come
        from separate SQL statements on the old store; the cases are in `Tests/Support/LossCases`.

        | change | `plan --store` | `migrate` | with agreement | `verify` of the result |
        | --- | --- | --- | --- | --- |
        \(lines.joined(separator: "\n"))

        ## Maps, mapping models and stages

        | change | `plan --stages --store` | `migrate --stages` | with agreement | `verify` of the result |
        | --- | --- | --- | --- | --- |
        \(staged.joined(separator: "\n"))

        ## Repair

        | damage | `repair` | with what it asks for, and `-o` | `verify` of the result |
        | --- | --- | --- | --- |
        \(repaired.joined(separator: "\n"))

        ## Whoever loses it

        What is lost in the same way on several roads, as the cases above count it. `merge` is `findOrCreate` of a map, which
        makes one object of several. A repair keeps a value whose file is missing, and says so.

        | what is lost | \(LossRoad.allCases.map(\.rawValue).joined(separator: " | ")) |
        | --- |\(LossRoad.allCases.map { _ in " --- |" }.joined())
        \(roads.joined(separator: "\n"))

        """
    }

    /// A line for each kind of loss, with what each road says of it.
    private static func roads(_ rows: [Row]) -> [String] {
        LossKind.allCases.map { kind in
            let cells = LossRoad.allCases.map { road in
                let losses = rows.filter { $0.shown.contains { $0 == (kind, road) } }
                    .flatMap(\.losses).filter { kind.units.contains($0.unit) }
                return losses.isEmpty ? "—" : losses.map(\.text).joined(separator: ", ")
            }
            return Row(title: kind.rawValue, cells: cells).line
        }
    }

    private func row(of example: LossCase, in folder: URL) throws -> Row {
        let counted = try prepare(example, in: folder)
        let store = folder.appending(path: "Old.sqlite")
        let before = try Data(contentsOf: store)
        let plan = try plan(example, counted, in: folder)
        let way = ["--model", "New.xcdatamodel"]
        let refusal = try refusal(example, plan, way, in: folder)
        let agreed = try agreed(example, plan, way, in: folder)
        #expect(try Data(contentsOf: store) == before, "\(example)")
        let verified = agreed == nil ? "no result" : try verified(example, in: folder)
        let words =
            (plan.losses.map(\.text) + against(plan) + (plan.uncertain ?? []))
            .joined(separator: ", ")
        return Row(
            title: example.title,
            cells: [
                "\(plan.summary); \(words.isEmpty ? "nothing" : words)", refusal,
                agreed ?? "refused", verified,
            ]
        )
    }

    func prepare(_ example: LossCase, in folder: URL) throws -> [String: Int] {
        for (name, model) in [("Old", example.from), ("New", example.to)] {
            let url = folder.appending(path: "\(name).xcdatamodel")
            try makeFolder(url)
            try Data(modelContents(of: model).value.utf8).write(to: url.appending(path: "contents"))
        }
        let path = folder.appending(path: "Old.sqlite").path
        try createStore(at: path, model: example.from) { connection, _ throws(StoreError) in
            for statement in example.rows { try connection.execute(statement) }
        }
        let connection = try SQLiteConnection(path: path, mode: .immutable)
        return try example.lost.merging(example.against) { first, _ in first }.mapValues { query in
            Int(try connection.value(query)?.integer ?? -1)
        }
    }

    private func plan(
        _ example: LossCase,
        _ counted: [String: Int],
        in folder: URL
    ) throws -> Plan {
        let run = try momtool(
            ["plan", "New.xcdatamodel", "--store", "Old.sqlite"]
                + ["--format", "text", "--format", "json=plan.json"],
            in: folder
        )
        let json = try Data(contentsOf: folder.appending(path: "plan.json"))
        let plan = try JSONDecoder().decode(Plan.self, from: json)
        #expect(run.status == status(of: plan), "\(example): \(run.errors)")
        var told = Dictionary(plan.losses.map { ($0.name, $0.count) }, uniquingKeysWith: +)
        for finding in against(plan) {
            let parts = finding.split(separator: "`")
            let count = try #require(parts.last?.split(separator: " ").dropFirst().first)
            told[String(parts[0]), default: 0] += try #require(Int(count))
        }
        #expect(told.values.reduce(0, +) == counted.values.reduce(0, +), "\(example)")
        for (name, count) in counted where told[name] != nil {
            #expect(told[name] == count, "\(example): \(name)")
        }
        let text = run.output
        for words in example.said { #expect(text.contains(words), "\(example): \(text)") }
        for finding in plan.findings { #expect(text.contains(finding), "\(example): \(finding)") }
        return plan
    }

    /// 3 where the rows make the migration fail, 1 where a loss needs agreement.
    func status(of plan: Plan) -> Int32 {
        against(plan).isEmpty ? plan.losses.isEmpty ? 0 : 1 : 3
    }

    /// What forbids the change, as `Book`: 2 rows.
    func against(_ plan: Plan) -> [String] {
        plan.findings.compactMap { finding in
            guard !finding.contains("--allow-data-loss"),
                let match = finding.wholeMatch(of: /(.+?): (\d+ [a-z]+) at stake[ :].*/)
            else { return nil }
            return "`\(match.1)`: \(match.2)"
        }
    }

    func refusal(
        _ example: LossCase,
        _ plan: Plan,
        _ way: [String],
        in folder: URL
    ) throws -> String {
        let (status, outcome) = try migrate(way, in: folder)
        if plan.findings.isEmpty {
            #expect(status == 0, "\(example): \(outcome.messages)")
            try FileManager.default.removeItem(at: folder.appending(path: "New.sqlite"))
            return outcome.status
        }
        #expect(status == 3 && outcome.status == "refused", "\(example): \(outcome)")
        #expect(outcome.losses == plan.losses, "\(example)")
        for finding in plan.findings {
            #expect(outcome.messages.contains { $0.contains(finding) }, "\(example): \(outcome)")
        }
        return "refused"
    }

    /// The output of `migrate` when all is agreed to by name; `nil` when it still refuses.
    func agreed(
        _ example: LossCase,
        _ plan: Plan,
        _ way: [String],
        in folder: URL
    ) throws -> String? {
        let names = plan.losses.flatMap { ["--allow-data-loss", $0.name] }
        let (status, outcome) = try migrate(way + names, in: folder)
        guard example.against.isEmpty else {
            #expect(status == 3 && outcome.status == "refused", "\(example): \(outcome)")
            return nil
        }
        #expect(status == 0, "\(example): \(outcome.messages)")
        #expect(outcome.losses == plan.losses, "\(example)")
        let said = ([outcome.summary] + outcome.messages).joined(separator: "\n")
        for words in example.said { #expect(said.contains(words), "\(example)") }
        let lost = outcome.losses.map(\.text).joined(separator: ", ")
        let words = lost.isEmpty ? outcome.status : "\(outcome.status); allowed losses: \(lost)"
        let (orders, tables) = (
            outcome.messages.filter { $0.contains("[kept-order]") },
            outcome.messages.filter { !$0.contains("[kept-order]") }
        )
        return words + (tables.isEmpty ? "" : "; warns of the name of the join table")
            + (orders.isEmpty ? "" : "; warns of an order that Core Data loses")
    }

    func migrate(_ more: [String], in folder: URL) throws -> (Int32, Outcomes.Outcome) {
        let arguments = ["migrate", "Old.sqlite", "-o", "New.sqlite"]
        let run = try momtool(arguments + ["--format", "json"] + more, in: folder)
        let outcomes = try JSONDecoder().decode(Outcomes.self, from: Data(run.output.utf8))
        return (run.status, try #require(outcomes.stores.first))
    }

    func verified(_ example: LossCase, in folder: URL) throws -> String {
        struct Report: Decodable {
            struct Finding: Decodable {
                var rule: String
                var message: String
                var severity: String
            }
            var findings: [Finding]
        }
        let run = try momtool("verify New.sqlite --model New.xcdatamodel --format json", in: folder)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        let findings = report.findings.filter { $0.severity != "note" }
        let notes = report.findings.filter { $0.rule == "guessed-join-table" }
        let isExpected = findings.allSatisfy { $0.rule == "destination-count" }
        #expect(isExpected, "\(example): \(run.output)")
        #expect(run.status == (findings.isEmpty ? 0 : 1))
        let messages = (findings + notes).map(\.message)
        return messages.isEmpty ? "nothing" : messages.joined(separator: ", ")
    }
}

extension LossKind {
    fileprivate var units: [String] {
        switch self {
        case .link, .order: ["links"]
        case .value, .file: ["values"]
        case .object: ["rows", "objects"]
        }
    }
}
