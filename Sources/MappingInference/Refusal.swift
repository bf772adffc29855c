public import Diagnostics

/// Something that Core Data would refuse before it looks at a single row.
public struct Refusal: Sendable, Hashable {
    /// The rule that is broken.
    public var rule: RuleID
    /// The error that Core Data gives.
    public var code: CoreDataErrorCode
    /// Whether Core Data raises an exception instead of returning the error.
    public var raisesException: Bool
    /// The reason as Core Data words it, where its words are known.
    public var reason: String
    /// The entity, as the new version names it where it goes on.
    public var entity: String?
    /// The property, as the new version names it where it goes on.
    public var property: String?
    /// Where it was in the old version.
    public var fromLocation: SourceLocation?
    /// Where it is in the new version.
    public var toLocation: SourceLocation?
    /// What to do instead; imperative.
    public var cure: String

    /// Creates a refusal.
    public init(
        rule: RuleID,
        code: CoreDataErrorCode,
        raisesException: Bool = false,
        reason: String,
        entity: String? = nil,
        property: String? = nil,
        fromLocation: SourceLocation? = nil,
        toLocation: SourceLocation? = nil,
        cure: String
    ) {
        self.rule = rule
        self.code = code
        self.raisesException = raisesException
        self.reason = reason
        self.entity = entity
        self.property = property
        self.fromLocation = fromLocation
        self.toLocation = toLocation
        self.cure = cure
    }

    /// The refusal as a diagnostic, at the place in the new version.
    public var diagnostic: Diagnostic {
        Diagnostic(
            rule,
            "no mapping can be inferred: \(reason) (\(code.number) \(code.constantName))",
            at: toLocation ?? fromLocation,
            element: entity.map { entity in property.map { "\(entity).\($0)" } ?? entity },
            notes: (fromLocation.map { [Diagnostic.Note("it was here", at: $0)] } ?? [])
                + [Diagnostic.Note(cure)]
        )
    }
}
