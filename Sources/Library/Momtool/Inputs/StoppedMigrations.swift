import Diagnostics
import Essentials
import FileSystem
import MappingInference
import ModelLoading
import StoreFormat

extension AppSources {
    /// The sources with the line of code that migrates stores.
    var migrators: [(path: String, lines: [Substring], line: Int)] {
        files(mentioning: .migration).compactMap { path in
            let lines = codeLines(of: path)
            let line = lines.firstIndex { line in
                let code = withoutTexts(line)
                let isType = ["class ", "@interface "].contains(where: code.contains)
                return SourceMentions.migrationCalls.contains(where: code.contains)
                    || isType && code.contains(SourceMentions.ownMigrator)
            }
            return line.map { (path, lines, $0) }
        }
    }

    /// Finds code that opens stores without a migration, where no code migrates them; a store that is only read needs none,
    /// and what compares one with the model first, or opens it with its own model, has an answer of its own.
    func stoppedMigrations() -> [(fault: Diagnostic, models: [String])] {
        let migrated = migrators.map { models(of: $0.lines, at: $0.path) }
        lazy var hasNoMappingModels = mappingFiles(at: folder).isEmpty
        return files(mentioning: [.migrationOption, .opening]).compactMap { path in
            let lines = codeLines(of: path)
            let models = models(of: lines, at: path)
            let text = lines.joined()
            guard models.isEmpty || models.contains(where: hasOlderVersions),
                !["eadOnly", "StoreMetadata"].contains(where: text.contains),
                !migrated.contains(where: { $0.isEmpty || !Set($0).isDisjoint(with: models) })
            else { return nil }
            for line in lines.indices {
                let option = isInMemory(line, of: lines) ? nil : forbidden(in: lines[line])
                guard
                    let code = option
                        ?? opening(lines[line...].prefix(20), at: path, amid: text),
                    code == .incompatibleVersionHash || hasNoMappingModels
                else { continue }
                let start = option == nil ? "this does not allow" : "this forbids"
                let what = code == .incompatibleVersionHash ? "migration" : "inferred migration"
                let cure =
                    option != nil
                    ? "leave it out"
                    : "allow it by NSMigratePersistentStoresAutomaticallyOption and NSInferMappingModelAutomaticallyOption"
                let fault = Diagnostic(
                    "migration-off",
                    "\(start) \(what): stores of older versions do not open (\(code.number)); \(cure), or migrate them in code",
                    severity: .warning,
                    at: FileLocation(path: pathFromHere(path), line: line + 1)
                )
                return (fault, models)
            }
            return nil
        }
    }

    /// Finds code that opens a store of the app's bundle read-only, where nothing can migrate what an older version wrote.
    func oldSeeds() -> [Diagnostic] {
        let pattern = /orResource:\s*@?"([^"]+)",?\s*\w+:\s*@?"(sqlite|store|db)"/
        return files(mentioning: .opening).compactMap { path in
            let lines = codeLines(of: path)
            let text = lines.joined(separator: "\n")
            let names = Set(text.matches(of: pattern).map { "\($0.1).\($0.2)" })
            let models = models(of: lines, at: path)
            // Code that copies stores, asks for their version, or loads one version, has an answer of its own.
            let answers =
                SourceMentions.movers + ["StoreMetadata", "\"mom\"", ".mom\"", ".write(to"]
            guard names.count == 1, models.count == 1, !answers.contains(where: text.contains),
                let line = lines.firstIndex(where: opensReadOnly),
                let bundle = try? ModelPlace(models[0]).readUsable().value
            else { return nil }
            let seeds = filePaths(below: folder, leavingOut: isPassedOver, where: names.contains)
            guard seeds.count == 1, let hashes = try? StoreFile(path: seeds[0]).metadata().hashes,
                let version = bundle.versions.first(where: { $0.hashes == hashes }),
                version.hashes != bundle.currentVersion?.hashes
            else { return nil }
            return Diagnostic(
                "migration-off",
                "this opens '\(pathFromHere(seeds[0]))' read-only, which has the older version '\(version.name)': no app migrates a file in its bundle; migrate it here, or copy it first",
                severity: .warning,
                at: FileLocation(path: pathFromHere(path), line: line + 1)
            )
        }
    }
}

