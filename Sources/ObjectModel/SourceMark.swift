public import Diagnostics

/// Where an element of a model stands in its file: the element itself and each of its XML attributes.
///
/// A mark says where, never what: any two marks are equal, so that two models that differ in nothing but
/// their places are equal values.
public struct SourceMark: Sendable {
    /// The place of the element's `<`, or the file as a whole for a compiled model.
    public var element: SourceLocation?
    /// The places of the element's XML attributes, by their XML names.
    public var attributes: [String: SourceLocation]

    /// Creates a mark; without arguments, that of an element made in code.
    public init(element: SourceLocation? = nil, attributes: [String: SourceLocation] = [:]) {
        self.element = element
        self.attributes = attributes
    }

    /// Returns the place of an XML attribute, or that of the element when the attribute is absent.
    public func location(of attribute: String) -> SourceLocation? {
        attributes[attribute] ?? element
    }
}

extension SourceMark: Hashable {
    /// Holds for any two marks.
    public static func == (left: SourceMark, right: SourceMark) -> Bool { true }

    /// Adds nothing to the hash.
    public func hash(into hasher: inout Hasher) {}
}
