package import MappingInference
package import ModelDiffing
package import StoreFormat

package struct IdentityReport: Sendable, TextReport {
    static let shape = """
        identity = report { store: string, model: string, versions: [string] "Those whose hashes are the store's.",
          configuration?: string "That whose entities the store has, if it has no others.",
          writer?: string, proof?: string, nearest?: string,
          pruned?: string "The version that wrote the store and was removed from the model.",
          prunedOn?: string "The day of the removal, such as 2026-11-24.", locked?: string
          "The version in the lock whose source is missing, was changed or cannot be read.",
          remark?: string, differences: [{ entity: string, difference: string, changes: [string] }],
          commits?: versionCommits "With --git: those that had the versions.",
          error?: string "Why the store could not be read." }
        """
    package struct Difference: Sendable, Encodable {
        package var entity: String
        package var difference: String
        /// What changed in it, where the store carries its model.
        package var changes: [String]
    }

    package var store: String
    package var model: String
    /// The versions with the entity hashes of the store; several when versions are equal.
    package var versions: [String] = []
    /// The configuration of the store; absent where it has the entities of all.
    package var configuration: String?
    /// Which of several equal versions wrote the store; absent where unknown, or for one version.
    package var writer: String?
    package var proof: String?
    package var nearest: String?
    /// The version of the store, if it was removed from the model and only the lock has it.
    package var pruned: String?
    /// The day of that, as `2026-11-24`.
    package var prunedOn: String?
    /// The version of the store, if the lock has it and its source is missing, was edited or cannot be read.
    package var locked: String?
    package var remark: String?
    package var differences: [Difference] = []
    /// The version whose understood entities are those of the store; absent if a version is known completely, or none fits.
    package var partial: String?
    package var notUnderstood: [String]?
    /// The commits that had these versions in git's history.
    package var commits: [VersionCommitsReport]?
    package var error: String?

    package var isUnknown: Bool { versions.isEmpty && partial == nil }

    /// Creates a report; `changes` are those from the store's own model to the nearest version, if it has one.
    package init(
        store: String,
        model: String,
        identity: StoreIdentity,
        writer: (name: String, proof: WriterChoice.Proof)? = nil,
        changes: [Judgement]
    ) {
        (self.store, self.model) = (store, model)
        switch identity {
        case .exact(let names):
            versions = names
            if let writer, writer.proof != .hashes, writer.proof != .nothing {
                (self.writer, proof) = (writer.name, writer.proof.words)
            }
        case .unknown: break
        case .nearest(let name, let entities):
            nearest = name
            differences = entities.map { entity in
                let own = changes.filter {
                    $0.change.movesVersionHash && $0.change.subject.entity == entity.entity
                }
                return Difference(
                    entity: entity.entity,
                    difference: entity.kind.words,
                    changes: own.map {
                        "\($0.change.subject.path ?? entity.entity): \($0.change.words.line)"
                    }
                )
            }
        }
    }

    package init(store: String, model: String, partial: String, notUnderstood: [String]) {
        (self.store, self.model) = (store, model)
        (self.partial, self.notUnderstood) = (partial, notUnderstood)
    }

    package init(store: String, model: String, error: String) {
        (self.store, self.model, self.error) = (store, model, error)
    }

    package var text: String { textLines(lines) }

    private var lines: [String] {
        if let error { return ["\(store): \(error)"] }
        if let partial {
            let names = (notUnderstood ?? []).joined(separator: ", ")
            return [
                "\(store): \(partial), judging by all entities that momtool understands; it does not understand \(names)"
            ]
        }
        if let remark { return ["\(store): \(remark)"] }
        if !versions.isEmpty {
            let part = configuration.map { " of configuration '\($0)'" } ?? ""
            let names = versions.joined(separator: " = ") + part
            let end = writer.map { "; written by \($0), judging by \(proof ?? "")" } ?? ""
            return ["\(store): \(names)\(end)"]
        }
        guard let nearest else { return ["\(store): unknown; \(model) has no versions"] }
        let lines = differences.flatMap { difference in
            ["  \(difference.entity): \(difference.difference)"]
                + difference.changes.map { "    \($0)" }
        }
        let head =
            "\(store): no version of \(model); the nearest is '\(nearest)', which differs in:"
        return [head] + lines
    }
}

extension EntityDifference.Kind {
    var words: String {
        switch self {
        case .missingInStore: "not in the store"
        case .missingInModel: "not in the model"
        case .differentHash: "different"
        }
    }
}
