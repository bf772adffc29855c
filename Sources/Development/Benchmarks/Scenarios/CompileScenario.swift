import Foundation

extension Scenario {
    /// Compiling must keep pace with a mere check that the same files are well formed.
    static let compile = Scenario(
        name: "compile",
        summary: "90 versions of 50 kB compiled; time of the command to that of xmllint --noout"
    ) { _ in
        guard let checker = executable(named: "xmllint") else {
            return ["skipped: xmllint is not installed"]
        }
        return try withBenchmarkFolder { folder in
            try withBenchmarkFolder(in: outputPlace) { outputs in
                try compileFigures(checker, in: folder, outputs)
            }
        }
    }
}

private func compileFigures(_ checker: URL, in folder: URL, _ outputs: URL) throws -> [String] {
    let bundle = folder.appending(path: "Big.xcdatamodeld")
    let contents = try writeBundle(at: bundle, versions: 90)
    let output = outputs.appending(path: "out")
    let compiling = MeasuredCommand(
        executable: momtool,
        arguments: ["compile", bundle.path, "-o", output.path]
    )
    let checking = MeasuredCommand(executable: checker, arguments: ["--noout"] + contents)
    let pairs = try MeasuredPairs.inTurns(15, compiling, against: checking) {
        try? FileManager.default.removeItem(at: output)
    }
    return [
        "momtool compile: \(pairs.ours.map(\.seconds).median.milliseconds)",
        "xmllint --noout: \(pairs.theirs.map(\.seconds).median.milliseconds)",
        "ratio \(pairs.ratio.ratio), of processor time \(pairs.processorRatio.ratio)",
    ]
}

/// Writes a bundle of versions of some 50 kB, each with an attribute more than the one before.
func writeBundle(at bundle: URL, versions: Int) throws -> [String] {
    var paths: [String] = []
    for version in 1...versions {
        let folder = bundle.appending(path: "V\(version).xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "contents")
        try Data(contents(ofVersion: version).utf8).write(to: file)
        paths.append(file.path)
    }
    let current = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
        <string>V\(versions).xcdatamodel</string></dict></plist>
        """
    try Data(current.utf8).write(to: bundle.appending(path: ".xccurrentversion"))
    return paths
}

private func contents(ofVersion version: Int) -> String {
    let types = ["String", "Integer 64", "Date", "Boolean", "Double", "Binary", "UUID"]
    let entities = (0..<30).map { entity in
        let count = entity == 0 ? 9 + version : 9
        let attributes = (0..<count).map { index in
            "        <attribute name=\"attribute\(index)\" optional=\"YES\" "
                + "attributeType=\"\(types[(entity + index) % types.count])\" "
                + "usesScalarValueType=\"NO\"/>\n"
        }
        let (next, previous) = ((entity + 1) % 30, (entity + 29) % 30)
        return """
                <entity name="Entity\(entity)" representedClassName="Entity\(entity)" syncable="YES">
            \(attributes.joined())\
                    <relationship name="next" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Entity\(next)" inverseName="previous" inverseEntity="Entity\(next)"/>
                    <relationship name="previous" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Entity\(previous)" inverseName="next" inverseEntity="Entity\(previous)"/>
                </entity>

            """
    }
    return """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        lastSavedToolsVersion="23231" systemVersion="24A335" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift" userDefinedModelVersionIdentifier="\(version)">
        \(entities.joined())</model>
        """
}
