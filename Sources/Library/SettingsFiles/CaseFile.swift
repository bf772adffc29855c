package import Diagnostics
package import MigrationPlanning

/// A `case.yml` as it is written: rows at an old version of a model, and what must become of them.
package struct CaseFile: Sendable, Hashable {
    /// What is expected.
    package enum Expectation: Sendable, Hashable {
        /// The rows that are expected, and no others.
        case migrated
        /// The rows that are expected, with what they name; other rows and properties do not count.
        case contains
        /// A refusal before anything is done, with Apple's error code and a part of the message where they are given.
        case refused(code: Int?, message: String?)
        /// A failure on the way, as that of a stage's script, with a part of the message where it is given.
        case failed(message: String?)
    }

    /// The stages that a case goes through.
    package enum Stages: Sendable, Hashable {
        /// The path of a stages file, from the folder.
        case file(String)
        /// The list in `case.yml` itself.
        case list(Diagnosed<StagesFile>)
    }

    /// Rows as a case has them.
    package enum Rows: Sendable, Hashable {
        /// The path of a file, from the folder.
        case file(String)
        /// The rows in the file of the case itself.
        case text(RowText)
    }

    /// A query on the migrated store, for what rows in the model's terms do not show.
    package struct Fact: Sendable, Hashable {
        /// The query.
        package var sql = ""
        /// Its rows, a line each, the values joined by `|`.
        package var gives: [String] = []
        /// Where it stands; `nil` for one that no file holds.
        package var location: FileLocation?
    }

    /// Where the values of the keys stand, by the names of the keys; empty for a case that no file holds.
    package var places: [String: FileLocation] = [:]

    /// The name, where the file has several cases.
    package var name: String?
    /// The rows of the old version, where they are not in `before.json` or `before.sqlite`.
    package var before: Rows?
    /// The rows that are expected, where they are not in `after.json`.
    package var after: Rows?
    /// Files of rows of the old version that the case shares with others.
    package var bases: [String] = []
    /// Whether required values of the old version that are not named are made up.
    package var fillsValues = false
    /// The model, a path from the folder.
    package var model: String
    /// The version of the rows.
    package var from: String
    /// The version that is migrated to; the current one when left out.
    package var to: String?
    /// The stages; `nil` for those of the configuration, else none.
    package var stages: Stages?
    /// The mapping models, or folders that hold them; the one that is for the step is used.
    package var mappingModels: [String] = []
    /// What the migration policies of mapping models do: `delete`, `copy`, or the path of a map.
    package var policies: [String: String] = [:]
    /// What is expected.
    package var expectation: Expectation
    /// What may be lost: all, or the entities and properties that are named.
    package var allowsDataLoss: LossAgreement
    /// What must hold beside the rows.
    package var facts: [Fact] = []
    /// Why the case is not run; `nil` when it is.
    package var skipReason: String?

    package init(
        model: String,
        from: String,
        to: String? = nil,
        stages: Stages? = nil,
        expectation: Expectation = .migrated,
        allowsDataLoss: LossAgreement = .none
    ) {
        self.model = model
        self.from = from
        self.to = to
        self.stages = stages
        self.expectation = expectation
        self.allowsDataLoss = allowsDataLoss
    }
}
