import Essentials
import ObjectModel
import PropertyLists
import SQLiteAccess

/// The content of an archive of `NSKeyedArchiver`, if it consists of values, dates, lists, dictionaries.
///
/// An archive that contains more, such as a mutable class or one of an app, is none, and stays bytes.
indirect enum ArchivedObject: Hashable {
    case null
    case text(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case bytes(Data)
    /// Seconds since the reference date.
    case date(Double)
    case uuid(UUID)
    case uri(String)
    case list([ArchivedObject])
    case set([ArchivedObject])
    /// Keys and values, in the order of the archive.
    case dictionary([Entry])

    struct Entry: Hashable {
        var key: String
        var value: ArchivedObject
    }

    static let greatestDepth = 64
    static let greatestCount = 100_000

    /// Reads an archive in the binary form; `nil` if it contains something else, or more than the cases express.
    init?(archive bytes: UnsafeRawBufferPointer) {
        guard bytes.starts(with: "bplist00".utf8), let archive = try? KeyedArchive(Data(bytes)),
            archive.top.count == 1, let root = archive.root
        else { return nil }
        var reading = Reading(archive: archive)
        guard let object = reading.object(root, depth: 0) else { return nil }
        self = object
    }

    var archive: [UInt8] {
        var writing = Writing()
        let root = writing.add(self)
        writing.archive.top = ["root": .reference(root)]
        return Array(writing.archive.binaryData)
    }

    private typealias ClassRecord = KeyedArchive.ClassRecord

    /// The walk through an archive; shared objects are counted each time.
    private struct Reading {
        let archive: KeyedArchive
        var count = 0

        mutating func object(_ reference: KeyedArchive.Reference, depth: Int) -> ArchivedObject? {
            count += 1
            guard depth < greatestDepth, count <= greatestCount else { return nil }
            switch archive[reference] {
            case .plain(.string(let text)): return .text(text)
            case .plain(.integer(let number)): return .integer(number)
            case .plain(.real64(let number)): return number.isFinite ? .real(number) : nil
            case .plain(.boolean(let isTrue)): return .boolean(isTrue)
            case .plain(.data(let bytes)): return .bytes(bytes)
            case .instance(let instance): return object(instance, depth: depth + 1)
            case .plain, .null, .classRecord: return nil
            }
        }

        private mutating func object(
            _ instance: KeyedArchive.Instance,
            depth: Int
        ) -> ArchivedObject? {
            guard instance.classRecord == ClassRecord(instance.className) else { return nil }
            let values = instance.values
            switch (instance.className, instance.keys) {
            case ("NSNull", []): return .null
            case ("NSDate", ["NS.time"]):
                guard case .plain(.real64(let seconds)) = values["NS.time"], seconds.isFinite else {
                    return nil
                }
                return .date(seconds)
            case ("NSUUID", ["NS.uuidbytes"]):
                guard case .plain(.data(let bytes)) = values["NS.uuidbytes"], bytes.count == 16
                else { return nil }
                let uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
                return .uuid(UUID(uuid: uuid))
            case ("NSURL", ["NS.base", "NS.relative"]):
                guard values["NS.base"] == .reference(.null),
                    case .reference(let relative) = values["NS.relative"],
                    case .plain(.string(let text)) = archive[relative]
                else { return nil }
                return .uri(text)
            case ("NSArray", ["NS.objects"]): return objects(values, depth).map { .list($0) }
            case ("NSSet", ["NS.objects"]): return objects(values, depth).map { .set($0) }
            case ("NSDictionary", ["NS.keys", "NS.objects"]): return dictionary(values, depth)
            default: return nil
            }
        }

        private mutating func objects(
            _ values: KeyedArchive.Values,
            _ depth: Int
        ) -> [ArchivedObject]? {
            guard case .references(let references) = values["NS.objects"] else { return nil }
            var objects: [ArchivedObject] = []
            for reference in references {
                guard let object = object(reference, depth: depth) else { return nil }
                objects.append(object)
            }
            return objects
        }

        private mutating func dictionary(
            _ values: KeyedArchive.Values,
            _ depth: Int
        ) -> ArchivedObject? {
            guard case .references(let keys) = values["NS.keys"],
                let objects = objects(values, depth), keys.count == objects.count
            else { return nil }
            var entries: [Entry] = []
            for (key, object) in zip(keys, objects) {
                // A name with this sign is a marker.
                guard case .plain(.string(let name)) = archive[key], !name.hasPrefix("@") else {
                    return nil
                }
                entries.append(Entry(key: name, value: object))
            }
            guard Set(entries.map(\.key)).count == entries.count else { return nil }
            return .dictionary(entries)
        }
    }

    /// An archive under construction: an object, what it holds, then its class, as in `NSKeyedArchiver`.
    private struct Writing {
        var archive = KeyedArchive()
        private var classes: Set<ClassRecord> = []

        mutating func add(_ object: ArchivedObject) -> KeyedArchive.Reference {
            switch object {
            case .text(let text): return archive.add(.plain(.string(text)))
            case .integer(let number): return archive.add(.plain(.integer(number)))
            case .real(let number): return archive.add(.plain(.real64(number)))
            case .boolean(let isTrue): return archive.add(.plain(.boolean(isTrue)))
            case .bytes(let bytes): return archive.add(.plain(.data(bytes)))
            case .null: return add("NSNull") { _ in KeyedArchive.Values() }
            case .date(let seconds):
                return add("NSDate") { _ in ["NS.time": .plain(.real64(seconds))] }
            case .uuid(let uuid):
                let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
                return add("NSUUID") { _ in ["NS.uuidbytes": .plain(.data(bytes))] }
            case .uri(let text):
                return add("NSURL") {
                    ["NS.base": .reference(.null), "NS.relative": .reference($0.add(.text(text)))]
                }
            case .list(let objects): return add("NSArray") { ["NS.objects": $0.add(objects)] }
            case .set(let objects): return add("NSSet") { ["NS.objects": $0.add(objects)] }
            case .dictionary(let entries):
                return add("NSDictionary") { writing in
                    let keys = writing.add(entries.map { .text($0.key) })
                    return ["NS.keys": keys, "NS.objects": writing.add(entries.map(\.value))]
                }
            }
        }

        private mutating func add(_ objects: [ArchivedObject]) -> KeyedArchive.Value {
            .references(objects.map { add($0) })
        }

        private mutating func add(
            _ name: String,
            _ values: (inout Writing) -> KeyedArchive.Values
        ) -> KeyedArchive.Reference {
            let record = ClassRecord(name)
            let reference = archive.add(.null)
            archive.objects[reference.index] = .instance(.init(record, values(&self)))
            if classes.insert(record).inserted { _ = archive.add(.classRecord(record)) }
            return reference
        }
    }
}

/// An array of values as SwiftData keeps it: an archive of an `NSArray`, in a transformable attribute.
///
/// The name of the class gives the type of the elements, so these need no marker.
struct ArchivedArray {
    private enum Element { case text, integer, real, boolean, bytes, date, uuid, uri }

    private let element: Element
    /// What to write in rows.
    let words: String

    private static let kinds: [(names: Set<Substring>, element: Element, words: String)] = [
        (["String"], .text, "a list of strings"),
        (
            ["Int", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32"], .integer,
            "a list of numbers"
        ),
        (["Double", "Float"], .real, "a list of numbers"),
        (["Bool"], .boolean, "a list of true and false"),
        (["Data"], .bytes, "a list of bytes as base64"),
        (["Date"], .date, "a list of dates as \"2001-01-31T12:30:00Z\""),
        (["UUID"], .uuid, "a list of UUIDs as strings"),
        (["URL"], .uri, "a list of URIs as strings"),
    ]

    /// Uses the class named by a transformable attribute; `nil` if it is not an array of plain values.
    init?(_ attribute: Attribute) {
        guard attribute.type == .transformable,
            attribute.valueTransformerName == "NSSecureUnarchiveFromData",
            let name = attribute.customClassName, name.hasPrefix("Array<"), name.hasSuffix(">"),
            case let type = name.dropFirst("Array<".count).dropLast(),
            let kind = Self.kinds.first(where: { $0.names.contains(type) })
        else { return nil }
        (element, words) = (kind.element, kind.words)
    }

    /// Writes an archived object; `false` if it is not such an array.
    func write(_ object: ArchivedObject, into text: inout JSONText) -> Bool {
        guard case .list(let objects) = object, objects.allSatisfy(isElement) else { return false }
        ArchivedObject.write(objects, into: &text) { $0.writePlainly(into: &$1) }
        return true
    }

    /// Reads an array from JSON; `nil` if an element has another type.
    func read(from reader: JSONReader) throws(StoreError) -> ArchivedObject? {
        guard let objects = try ArchivedObject.objects(from: reader, depth: 0) else { return nil }
        let elements = objects.compactMap(taken)
        return elements.count == objects.count ? .list(elements) : nil
    }

    private func isElement(_ object: ArchivedObject) -> Bool {
        switch (element, object) {
        case (.text, .text), (.integer, .integer), (.real, .real), (.boolean, .boolean),
            (.bytes, .bytes), (.date, .date), (.uuid, .uuid), (.uri, .uri):
            true
        default: false
        }
    }

    private func taken(_ object: ArchivedObject) -> ArchivedObject? {
        switch (element, object) {
        case (.real, .integer(let number)): .real(Double(number))
        case (.uri, .text(let text)): .uri(text)
        case (.bytes, _): object.asBytes
        case (.date, _): object.asDate
        case (.uuid, _): object.asUUID
        default: isElement(object) ? object : nil
        }
    }
}
