public import Diagnostics

/// Finds places in the file that a model was read from.
///
/// A protocol, so that the model's values need not know what kind of file that was; of classes, so that
/// the many marks of a model refer to one map.
package protocol SourceMap: AnyObject, Sendable {
    /// Returns the place of the element that begins at an offset, or of one of its attributes.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name in the file, or `nil` for the element itself.
    ///   - offset: what the reader stored in the element's mark.
    /// - Returns: the place; `nil` when the element has no such attribute.
    func location(of attribute: String?, ofElementAt offset: Int) -> FileLocation?
}

/// Where an element of a model stands in its file.
///
/// A mark says where, never what: any two marks are equal, so that two models that differ in nothing but
/// their locations are equal values. Locations are worked out when asked for: most never are.
public struct SourceMark: Sendable {
    private let map: (any SourceMap)?
    private let offset: Int

    /// Creates the mark of an element that was made in code.
    package init() {
        map = nil
        offset = 0
    }

    /// Creates the mark of the element that begins at an offset of a file.
    package init(_ map: any SourceMap, offset: Int) {
        self.map = map
        self.offset = offset
    }

    /// Creates a mark that is the same location for an element and all its attributes.
    package init(_ location: FileLocation) {
        map = SinglePlace(place: location)
        offset = 0
    }

    /// The location of the element.
    public var element: FileLocation? {
        map?.location(of: nil, ofElementAt: offset)
    }

    /// Returns the location of an attribute of the element, or that of the element when it has none such.
    public func location(of attribute: String) -> FileLocation? {
        map?.location(of: attribute, ofElementAt: offset) ?? element
    }

    /// Whether the element stands in a Swift source.
    package var isOfSwift: Bool { element?.path.hasSuffix(".swift") ?? false }
}

extension SourceMark: Hashable {
    /// Holds for any two marks.
    public static func == (left: SourceMark, right: SourceMark) -> Bool { true }

    /// Adds nothing to the hash.
    public func hash(into hasher: inout Hasher) {}
}

extension SourceMark: CustomStringConvertible {
    /// The location of the element; empty where it has none.
    public var description: String { element?.description ?? "" }
}

private final class SinglePlace: SourceMap {
    let place: FileLocation

    init(place: FileLocation) {
        self.place = place
    }

    func location(of attribute: String?, ofElementAt offset: Int) -> FileLocation? {
        place
    }
}
