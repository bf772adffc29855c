import ObjectModel

/// Pairs two lists by name, sorted by name, and leaves out equal pairs; of one name the first counts.
func named<Value: Equatable>(
    _ from: [Value],
    _ to: [Value],
    _ name: (Value) -> String
) -> [(from: Value?, to: Value?)] {
    guard from != to else { return [] }
    let old = Dictionary(firstOf: from.map { (name($0), $0) })
    let new = Dictionary(firstOf: to.map { (name($0), $0) })
    return Set(old.keys).union(new.keys).sorted()
        .map { (old[$0], new[$0]) }
        .filter { $0.0 != $0.1 }
}

func settingChanges(
    _ from: [String: String],
    _ to: [String: String]
) -> [(name: String, from: String?, to: String?)] {
    guard from != to else { return [] }
    return Set(from.keys).union(to.keys).sorted()
        .filter { from[$0] != to[$0] }
        .map { ($0, from[$0], to[$0]) }
}
