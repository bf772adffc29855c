import Diagnostics
import SQLiteAccess

extension RowInserter {
    func unknown(
        _ name: UnsafeRawBufferPointer,
        _ target: ImportTarget,
        _ mark: (line: Int, column: Int),
        _ reader: JSONReader
    ) -> StoreError {
        let name = String(decoding: name, as: UTF8.self)
        let message =
            target.unstoredNames.contains(name)
            ? "'\(name)' is not stored; leave it out"
            : "the entity has no property '\(name)'"
                + suggestion(
                    for: name,
                    among: target.places.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
                )
        return reader.fault(.unknownProperty, message, at: mark, element: target.name)
    }

    func twice(
        _ name: String,
        _ element: String,
        _ mark: (line: Int, column: Int),
        _ reader: JSONReader
    ) -> StoreError {
        reader.fault(.unexpectedShape, "'\(name)' occurs twice", at: mark, element: element)
    }

    /// Tables of old frameworks enforce uniqueness themselves.
    func explained(_ error: StoreError, _ entity: String, _ reader: JSONReader) -> StoreError {
        guard case .sqlite(_, 2067, _, _) = error else { return error }
        let message = "the row shares a value that must be unique with an earlier one"
        return reader.fault(.duplicateValue, message, at: mark, element: entity)
    }

    /// The entity and the slash at the start of a reference; names may contain slashes.
    func entity(
        namedIn text: UnsafeRawBufferPointer,
        _ firstSlash: Int,
        _ destination: LinkDestination
    ) -> (place: Int, slash: Int)? {
        var slash: Int? = firstSlash
        while let end = slash {
            let name = UnsafeRawBufferPointer(rebasing: text[..<end])
            if name.elementsEqual(destination.name.utf8) {
                return (destination.entities.lowerBound, end)
            }
            if let place = targets.entityPlaces[Array(name)] { return (place, end) }
            slash = text[(end + 1)...].firstIndex(of: UInt8(ascii: "/"))
        }
        return nil
    }
}
