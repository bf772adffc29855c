import Momtool

extension SettingOptions {
    /// Returns the relationship of a `@Model` class that the options describe.
    ///
    /// - Parameter isForced: whether it may have no inverse, and lead to an object that must be there.
    /// - Returns: the relationship.
    /// - Throws: `CommandFailure` for options that mean nothing there.
    func swiftRelationship(forced isForced: Bool) throws -> SwiftRelationship {
        guard let to else {
            throw CommandFailure(
                usage:
                    "name the class that the relationship leads to: --to, or destinationEntity in a list of edits"
            )
        }
        guard inverse != nil || isForced else {
            throw CommandFailure(
                usage: "a relationship without an inverse is only good in rare cases; name it with "
                    + "--inverse (inverseName in a list of edits), or give --force"
            )
        }
        guard ordered != .yes else {
            throw CommandFailure(usage: "SwiftData has no ordered relationships")
        }
        let isToMany = many == .yes
        // A list is empty by itself; one object may be missing in rows that there are.
        let isOptional = optional.map { $0 == .yes } ?? !isToMany
        guard isOptional || isToMany || isForced else {
            throw CommandFailure(
                usage: "rows that there are lead to no object: make it optional"
            )
        }
        var relationship = SwiftRelationship(to: to, isToMany: isToMany, isOptional: isOptional)
        relationship.inverse = inverse
        relationship.deleteRule = delete.flatMap { $0 == .nullify ? nil : $0.swiftName }
        relationship.least = try Self.count(min, "--min", isToMany)
        relationship.greatest = try Self.count(max, "--max", isToMany)
        return relationship
    }

    private static func count(
        _ text: String?,
        _ option: String,
        _ isToMany: Bool
    ) throws -> Int? {
        guard let text else { return nil }
        guard isToMany, let number = Int(text), number >= 0 else {
            throw CommandFailure(usage: "\(option) is a number of objects, for --many")
        }
        return number
    }
}

extension DeleteRule {
    /// As Swift writes it.
    fileprivate var swiftName: String { self == .noAction ? "noAction" : rawValue }
}
