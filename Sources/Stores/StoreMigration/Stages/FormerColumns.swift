import MigrationPlanning
import ObjectModel
import SQLiteAccess

/// The name of a column that SQLite does not find, without its table.
private func missingColumn(in reason: String) -> String? {
    guard let range = reason.firstRange(of: "no such column: ") else { return nil }
    // What follows a colon was added to SQLite's words.
    let name = reason[range.upperBound...].prefix { $0 != ":" }
    return name.split(separator: ".").last.map(String.init)
}

extension ScriptStatement {
    /// The position of a column that SQLite does not find, or the start of the statement.
    func place(ofMissingColumnIn reason: String) -> (line: Int, column: Int) {
        let token = missingColumn(in: reason).flatMap { name in
            tokens.first { $0.text == name && [.word, .quotedName].contains($0.kind) }
        }
        guard let token else { return (line, column) }
        let before = text.utf8.prefix(token.range.lowerBound)
        guard let lineEnd = before.lastIndex(of: 10) else { return (line, column + before.count) }
        return (
            line + before.count { $0 == 10 }, before.distance(from: lineEnd, to: before.endIndex)
        )
    }
}

extension MigrationRoute {
    /// Adds to an error of a script that the missing column is one of the version on the other side of the step.
    func explained(_ error: StoreMigrationError, at index: Int) -> StoreMigrationError {
        guard case .script(let path, let line, let column, let reason) = error,
            let name = missingColumn(in: reason)
        else { return error }
        let isBefore = steps[index].kind == .willMigrate
        let near = isBefore ? Array(steps[index...]) : steps[..<index].reversed()
        guard let step = near.first(where: \.kind.changesVersion) else { return error }
        let ends = [step.source, step.destination]
        let (own, other) = isBefore ? (ends[0], ends[1]) : (ends[1], ends[0])
        guard other.model.hasProperty(named: name), !own.model.hasProperty(named: name) else {
            return error
        }
        let cure =
            isBefore
            ? "set it in didMigrate"
            : "keep it in '\(own.name)' and remove it in the next version, or ship a mapping model"
        let help = "\(reason), which exists only in '\(other.name)': \(cure)"
        return .script(path: path, line: line, column: column, reason: help)
    }
}

extension ManagedObjectModel {
    fileprivate func hasProperty(named name: String) -> Bool {
        entities.contains { entity in
            entity.attributes.contains { $0.name == name }
                || entity.relationships.contains { $0.name == name }
        }
    }
}
