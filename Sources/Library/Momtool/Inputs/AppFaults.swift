package import Diagnostics
import Essentials
import FileSystem

/// Finds what code of an app does to its stores whatever their model is: it deletes one that does not open, opens them
/// without migration though there are older versions, or its package copies the sources of a model, which are compiled no
/// more.
package func appFaults(below folder: String, hasOlderVersions: Bool = false) -> [Diagnostic] {
    let sources = AppSources.below(resolvedPath(folder))
    let removing = sources.files(mentioning: .removal).compactMap { SourceCode($0) }
    let deleters = removing.flatMap(\.deleters)
    let wipers = deleters.filter(\.isOfStore)
    let known = Set(removing.map(\.path))
    // A file that calls one need not mention anything else of interest.
    let opening = deleters.isEmpty ? [] : sources.files(mentioning: .opening)
    let callers = (wipers.isEmpty ? opening : sources.paths).filter { !known.contains($0) }
    let code = removing + callers.compactMap { SourceCode($0, callingOneOf: wipers) }
    return sources.files(mentioning: .copy).filter { $0.hasSuffix("/Package.swift") }
        .compactMap(copiedModel)
        + deletions(in: code, deleters)
        + (hasOlderVersions ? sources.stoppedMigrations().map(\.fault) + sources.oldSeeds() : [])
}

/// Finds the copy of a model, or of a folder with one that is processed nowhere.
private func copiedModel(in manifest: String) -> Diagnostic? {
    guard let code = SourceCode(manifest) else { return nil }
    let text = code.lines.joined(separator: "\n")
    let parts = text.split(separator: ".copy(", omittingEmptySubsequences: false)
    let models = modelSources(below: parent(of: manifest))
    var line = 0
    for (last, part) in zip(parts, parts.dropFirst()) {
        line += last.count { $0 == "\n" }
        let path = part.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
        let isModel = path.contains(".xcdatamodel")
        let isAround = models.contains { $0.contains("/\(path)/") }
        guard isModel || isAround && !text.contains(".process(\"\(path)") else { continue }
        return Diagnostic(
            "model-copied",
            "the sources of the model are copied, and Xcode 27 compiles them no more: write .process",
            severity: .warning,
            at: code.place(line)
        )
    }
    return nil
}

/// Finds deletions because a store did not open, there or in a function that is called there: one for each source.
private func deletions(in sources: [SourceCode], _ deleters: [AppFunction]) -> [Diagnostic] {
    let openers = sources.flatMap(\.openers)
    let declared = Dictionary(grouping: deleters, by: \.name)
    var reported: Set<FileLocation> = []
    return sources.compactMap { source in
        var blocks = FailureBlocks(openers: openers.filter(source.knows))
        var runs: [[Int]] = []
        for line in source.lines.indices
        where blocks.isFailure(source.lines[line]) || letsDelete(source.lines[line]) {
            if runs.last?.last == line - 1 {
                runs[runs.count - 1].append(line)
            } else {
                runs.append([line])
            }
        }
        for run in runs {
            let found = source.deletion(from: run) { name, line in
                let same = (declared[name] ?? []).filter { $0.mayBeCalled(in: line) }
                let known = same.filter(source.knows)
                // What deletes any file deletes the store that it is given, if no other function is meant.
                let deleter = same.count == 1 && passesStore(line, to: name) ? known.first : nil
                return (known.first(where: \.isOfStore) ?? deleter)?.place
            }
            guard let found, reported.insert(found).inserted else { continue }
            let call = source.place(run[0])
            return Diagnostic(
                "store-deleted",
                "this deletes a store that does not open, with all of its data: move it aside instead",
                severity: .warning,
                at: found,
                notes: found.path == call.path
                    ? [] : [Diagnostic.Note("it is called when the store did not open", at: call)]
            )
        }
        return nil
    }
}

