import Diagnostics

extension Rule {
    static let compositeCycle = Rule(
        .named("composite-cycle", .structure, .error),
        summary: "Composite types that do not contain themselves",
        rationale: """
            A composite type is flattened into columns; one that contains itself, or \
            grows without limit, would need infinitely many.
            """,
        passing: [
            """
            <composite name='C'><attribute name='x' attributeType='String' optional='YES'/></composite>
            """
        ],
        failing: [
            """
            <composite ◀name='C'>
            <attribute name='c' attributeType='Composite' composite='C'/></composite>
            """
        ],
        check: .reading
    )
}
