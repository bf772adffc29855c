import Foundation
import LossCases
import TestSupport
import Testing

extension LossPageTests {
    private struct Repair: Decodable {
        struct Step: Decodable {
            var purpose: String
            var lost: String?
        }
        struct Obstacle: Decodable {
            var problem: String
            var remedy: String
        }
        var steps: [Step]
        var obstacles: [Obstacle]

        var texts: [String] {
            steps.map { $0.purpose + ($0.lost.map { " (lost: \($0))" } ?? "") }
                + obstacles.map { "\($0.problem): \($0.remedy)" }
        }
    }

    func repairRow(of damaged: RepairLossCase, in folder: URL) throws -> Row {
        let example = damaged.example
        let counted = try prepare(example, in: folder)
        let plan = try repair([], expecting: damaged.options.isEmpty ? 1 : 3, damaged, in: folder)
        let done = try repair(
            damaged.options + ["-o", "New.sqlite"],
            expecting: 0,
            damaged,
            in: folder
        )
        let texts = plan.texts + done.texts
        let parts = texts.flatMap { $0.matches(of: /(\d+) (link|value)s? of '([^']+)'/) }
            .map { Loss(name: "\($0.3)", count: Int($0.1) ?? -1, unit: "\($0.2)s") }
        let tables = texts.flatMap { $0.matches(of: /table (\w+) is missing, with up to (\d+)/) }
            .map { Loss(name: "\($0.1)", count: Int($0.2) ?? -1, unit: "objects") }
        let losses = try counted.sorted { $0.key < $1.key }.map { name, count in
            let told = (parts + tables).filter { $0.name == name }
            #expect(told.allSatisfy { $0.count == count }, "\(damaged): \(texts)")
            return try #require(told.first, "\(damaged): \(texts)")
        }
        return Row(
            title: example.title,
            cells: [
                plan.texts.joined(separator: "; "), done.texts.joined(separator: "; "),
                try verified(example, in: folder),
            ],
            shown: damaged.cells,
            losses: losses
        )
    }

    private func repair(
        _ options: [String],
        expecting status: Int32,
        _ damaged: RepairLossCase,
        in folder: URL
    ) throws -> Repair {
        let arguments = ["repair", "Old.sqlite", "--model", "Old.xcdatamodel", "--format", "json"]
        let run = try expectRun(arguments + options, in: folder, status)
        return try JSONDecoder().decode(Repair.self, from: Data(run.output.utf8))
    }
}
