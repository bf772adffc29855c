import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// The values of generated objects: for each type plain ones and those at its limits.
///
/// An object's index and the seed decide which it gets: few objects have them all, and a seed gives one store.
struct SampleValues {
    /// Another seed gives the same values to other objects; without one values are plain.
    var seed: UInt64?
    /// The names of attributes whose values must differ, as uniqueness constraints demand.
    var uniqueNames: Set<String>
    var externalFolder: URL
    /// How many attributes the model has: of many, few get long values.
    var attributeCount = 0
    /// The greatest key of an object whose values have files of their own.
    var externalFiles = 50
    /// Whether an app opens the store, and decodes what it reads.
    var isForApps = false

    /// Returns the value of an object's attribute, from the cases where there are some.
    func value(
        of attribute: Attribute,
        key: Int,
        among cases: [AttributeValue] = []
    ) -> SQLiteValue {
        func chosen(_ place: Int) -> SQLiteValue {
            cases.isEmpty
                ? plain(attribute, key) : stored(cases[place % cases.count], isExternal: false)
        }
        guard let seed else { return attribute.isOptional && key % 4 == 0 ? .null : chosen(key) }
        let place = key &+ offset(attribute.name, seed)
        if isForApps, !attribute.isOptional || place % 5 != 0, let value = decodable(attribute, key)
        {
            return value
        }
        if uniqueNames.contains(attribute.name) { return plain(attribute, key) }
        if attribute.isOptional, place % 5 == 0 { return .null }
        if !cases.isEmpty { return chosen(place / 2) }
        if place % 7 == 0, let value = attribute.defaultValue {
            return stored(value, isExternal: attribute.allowsExternalBinaryDataStorage)
        }
        let limits = limits(of: attribute, key, place)
        let choice = (place / 2) % (limits.count + 1)
        guard choice < limits.count else { return plain(attribute, key) }
        return limits[choice] ?? external(attribute.name, key)
    }

    /// A value that an app can decode: the default, or an empty one; `nil` for types that need no decoding.
    private func decodable(_ attribute: Attribute, _ key: Int) -> SQLiteValue? {
        if attribute.type == .uri { return .text("https://example.com/\(attribute.name)/\(key)") }
        let shape = attribute.encodedMembers.first?.type
        guard attribute.type == .transformable || shape != nil else { return nil }
        var value = attribute.defaultValue
        if attribute.type == .transformable {
            value = value ?? AttributeValue.emptyArray.map { .binary($0) }
        } else if let shape, shape.hasPrefix("[") {
            value = value ?? .binary(Data((shape.contains(":") ? "{}" : "[]").utf8))
        }
        guard let value else { return attribute.isOptional ? .null : nil }
        return stored(value, isExternal: attribute.allowsExternalBinaryDataStorage)
    }

    /// A number that depends only on a name and the seed: the same in every run.
    private func offset(_ name: String, _ seed: UInt64) -> Int {
        Int(stableHash(of: name.utf8, seed: seed) % 1009)
    }

    private func plain(_ attribute: Attribute, _ key: Int) -> SQLiteValue {
        switch attribute.type.values {
        case .boolean: .integer(Int64(key % 2))
        // The greatest integer has all bits set, so that the masked product fits.
        case .integer: .integer(Int64(key * 37) & attribute.type.integers.upperBound)
        case .double, .float, .decimal: .real(Double(key) + 0.25)
        case .date: .real(Double(key) * 86_400.5)
        case .string, .uri: .text("\(attribute.name) № \(key) 'quoted' 𝄞")
        case .uuid: .blob(Data((0..<16).map { UInt8(truncatingIfNeeded: $0 &* 3 &+ key) }))
        case .binary where attribute.allowsExternalBinaryDataStorage:
            .blob(Data([1, 0, 255, UInt8(truncatingIfNeeded: key)]))
        case .binary, .transformable: .blob(Data([0, 255, UInt8(truncatingIfNeeded: key)]))
        case .undefined, .objectID, .composite: .null
        }
    }

