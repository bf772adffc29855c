package import Diagnostics

/// Finds locations in the file that a model was read from.
///
/// A protocol, as values need not know the kind of file; of classes, so that all marks of a model share one map.
package protocol SourceMap: AnyObject, Sendable {
    /// Returns the location of an attribute, or of the element for `nil`; `nil` if the element lacks that attribute.
    ///
    /// `offset` is what the reader stored in the element's mark.
    func location(of attribute: String?, ofElementAt offset: Int) -> FileLocation?
}

/// The position of an element of a model in its file.
///
/// Any two marks are equal, so that two models that differ only in their locations are equal values. Locations are
/// computed on demand: most never are.
package struct SourceMark: Sendable {
    private let map: (any SourceMap)?
    private let offset: Int

    package init() {
        map = nil
        offset = 0
    }

    package init(_ map: any SourceMap, offset: Int) { (self.map, self.offset) = (map, offset) }

    package init(_ location: FileLocation) {
        map = SinglePlace(place: location)
        offset = 0
    }

    package var element: FileLocation? { map?.location(of: nil, ofElementAt: offset) }

    /// Returns the location of an attribute of the element, or that of the element if it lacks the attribute.
    package func location(of attribute: String) -> FileLocation? {
        map?.location(of: attribute, ofElementAt: offset) ?? element
    }

    package var isOfSwift: Bool { element?.path.hasSuffix(".swift") ?? false }
}

extension SourceMark: Hashable {
    /// Holds for any two marks.
    package static func == (left: SourceMark, right: SourceMark) -> Bool { true }

    /// Adds nothing to the hash.
    package func hash(into hasher: inout Hasher) {}
}

extension SourceMark: CustomStringConvertible {
    /// The location of the element; empty where it has none.
    package var description: String { element?.description ?? "" }
}

private final class SinglePlace: SourceMap {
    let place: FileLocation

    init(place: FileLocation) { self.place = place }

    func location(of attribute: String?, ofElementAt offset: Int) -> FileLocation? { place }
}
