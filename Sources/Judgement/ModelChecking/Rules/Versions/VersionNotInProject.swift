import Diagnostics
import ObjectModel

extension Rule {
    static let versionNotInProject = Rule(
        .named("version-not-in-project", .versions, .error),
        summary: "The project lists every version",
        rationale: """
            An app is built from the files that its project lists. A version that is in the model's folder but not in \
            the project's version group is not in the app: stores that it wrote no longer open, and one that is \
            current leaves the app without its model. Merges of project files lose such lines.
            """,
        passing: .inProject(),
        failing: .inProject(listing: ["V2"], mark: "◀"),
        fix: .keepingHash("lists the version in a project that Xcode made"),
        check: .projects { bundle, projects in
            projects.flatMap { project -> [Violation] in
                guard let listed = project.versions else { return [] }
                return bundle.versions.filter { !listed.contains($0.name) }.map { version in
                    Violation(
                        "the project does not list '\(version.name)', which is in the folder of the"
                            + " model: the app is built without it; add it to the version group",
                        at: project.location,
                        notes: [
                            Diagnostic.Note(
                                "'\(version.name)' is here",
                                at: version.elementLocation
                            )
                        ],
                        fix: project.fix(listing: version),
                        version: version.name
                    )
                }
            }
        }
    )
}

extension ProjectModel {
    /// Lists a version.
    ///
    /// If it is the current one, the project cannot have named another: both lines were lost.
    fileprivate func fix(listing version: ModelVersion) -> Fix? {
        guard location.path.hasSuffix(".pbxproj") else { return nil }
        return Fix(
            "list the version in the project",
            file: location.path,
            .enterInProject(version: version.name, isCurrent: version.isCurrent)
        )
    }
}
