import Diagnostics
import ObjectModel

extension Rule {
    static let otherCurrentVersionInProject = Rule(
        .named("other-current-version-in-project", .versions, .warning),
        summary: "Project and model have the same current version",
        rationale: """
            Xcode stores the current version twice: in the project's version group and in the model's \
            `.xccurrentversion`. If they differ, the version that the app is built with depends on who builds it; \
            choose the version again in Xcode's inspector, so that both are written.
            """,
        passing: .inProject(),
        failing: .inProject(current: "V1", mark: "◀"),
        check: .projects { bundle, projects in
            guard let current = bundle.versions.first(where: \.isCurrent) else { return [] }
            return projects.compactMap { project in
                guard let other = project.currentVersion, other != current.name else { return nil }
                return Violation(
                    "the current version is '\(other)' in the project but '\(current.name)' in the"
                        + " model: choose it again in Xcode, so that both agree",
                    at: project.location,
                    notes: [
                        Diagnostic.Note("'\(current.name)' is here", at: current.elementLocation)
                    ],
                    version: current.name
                )
            }
        }
    )
}
