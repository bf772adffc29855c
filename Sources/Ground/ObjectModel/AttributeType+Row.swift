extension AttributeType {
    /// What every module has to know of a type: the names that others give it, and where its values are kept.
    ///
    /// A new type is a case with its row and the kind of its values, by which readers and writers go.
    package struct Row: Sendable {
        /// The name in model sources; `nil` where the type is written by leaving it out.
        package var sourceName: String?
        /// The class of values in Foundation (`NSAttributeValueClassName`); `nil` where the attribute names it, or has none.
        package var valueClass: String?
        /// The type of an accessor in Swift.
        package var swift: Accessor?
        /// The type of an accessor in Objective-C.
        package var objectiveC: Accessor?
        /// The type of a property of SwiftData; `nil` for what has no plain one.
        package var swiftData: String?
        /// The type of the field that CloudKit mirrors it to, in the words of a schema; `nil` where none is known.
        package var field: String?
        /// Whether values may be too large for a field, so that it has a companion.
        package var isVariableLength = false
        /// The column of a store; `nil` where values are never stored, or have columns of their parts.
        package var column: Column?
    }

    /// The kinds of values that stores hold, whatever their types are called.
    ///
    /// What reads, writes, checks or converts values switches over these, so that a type with values of a known kind needs
    /// its row only.
    package enum Values: Sendable, Hashable {
        /// None: the type says nothing.
        case undefined
        /// Integers in the range of the type.
        case integer
        /// Truth values.
        case boolean
        /// 64-bit floating-point numbers.
        case double
        /// 32-bit floating-point numbers.
        case float
        /// Decimal numbers.
        case decimal
        /// Points in time.
        case date
        /// Text.
        case string
        /// URIs, stored as text.
        case uri
        /// Bytes.
        case binary
        /// UUIDs, stored as bytes.
        case uuid
        /// Objects that a value transformer turns into bytes.
        case transformable
        /// Object IDs, which are never stored.
        case objectID
        /// Several values, each with a column of its own.
        case composite
    }

    /// How a value is declared in generated code.
    package struct Accessor: Sendable {
        /// The type of a scalar; `nil` where there is none.
        package var scalar: String?
        /// The type of an object.
        package var object: String
        /// The attribute of an object's property in Objective-C.
        package var keeping: String

        init(_ scalar: String?, _ object: String, _ keeping: String = "copy") {
            (self.scalar, self.object, self.keeping) = (scalar, object, keeping)
        }

        init(_ object: String) { self.init(nil, object) }
    }

    /// A column of a store (SQLiteStores, "Column order").
    package struct Column: Sendable {
        /// The group by which columns are ordered.
        package var group: Int
        package var declaredType: String

        init(_ group: Int, _ declaredType: String) {
            (self.group, self.declaredType) = (group, declaredType)
        }
    }

    /// The row of the type.
    package var row: Row { Self.rows[self] ?? Row() }

    /// The kind of its values; a switch rather than part of the row, as it is asked for each value of a store.
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

    /// The integers that fit.
    package var integers: ClosedRange<Int64> {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        default: Int64.min...Int64.max
        }
    }

    /// The types by the names that sources use.
    static let bySourceName = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { type in type.sourceName.map { ($0, type) } }
    )

    private static let rows: [AttributeType: Row] = {
        var rows = numbers.merging(others) { first, _ in first }
        rows[.undefined] = Row()
        return rows
    }()

    private static let numbers: [AttributeType: Row] = [
        .integer16: integer("Integer 16", "Int16", "int16_t", "Int16"),
        .integer32: integer("Integer 32", "Int32", "int32_t", "Int32"),
        .integer64: integer("Integer 64", "Int64", "int64_t", "Int"),
        .boolean: Row(
            sourceName: "Boolean",
            valueClass: "NSNumber",
            swift: Accessor("Bool", "NSNumber?"),
            objectiveC: Accessor("BOOL", "NSNumber *"),
            swiftData: "Bool",
            field: "INT64",
            column: Column(0, "INTEGER")
        ),
        .double: Row(
            sourceName: "Double",
            valueClass: "NSNumber",
            swift: Accessor("Double", "NSNumber?"),
            objectiveC: Accessor("double", "NSNumber *"),
            swiftData: "Double",
            field: "DOUBLE",
            column: Column(3, "FLOAT")
        ),
        .float: Row(
            sourceName: "Float",
            valueClass: "NSNumber",
            swift: Accessor("Float", "NSNumber?"),
            objectiveC: Accessor("float", "NSNumber *"),
            swiftData: "Float",
            field: "DOUBLE",
            column: Column(3, "FLOAT")
        ),
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
    ]

    private static let others: [AttributeType: Row] = [
        .string: Row(
            sourceName: "String",
            valueClass: "NSString",
            swift: Accessor("String?"),
            objectiveC: Accessor("NSString *"),
            swiftData: "String",
            field: "STRING",
            isVariableLength: true,
            column: Column(5, "VARCHAR")
        ),
        .binary: Row(
            sourceName: "Binary",
            valueClass: "NSData",
            swift: Accessor("Data?"),
            objectiveC: Accessor(nil, "NSData *", "retain"),
            swiftData: "Data",
            field: "BYTES",
            isVariableLength: true,
            column: Column(9, "BLOB")
        ),
        .uuid: Row(
            sourceName: "UUID",
            valueClass: "NSUUID",
            swift: Accessor("UUID?"),
            objectiveC: Accessor("NSUUID *"),
            swiftData: "UUID",
            field: "STRING",
            column: Column(7, "BLOB")
        ),
        .uri: Row(
            sourceName: "URI",
            valueClass: "NSURL",
            swift: Accessor("URL?"),
            objectiveC: Accessor("NSURL *"),
            swiftData: "URL",
            field: "STRING",
            column: Column(6, "VARCHAR")
        ),
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

    private static func integer(
        _ sourceName: String,
        _ swift: String,
        _ objectiveC: String,
        _ swiftData: String
    ) -> Row {
        Row(
            sourceName: sourceName,
            valueClass: "NSNumber",
            swift: Accessor(swift, "NSNumber?"),
            objectiveC: Accessor(objectiveC, "NSNumber *"),
            swiftData: swiftData,
            field: "INT64",
            column: Column(0, "INTEGER")
        )
    }
}
