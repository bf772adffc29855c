import Diagnostics

extension Rule {
    static let missingCurrentVersion = Rule(
        .named("missing-current-version", .structure, .error),
        summary: "A current version that is in the bundle",
        rationale: """
            `.xccurrentversion` names the version that new stores are made of. Xcode \
            does not compile a bundle whose current version is missing. With several \
            versions and a file that names none it is a warning, because each version can \
            still be read. The only version of a bundle needs no such file.
            """,
        appleText: """
            Could not fetch generated file paths: No current version for model at path \
            …: [0]
            """,
        fix: .keepingHash(
            "names the version that the project calls current, where the model names none"
        ),
        check: .reading
    )
}
