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
        let links = texts.flatMap { $0.matches(of: /(\d+) links? of '([^']+)'/) }
            .map { (String($0.2), Int($0.1)) }
        let tables = texts.flatMap { $0.matches(of: /table (\w+) is missing, with up to (\d+)/) }
            .map { (String($0.1), Int($0.2)) }
        for (name, count) in counted {
            let numbers = Set((links + tables).filter { $0.0 == name }.map(\.1))
            #expect(numbers == [count], "\(damaged): \(texts)")
        }
        return Row(
            title: example.title,
            cells: [
                plan.texts.joined(separator: "; "), done.texts.joined(separator: "; "),
                try verified(example, in: folder),
            ],
            shown: damaged.cells,
            losses: counted.sorted { $0.key < $1.key }.map { name, count in
                Loss(name: name, count: count, unit: name.contains(".") ? "links" : "objects")
            }
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
