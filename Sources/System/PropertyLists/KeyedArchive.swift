/// A keyed archive (`NSKeyedArchiver`) as a graph: numbered objects that refer to each other.
///
/// References are numbers, so that objects may contain each other. Number 0 is nil in every archive.
public struct KeyedArchive: Sendable, Hashable {
    /// The number of an object.
    public struct Reference: Sendable, Hashable {
        /// The number.
        public var index: Int

        /// Creates a reference.
        public init(_ index: Int) {
            self.index = index
        }

        /// The reference to nil.
        public static let null = Reference(0)
    }

    /// A class with its superclasses, as archives record it.
    public struct ClassRecord: Sendable, Hashable {
        /// The name of the class.
        public var name: String
        /// The names of the class and all its superclasses up to `NSObject`.
        public var chain: [String]

        /// Creates a record.
        public init(name: String, chain: [String]) {
            self.name = name
            self.chain = chain
        }

        /// Creates a record from the names of a class and its superclasses, without `NSObject`.
        public init(_ chain: String...) {
            self.init(name: chain.first ?? "NSObject", chain: chain + ["NSObject"])
        }
    }

    /// What an object holds under a key.
    public enum Value: Sendable, Hashable {
        /// Another object.
        case reference(Reference)
        /// Several objects, as collections hold them.
        case references([Reference])
        /// A number, truth value or bytes in place.
        case plain(PropertyList)
    }

    /// An object that has a class.
    public struct Instance: Sendable, Hashable {
        /// The class.
        public var classRecord: ClassRecord
        /// What is archived, by key.
        public var values: Values

        /// Creates an object.
        public init(_ classRecord: ClassRecord, _ values: Values = Values()) {
            self.classRecord = classRecord
            self.values = values
        }

        /// The name of the class.
        public var className: String { classRecord.name }

        /// The keys in a fixed order.
        public var keys: [String] { values.keys.sorted() }
    }

    /// A numbered object.
    public enum Object: Sendable, Hashable {
        /// Nil, which is number 0.
        case null
        /// A string, number, truth value or bytes.
        case plain(PropertyList)
        /// An object that has a class.
        case instance(Instance)
        /// A class, which only the archive itself refers to.
        case classRecord(ClassRecord)
    }

    /// The objects; number 0 is nil.
    public var objects: [Object]
    /// The objects that the archive was made of, by key; usually one, `root`.
    public var top: [String: Value]

    /// Creates an archive; without arguments one that holds nothing but nil.
    public init(objects: [Object] = [.null], top: [String: Value] = [:]) {
        self.objects = objects
        self.top = top
    }

    /// The object that the archive was made of.
    public var root: Reference? {
        if case .reference(let reference) = top["root"] { reference } else { nil }
    }

    /// Returns the object of a number; nil for numbers that the archive does not have.
    public subscript(reference: Reference) -> Object {
        objects.indices.contains(reference.index) ? objects[reference.index] : .null
    }

    /// Returns the object of a number, when it is one that has a class.
    public func instance(_ reference: Reference) -> Instance? {
        if case .instance(let instance) = self[reference] { instance } else { nil }
    }

    /// Adds an object and returns its number.
    public mutating func add(_ object: Object) -> Reference {
        objects.append(object)
        return Reference(objects.count - 1)
    }
}