/// A function of an app that other sources may call.
struct AppFunction {
    let name: String
    /// The type around it.
    let owner: String?
    /// Where it does what it is known for.
    let place: FileLocation
    /// Whether calls of it need `try`.
    var isThrowing = true
    /// Whether it mentions a store.
    var isOfStore = false

    /// Whether a line may call it, and not what other types have under the name.
    func mayBeCalled(in line: Substring) -> Bool {
        !["removeAll", "remove", "reset", "delete"].contains(name)
            || owner.map { line.lowercased().contains($0.lowercased()) } ?? true
    }
}

/// A source of an app as lines of code.
private struct SourceCode {
    let path: String
    let lines: [Substring]
    private var functions: [String: Range<Int>] = [:]

    init?(_ path: String, callingOneOf functions: [AppFunction]? = nil) {
        guard let bytes = try? readFile(path, limit: SourceMentions.sizeLimit) else { return nil }
        func has(_ word: String) -> Bool { bytes.firstRange(of: Array(word.utf8)) != nil }
        let isCaller = functions?.contains { has($0.name + "(") && $0.owner.map(has) ?? true }
        let openings = SourceMentions.openings + [SourceMentions.deletingOption]
        guard isCaller ?? true || openings.contains(where: has) else { return nil }
        self.path = path
        lines = codeLines(of: bytes)
        for (start, line) in lines.enumerated() {
            let isMethod = line.hasPrefix("- (") || line.hasPrefix("+ (")
            guard let name = declaredName(line, after: isMethod ? [")"] : ["func "]) else {
                continue
            }
            var (depth, isOpen) = (0, false)
            let end = lines[start...].firstIndex { line in
                depth += line.count { $0 == "{" } - line.count { $0 == "}" }
                isOpen = isOpen || line.contains("{")
                return isOpen && depth <= 0
            }
            self.functions[name] = start..<min((end ?? start) + 1, lines.count)
        }
    }

    func place(_ line: Int) -> FileLocation {
        FileLocation(path: pathFromHere(path), line: line + 1)
    }

    /// Whether a call here may be one of a function, as its type is named.
    func knows(_ function: AppFunction) -> Bool {
        guard function.place.path != pathFromHere(path), let owner = function.owner else {
            return true
        }
        return lines.contains { $0.contains(owner) }
    }

    /// The functions that open a store, and whose callers learn by an error or a result that it did not open.
    var openers: [AppFunction] {
        functions.compactMap { name, body in
            let end = lines[body].firstIndex { $0.contains("{") } ?? body.lowerBound
            let declaration = lines[body.lowerBound...end]
            guard lines[body].contains(where: opensStore),
                outcomes.contains(where: { word in declaration.contains { $0.contains(word) } })
            else { return nil }
            var function = known(name, body, place(body.lowerBound))
            function.isThrowing = declaration.contains { $0.contains("throws") }
            return function
        }
    }

    /// The functions that delete files.
    var deleters: [AppFunction] {
        functions.compactMap { name, body in
            guard let place = deletion(from: Array(body), other: { _, _ in nil }) else {
                return nil
            }
            var function = known(name, body, place)
            let names = [name[...], (function.owner ?? "")[...]]
            function.isOfStore = (lines[body] + names).contains(where: mentionsStore)
            return function
        }.sorted { $0.name < $1.name }
    }

    private func known(_ name: String, _ body: Range<Int>, _ place: FileLocation) -> AppFunction {
        let kinds = ["class ", "struct ", "enum ", "actor ", "extension ", "@implementation "]
        let owner = lines[..<body.lowerBound].lazy.reversed()
            .compactMap { declaredName($0, after: kinds) }.first
        return AppFunction(name: name, owner: owner, place: place)
    }