private func opensReadOnly(_ line: Substring) -> Bool {
    line.contains(/ReadOnlyPersistentStoreOption|(isR|\.r)eadOnly = (true|YES)/)
        && !line.contains(/false|@NO/)
}

private func hasOlderVersions(_ model: String) -> Bool {
    ((try? Files.names(in: model)) ?? []).count { $0.hasSuffix(".xcdatamodel") } > 1
}

/// The error of an option that is off; `nil` where a line has none.
private func forbidden(in line: Substring) -> CoreDataErrorCode? {
    let options = SourceMentions.migrationOptions
    let line = withoutTexts(line)
    return options.indices.first { index in
        let value = line.firstRange(of: options[index]).map { line[$0.upperBound...] } ?? ""
        let words = value.prefix { $0 != "," }.split { !$0.isLetter }
        return words.contains("false") || words.contains("NO")
    }.map { $0 < 2 ? .incompatibleVersionHash : .migrationMissingMappingModel }
}

/// Whether the description of a store that a line sets is always one in memory.
private func isInMemory(_ line: Int, of lines: [Substring]) -> Bool {
    guard let dot = lines[line].firstRange(of: ".should")?.lowerBound,
        let name = lastName(lines[line][..<dot]),
        let start = lines[...line]
            .lastIndex(where: { declaredName($0, after: ["let ", "var "]) == name })
    else { return false }
    return lines[start...].prefix(20).indices.contains { other in
        let place = lines[other].firstRange(of: /NSInMemoryStoreType|\/dev\/null/)?.lowerBound
        guard let place, lines[other].contains(name) else { return false }
        return !endsInCondition(lines[start..<other] + [lines[other][..<place]])
    }
}

/// The error of a coordinator that opens a store of SQLite where the lines begin, without options that let it migrate;
/// `nil` where the code around it has an answer: it migrates elsewhere, removes the store, or makes a model of its own.
private func opening(
    _ lines: ArraySlice<Substring>,
    at path: String,
    amid source: String
) -> CoreDataErrorCode? {
    let calls = ["addPersistentStore(", "addPersistentStoreWithType:"]
    guard let line = lines.first, !line.contains("func "),
        let start = calls.lazy.compactMap({ line.firstRange(of: $0) }).first
    else { return nil }
    var depth = 0
    let isSwift = path.hasSuffix(".swift")
    let text = ([line[start.lowerBound...]] + lines.dropFirst()).joined(separator: " ")
    let end = text.firstIndex { character in
        depth += "([".contains(character) ? 1 : ")]".contains(character) ? -1 : 0
        return depth < (isSwift && character == ")" ? 1 : 0)
    }
    guard let end, !text[..<end].contains("/dev/null") else { return nil }
    let code = withoutTexts(text[..<end])
    guard code.contains("NSSQLiteStoreType") || code.contains("type: .sqlite") else { return nil }
    let value =
        code.firstRange(of: "options:").map { code[$0.upperBound...].drop { $0 == " " } } ?? "nil"
    let options = SourceMentions.migrationOptions
    if value.contains(options[1]) {
        return value.contains(options[3]) ? nil : .migrationMissingMappingModel
    }
    // Other options are for other ends, such as a checkpoint, or have these under another name.
    let isKnown = ["nil", "[:]", "@{}"].contains(where: value.hasPrefix)
    let answers = options + SourceMentions.openingAnswers
    return isKnown && !answers.contains(where: source.contains) ? .incompatibleVersionHash : nil
}

/// Code without the texts in it.
func withoutTexts(_ code: Substring) -> String {
    let code = code.replacing("\\\"", with: "")
    let parts = code.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 0 }.map { String(parts[$0]) }.joined(separator: "\"")
}
