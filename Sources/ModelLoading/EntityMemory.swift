import Essentials
import ObjectModel
import XMLReading

/// The entities of the versions read so far: most versions of a model have most entities in common, word for word.
///
/// Remembers entities without any finding only, so that what is found is found in each version. A class, because
/// one memory goes along from version to version.
final class EntityMemory: XMLKnownElements {
    private struct Known {
        var text: [UInt8]
        var entity: Entity
        var offset: Int
    }

    /// Whether an entity that is recalled keeps the places of where it stood first.
    ///
    /// Its arrays are then those of the first, which spares most of the memory and makes comparing cheap.
    private let sharesPlaces: Bool
    private var known: [Known] = []
    /// The place in `known` by how the text begins, which nearly always includes the name.
    private var places: [[UInt8]: Int] = [:]

    private static let beginning = 64

    init(sharesPlaces: Bool) {
        self.sharesPlaces = sharesPlaces
    }

    func element(at offset: Int, of bytes: [UInt8]) -> (number: Int, length: Int)? {
        let beginning = Array(bytes[offset...].prefix(Self.beginning))
        guard let place = places[beginning] else { return nil }
        let text = known[place].text
        guard bytes.count - offset >= text.count else { return nil }
        let isSame = bytes.withUnsafeBytes { bytes in
            let there = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + text.count])
            return text.withUnsafeBytes { here in
                guard let here = here.baseAddress, let there = there.baseAddress else {
                    return false
                }
                return memcmp(here, there, text.count) == 0
            }
        }
        return isSame ? (place, text.count) : nil
    }

    func remember(_ entity: Entity, text: ArraySlice<UInt8>) {
        guard text.count >= Self.beginning else { return }
        let entry = Known(text: Array(text), entity: entity, offset: text.startIndex)
        let beginning = Array(text.prefix(Self.beginning))
        if let place = places[beginning] {
            known[place] = entry
        } else {
            places[beginning] = known.count
            known.append(entry)
        }
    }

    /// Returns the entity of an element that was found known.
    ///
    /// - Parameters:
    ///   - number: the number of the element.
    ///   - offset: where it stands in the file at hand.
    ///   - map: finds places in that file.
    ///   - isExact: whether the places must be those in that file, even if places are shared.
    /// - Returns: the entity.
    func entity(
        _ number: Int,
        at offset: Int,
        in map: any SourceMap,
        isExact: Bool
    ) -> Entity {
        guard isExact || !sharesPlaces else { return known[number].entity }
        return known[number].entity.moved(to: map, by: offset - known[number].offset)
    }
}