    /// Texts that need more than a page of a database, more than 64 KB, which a few do, little, and more than a small page.
    private static let texts = [600, 9_000, 8, 150].map {
        SQLiteValue.text(String(repeating: "long 𝄞 ", count: $0))
    }
    private static let bytes = [6_000, 70_000, 60, 1_500].map {
        SQLiteValue.blob(Data(repeating: 7, count: $0))
    }

    /// The values at the limits of a type; `nil` for one in a file of its own.
    private func limits(of attribute: Attribute, _ key: Int, _ place: Int) -> [SQLiteValue?] {
        switch attribute.type.values {
        case .boolean: [.integer(0), .integer(1)]
        case .integer:
            [attribute.type.integers.lowerBound, attribute.type.integers.upperBound, -1, 0]
                .map { .integer($0) }
        case .double:
            reals(.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude)
                + reals(.infinity, .pi, 0)
        case .float:
            reals(Double(Float.greatestFiniteMagnitude), Double(Float.leastNonzeroMagnitude))
                + reals(Double(Float.pi), 0)
        case .decimal:
            // A decimal has at most 38 digits; what SQLite makes of them is the same before and after.
            [
                .text("12345678901234567890123456789012345678"),
                .text("-0.00000000000000000000000000000000000001"), .real(0.1), .integer(0),
            ]
        // The first and the last date of Foundation, the reference date and one before it.
        case .date: reals(-63_114_076_800, 64_092_211_200, 0, -0.5)
        case .string:
            [
                .text(""), Self.texts[length(place, 20)],
                .text("e\u{301}é \u{202E}אבג 👩‍👩‍👧 \u{FEFF}\n\t\"'`;--"), .text("NULL"),
            ]
        case .uri: [.text(""), .text("https://例え.jp/ü?q=%20#\(key)")]
        case .uuid: [.blob(Data(count: 16)), .blob(Data(repeating: 255, count: 16))]
        case .binary where attribute.allowsExternalBinaryDataStorage: [nil, .blob(Data([1]))]
        case .binary, .transformable: [.blob(Data([0])), Self.bytes[length(place, 12)]]
        case .undefined, .objectID, .composite: []
        }
    }

    /// The index of a length: a page, in one of some places 64 KB, and in most places of a large model a few bytes.
    private func length(_ place: Int, _ period: Int) -> Int {
        guard (place &* 31) % (1 + attributeCount / 50) == 0 else { return 2 }
        if isForApps { return 3 }
        return place % period == 2 && attributeCount < 1_000 ? 1 : 0
    }

    private func reals(_ values: Double...) -> [SQLiteValue] { values.map { .real($0) } }

    /// A value of more than 100 KB in a file of its own (SQLiteStores, "Values").
    private func external(_ attribute: String, _ key: Int) -> SQLiteValue {
        // A few files show as much as thousands would.
        guard key <= externalFiles else { return .blob(Data([1, 2, 3])) }
        let digits =
            UInt64(truncatingIfNeeded: offset(attribute, 0)).hexadecimal(8, uppercase: true)
            + UInt64(truncatingIfNeeded: key).hexadecimal(4, uppercase: true)
        let name = "00000000-0000-4000-8000-\(digits)"
        let data = Data(repeating: UInt8(truncatingIfNeeded: key), count: 110_000)
        do {
            try Files.makeFolder(at: externalFolder.path)
            try data.write(to: externalFolder.appending(path: name))
        } catch { return .null }
        return .blob(Data([2]) + Data(name.utf8) + Data([0]))
    }
}

/// The value of a model in SQLite's form, for an attribute whose values may be external or not.
///
/// Written apart from what migrations write, which is compared with it.
func stored(_ value: AttributeValue, isExternal: Bool) -> SQLiteValue {
    switch value.stored(inExternalForm: isExternal) {
    case .integer(let value): .integer(value)
    case .boolean(let value): .integer(value ? 1 : 0)
    case .double(let value), .date(let value): .real(value)
    case .float(let value): .real(Double(value))
    case .decimal(let value): .real(Double(value.description) ?? 0)
    case .string(let text), .uri(let text): .text(text)
    case .binary(let data): .blob(data)
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { .blob(.init($0)) }
    }
}

/// FNV-1a in 64 bits, the same in every run; the test for the app computes it too.
func stableHash(of bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
    bytes.reduce(seed &+ 14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
}
