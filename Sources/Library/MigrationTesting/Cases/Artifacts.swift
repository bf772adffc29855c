package import Essentials
import ObjectModel
import RowExchange
import StoreFormat

extension [MigrationTest] {
    /// Gives each test a folder of its own for what it leaves when it fails, by its name and that of its group if
    /// several share it: filter tests afterwards.
    package func keepingArtifacts(in folder: URL?) -> [MigrationTest] {
        guard let folder else { return self }
        // Not every file system is case-sensitive.
        let names = Dictionary(grouping: self) { folderName(of: $0.name).lowercased() }
        var taken: Set<String> = []
        return map { test in
            let name = folderName(of: test.name)
            let isShared = (names[name.lowercased()] ?? []).count > 1
            let whole = isShared ? folderName(of: "\(test.group)/\(test.name)") : name
            var own = whole
            var number = 1
            while !taken.insert(own.lowercased()).inserted {
                number += 1
                own = "\(whole) \(number)"
            }
            var test = test
            test.artifacts = folder.appending(path: own)
            return test
        }
    }
}

/// Keeps what a failing case leaves in a folder of its own: both stores, both exports, the plan, the differences.
///
/// A folder of an earlier run is replaced, any other one is not; what cannot be written is left out.
func keepArtifacts(
    of outcome: CaseOutcome,
    from work: URL,
    given: String?,
    at kept: URL,
    source: ManagedObjectModel?,
    target: ManagedObjectModel?
) {
    // A folder of this name may be anything, even the case itself.
    let isOfEarlierRun = Files.exists(at: kept.appending(path: differenceName).path)
    guard isOfEarlierRun || !Files.exists(at: kept.path) else { return }
    try? Files.remove(at: kept.path)
    let folder = kept.deletingLastPathComponent()
    try? Files.makeFolder(at: folder.path)
    try? Files.copy(work.path, to: kept.path)
    if let given { try? copyStore(at: given, to: kept.appending(path: "before.sqlite").path) }
    for (store, model) in [("before", source), ("after", target)] {
        guard let model,
            let file = try? StoreFile(path: kept.appending(path: store + ".sqlite").path),
            let rows = try? exportedRows(of: file, model: model)
        else { continue }
        try? Data(rows).write(to: kept.appending(path: store + ".json"))
    }
    let lines = outcome.lines.joined(separator: "\n") + "\n"
    try? Data(lines.utf8).write(to: kept.appending(path: differenceName))
}

/// A name without characters that Windows, URLs and artifact services refuse, shortened for file systems: the end of a
/// path tells most.
private func folderName(of name: String) -> String {
    // A folder that begins with a dot is hidden, and services leave it out.
    let path = name.split(separator: "/").filter { $0 != "." && $0 != ".." }
        .joined(separator: "-")
    let kept = path.replacing(": ", with: " - ").map { character -> Character in
        let isRefused =
            "\":<>|*?\\".contains(character)
            || character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        return isRefused ? "-" : character
    }
    // Windows refuses a dot or a space at the end.
    var text = String(kept)[...]
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    while text.utf8.count > 200 { text.removeFirst() }
    return text.isEmpty ? "case" : String(text)
}

private let differenceName = "difference.txt"
