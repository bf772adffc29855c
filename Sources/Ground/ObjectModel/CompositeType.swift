/// A composite attribute type: a named group of attributes that an attribute of type Composite refers to.
package struct CompositeType: Sendable, Hashable {
    /// The name that attributes refer to.
    package var name: String
    /// The elements, in declaration order; one of type Composite nests another type.
    package var attributes: [Attribute]
    /// Its position in a file.
    package var source: SourceMark

    package init(name: String, attributes: [Attribute] = [], source: SourceMark = SourceMark()) {
        (self.name, self.attributes, self.source) = (name, attributes, source)
    }

    /// The elements by distinct names.
    ///
    /// SwiftData keeps the members of nested structs in one list under their own names, so a struct that occurs twice
    /// gives two elements of one name (page SwiftData, "Enums and structs"). See ``Swift/Array/distinctNames``.
    package var namedElements: [(name: String, attribute: Attribute)] {
        Array(zip(attributes.map(\.name).distinctNames, attributes))
    }

    package func element(named name: String) -> Attribute? {
        attributes.first { $0.name == name } ?? namedElements.first { $0.name == name }?.attribute
    }
}

extension [String] {
    /// The names, with numbers after repeated ones: `hue`, `hue_2`, `hue_3`.
    ///
    /// A number that gives the name of another element is skipped.
    package var distinctNames: [String] {
        guard holdsDuplicates else { return self }
        var taken = Set(self)
        var numbers: [String: Int] = [:]
        return map { name in
            guard var number = numbers[name] else {
                numbers[name] = 2
                return name
            }
            while !taken.insert("\(name)_\(number)").inserted { number += 1 }
            numbers[name] = number + 1
            return "\(name)_\(number)"
        }
    }
}
