import ObjectModel

protocol NamedPart: Equatable {
    var name: String { get }
    var source: SourceMark { get }
}

extension CompositeType: NamedPart {}
extension Configuration: NamedPart {}
extension FetchIndex: NamedPart {}
extension FetchRequest: NamedPart {}
extension FetchedProperty: NamedPart {}

/// Pairs two lists by name, sorted by name, and leaves out equal pairs; of one name the first counts.
func named<Part: NamedPart>(_ from: [Part], _ to: [Part]) -> [(from: Part?, to: Part?)] {
    guard from != to else { return [] }
    let old = Dictionary(firstOf: from.map { ($0.name, $0) })
    let new = Dictionary(firstOf: to.map { ($0.name, $0) })
    return Set(old.keys).union(new.keys).sorted().map { (old[$0], new[$0]) }.filter { $0.0 != $0.1 }
}

/// The change of a part of a model, or of a fetched property; at least one side is there.
func partChange<Part: NamedPart>(
    _ kind: PartChange.Kind,
    _ old: Part?,
    _ new: Part?,
    of entity: String? = nil,
    in pair: EntityPair? = nil
) -> ModelChange {
    .part(
        PartChange(
            kind: kind,
            action: old == nil ? .added : new == nil ? .removed : .changed,
            entity: entity,
            name: (new ?? old)?.name ?? "",
            from: old?.source ?? pair?.from.source,
            to: new?.source ?? pair?.to.source
        )
    )
}
