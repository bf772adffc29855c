package import struct Essentials.Data

extension KeyedArchive {
    /// Reads a keyed archive from the bytes of a property list, and checks that all references lead to its objects.
    package init(_ bytes: Data) throws(PropertyListError) {
        try self.init(try readPropertyList(bytes))
    }

    package init(_ list: PropertyList) throws(PropertyListError) {
        guard let raw = list["$objects"]?.array, let top = list["$top"]?.dictionary else {
            throw .notAnArchive("'$objects' or '$top' is missing")
        }
        guard raw.first == .string("$null") else {
            throw .notAnArchive("its first object is not nil")
        }
        var decoder = ArchiveDecoder(raw: raw)
        var objects: [Object] = [.null]
        objects.reserveCapacity(raw.count)
        for value in raw.dropFirst() { objects.append(try decoder.object(value)) }
        var topValues: [String: Value] = [:]
        for (key, value) in top { topValues[key] = try decoder.value(value) }
        self.init(objects: objects, top: topValues)
    }
}

private struct ArchiveDecoder {
    let raw: [PropertyList]
    /// Known classes, so that many objects of one class cost no more than one.
    private var classes: [Int: KeyedArchive.ClassRecord] = [:]

    init(raw: [PropertyList]) { self.raw = raw }

    mutating func object(_ value: PropertyList) throws(PropertyListError) -> KeyedArchive.Object {
        guard let keys = value.dictionary, value.textReference == nil else {
            if value == .string("$null") { return .null }
            return .plain(value)
        }
        guard let classValue = keys["$class"] else {
            if keys["$classname"] != nil { return .classRecord(try classRecord(value)) }
            throw .notAnArchive("an object has no class")
        }
        guard let uid = classValue.archiveReference, Int(uid) < raw.count else {
            throw .notAnArchive("the class of an object is missing")
        }
        var values: [(key: String, value: KeyedArchive.Value)] = []
        for (key, value) in keys where key != "$class" {
            values.append((key, try self.value(value)))
        }
        values.sort { precedes($0.key, $1.key) }
        let record = try classRecord(at: Int(uid))
        return .instance(KeyedArchive.Instance(record, KeyedArchive.Values(distinct: values)))
    }

    func value(_ value: PropertyList) throws(PropertyListError) -> KeyedArchive.Value {
        if let uid = value.archiveReference { return .reference(try reference(uid)) }
        switch value {
        case .array(let elements):
            var references: [KeyedArchive.Reference] = []
            references.reserveCapacity(elements.count)
            for element in elements {
                guard let uid = element.archiveReference else { return .plain(value) }
                references.append(try reference(uid))
            }
            return .references(references)
        default: return .plain(value)
        }
    }

    private func reference(_ uid: UInt32) throws(PropertyListError) -> KeyedArchive.Reference {
        guard Int(uid) < raw.count else {
            throw .notAnArchive("object \(uid) is referenced but missing")
        }
        return KeyedArchive.Reference(Int(uid))
    }

    private mutating func classRecord(
        at index: Int
    ) throws(PropertyListError) -> KeyedArchive.ClassRecord {
        if let record = classes[index] { return record }
        let record = try classRecord(raw[index])
        classes[index] = record
        return record
    }

    private func classRecord(
        _ value: PropertyList
    ) throws(PropertyListError) -> KeyedArchive.ClassRecord {
        guard let name = value["$classname"]?.string, let chain = value["$classes"]?.array else {
            throw .notAnArchive("a class record is damaged")
        }
        return KeyedArchive.ClassRecord(name: name, chain: chain.compactMap(\.string))
    }
}

extension PropertyList {
    fileprivate var archiveReference: UInt32? {
        if case .uid(let uid) = self { uid } else { textReference }
    }

    /// The index of an object in the text form of property lists, which has no type for it.
    fileprivate var textReference: UInt32? {
        guard case .dictionary(let values) = self, values.count == 1,
            case .integer(let number)? = values["CF$UID"]
        else { return nil }
        return UInt32(exactly: number)
    }
}
