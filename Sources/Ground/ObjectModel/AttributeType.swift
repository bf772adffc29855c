/// The type of an attribute's value; raw values are Apple's `NSAttributeType`, which version hashes contain.
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type; legal for transient attributes only.
    case undefined = 0
    /// A 16-bit integer.
    case integer16 = 100
    /// A 32-bit integer.
    case integer32 = 200
    /// A 64-bit integer.
    case integer64 = 300
    /// A decimal number.
    case decimal = 400
    /// A 64-bit floating-point number.
    case double = 500
    /// A 32-bit floating-point number.
    case float = 600
    /// A string.
    case string = 700
    /// A truth value.
    case boolean = 800
    /// A point in time.
    case date = 900
    /// Bytes.
    case binary = 1000
    /// A UUID.
    case uuid = 1100
    /// A URI.
    case uri = 1200
    /// An object that a value transformer turns into bytes.
    case transformable = 1800
    /// An object ID; never stored.
    case objectID = 2000
    /// A group of attributes, flattened into columns of their own.
    case composite = 2100

    /// The name that model sources use; `nil` for `undefined`, which is written by leaving the type out.
    package var sourceName: String? { row.sourceName }

    package init?(sourceName: String) {
        guard let type = Self.bySourceName[sourceName] else { return nil }
        self = type
    }

    /// Whether values are integers; Boolean is not among them.
    package var isInteger: Bool { values == .integer }
}

extension AttributeType {
    /// What every module needs to know about a type: its names elsewhere, and where its values are kept.
    ///
    /// A new type is a case with its row and the kind of its values, which readers and writers go by.
    package struct Row: Sendable {
        /// The name in model sources; `nil` where these omit the type.
        package var sourceName: String?
        /// The class of values in Foundation (`NSAttributeValueClassName`); `nil` where the attribute names it, or has
        /// none.
        package var valueClass: String?
        package var swift: Accessor?
        package var objectiveC: Accessor?
        /// The type of a SwiftData property; `nil` without a plain one.
        package var swiftData: String?
        /// The type of the CloudKit field that it is mirrored to, in the words of a schema; `nil` where none is known.
        package var field: String?
        /// Whether values may be too large for a field, so that it has a companion.
        package var isVariableLength = false
        /// The column of a store; `nil` where values are never stored, or have columns for their parts.
        package var column: Column?
    }

    /// The kinds of values in stores, independent of the names of their types.
    ///
    /// What reads, writes, checks or converts values switches over these, so a type of a known kind needs only its row.
    package enum Values: Sendable, Hashable {
        case undefined
        /// Integers in the range of the type.
        case integer
        case boolean
        case double
        case float
        case decimal
        case date
        case string
        case uri
        case binary
        case uuid
        case transformable
        case objectID
        case composite
    }

    package struct Accessor: Sendable {
        /// The type of a scalar; `nil` where there is none.
        package var scalar: String?
        package var object: String
        /// The Objective-C attribute of an object property.
        package var keeping: String

        init(_ scalar: String?, _ object: String, _ keeping: String = "copy") {
            (self.scalar, self.object, self.keeping) = (scalar, object, keeping)
        }

        init(_ object: String) { self.init(nil, object) }
    }

    /// A column of a store (SQLiteStores, "Column order").
    package struct Column: Sendable {
        package var group: Int
        package var declaredType: String

        init(_ group: Int, _ declaredType: String) {
            (self.group, self.declaredType) = (group, declaredType)
        }
    }

    package var row: Row { Self.rows[self] ?? Row() }

    /// The kind of its values; a switch rather than part of the row, as it is needed for each value of a store.
    package var values: Values {
        switch self {
        case .undefined: .undefined
        case .integer16, .integer32, .integer64: .integer
        case .boolean: .boolean
        case .double: .double
        case .float: .float
        case .decimal: .decimal
        case .date: .date
        case .string: .string
        case .uri: .uri
        case .binary: .binary
        case .uuid: .uuid
        case .transformable: .transformable
        case .objectID: .objectID
        case .composite: .composite
        }
    }

