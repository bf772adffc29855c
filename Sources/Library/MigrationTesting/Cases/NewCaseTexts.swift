package import Momtool
package import ObjectModel

/// The case of a step that is not written yet, as `init` and `test --new` write it.
package struct NewCaseTexts: Sendable {
    /// The texts of `case.yml`, of which the first that passes as it stands is taken; else the first.
    package let texts: [String]
    /// The migration policies of the step's mapping model that nothing declares: the case is skipped until they are.
    package let undeclared: [String]

    /// Writes the case of a step.
    ///
    /// Where a mapping model decides what becomes of the rows, nothing is expected of them until somebody fills it in.
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
        let undeclared = mappingModels.undeclaredPolicies(from: source, to: destination)
        self.undeclared = undeclared
        let isMapped = mappingModels.path(from: source, to: destination) != nil
        let forms: [CaseTemplateForm] = isMapped ? [.open] : [.full, .plain, .open]
        texts = forms.map { form in
            caseTemplate(
                model: model,
                from: source,
                to: destination,
                policies: undeclared,
                skipping: undeclared.isEmpty
                    ? nil : "say under policies: what \(undeclared.joined(separator: ", ")) does",
                form: form
            )
        }
    }
}
