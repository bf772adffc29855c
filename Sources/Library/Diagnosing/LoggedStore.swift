package import LogReading
import ObjectModel
import StoreFormat

extension Diagnosis {
    /// Adds the contents of a log to the diagnosis of a store; hashes in the log count alone only for another store.
    package mutating func add(_ log: LogContents, path: String, _ context: ModelContext?) {
        let found = diagnose(log, path: path, context)
        self.log = path
        symptoms += found.symptoms
        let hashes = try? StoreFile(path: subject).metadata().hashes
        agreement = hashes.flatMap { LogAgreement(log, $0) }
        if case .same? = agreement {} else { writers += found.writers }
        guard file != nil else {
            // The remains of a file that cannot be opened come first.
            waysOut += found.waysOut.filter { !waysOut.contains($0) }
            return
        }
        waysOut = Diagnosing.waysOut(of: self, context, isOwnModelUsable: file?.hasModel == true)
    }
}

extension LogAgreement {
    /// Compares the hashes in a log with those of a store; `nil` if the log has no hashes of a store.
    fileprivate init?(_ log: LogContents, _ hashes: ModelHashes) {
        func differing(_ logged: LoggedHashes) -> [String] {
            logged.entities.filter { name, fragment in
                !(hashes.entities[name].map(fragment.matches) ?? false)
            }.map(\.key).sorted()
        }
        if let same = log.hashes.first(where: { !$0.entities.isEmpty && differing($0).isEmpty }) {
            self = .same(line: same.line)
        } else if let other = log.hashes.first(where: \.isOfStore) {
            self = .other(line: other.line, entities: differing(other))
        } else {
            return nil
        }
    }
}