    /// Where lines, or functions that they call, delete files; `nil` also where they keep them elsewhere first.
    func deletion(from start: [Int], other: (String, Substring) -> FileLocation?) -> FileLocation? {
        var reached = start
        var seen: Set<String> = []
        while !reached.isEmpty {
            if reached.contains(where: { keeps(lines[$0]) }) { return nil }
            if let line = reached.first(where: { deletes(lines[$0]) }) { return place(line) }
            let called = reached.flatMap { line in
                calledFunctions(lines[line]).map { (name: $0, line: lines[line]) }
            }.filter { seen.insert($0.name).inserted }
            let others = called.filter { functions[$0.name] == nil }
            if let found = others.lazy.compactMap(other).first { return found }
            reached = called.flatMap { functions[$0.name].map(Array.init) ?? [] }
        }
        return nil
    }
}

/// Whether the only file that a line deletes is of a cache and no store, by its name.
private func deletesCache(_ line: Substring) -> Bool {
    let parts = line.split(separator: "removeItem", omittingEmptySubsequences: false)
    guard parts.count == 2, !line.contains("PersistentStore") else { return false }
    let file = parts[1].drop { $0 != ":" }.prefix { !");]".contains($0) }
    return file.lowercased().contains("cache") && !mentionsStore(file)
}

func mentionsStore(_ text: Substring) -> Bool {
    let text = text.lowercased().replacing("restor", with: "")
    return ["store", "sqlite", "database"].contains { text.contains($0) }
}

/// Whether a call has a store among its arguments, texts aside.
private func passesStore(_ line: Substring, to name: String) -> Bool {
    let arguments = line.firstRange(of: "\(name)(").map { line[$0.upperBound...] } ?? ""
    return mentionsStore(withoutTexts(arguments)[...])
}

private func deletes(_ line: Substring) -> Bool {
    [
        "destroyPersistentStore(", "destroyPersistentStoreAtURL:", "removeItem(",
        "removeItemAtURL:", "removeItemAtPath:",
    ].contains { line.contains($0) }
        && !["tmp", "temp"].contains { line.lowercased().contains($0) } && !deletesCache(line)
        || replaces(line) || letsDelete(line)
}

/// Whether a line sets an option of a framework that deletes a store which does not fit its model.
private func letsDelete(_ line: Substring) -> Bool {
    withoutTexts(line).contains(SourceMentions.deletingOption)
        && !["false", "NO", "(BOOL)"].contains(where: line.contains)
}

/// Whether a line puts a store of the app's bundle in the place of another.
private func replaces(_ line: Substring) -> Bool {
    line.contains("replacePersistentStore")
        && ["bundle", "seed"].contains { line.lowercased().contains($0) }
}

/// Whether a line moves, copies or migrates the store.
private func keeps(_ line: Substring) -> Bool {
    [".moveItem", " moveItem", "copyItem", "migratePersistentStore", "replacePersistentStore"]
        .contains { line.contains($0) } && !replaces(line) || line.lowercased().contains("backup")
        || calledFunctions(line).contains { $0.hasPrefix("migrate") }
}

/// What the declaration of a function has whose callers learn that a store did not open.
private let outcomes = ["throws", "Result<", "Error?"]

func opensStore(_ text: Substring) -> Bool {
    SourceMentions.openings.contains { text.contains($0) }
}

/// The name that a line declares behind one of some keywords.
func declaredName(_ line: Substring, after keywords: [String]) -> String? {
    guard let start = keywords.lazy.compactMap({ line.firstRange(of: $0)?.upperBound }).first
    else { return nil }
    let name = line[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
}

/// The names before parentheses, and of methods that an object calls of its own.
func calledFunctions(_ line: Substring) -> [String] {
    line.split(separator: "(", omittingEmptySubsequences: false).dropLast().compactMap(lastName)
        + [declaredName(line, after: ["[self "])].compactMap(\.self)
}

func lastName(_ text: Substring) -> String? {
    let name = text.reversed().drop(while: \.isWhitespace).prefix {
        $0.isLetter || $0.isNumber || $0 == "_"
    }
    return name.isEmpty ? nil : String(name.reversed())
}
