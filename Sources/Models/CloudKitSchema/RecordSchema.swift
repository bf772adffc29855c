package import ObjectModel

/// A schema of CloudKit: what its text form, a `.ckdb`, says.
package struct RecordSchema: Sendable, Hashable {
    package var recordTypes: [RecordType] = []

    /// Finds a record type by its name.
    package func recordType(_ name: String) -> RecordType? {
        recordTypes.first { $0.name == name }
    }
}

/// A record type: a name for records with the same fields.
package struct RecordType: Sendable, Hashable {
    /// The name, such as `CD_Person`.
    package var name: String
    package var fields: [RecordField]
    /// Where it stands.
    package var source: SourceMark

    package init(
        _ name: String,
        fields: [RecordField] = [],
        source: SourceMark = SourceMark()
    ) {
        self.name = name
        self.fields = fields
        self.source = source
    }

    /// Finds a field by its name.
    package func field(_ name: String) -> RecordField? {
        fields.first { $0.name == name }
    }
}

/// A field of a record type.
package struct RecordField: Sendable, Hashable {
    /// The name, such as `CD_name`.
    package var name: String
    /// The type of its values.
    package var type: FieldType
    /// Whether the values are encrypted.
    package var isEncrypted: Bool
    /// What the server keeps an index for, each once, in the order of an export.
    package var options: [FieldOption]
    /// Where it stands.
    package var source: SourceMark

    package init(
        _ name: String,
        _ type: FieldType,
        isEncrypted: Bool = false,
        options: [FieldOption] = [],
        source: SourceMark = SourceMark()
    ) {
        self.name = name
        self.type = type
        self.isEncrypted = isEncrypted
        self.options = FieldOption.allCases.filter(options.contains)
        self.source = source
    }

    /// The type as the text form has it, such as `ENCRYPTED STRING`.
    package var typeText: String { (isEncrypted ? "ENCRYPTED " : "") + type.text }
}

/// The type of a field's values.
package enum FieldType: Sendable, Hashable {
    /// The type of one value; raw values are the words of the text form.
    package enum Value: String, Sendable, Hashable, CaseIterable {
        /// A file.
        case asset = "ASSET"
        /// Bytes.
        case bytes = "BYTES"
        /// A floating-point number.
        case double = "DOUBLE"
        /// An integer.
        case int64 = "INT64"
        /// A place on earth.
        case location = "LOCATION"
        /// A reference to a record.
        case reference = "REFERENCE"
        /// A string.
        case string = "STRING"
        /// A point in time.
        case timestamp = "TIMESTAMP"
        /// A number of either kind.
        case number = "NUMBER"
        /// A number that is an integer unless something says otherwise.
        case numberAsInt64 = "NUMBER PREFERRED AS INT64"
        /// A number that is a floating-point number unless something says otherwise.
        case numberAsDouble = "NUMBER PREFERRED AS DOUBLE"

        /// Whether it is a number of either kind.
        package var isNumber: Bool { rawValue.hasPrefix("NUMBER") }
    }

    /// One value.
    case single(Value)
    /// A list of values.
    case list(Value)

    /// The type as the text form has it.
    package var text: String {
        switch self {
        case .single(let value): value.rawValue
        case .list(let value): "LIST<\(value.rawValue)>"
        }
    }
}

/// What the server keeps an index of a field for; raw values are the words of the text form, in the order of an export.
package enum FieldOption: String, Sendable, Hashable, CaseIterable {
    /// Asking for equal values.
    case queryable = "QUERYABLE"
    /// Asking for words in it.
    case searchable = "SEARCHABLE"
    /// Sorting and ranges.
    case sortable = "SORTABLE"
}
