import Essentials
import ObjectModel
import RowExchange
import StoreFormat

/// Keeps what a failing case leaves in a folder of its own: both stores, both exports, the plan, the differences.
///
/// A folder of an earlier run is replaced, another one never is. What cannot be exported or written is left out: the
/// reason for the failure is told anyway.
///
/// A store that was given is migrated from where it lies, so that it is copied here.
func keepArtifacts(
    of outcome: CaseOutcome,
    from work: URL,
    given: String?,
    in artifacts: URL,
    source: ManagedObjectModel?,
    target: ManagedObjectModel?
) {
    let files = FileManager.default
    let name = folderName(of: outcome.name)
    let kept = artifacts.appending(path: name)
    // What stands there by this name may be anything, were it the case itself.
    let isOfEarlierRun = files.fileExists(atPath: kept.appending(path: differenceName).path)
    guard isOfEarlierRun || !files.fileExists(atPath: kept.path) else { return }
    try? files.removeItem(at: kept)
    try? files.createDirectory(at: artifacts, withIntermediateDirectories: true)
    try? files.copyItem(at: work, to: kept)
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

/// A name without the characters that Windows, addresses and services that keep artifacts refuse.
private func folderName(of name: String) -> String {
    let kept = name.replacing(": ", with: " - ").map { character -> Character in
        let isRefused =
            "\":<>|*?\\/".contains(character)
            || character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        return isRefused ? "-" : character
    }
    // Windows takes no dot and no blank at the end.
    var text = String(kept)
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text.isEmpty ? "case" : text
}

private let differenceName = "difference.txt"
