import Essentials
import ObjectModel
import XMLReading

/// The entities and attributes of the versions read so far: most versions of a model have most in common, word for
/// word.
///
/// Remembers what was read without any finding only, so that what is found is found in each version. A class, because
/// one memory goes along from version to version.
final class ElementMemory: XMLKnownElements {
    private struct Known {
        var text: [UInt8]
        var content: Content
        var offset: Int
    }

    private enum Content {
        case entity(Entity)
        case attribute(Attribute)
    }

    /// Whether what is recalled keeps the locations where it stood first.
    ///
    /// Its arrays are then those of the first, which spares most of the memory and makes comparing cheap.
    let sharesPlaces: Bool
    let path = ["entity", "attribute"]
    /// Whether a model so far had structural faults, which the entities of others may have, too.
    var hasFaults = false
    private var known: [Known] = []
    /// The index in `known` of an entity by how its text begins, which nearly always includes the name.
    private var entities: [TextKey: Int] = [:]
    /// The index in `known` of an attribute without content, by its text.
    private var attributes: [TextKey: Int] = [:]

    private static let beginning = 64

    init(sharesPlaces: Bool) {
        self.sharesPlaces = sharesPlaces
    }

    func element(
        _ level: Int,
        at offset: Int,
        of bytes: UnsafeRawBufferPointer
    ) -> (number: Int, length: Int)? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        guard level == 0 else {
            // No tag goes on behind another `<`: what is looked at here is looked at once.
            guard !attributes.isEmpty,
                let end = rest.dropFirst().firstIndex(where: {
                    $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<")
                }),
                rest[end] == UInt8(ascii: ">")
            else { return nil }
            return attributes[TextKey(rest[...end])].map { ($0, end + 1) }
        }
        guard let place = entities[TextKey(rest.prefix(Self.beginning))] else { return nil }
        let text = known[place].text
        guard rest.count >= text.count, let here = rest.baseAddress,
            memcmp(here, text, text.count) == 0
        else { return nil }
        return (place, text.count)
    }

    func remember(_ entity: Entity, text: ArraySlice<UInt8>) {
        guard text.count >= Self.beginning else { return }
        let beginning = TextKey(text.prefix(Self.beginning))
        remember(.entity(entity), text, place: &entities[beginning])
    }

    func remember(_ attribute: Attribute, text: ArraySlice<UInt8>) {
        let end = UInt8(ascii: ">")
        guard text.last == end, text.dropLast().firstIndex(of: end) == nil else { return }
        remember(.attribute(attribute), text, place: &attributes[TextKey(text)])
    }

    private func remember(_ content: Content, _ text: ArraySlice<UInt8>, place: inout Int?) {
        let entry = Known(text: Array(text), content: content, offset: text.startIndex)
        if let place {
            known[place] = entry
        } else {
            place = known.count
            known.append(entry)
        }
    }

    /// Returns the entity of an element that was found known.
    ///
    /// - Parameters:
    ///   - number: the number of the element.
    ///   - offset: where it stands in the file at hand.
    ///   - map: finds locations in that file.
    /// - Returns: the entity; `nil` if the element is none.
    func entity(
        _ number: Int,
        at offset: Int,
        in map: any SourceMap
    ) -> Entity? {
        guard case .entity(let entity) = known[number].content else { return nil }
        guard !sharesPlaces else { return entity }
        return entity.moved(to: map, by: offset - known[number].offset)
    }

    /// Returns the attribute of an element that was found known, as the function above does.
    func attribute(
        _ number: Int,
        at offset: Int,
        in map: any SourceMap
    ) -> Attribute? {
        guard case .attribute(let attribute) = known[number].content else { return nil }
        guard !sharesPlaces else { return attribute }
        return attribute.moved(to: map, by: offset - known[number].offset)
    }
}

/// Bytes as a key: arrays are hashed byte by byte, which takes as long as reading an attribute.
private struct TextKey: Hashable {
    private let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
