import Foundation

/// Measures that making a store takes as long as its model is large, and not longer.
func schemaFigures() throws -> [String] {
    var lines = [
        "`momtool create` of a model with that many parts, once each; *growth* is the processor time to that of the line "
            + "above, by the growth of the model.",
        "", "| model | time | of CPU | growth | memory |", "| --- | ---: | ---: | ---: | ---: |",
    ]
    let entities = [12_500, 25_000, 50_000, 100_000]
    let joins = [1_875, 3_750, 7_500, 15_000]
    for (counts, shape) in [
        (entities, WideModel.entities), (joins, .selfJoins), (joins, .selfJoinsOfOneEntity),
    ] {
        var last: (count: Int, seconds: Double)?
        for count in counts {
            let run = try creation(of: shape, count)
            let growth = last.map {
                run.processorSeconds / $0.seconds / (Double(count) / Double($0.count))
            }
            let cells = [
                "\(count) \(shape.rawValue)", "\(String(format: "%.1f", run.seconds)) s",
                "\(String(format: "%.1f", run.processorSeconds)) s", growth?.ratio ?? "",
                "\((run.peakMemory ?? 0) / 1_000_000) MB",
            ]
            lines.append(tableRow(cells))
            last = (count, run.processorSeconds)
        }
    }
    return lines
}

private func creation(of shape: WideModel, _ count: Int) throws -> MeasuredRun {
    try withBenchmarkFolder { folder in
        let model = folder.appending(path: "Wide.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data("<model>\(shape.contents(count))</model>".utf8)
            .write(to: model.appending(path: "contents"))
        let store = folder.appending(path: "Wide.sqlite").path
        return try MeasuredCommand(
            executable: momtool,
            arguments: ["create", store, "--model", model.path]
        ).run()
    }
}

/// A model of many parts of one kind.
private enum WideModel: String {
    case entities
    case selfJoins = "entities with a many-to-many of their own"
    case selfJoinsOfOneEntity = "many-to-many of one entity with itself"

    func contents(_ count: Int) -> String {
        switch self {
        case .entities:
            (0..<count).map {
                "<entity name='E\($0)'><attribute name='a' optional='YES' attributeType='String'/></entity>"
            }.joined()
        case .selfJoins:
            (0..<count).map { "<entity name='E\($0)'>\(Self.join("E\($0)", 0))</entity>" }.joined()
        case .selfJoinsOfOneEntity:
            "<entity name='E'>\((0..<count).map { Self.join("E", $0) }.joined())</entity>"
        }
    }

    private static func join(_ entity: String, _ number: Int) -> String {
        [("r", "s"), ("s", "r")].map { own, inverse in
            "<relationship name='\(own)\(number)' optional='YES' toMany='YES' "
                + "destinationEntity='\(entity)' inverseName='\(inverse)\(number)' inverseEntity='\(entity)'/>"
        }.joined()
    }
}
