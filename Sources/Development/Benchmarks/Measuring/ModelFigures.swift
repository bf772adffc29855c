import Foundation

/// Measures the commands that read models against a mere check that the same files are well formed.
func modelFigures() throws -> [String] {
    guard let checker = executable(named: "xmllint") else {
        return ["`xmllint` is not installed, and so nothing was measured."]
    }
    return try withBenchmarkFolder { folder in
        try withBenchmarkFolder(in: outputPlace) { outputs in
            try modelFigures(checker, in: folder, outputs)
        }
    }
}

private func modelFigures(_ checker: URL, in folder: URL, _ outputs: URL) throws -> [String] {
    let bundle = folder.appending(path: "Big.xcdatamodeld")
    let contents = try writeBundle(at: bundle, versions: 120)
    let output = outputs.appending(path: "out")
    let checking = MeasuredCommand(executable: checker, arguments: ["--noout"] + contents)
    let commands = [
        ("hash", ["hash", bundle.path]),
        ("lint", ["lint", bundle.path, "--fail-on", "error"]),
        (
            "lint of all versions and steps",
            ["lint", bundle.path, "--all-versions", "--fail-on", "error"]
        ),
        ("compile", ["compile", bundle.path, "-o", output.path]),
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
        let pairs = try MeasuredPairs.inTurns(7, command, against: checking) {
            try? FileManager.default.removeItem(at: output)
        }
        lines.append(tableRow([name] + pairs.modelCells))
    }
    return lines + ["", try copyingFigures(output, to: [outputs, folder])]
}

/// Where folders for what is compiled are made: in memory where the system has such a place.
///
/// When ext4 makes files it passes over the places of those that were removed in the last minutes, one by one: what that
/// takes depends on what was measured before.
var outputPlace: URL {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    return isThere ? memory : FileManager.default.temporaryDirectory
}

/// What the system takes to make the files that were compiled, which is the least that compiling them can take.
private func copyingFigures(_ output: URL, to folders: [URL]) throws -> String {
    let times = try folders.map { folder in
        let arguments = ["-R", output.path, folder.appending(path: "copy").path]
        let copying = MeasuredCommand(
            executable: URL(fileURLWithPath: "/bin/cp"),
            arguments: arguments
        )
        return try copying.run().processorSeconds.milliseconds
    }
    return
        "`cp -R` of the files that `compile` wrote takes \(times[0]) of processor time in `/dev/shm`, where `compile` "
        + "writes them if it is there, and \(times[1]) among other temporary files."
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
