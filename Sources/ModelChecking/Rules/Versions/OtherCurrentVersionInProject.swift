import Diagnostics
import ObjectModel

extension Rule {
    /// Project and model have the same current version.
    static let otherCurrentVersionInProject = Rule(
        "other-current-version-in-project",
        .versions,
        .warning,
        summary: "Project and model have the same current version",
        rationale: """
            Xcode keeps the current version twice: in the project's version group and in the \
            model's `.xccurrentversion`. Where they differ, what the app is built with depends on \
            who builds it; choose the version anew in Xcode's inspector, so that both are written.
            """,
        passing: [
            RuleExample(
                [
                    """
                    <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
                    """,
                    """
                    <entity name='A'><attribute name='b' optional='YES' attributeType='String'/></entity>
                    """,
                ],
                project: """
                    // !$*UTF8*$!
                    { objects = {
                        A1 = {isa = PBXFileReference; path = V1.xcdatamodel; sourceTree = "<group>"; };
                        A2 = {isa = PBXFileReference; path = V2.xcdatamodel; sourceTree = "<group>"; };
                        A0 = {isa = XCVersionGroup; children = (A1, A2); currentVersion = A2;
                            path = M.xcdatamodeld; sourceTree = SOURCE_ROOT; };
                        B1 = {isa = PBXBuildFile; fileRef = A0; };
                        C1 = {isa = PBXSourcesBuildPhase; files = (B1); };
                        D1 = {isa = PBXNativeTarget; buildPhases = (C1); };
                    }; }
                    """
            )
        ],
        failing: [
            RuleExample(
                [
                    """
                    <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
                    """,
                    """
                    <entity name='A'><attribute name='b' optional='YES' attributeType='String'/></entity>
                    """,
                ],
                project: """
                    // !$*UTF8*$!
                    { objects = {
                        A1 = {isa = PBXFileReference; path = V1.xcdatamodel; sourceTree = "<group>"; };
                        A2 = {isa = PBXFileReference; path = V2.xcdatamodel; sourceTree = "<group>"; };
                        ◀A0 = {isa = XCVersionGroup; children = (A1, A2); currentVersion = A1;
                            path = M.xcdatamodeld; sourceTree = SOURCE_ROOT; };
                        B1 = {isa = PBXBuildFile; fileRef = A0; };
                        C1 = {isa = PBXSourcesBuildPhase; files = (B1); };
                        D1 = {isa = PBXNativeTarget; buildPhases = (C1); };
                    }; }
                    """
            )
        ],
        check: .projects { bundle, projects in
            guard let current = bundle.versions.first(where: \.isCurrent) else { return [] }
            return projects.compactMap { project in
                guard let other = project.currentVersion, other != current.name else { return nil }
                return Violation(
                    "the current version is '\(other)' in the project and '\(current.name)' in the"
                        + " model: choose it anew in Xcode, so that both say the same",
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
