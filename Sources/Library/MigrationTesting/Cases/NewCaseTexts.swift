import MappingInference
package import Momtool
package import ObjectModel

/// The case of a step that has none, as `init` and `test --new` write it.
package struct NewCaseTexts: Sendable {
    /// How much of the step the case may show: the first form that passes unchanged is used, or the first.
    package let forms: [CaseTemplateForm]
    /// The undeclared policies of the step's mapping model: the case is skipped until they are declared.
    package let undeclared: [String]
    private let model: String
    private let source: ModelVersion
    private let destination: ModelVersion
    private let isMapped: Bool

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
        // The work of a stage is shown, though nothing does it yet: a case without it would pass.
        let isMoved = !changes.held.isEmpty
        forms = isMapped ? [.open] : isMoved ? [.full] : [.full, .plain, .open]
    }

    /// What to do before the case can run; `nil` where it runs as it is.
    package var remark: String? {
        guard !undeclared.isEmpty else { return nil }
        let names = undeclared.joined(separator: ", ")
        return
            "it is skipped until policies: describes \(names); then fill in after:, and remove skip:"
    }

    /// Writes the text of `case.yml`.
    package func text(_ form: CaseTemplateForm, losing losses: [String]? = nil) -> String {
        caseTemplate(
            model: model,
            from: source,
            to: destination,
            policies: undeclared,
            skipping: undeclared.isEmpty
                ? nil : "describe \(undeclared.joined(separator: ", ")) under policies:",
            losing: losses ?? (isMapped ? [] : nil),
            form: form
        )
    }
}
