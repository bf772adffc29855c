package import ObjectModel

/// A change of Codable values that an attribute keeps as data, which neither a hash nor a migration shows.
package struct EncodedChange: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Stored values have none.
        case added
        case removed
        case retyped(from: String, to: String)
    }

    /// Such as `members[].name`.
    package var name: String
    package var kind: Kind

    /// The effect on rows; lower case, no final period.
    package var message: String {
        switch kind {
        case .added:
            "it is new and not optional, and existing rows have no value for it: the app crashes when it reads such a row"
        case .removed: "it was removed: existing rows lose its values when they are next saved"
        case .retyped(let old, let new):
            "its type changed from \(old) to \(new): the app crashes when it reads a row that has a value"
        }
    }
}

/// Compares values that an attribute keeps as data; returns what rows do not fit, in new order, then old.
package func encodedChanges(
    from old: [EncodedShape.Member],
    to new: [EncodedShape.Member]
) -> [EncodedChange] {
    let before = Dictionary(firstOf: old.map { ($0.name, $0.type) })
    let now = Dictionary(firstOf: new.map { ($0.name, $0.type) })
    /// Whether the struct is on both sides, so that its members can be compared.
    func isComparable(_ name: String) -> Bool {
        guard let owner = name.encodedOwner, let one = before[owner], let two = now[owner] else {
            return false
        }
        return !one.isCoded && !two.isCoded && (one == two || one + "?" == two || one == two + "?")
    }
    let found = new.compactMap { member -> EncodedChange? in
        guard let type = before[member.name] else {
            guard !member.type.hasSuffix("?"), isComparable(member.name) else { return nil }
            return EncodedChange(name: member.name, kind: .added)
        }
        guard type != member.type, type + "?" != member.type, !type.isCoded, !member.type.isCoded
        else { return nil }
        return EncodedChange(name: member.name, kind: .retyped(from: type, to: member.type))
    }
    return found
        + old.filter { now[$0.name] == nil && isComparable($0.name) }
        .map { EncodedChange(name: $0.name, kind: .removed) }
}

extension String {
    fileprivate var encodedOwner: String? {
        guard let end = lastIndex(of: ".") else { return nil }
        var owner = self[..<end]
        while owner.hasSuffix("[]") { owner.removeLast(2) }
        return String(owner)
    }

    fileprivate var isCoded: Bool {
        split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains("coded")
    }
}
