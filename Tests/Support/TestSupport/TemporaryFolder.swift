package import Foundation

/// Where tests keep their files: in memory where there is room for all of them, as most are small and live shortly.
private let root: URL = {
    let memory = URL(filePath: "/dev/shm")
    let free =
        (try? FileManager.default.attributesOfFileSystem(forPath: memory.path))?[.systemFreeSize]
        as? NSNumber
    let isChosen = ProcessInfo.processInfo.environment["TMPDIR"] != nil
    return !isChosen && (free?.int64Value ?? 0) > 8 << 30
        ? memory : FileManager.default.temporaryDirectory
}()

package func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = root.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

package func write(_ text: String, _ path: String, in folder: URL) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
}

/// Makes a folder, with those that it lies in.
package func makeFolder(_ url: URL) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
}

/// Copies a file or a folder.
package func copyFile(_ file: URL, to place: URL) throws {
    try FileManager.default.copyItem(at: file, to: place)
}

/// The text of a file in UTF-8.
package func fileText(_ file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
}