    package var integers: ClosedRange<Int64> {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        default: Int64.min...Int64.max
        }
    }

    static let bySourceName = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { type in type.sourceName.map { ($0, type) } }
    )

    private static let rows: [AttributeType: Row] = [
        .undefined: Row(),
        .integer16: number("Integer 16", "Int16", "int16_t", "INT64", Column(0, "INTEGER")),
        .integer32: number("Integer 32", "Int32", "int32_t", "INT64", Column(0, "INTEGER")),
        .integer64: number(
            "Integer 64",
            "Int64",
            "int64_t",
            "INT64",
            Column(0, "INTEGER"),
            swiftData: "Int"
        ),
        .boolean: number("Boolean", "Bool", "BOOL", "INT64", Column(0, "INTEGER")),
        .double: number("Double", "Double", "double", "DOUBLE", Column(3, "FLOAT")),
        .float: number("Float", "Float", "float", "DOUBLE", Column(3, "FLOAT")),
        .decimal: Row(
            sourceName: "Decimal",
            valueClass: "NSDecimalNumber",
            swift: Accessor("NSDecimalNumber?"),
            objectiveC: Accessor("NSDecimalNumber *"),
            swiftData: "Decimal",
            field: "DOUBLE",
            column: Column(4, "DECIMAL")
        ),
        .date: Row(
            sourceName: "Date",
            valueClass: "NSDate",
            swift: Accessor("TimeInterval", "Date?"),
            objectiveC: Accessor("NSTimeInterval", "NSDate *"),
            swiftData: "Date",
            field: "TIMESTAMP",
            column: Column(3, "TIMESTAMP")
        ),
        .string: object("String", "NSString", "String", "STRING", Column(5, "VARCHAR")),
        .binary: object("Binary", "NSData", "Data", "BYTES", Column(9, "BLOB")),
        .uuid: object("UUID", "NSUUID", "UUID", "STRING", Column(7, "BLOB")),
        .uri: object("URI", "NSURL", "URL", "STRING", Column(6, "VARCHAR")),
        .transformable: Row(
            sourceName: "Transformable",
            field: "BYTES",
            isVariableLength: true,
            column: Column(8, "BLOB")
        ),
        .objectID: Row(
            sourceName: "ObjectID",
            valueClass: "NSManagedObjectID",
            swift: Accessor("NSManagedObjectID?"),
            objectiveC: Accessor(nil, "NSManagedObjectID *", "retain")
        ),
        // A composite has one field, and none for its elements, which have the columns.
        .composite: Row(
            sourceName: "Composite",
            valueClass: "NSDictionary",
            swift: Accessor("[String: Any]?"),
            objectiveC: Accessor("NSDictionary *"),
            field: "BYTES",
            isVariableLength: true
        ),
    ]

    /// A type whose values are instances of `NSNumber`, or scalars.
    private static func number(
        _ sourceName: String,
        _ swift: String,
        _ objectiveC: String,
        _ field: String,
        _ column: Column,
        swiftData: String? = nil
    ) -> Row {
        Row(
            sourceName: sourceName,
            valueClass: "NSNumber",
            swift: Accessor(swift, "NSNumber?"),
            objectiveC: Accessor(objectiveC, "NSNumber *"),
            swiftData: swiftData ?? swift,
            field: field,
            column: column
        )
    }

    /// A type whose values are of a class, and of a type of Foundation or Swift; texts and bytes have any length.
    private static func object(
        _ sourceName: String,
        _ valueClass: String,
        _ swift: String,
        _ field: String,
        _ column: Column
    ) -> Row {
        Row(
            sourceName: sourceName,
            valueClass: valueClass,
            swift: Accessor("\(swift)?"),
            objectiveC: Accessor(nil, "\(valueClass) *", swift == "Data" ? "retain" : "copy"),
            swiftData: swift,
            field: field,
            isVariableLength: ["String", "Data"].contains(swift),
            column: column
        )
    }
}
