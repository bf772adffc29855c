import Diagnostics
import ObjectModel

extension Rule {
    static let modelNotInTarget = Rule(
        .named("model-not-in-target", .versions, .warning),
        summary: "A target compiles the model",
        rationale: """
            A model that the project lists and no target has among its sources is not \
            compiled: the app finds no model at run time and stops. A model that a project \
            around it does not list at all is a note only: a package or another project may \
            take it.
            """,
        passing: [.inProject()],
        failing: [.inProject(target: "", mark: "◀")],
        check: .projects { _, projects in
            guard !projects.contains(where: { $0.membership == .inTarget }) else { return [] }
            return projects.compactMap { project in
                switch project.membership {
                case .inTarget, .unknown: nil
                case .inNoTarget:
                    Violation(
                        "no target of the project has the model among its sources: an app built"
                            + " from it has no model; add it to a target",
                        at: project.location
                    )
                case .unlisted:
                    Violation(
                        "the project does not list the model next to it",
                        at: project.location,
                        severity: .note
                    )
                }
            }
        }
    )
}
