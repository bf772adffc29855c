package import ObjectModel

/// What the hash of an entity is made of but for its properties, to try many of them out.
package struct EntityTrial: Sendable {
    private let start: [UInt8]
    private let end: [UInt8]

    /// Takes what is known of an entity.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - isAbstract: whether no object may be of exactly this entity.
    ///   - parent: the hash of its parent; `nil` without one.
    ///   - modifier: its version hash modifier.
    ///   - constraints: its uniqueness constraints, each its properties joined by a dot.
    package init(
        name: String,
        isAbstract: Bool,
        parent: VersionHash?,
        modifier: String?,
        constraints: [String]
    ) {
        var head = HashInput(isRecording: false)
        head.appendHead(
            name: name,
            isAbstract: isAbstract,
            parent: parent.map { HashedPart(hash: $0, components: []) }
        )
        var tail = HashInput(isRecording: false)
        tail.appendTail(modifier: modifier, constraints: constraints)
        (start, end) = (head.bytes, tail.bytes)
    }

    /// The hash of the entity with these properties, which are sorted by their names and include inherited ones.
    package func hash(of properties: [[UInt8]]) -> [UInt8] {
        var bytes = start
        bytes.reserveCapacity(start.count + end.count + properties.count * 32)
        for property in properties { bytes += property }
        return SHA256.hash(bytes + end)
    }
}
