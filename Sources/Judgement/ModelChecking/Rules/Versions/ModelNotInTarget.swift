import Diagnostics
import ObjectModel

extension Rule {
    static let modelNotInTarget = Rule(
        .named("model-not-in-target", .versions, .warning),
        summary: "A target compiles the model",
        rationale: """
            A model that the project lists but that is not a source of any target is not \
            compiled: the app finds no model at run time and stops. A model that a project \
            around it does not list at all is only a note, unless code below the project loads it \
            by name: a package or another project may use it.
            """,
        passing: .inProject(),
        failing: .inProject(target: "", mark: "◀"),
        check: .projects { _, projects in
            guard !projects.contains(where: { $0.membership == .inTarget }) else { return [] }
            return projects.compactMap { project in
                switch project.membership {
                case .inTarget, .unknown: nil
                case .inNoTarget:
                    Violation(
                        "no target of the project compiles the model: an app built"
                            + " from it has no model; add the model to a target",
                        at: project.location
                    )
                case .unlisted:
                    Violation(
                        project.loader == nil
                            ? "the project does not list the model next to it"
                            : "the project does not list the model, which the app's code loads: an"
                                + " app built from it has no model; add the model to a target",
                        at: project.location,
                        notes: project.loader.map { [Diagnostic.Note("loaded here", at: $0)] }
                            ?? [],
                        severity: project.loader == nil ? .note : nil
                    )
                }
            }
        }
    )
}
