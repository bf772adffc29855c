import Foundation

/// Measures the commands that read models against a mere check that the same files are well formed.
func modelFigures() throws -> [String] {
    guard let checker = executable(named: "xmllint") else {
        return ["`xmllint` is not installed, and so nothing was measured."]
    }
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "momtool-benchmark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = folder.appending(path: "Big.xcdatamodeld")
    let contents = try writeBundle(at: bundle, versions: 120)
    let output = folder.appending(path: "out").path
    // Kept to the end: a file system passes over the places of files that were removed a moment ago, one by one, and
    // that would be counted.
    var count = 0
    func moveOutputAway() {
        count += 1
        try? FileManager.default.moveItem(atPath: output, toPath: "\(output) \(count)")
    }
    let checking = MeasuredCommand(executable: checker, arguments: ["--noout"] + contents)
    let commands = [
        ("hash", ["hash", bundle.path]),
        ("lint", ["lint", bundle.path, "--fail-on", "error"]),
        (
            "lint of all versions and steps",
            ["lint", bundle.path, "--all-versions", "--fail-on", "error"]
        ),
        ("compile", ["compile", bundle.path, "-o", output]),
    ]
    let bytes = try contents.map { try Data(contentsOf: URL(fileURLWithPath: $0)).count }
    var lines = [
        "\(bytes.reduce(0, +) / 1_000_000) MB in 120 files; `xmllint --noout` is given the same files.",
        "",
        "| command | momtool | xmllint | ratio | of CPU | CPU | of that in the system | memory |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for (name, arguments) in commands {
        let command = MeasuredCommand(executable: momtool, arguments: arguments)
        let pairs = try MeasuredPairs.inTurns(
            7,
            command,
            against: checking,
            prepare: moveOutputAway
        )
        lines.append(tableRow([name] + pairs.modelCells))
    }
    return lines + ["", try copyingFigure(output)]
}

/// What the system takes to make the files that were compiled, which is the least that compiling them can take.
private func copyingFigure(_ output: String) throws -> String {
    let copying = try MeasuredCommand(
        executable: URL(fileURLWithPath: "/bin/cp"),
        arguments: ["-R", output, output + ".copy"]
    ).run()
    let time = copying.processorSeconds.milliseconds
    return "`cp -R` of the files that `compile` wrote takes \(time) of processor time."
}

extension MeasuredPairs {
    fileprivate var modelCells: [String] {
        [
            ours.map(\.seconds).median.milliseconds, theirs.map(\.seconds).median.milliseconds,
            ratio.ratio, processorRatio.ratio,
            ours.map(\.processorSeconds).median.milliseconds,
            ours.map(\.systemSeconds).median.milliseconds, "\(peakMegabytes) MB",
        ]
    }
}
