/// A keyed archive (`NSKeyedArchiver`) as a graph: numbered objects that refer to each other.
///
/// References are numbers, so objects may contain each other. Number 0 is nil in every archive.
package struct KeyedArchive: Sendable, Hashable {
    package struct Reference: Sendable, Hashable {
        package var index: Int

        package init(_ index: Int) { self.index = index }

        package static let null = Reference(0)
    }

    package struct ClassRecord: Sendable, Hashable {
        package var name: String
        /// The names of the class and all its superclasses up to `NSObject`.
        package var chain: [String]

        package init(name: String, chain: [String]) { (self.name, self.chain) = (name, chain) }

        /// Creates a record from the names of a class and its superclasses, without `NSObject`.
        package init(_ chain: String...) {
            self.init(name: chain.first ?? "NSObject", chain: chain + ["NSObject"])
        }
    }

    package enum Value: Sendable, Hashable {
        case reference(Reference)
        case references([Reference])
        /// An inline number, truth value or bytes.
        case plain(PropertyList)

        package static let null = Value.reference(.null)

        package static func integer(_ value: Int64) -> Value { .plain(.integer(value)) }

        package static func boolean(_ value: Bool) -> Value { .plain(.boolean(value)) }
    }

    package struct Instance: Sendable, Hashable {
        package var classRecord: ClassRecord
        package var values: Values

        package init(_ classRecord: ClassRecord, _ values: Values = Values()) {
            (self.classRecord, self.values) = (classRecord, values)
        }

        package var className: String { classRecord.name }

        package var keys: [String] { values.keys.sorted() }
    }

    package enum Object: Sendable, Hashable {
        case null
        case plain(PropertyList)
        case instance(Instance)
        /// A class, which only the archive itself refers to.
        case classRecord(ClassRecord)
    }

    /// The objects; number 0 is nil.
    package var objects: [Object]
    /// The archived objects, by key; usually one, `root`.
    package var top: [String: Value]

    /// Creates an archive; without arguments one that holds only nil.
    package init(objects: [Object] = [.null], top: [String: Value] = [:]) {
        (self.objects, self.top) = (objects, top)
    }

    package var root: Reference? {
        if case .reference(let reference) = top["root"] { reference } else { nil }
    }

    /// Returns the object of a number; nil for missing numbers.
    package subscript(reference: Reference) -> Object {
        objects.indices.contains(reference.index) ? objects[reference.index] : .null
    }

    package func instance(_ reference: Reference) -> Instance? {
        if case .instance(let instance) = self[reference] { instance } else { nil }
    }

    /// Adds an object of another archive, with all that it refers to.
    package mutating func add(_ root: Reference, of other: KeyedArchive) -> Reference {
        var copies = [Reference.null: Reference.null]
        var open: [Reference] = []
        func copy(_ reference: Reference, _ archive: inout KeyedArchive) -> Reference {
            if let known = copies[reference] { return known }
            let copy = archive.add(.null)
            copies[reference] = copy
            open.append(reference)
            return copy
        }
        let start = copy(root, &self)
        while let reference = open.popLast(), let place = copies[reference]?.index {
            guard case .instance(var instance) = other[reference] else {
                objects[place] = other[reference]
                continue
            }
            for key in instance.keys {
                switch instance.values[key] {
                case .reference(let reference)?:
                    instance.values[key] = .reference(copy(reference, &self))
                case .references(let references)?:
                    instance.values[key] = .references(references.map { copy($0, &self) })
                case .plain?, nil: break
                }
            }
            objects[place] = .instance(instance)
        }
        return start
    }

    package mutating func add(_ object: Object) -> Reference {
        objects.append(object)
        return Reference(objects.count - 1)
    }
}
