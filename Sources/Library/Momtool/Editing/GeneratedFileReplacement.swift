import CodeGeneration
import Diagnostics
import Essentials
import FileSystem
import SwiftDataReading

/// Refuses to write generated classes over a Swift file with code that people wrote, or over another file.
package func requireReplaceable(_ path: String, byGenerated text: String) throws(MomtoolError) {
    guard exists(path) else { return }
    let old = try readText(path, limit: 16 << 20)
    guard old != text, old.contains(where: { !$0.isWhitespace }) else { return }
    let missing: [String]
    do throws(SwiftEditFault) {
        missing = try handwrittenCode(
            in: SwiftSource(path: path, bytes: Array(old.utf8)),
            missingFrom: SwiftSource(path: path, bytes: Array(text.utf8))
        )
    } catch { throw refusal(path, "its content is unknown: \(error.message)") }
    guard missing.isEmpty else {
        let names = missing.listed(most: 12)
        throw refusal(path, "this would be lost: \(names)")
    }
    guard old.hasPrefix(writtenByMomtool) || old.contains("@Model") else {
        throw refusal(path, "it has no @Model class")
    }
}

private func refusal(_ path: String, _ reason: String) -> MomtoolError {
    MomtoolError(
        .refused,
        path,
        saying: """
            the existing file is not replaced: \(reason); name another file with \(.elsewhere) and copy what \
            you need; \(.advice(.force))
            """,
        "file-exists"
    )
}
