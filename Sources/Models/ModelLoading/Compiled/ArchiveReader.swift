import Diagnostics
import ObjectModel
import PropertyLists

/// An archived object that remembers which of its keys were read.
struct ArchivedObject {
    let instance: KeyedArchive.Instance
    private(set) var readKeys: Set<String> = []

    init(_ instance: KeyedArchive.Instance) { self.instance = instance }

    mutating func value(_ key: String) -> KeyedArchive.Value? {
        readKeys.insert(key)
        return instance.values[key]
    }

    /// Takes the object of a key; the number of nil when the key is absent.
    mutating func reference(_ key: String) -> KeyedArchive.Reference {
        if case .reference(let reference) = value(key) { reference } else { .null }
    }

    /// Takes an inline number, as text.
    mutating func number(_ key: String) -> String? {
        switch value(key) {
        case .plain(.integer(let number)): String(number)
        case .plain(.real64(let number)): String(number)
        default: nil
        }
    }

    /// Marks keys without new information as known.
    mutating func skip(_ keys: [String]) { readKeys.formUnion(keys) }
}

struct ArchiveReader {
    typealias Reference = KeyedArchive.Reference

    let archive: KeyedArchive
    let path: String
    var diagnostics: [Diagnostic] = []
    /// Whether entities list the properties of their parents too.
    var listsInheritedProperties = false
    var composites: [CompositeType] = []
    /// The names of those types, by their elements.
    var compositeNames: [[Attribute]: String] = [:]
    var takenCompositeNames: Set<String> = []
    /// How many composite elements may still be read; shared ones can multiply.
    var compositeAllowance = 100_000
    /// How many entries of collections may still be read; objects can share one that is large.
    private var entryAllowance: Int
    /// Earlier reports: one damage repeated a thousand times is one finding.
    private var reported: Set<String> = []

    init(archive: KeyedArchive, path: String, entryLimit: Int) {
        self.archive = archive
        entryAllowance = entryLimit
        self.path = path
    }

    var source: SourceMark { SourceMark(FileLocation(path: path)) }

    func object(_ reference: Reference, of classNames: Set<String>) -> ArchivedObject? {
        guard let instance = archive.instance(reference), classNames.contains(instance.className)
        else { return nil }
        return ArchivedObject(instance)
    }

    /// Returns a string, whether it is archived as a value or as an `NSMutableString`.
    func text(of reference: Reference) -> String? {
        switch archive[reference] {
        case .plain(.string(let text)): return text
        case .instance(let instance):
            switch instance.values["NS.string"] {
            case .plain(.string(let text)): return text
            case .reference(let inner):
                if case .plain(.string(let text)) = archive[inner] { return text }
                return nil
            default: return nil
            }
        default: return nil
        }
    }

    /// Returns the elements of an array or set, and charges for them; none for nil.
    mutating func elements(_ reference: Reference) -> [Reference] {
        let elements = uncountedElements(reference)
        return charge(elements.count) ? elements : []
    }

    private mutating func charge(_ count: Int) -> Bool {
        entryAllowance -= count
        if entryAllowance < 0 {
            entryAllowance = 0
            invalid("the archive repeats itself too often; part of it is left out")
            return false
        }
        return true
    }

    /// Returns the elements of an array or set, for callers that charge themselves.
    func uncountedElements(_ reference: Reference) -> [Reference] {
        guard case .references(let elements) = archive.instance(reference)?.values["NS.objects"]
        else { return [] }
        return elements
    }

    /// Returns the entries of a dictionary that has strings for keys, sorted by them.
    mutating func entries(_ reference: Reference) -> [(key: String, value: Reference)] {
        guard let instance = archive.instance(reference) else { return [] }
        let (keys, values) = keysAndValues(instance)
        guard charge(keys.count) else { return [] }
        var seen: Set<String> = []
        return zip(keys, values).compactMap { key, value -> (String, Reference)? in
            guard let key = text(of: key), value != .null, seen.insert(key).inserted else {
                return nil
            }
            return (key, value)
        }
        .sorted { $0.0.utf16.lexicographicallyPrecedes($1.0.utf16) }
        .map { (key: $0.0, value: $0.1) }
    }

    /// Run-time archives keep entities in an `NSKnownKeysDictionary1`: its keys apart, a token for gaps.
    private func keysAndValues(_ instance: KeyedArchive.Instance) -> ([Reference], [Reference]) {
        if case .references(let keys) = instance.values["NS.keys"],
            case .references(let values) = instance.values["NS.objects"]
        {
            return (keys, values)
        }
        guard case .reference(let mapping) = instance.values["searchMapping"],
            case .reference(let keys) = archive.instance(mapping)?.values["keys"],
            case .reference(let values) = instance.values["values"]
        else { return ([], []) }
        let gap = instance.values["emptyToken"]
        let filled = uncountedElements(values).map {
            KeyedArchive.Value.reference($0) == gap ? .null : $0
        }
        return (uncountedElements(keys), filled)
    }

