import Diagnostics

extension Rule {
    static let missingCurrentVersion = Rule(
        .named("missing-current-version", .structure, .error),
        summary: "A current version that is in the bundle",
        rationale: """
            `.xccurrentversion` names the version of new stores. Xcode \
            does not compile a bundle whose current version is missing. With several \
            versions and a file that names none, this is a warning, because each version can \
            still be read. The only version of a bundle needs no such file.
            """,
        appleText: """
            Could not fetch generated file paths: No current version for model at path \
            …: [0]
            """,
        fix: .keepingHash("names the project's current version, if the model names none"),
        check: .reading
    )
}
