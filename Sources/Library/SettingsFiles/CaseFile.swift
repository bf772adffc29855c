package import Diagnostics
package import MigrationPlanning

/// The contents of a `case.yml`: rows at an old version of a model, and their expected result.
package struct CaseFile: Sendable, Hashable {
    package enum Expectation: Sendable, Hashable {
        /// The rows that are expected, and no others.
        case migrated
        /// The rows that are expected, with what they name; other rows and properties do not count.
        case contains
        /// A refusal before anything is done, with Apple's error code and a part of the message where given.
        case refused(code: Int?, message: String?)
        /// A failure while running, as of a stage's script, with a part of the message where given.
        case failed(message: String?)
    }

    package enum Stages: Sendable, Hashable {
        /// The path of a stages file, from the folder.
        case file(String)
        /// The list in `case.yml` itself.
        case list(Diagnosed<StagesFile>)
    }

    package enum Rows: Sendable, Hashable {
        /// The path of a file, from the folder.
        case file(String)
        /// The rows in the file of the case itself.
        case text(RowText)
    }

    /// A query on the migrated store, for what rows in the model's terms do not show.
    package struct Fact: Sendable, Hashable {
        package var sql = ""
        /// Its rows, a line each, the values joined by `|`.
        package var gives: [String] = []
        /// `nil` where no file holds it.
        package var location: FileLocation?
    }

    /// The locations of the values, by key; empty where no file holds the case.
    package var places: [String: FileLocation] = [:]

    /// The name, where the file has several cases.
    package var name: String?
    /// The rows of the old version, where they are not in `before.json` or `before.sqlite`.
    package var before: Rows?
    /// The rows that are expected, where they are not in `after.json`.
    package var after: Rows?
    package var bases: [String] = []
    /// Whether missing required values of the old version are made up.
    package var fillsValues = false
    package var model: String
    package var from: String
    /// The current one when left out.
    package var to: String?
    /// The stages; `nil` for those of the configuration, or none.
    package var stages: Stages?
    /// The mapping models, or folders with them; the one for the step is used.
    package var mappingModels: [String] = []
    /// The migration policies of mapping models: `delete`, `copy`, or the path of a map.
    package var policies: [String: String] = [:]
    package var expectation: Expectation
    package var allowsDataLoss: LossAgreement
    /// Facts beside the rows.
    package var facts: [Fact] = []
    /// Why the case does not run; `nil` when it does.
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