    func entityName(_ reference: Reference) -> String? {
        guard case .reference(let name) = archive.instance(reference)?.values["NSEntityName"] else {
            return nil
        }
        return text(of: name)
    }

    func propertyName(_ reference: Reference) -> String? {
        guard case .reference(let name) = archive.instance(reference)?.values["NSPropertyName"]
        else { return nil }
        return text(of: name)
    }

    /// Takes a truth value; false when the key is absent.
    mutating func flag(_ object: inout ArchivedObject, _ key: String) -> Bool {
        switch scalar(object.value(key)) {
        case .boolean(let value): return value
        case .integer(let number): return number != 0
        case nil: return false
        default:
            invalid("'\(key)' of \(object.instance.className) is not a Boolean")
            return false
        }
    }

    /// Takes an integer; `nil` when the key is absent.
    mutating func integer(_ object: inout ArchivedObject, _ key: String) -> Int? {
        switch scalar(object.value(key)) {
        case .integer(let number): return Int(number)
        case nil: return nil
        default:
            invalid("'\(key)' of \(object.instance.className) is not an integer")
            return nil
        }
    }

    private func scalar(_ value: KeyedArchive.Value?) -> PropertyList? {
        switch value {
        case .plain(let value): value
        case .reference(let reference):
            if case .plain(let value) = archive[reference] { value } else { nil }
        default: nil
        }
    }

    /// Takes the renaming identifier; `nil` when it is the name, as it is where the source has none.
    mutating func identifier(_ object: inout ArchivedObject, name: String) -> String? {
        let identifier = text(of: object.reference("NSRenamingIdentifier"))
        return identifier == name ? nil : identifier
    }

    mutating func userInfo(_ reference: Reference, of element: String) -> [UserInfoEntry] {
        entries(reference).map { key, value in
            if let text = text(of: value) ?? plainText(of: value) {
                return UserInfoEntry(key: key, value: text)
            }
            invalid("the user info '\(key)' is not a string", element: element)
            return UserInfoEntry(key: key, value: dump(value))
        }
    }

    /// Takes what SwiftData writes beside texts: `EnumType` is a truth value, `enum` a list of names.
    private mutating func plainText(of value: Reference) -> String? {
        switch archive[value] {
        case .plain(.boolean(let flag)): return String(flag)
        case .plain(.integer(let number)): return String(number)
        case .instance(let instance):
            guard ["NSArray", "NSMutableArray"].contains(instance.className) else { return nil }
            let elements = elements(value)
            let texts = elements.compactMap { text(of: $0) }
            return texts.count == elements.count ? "[" + texts.joined(separator: ", ") + "]" : nil
        default: return nil
        }
    }

    mutating func unread(_ object: inout ArchivedObject, of element: String) -> [UnrecognizedItem] {
        object.instance.keys.filter { !object.readKeys.contains($0) }.map { key in
            let name = "\(object.instance.className).\(key)"
            if reported.insert(name).inserted {
                diagnostics.report(
                    "unknown-archived-key",
                    "the archived key '\(name)' is unknown",
                    severity: .warning,
                    at: FileLocation(path: path),
                    element: element
                )
            }
            return UnrecognizedItem(
                kind: .attribute,
                name: key,
                text: object.instance.values[key].map { dump($0) } ?? "",
                source: source
            )
        }
    }

    /// Reports an object of an unknown class, and keeps it.
    ///
    /// It is an error if version hashes and rows depend on the object: without it, the model would differ.
    mutating func unknownObject(
        _ reference: Reference,
        key: String,
        of element: String,
        severity: Severity = .warning
    ) -> UnrecognizedItem {
        let name = archive.instance(reference)?.className ?? "value"
        if reported.insert("\(key) \(name)").inserted {
            diagnostics.report(
                "unknown-archived-class",
                "the archived \(name) under '\(key)' is not understood",
                severity: severity,
                at: FileLocation(path: path),
                element: element
            )
        }
        return UnrecognizedItem(kind: .element, name: key, text: dump(reference), source: source)
    }

    mutating func invalid(
        _ message: String,
        element: String? = nil,
        severity: Severity = .warning
    ) {
        guard reported.insert(message).inserted else { return }
        diagnostics.report(
            "invalid-archived-value",
            message,
            severity: severity,
            at: FileLocation(path: path),
            element: element
        )
    }
}
