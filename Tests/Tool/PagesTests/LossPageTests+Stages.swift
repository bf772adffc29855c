import Diagnostics
import Foundation
import LossCases
import ModelCompiling
import PropertyLists
import TestSupport
import Testing

extension LossPageTests {
    func stagedRow(of staged: StagedLossCase, in folder: URL) throws -> Row {
        let example = staged.example
        let counted = try prepare(example, in: folder)
        try writeStages(staged, in: folder)
        if case .program = staged.work { return try programRow(of: staged, counted, in: folder) }
        let plan = try stagedPlan(staged, in: folder)
        let against = against(plan)
        var told = Dictionary(plan.losses.map { ($0.name, $0.count) }, uniquingKeysWith: +)
        for match in against.compactMap({ $0.wholeMatch(of: /`(.+)`: (\d+) .*/) }) {
            told[String(match.1), default: 0] += try #require(Int(match.2))
        }
        #expect(told == counted, "\(staged)")
        let way = ["--stages", "Stages.yml"]
        let refusal = try refusal(example, plan, way, in: folder)
        let agreed = try agreed(example, plan, way, in: folder)
        let words = (plan.losses.map(\.text) + against).joined(separator: ", ")
        let verified = agreed == nil ? "no result" : try verified(example, in: folder)
        return Row(
            title: example.title,
            cells: [words, refusal, agreed ?? "refused", verified],
            shown: staged.cells,
            losses: plan.losses
        )
    }

    /// What a program takes is known only when it has run.
    private func programRow(
        of staged: StagedLossCase,
        _ counted: [String: Int],
        in folder: URL
    ) throws -> Row {
        let way = ["--stages", "Stages.yml", "--allow-programs"]
        var (status, outcome) = try migrate(way, in: folder)
        let first = outcome.status
        #expect(status == (first == "refused" ? 3 : 0), "\(staged): \(outcome)")
        if first == "refused" {
            let names = outcome.losses.flatMap { ["--allow-data-loss", $0.name] }
            (status, outcome) = try migrate(way + names, in: folder)
        }
        #expect(status == 0, "\(staged): \(outcome)")
        let told = Dictionary(outcome.losses.map { ($0.name, $0.count) }, uniquingKeysWith: +)
        #expect(told == counted, "\(staged)")
        let lost = outcome.losses.map(\.text).joined(separator: ", ")
        return Row(
            title: staged.example.title,
            cells: [
                "not before it runs",
                first, "\(outcome.status); lost\(first == "refused" ? " as agreed" : ""): \(lost)",
                try verified(staged.example, in: folder),
            ],
            shown: staged.cells,
            losses: outcome.losses
        )
    }

    private func writeStages(_ staged: StagedLossCase, in folder: URL) throws {
        let (key, name, data): (String, String, Data)
        switch staged.work {
        case .map(let text): (key, name, data) = ("map", "Step.map.yml", Data(text.utf8))
        case .program(let text):
            let script =
                "cat >/dev/null\n" + text.split(separator: "\n").map { "echo '\($0)'\n" }.joined()
            (key, name, data) = ("didMigrate", "Step.sh", Data(script.utf8))
        case .script(let text): (key, name, data) = ("willMigrate", "Step.sql", Data(text.utf8))
        case .mappingModel(let source):
            let compiled = compileMappingModel(
                source,
                from: staged.example.from,
                to: staged.example.to
            )
            #expect(compiled.diagnostics == [])
            (key, name, data) = ("map", "Step.cdm", compiled.value.binaryData)
        }
        var value = name
        if case .program = staged.work { value = "{program: [sh, \(name)], entities: [Author]}" }
        let stages = """
            stages:
              - custom: {from: Old.xcdatamodel, to: New.xcdatamodel}
                \(key): \(value)

            """
        try write(stages, "Stages.yml", in: folder)
        try data.write(to: folder.appending(path: name))
    }

    private func stagedPlan(_ staged: StagedLossCase, in folder: URL) throws -> Plan {
        let run = try expectRun("plan --stages Stages.yml --store Old.sqlite", in: folder, nil)
        let findings = run.output.split(separator: "\n").filter { $0.contains(" at stake ") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let losses = try findings.filter { $0.contains("--allow-data-loss") }.map { finding in
            let match = try #require(finding.wholeMatch(of: /(.+?): (\d+) ([a-z]+?)s? at stake.*/))
            return Loss(
                name: String(match.1),
                count: try #require(Int(match.2)),
                unit: "\(match.3)s"
            )
        }
        let plan = Plan(summary: "", findings: findings, losses: losses)
        #expect(run.status == status(of: plan), "\(run.errors)")
        return plan
    }
}
