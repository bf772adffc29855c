package import Diagnostics
import Essentials
import StoreFormat
package import StoreMigration

package struct RepairReport: Sendable, TextReport, KeyedReport {
    /// Unused space.
    package struct Room: Sendable, Encodable {
        /// The number of files beside the store that no value refers to.
        package var files: Int
        package var fileBytes: Int
        package var isRemovingFiles: Bool
        /// Other stores that may have files in the same folder, so that none is removed.
        package var sharedWith: [String]?
        package var freeBytes: Int
        /// Whether the store is rewritten without them.
        package var isCompacted: Bool
        package var bytesBefore: Int
        package var bytesAfter: Int?

        /// Whether there is anything to reclaim of what was asked about.
        package var isOpen: Bool { isRemovingFiles && files > 0 || freeBytes > 0 }

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

    private let store: String
    private let isDone: Bool
    package var output: String?
    private var steps: [StoreRepair.Step] = []
    private var obstacles: [StoreRepair.Obstacle] = []
    /// Faults that no step cures: findings of `momtool verify`.
    private var remaining: [Diagnostic] = []
    private var showsSQL = false
    /// Why the store could not be examined or repaired.
    package private(set) var error: String?
    /// Whether an earlier run had repaired the store; absent where none had.
    private var wasDoneBefore: Bool?
    /// Unused space, when that was asked about.
    package var room: Room?

    package init(
        _ repair: StoreRepair,
        of store: String,
        isDone: Bool,
        _ remaining: [Diagnostic],
        showsSQL: Bool
    ) {
        (self.store, self.isDone, self.remaining) = (store, isDone, remaining)
        (steps, obstacles, self.showsSQL) = (repair.steps, repair.obstacles, showsSQL)
    }

    package init(of store: String, error: String) {
        (self.store, self.error, isDone) = (store, error, false)
    }

    package init(doneBefore store: String, in output: String) {
        (self.store, self.output, isDone, wasDoneBefore) = (store, output, true, true)
    }

    static let shape = """
        repair = report { store: string, isDone: boolean, output?: string, steps: [{ purpose: string, lost?: string,
          sql?: string }], obstacles: [{ problem: string, remedy: string, asksFor?: string }], remaining: [string],
          error?: string, wasDoneBefore?: boolean, room?: { files: integer, fileBytes: integer,
          isRemovingFiles: boolean, sharedWith?: [string], freeBytes: integer, isCompacted: boolean,
          bytesBefore: integer, bytesAfter?: integer } "Unused space, where it was asked about." }
        """
    package var jsonObject: JSONObject {
        let steps = steps.map { step -> JSONObject in
            ["purpose": step.purpose, "lost": step.lost, "sql": sql(of: step)]
        }
        let obstacles = obstacles.map { obstacle -> JSONObject in
            [
                "problem": obstacle.problem, "remedy": obstacle.remedy.commandWords,
                "asksFor": obstacle.asksFor,
            ]
        }
        return [
            "store": store, "isDone": isDone, "output": output, "steps": steps,
            "obstacles": obstacles, "remaining": remaining.map(\.commandWords), "error": error,
            "wasDoneBefore": wasDoneBefore, "room": room,
        ]
    }

    private func sql(of step: StoreRepair.Step) -> String? { showsSQL ? step.change.sql : nil }

    package var text: String {
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
            lines += sql(of: step).map { ["      " + $0 + ";"] } ?? []
        }
        lines += roomLines
        if !obstacles.isEmpty { lines.append("  needs your decision") }
        for obstacle in obstacles {
            lines += ["    " + obstacle.problem, "      " + obstacle.remedy.commandWords]
        }
        for (words, findings) in remaining.corrections(ofStore: output ?? store) {
            lines.append("  stays wrong, as momtool cannot repair it; \(words)")
            lines += findings.map { "    " + $0.commandWords }
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
                "  \(room.files.counted("file")) of \(room.fileBytes.counted("byte")) that no value refers to: \(verb)"
            )
        }
        if let others = room.sharedWith {
            let names = others.joined(separator: ", ")
            lines.append("  files beside the store stay: they may belong to \(names)")
        }
        if room.isCompacted {
            let after = room.bytesAfter.map { "\($0) afterwards" }
            let free = "\(room.freeBytes) of them in free pages"
            lines.append("  \(room.bytesBefore.counted("byte")), \(after ?? free)")
        }
        return lines
    }
}
