import Foundation

extension Scenario {
    /// A team runs its cases on every push: they share a bundle, of which each needs two versions.
    static let cases = Scenario(
        name: "cases",
        summary:
            "97 cases on a bundle of 117 versions of 50 kB, under 10 s of processor time; with a map each, no more"
    ) { _ in
        try withBenchmarkFolder { folder in
            let bundle = folder.appending(path: "Big.xcdatamodeld")
            _ = try writeBundle(at: bundle, versions: 117)
            let plain = try write("Plain", nil, in: folder)
            let mapped = try write("Mapped", "copyRest: true\n", in: folder)
            return [
                "97 cases of one step each: \(try processorTime(ofCases: plain))",
                "97 cases of one step with a map each: \(try processorTime(ofCases: mapped))",
            ]
        }
    }
}

/// Writes a file of cases, of which each takes one step of the bundle.
private func write(_ name: String, _ map: String?, in folder: URL) throws -> String {
    let place = folder.appending(path: name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var text = """
        model: ../Big.xcdatamodeld
        expect: contains
        before: {Entity0: [{"@id": a, attribute0: x}, {"@id": b}]}
        after: {Entity0: [{"@id": a, attribute0: x}]}
        cases:

        """
    for version in 20..<117 {
        text += "  step \(version):\n    from: V\(version)\n    to: V\(version + 1)\n"
        if map != nil {
            text +=
                "    stages: [{custom: {from: V\(version), to: V\(version + 1)}, map: copy.map.yml}]\n"
        }
    }
    if let map { try Data(map.utf8).write(to: place.appending(path: "copy.map.yml")) }
    try Data(text.utf8).write(to: place.appending(path: "case.yml"))
    return place.path
}

private func processorTime(ofCases folder: String) throws -> String {
    let command = MeasuredCommand(executable: momtool, arguments: ["test", folder, "--jobs", "2"])
    let times = try (0..<3).map { _ in try command.run().processorSeconds }
    return "\((times.min() ?? 0).milliseconds) of processor time"
}
