import MappingInference
package import Momtool
package import ObjectModel

/// The case of a step that is not written yet, as `init` and `test --new` write it.
package struct NewCaseTexts: Sendable {
    /// How much of the step the case may show: the first form that passes as it stands is taken; else the first.
    package let forms: [CaseTemplateForm]
    /// The migration policies of the step's mapping model that nothing declares: the case is skipped until they are.
    package let undeclared: [String]
    private let model: String
    private let source: ModelVersion
    private let destination: ModelVersion
    /// Whether a mapping model decides what becomes of the rows.
    private let isMapped: Bool

    /// Takes a step.
    ///
    /// - Parameters:
    ///   - model: the path of the model, from the folder of the case.
    ///   - source: the version of the rows.
    ///   - destination: the version that is migrated to.
    ///   - mappingModels: the mapping models of the project, with what their policies do.
    package init(
        model: String,
        from source: ModelVersion,
        to destination: ModelVersion,
        _ mappingModels: MappingModels
    ) {
        (self.model, self.source, self.destination) = (model, source, destination)
        undeclared = mappingModels.undeclaredPolicies(from: source, to: destination)
        isMapped = mappingModels.path(from: source, to: destination) != nil
        let mapping = inferMapping(from: source, to: destination)
        let changes = TemplateChanges(mapping, ModelGraph(source.model), isEmpty: false)
        // What a stage moves is shown, though nothing moves it yet: a case without it would pass.
        let isMoved = !changes.held.isEmpty
        forms = isMapped ? [.open] : isMoved ? [.full] : [.full, .plain, .open]
    }

    /// What is to be done before the case is run, a line for people; `nil` where it is run as it is.
    package var remark: String? {
        guard !undeclared.isEmpty else { return nil }
        let names = undeclared.joined(separator: ", ")
        return
            "it is skipped until policies: says what \(names) does; then fill in after:, and take out skip:"
    }

    /// Writes the text of `case.yml`.
    ///
    /// Where a mapping model decides what becomes of the rows, nothing is expected of them until somebody fills it in.
    ///
    /// - Parameters:
    ///   - form: how much of the step it shows.
    ///   - losses: what is at stake, where the migration was asked; else it is what the inferred step drops.
    /// - Returns: the text.
    package func text(_ form: CaseTemplateForm, losing losses: [String]? = nil) -> String {
        caseTemplate(
            model: model,
            from: source,
            to: destination,
            policies: undeclared,
            skipping: undeclared.isEmpty
                ? nil : "say under policies: what \(undeclared.joined(separator: ", ")) does",
            losing: losses ?? (isMapped ? [] : nil),
            form: form
        )
    }
}
