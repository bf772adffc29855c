import ArgumentParser
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import Momtool

extension CompletionKind {
    /// Files and folders that a model may be; a shell enters folders automatically.
    static let model = Self.file(extensions: [
        "xcdatamodeld", "xcdatamodel", "momd", "mom", "swift",
    ])

    static let entity = Self.custom { words, _, _ in entityNames(in: words) }

    static let stages = Self.file(extensions: ["yml", "yaml", "swift"])

    static let store = Self.file(extensions: ["sqlite", "store", "db", "storedata"])

    static let rule = Self.list(Rule.all.map(\.id.rawValue))

    static let version = Self.custom { words, _, _ in versionNames(in: words) }
}

private func versionNames(in words: [String]) -> [String] {
    models(in: words).flatMap { $0.versions.map(\.name) }
}

private func entityNames(in words: [String]) -> [String] {
    let entities = models(in: words).compactMap { try? $0.chosenVersion() }
        .flatMap(\.model.entities)
    return Set(entities.map(\.name)).sorted()
}

/// Returns a word without its quotes on the line, which shells pass on as typed.
private func unquoted(_ word: String) -> String {
    guard !Files.exists(at: word) else { return word }
    var (text, quote, isEscaped) = ("", nil as Character?, false)
    for character in word {
        if isEscaped {
            text.append(character)
            isEscaped = false
        } else if character == "\\", quote != "'" {
            isEscaped = true
        } else if character == quote {
            quote = nil
        } else if quote == nil, character == "'" || character == "\"" {
            quote = character
        } else {
            text.append(character)
        }
    }
    guard text.hasPrefix("~/") else { return text }
    return (Surroundings.current.environment["HOME"] ?? "~") + text.dropFirst()
}

private func models(in words: [String]) -> [ModelBundle] {
    let endings = [
        "xcdatamodeld", "xcdatamodel", "momd", "mom", "sqlite", "store", "db", "storedata",
    ]
    return words.compactMap { word in
        let path = trimmedPath(unquoted(word))
        let name = path.split(separator: "#").first ?? ""
        guard endings.contains(where: { name.hasSuffix("." + $0) }) else { return nil }
        return try? ModelPlace(path).read().value
    }
}
