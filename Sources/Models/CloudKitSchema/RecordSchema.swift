package import ObjectModel

/// A schema of CloudKit, as in its text form, a `.ckdb`.
package struct RecordSchema: Sendable, Hashable {
    package var recordTypes: [RecordType] = []

    package func recordType(_ name: String) -> RecordType? { recordTypes.first { $0.name == name } }
}

/// A record type: a name for records with the same fields.
package struct RecordType: Sendable, Hashable {
    /// The name, such as `CD_Person`.
    package var name: String
    package var fields: [RecordField]
    package var source: SourceMark

    package init(_ name: String, fields: [RecordField] = [], source: SourceMark = SourceMark()) {
        (self.name, self.fields, self.source) = (name, fields, source)
    }

    package func field(_ name: String) -> RecordField? { fields.first { $0.name == name } }
}

package struct RecordField: Sendable, Hashable {
    /// The name, such as `CD_name`.
    package var name: String
    package var type: FieldType
    package var isEncrypted: Bool
    /// The indexes that the server keeps, each once, in the order of an export.
    package var options: [FieldOption]
    package var source: SourceMark

    package init(
        _ name: String,
        _ type: FieldType,
        isEncrypted: Bool = false,
        options: [FieldOption] = [],
        source: SourceMark = SourceMark()
    ) {
        (self.name, self.type, self.isEncrypted) = (name, type, isEncrypted)
        self.options = FieldOption.allCases.filter(options.contains)
        self.source = source
    }

    /// The type in the text form, such as `ENCRYPTED STRING`.
    package var typeText: String { (isEncrypted ? "ENCRYPTED " : "") + type.text }
}

package enum FieldType: Sendable, Hashable {
    /// The type of one value; raw values are the words of the text form.
    package enum Value: String, Sendable, Hashable, CaseIterable {
        case asset = "ASSET"
        case bytes = "BYTES"
        case double = "DOUBLE"
        case int64 = "INT64"
        case location = "LOCATION"
        case reference = "REFERENCE"
        case string = "STRING"
        case timestamp = "TIMESTAMP"
        case number = "NUMBER"
        /// A number that is an integer unless something says otherwise.
        case numberAsInt64 = "NUMBER PREFERRED AS INT64"
        /// A number that is a floating-point number unless something says otherwise.
        case numberAsDouble = "NUMBER PREFERRED AS DOUBLE"

        package var isNumber: Bool { rawValue.hasPrefix("NUMBER") }
    }

    case single(Value)
    case list(Value)

    package var text: String {
        switch self {
        case .single(let value): value.rawValue
        case .list(let value): "LIST<\(value.rawValue)>"
        }
    }
}

/// A use of a server's index of a field; raw values are the words of the text form, in the order of an export.
package enum FieldOption: String, Sendable, Hashable, CaseIterable {
    /// Queries for equal values.
    case queryable = "QUERYABLE"
    /// Queries for words in it.
    case searchable = "SEARCHABLE"
    /// Sorting and ranges.
    case sortable = "SORTABLE"
}
