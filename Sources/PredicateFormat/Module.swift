package struct PredicateExpression {
    package let description: String;
    package init(parsing t: String) throws {
        description = t.hasSuffix(".@count") ? "count:(\(t.dropLast(7)))" : t
    }
}
