package import Testing
import Foundation

/// Whether files of words are written anew, by `MOMTOOL_RECORD=1`.
package let isRecording = ProcessInfo.processInfo.environment["MOMTOOL_RECORD"] != nil

/// Compares what a table of inputs is answered with `Fixtures/Words/NAME.lines`, a line for each.
///
/// The words are in that file alone, so that a test asks for values and a change of words is one difference in one file.
package func expectRecorded(
    _ lines: [String],
    as name: String,
    location: SourceLocation = #_sourceLocation
) throws {
    let file = Corpus.package.appending(path: "Fixtures/Words/\(name).lines")
    guard !isRecording else {
        return try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
    }
    let recorded = try fileText(file).components(separatedBy: "\n").dropLast()
    let changes = lines.difference(from: recorded)
    #expect(
        changes.isEmpty,
        "\(changes.prefix(4)); MOMTOOL_RECORD=1 writes \(name).lines anew",
        sourceLocation: location
    )
}
