package import Diagnostics
import Essentials
package import StoreMigration

/// What `momtool repair` does, or would do, to a store.
package struct RepairReport: Sendable, Encodable, Rendering {
    /// A repair.
    package struct Step: Sendable, Encodable {
        /// What it does.
        package var purpose: String
        /// What is lost for good.
        package var lost: String?
        /// The statement that runs.
        package var sql: String?
    }

    /// Something that cannot be made right as it is.
    package struct Obstacle: Sendable, Encodable {
        /// What is wrong.
        package var problem: String
        /// What to give, or to do.
        package var remedy: String
        /// The attribute whose value is asked for.
        package var asksFor: String?
    }

    /// What takes room and holds nothing.
    package struct Room: Sendable, Encodable {
        /// The number of files beside the store that no value points at.
        package var files: Int
        /// The bytes of these files.
        package var fileBytes: Int
        /// Whether these files go.
        package var isRemovingFiles: Bool
        /// Other stores that may have files in the same folder, so that none goes.
        package var sharedWith: [String]?
        /// The bytes of free pages.
        package var freeBytes: Int
        /// Whether the store is written anew without them.
        package var isCompacted: Bool
        /// The bytes of the store before the repair.
        package var bytesBefore: Int
        /// The bytes of the result, where there is one.
        package var bytesAfter: Int?

        /// Whether there is anything to take back of what was asked about.
        package var isOpen: Bool { isRemovingFiles && files > 0 || freeBytes > 0 }

        /// Creates the part of a report.
        package init(
            _ upkeep: StoreUpkeep,
            bytes: Int,
            removingFiles isRemovingFiles: Bool,
            compacting isCompacted: Bool
        ) {
            self.isRemovingFiles = isRemovingFiles
            files = upkeep.surplusFiles.count
            fileBytes = upkeep.surplusBytes
            sharedWith = upkeep.sharingStores.isEmpty ? nil : upkeep.sharingStores
            freeBytes = isCompacted ? upkeep.freeBytes : 0
            bytesBefore = bytes
            self.isCompacted = isCompacted
        }
    }

    /// The path of the store.
    package var store: String
    /// Whether the steps were carried out.
    package var isDone: Bool
    /// The path of the new store, where one was made.
    package var output: String?
    /// What is done, in order.
    package var steps: [Step]
    /// What needs a decision.
    package var obstacles: [Obstacle]
    /// What is wrong all the same, and no step cures: findings of `momtool verify`.
    package var remaining: [String]
    /// Whether values have lost their files, which no repair brings back.
    private var lacksFiles = false
    /// Why the store could not be looked at, or repaired; absent where it was.
    package var error: String?
    /// Whether an earlier run had repaired the store; absent where none had.
    package var wasDoneBefore: Bool?
    /// What takes room, when that was asked about.
    package var room: Room?

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - repair: the repair.
    ///   - store: the path of the store.
    ///   - isDone: whether the steps were carried out.
    ///   - remaining: what is wrong all the same.
    ///   - showsSQL: whether the statements are shown.
    package init(
        _ repair: StoreRepair,
        of store: String,
        isDone: Bool,
        _ remaining: [Diagnostic],
        showsSQL: Bool
    ) {
        self.store = store
        self.isDone = isDone
        self.remaining = remaining.map(\.commandWords)
        lacksFiles = remaining.contains { $0.rule == "missing-external-file" }
        steps = repair.steps.map {
            Step(purpose: $0.purpose, lost: $0.lost, sql: showsSQL ? $0.change.sql : nil)
        }
        obstacles = repair.obstacles.map {
            Obstacle(problem: $0.problem, remedy: $0.remedy.commandWords, asksFor: $0.asksFor)
        }
    }

    /// Creates the report of a store that could not be looked at, or repaired.
    package init(of store: String, error: String) {
        (self.store, self.error, isDone) = (store, error, false)
        (steps, obstacles, remaining) = ([], [], [])
    }

    /// Creates the report of a store that an earlier run repaired.
    package init(doneBefore store: String, in output: String) {
        (self.store, self.output, isDone, wasDoneBefore) = (store, output, true, true)
        (steps, obstacles, remaining) = ([], [], [])
    }

    private enum CodingKeys: String, CodingKey {
        case store, isDone, output, steps, obstacles, remaining, error, wasDoneBefore, room
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
        if let error { return error }
        if isDone, wasDoneBefore == true {
            return "\(store): done before in \(output ?? "")".onOneLine
        }
        let roomLines = room.map { text(of: $0) } ?? []
        guard !steps.isEmpty || !obstacles.isEmpty || !remaining.isEmpty || !roomLines.isEmpty
        else {
            let end = output.map { "\($0) is a copy of it" } ?? "nothing was written"
            return "\(store): nothing to repair; \(end)".onOneLine
        }
        var lines = [store]
        if !steps.isEmpty { lines.append(isDone ? "  repaired" : "  can be repaired") }
        for step in steps {
            lines.append("    " + step.purpose + (step.lost.map { " (lost: \($0))" } ?? ""))
            lines += step.sql.map { ["      " + $0 + ";"] } ?? []
        }
        lines += roomLines
        if !obstacles.isEmpty { lines.append("  needs your decision") }
        for obstacle in obstacles {
            lines += ["    " + obstacle.problem, "      " + obstacle.remedy]
        }
        if !remaining.isEmpty {
            let next = lacksFiles ? "" : "; correct it in the app, or take the store from a backup"
            lines.append("  stays wrong, as no repair is known\(next)")
        }
        lines += remaining.map { "    " + $0 }
        if lacksFiles {
            lines.append(
                "  put the files that are missing back from a backup of the store's folder"
            )
        }
        return textLines(lines)
    }

    private func text(of room: Room) -> [String] {
        var lines: [String] = []
        if room.files > 0 {
            let verb =
                !room.isRemovingFiles
                ? "--drop-files removes them"
                : room.bytesAfter == nil ? "can be removed" : "removed"
            lines.append(
                "  \(room.files.counted("file")) of \(room.fileBytes.counted("byte")) that no value points at: \(verb)"
            )
        }
        if let others = room.sharedWith {
            let names = others.joined(separator: ", ")
            lines.append("  files beside the store stay: they may be those of \(names)")
        }
        if room.isCompacted {
            let after = room.bytesAfter.map { "\($0) afterwards" }
            let free = "\(room.freeBytes) of them in free pages"
            lines.append("  \(room.bytesBefore.counted("byte")), \(after ?? free)")
        }
        return lines
    }
}
