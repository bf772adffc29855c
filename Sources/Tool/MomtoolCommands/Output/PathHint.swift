import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import Momtool

/// The probably intended path: a similar name, one without extension, one that the shell split, or a model's version.
func pathHint(_ path: String, among words: [String] = RunWords.current) -> String {
    let whole = trimmedPath(path)
    for ending in [".xcdatamodel", ".xcdatamodeld"] where exists(whole + ending) {
        return "; did you mean '\(whole)\(ending)'"
    }
    let near = suggestion(forPath: path)
    guard near.isEmpty, !whole.isEmpty else { return near }
    if let place = words.firstIndex(of: path) {
        let joined = words[place...].prefix(2).joined(separator: " ")
        if joined != path, exists(joined) {
            return "; write a name with spaces in quotes: '\(joined)'"
        }
        let before = words[..<place].suffix(2)
        if before.count == 2, let option = before.first, let start = before.last,
            ["--from", "--to", "--version"].contains(option)
        {
            return "; write a name with spaces in quotes: \(option) '\(start) \(path)'"
        }
    }
    // A model that the command names comes before the others.
    let named = words.map { word in String(word.prefix { $0 != "#" }) }
    let names = (try? Files.names(in: ".")) ?? []
    let models = (named + names.sorted()).filter { $0.hasSuffix(".xcdatamodeld") }
    let owner = models.first { exists("\($0)/\(whole).xcdatamodel") }
    return owner.map { "; name a version with its model: '\($0)#\(whole)'" } ?? ""
}

/// Which words after a model are versions of it, and how to name these; `nil` where they may be paths.
func versionAdvice(_ words: [String]) -> String? {
    guard words.count > 1, words.count < 4, FileIdentity(of: words[0]) != nil,
        words.dropFirst().allSatisfy({ FileIdentity(of: $0) == nil }),
        let bundle = try? ModelPlace(words[0]).readUsable().value,
        words.dropFirst().contains(where: { bundle.version(named: $0) != nil })
    else { return nil }
    let names = words.dropFirst().map(shellWord)
    return names.count == 1
        ? "'\(words[1])' is a version; name it with --from \(names[0])"
        : "name versions with --from \(names[0]) --to \(names[1])"
}

/// That a word beside a model is a git revision, and how to name one; `nil` where both may be paths.
func revisionAdvice(_ words: [String]) -> String? {
    let models = words.filter { FileIdentity(of: ModelPlace($0).path) != nil }
    guard words.count == 2, models.count == 1, let word = words.first(where: { $0 != models[0] })
    else { return nil }
    // The first of a range is the older.
    let revision = String(word[..<(word.firstRange(of: "..")?.lowerBound ?? word.endIndex)])
    guard !revision.isEmpty, !revision.hasPrefix("-"), !revision.contains(where: \.isNewline) else {
        return nil
    }
    let folder = parent(of: resolvedPath(ModelPlace(models[0]).path))
    guard PlacedRevision(revision, in: folder).isHere(in: folder) else { return nil }
    return "'\(word)' is a git revision; name it with --against \(shellWord(revision))"
}

/// How to name a model among stores; `nil` where there is none.
func modelAdvice(among stores: [String]) -> String? {
    guard stores.count > 1, let model = stores.first(where: { isModelBundle($0) && exists($0) })
    else { return nil }
    return "'\(model)' is a model; name it with --model \(shellWord(model))"
}

enum RunWords {
    private struct Kept: Sendable { let words = Locked(Array(processArguments.dropFirst())) }

    /// The arguments of the process, unless others were set.
    static var current: [String] { Surroundings.current.memory.value(Kept()).words.withLock { $0 } }

    static func set(_ words: [String]) {
        Surroundings.current.memory.value(Kept()).words.withLock { $0 = words }
    }
}
