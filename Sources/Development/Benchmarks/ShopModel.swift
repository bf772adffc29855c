import Foundation

/// The model that changes are measured with: companies and their staff, some of whom are students.
struct ShopModel: Sendable {
    struct Property: Sendable {
        var name: String
        var type: String
        /// Further attributes of the element.
        var rest: String

        init(_ name: String, _ type: String = "String", rest: String = "optional=\"YES\"") {
            self.name = name
            self.type = type
            self.rest = rest
        }

        static let score = Property("score", "Integer 64", rest: "defaultValueString=\"7\"")

        fileprivate var text: String {
            "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(rest)/>\n"
        }
    }

    /// A difference between the first version and the second.
    struct Change: Sendable {
        var make: @Sendable (inout ShopModel) -> Void

        init(_ make: @escaping @Sendable (inout ShopModel) -> Void) {
            self.make = make
        }
    }

    var person = [
        Property("age", "Integer 32"), Property("city"), Property("name"), Property("note"),
    ]
    var student = [Property("school")]
    var hasAccounts = false
    var hasManyEmployers = false
    var hasUniqueNames = false
    private let shape: StoreShape

    init(_ shape: StoreShape = .usual) {
        self.shape = shape
    }

    mutating func renameCity() {
        for index in person.indices where person[index].name == "city" {
            person[index] = Property("town", rest: "optional=\"YES\" elementID=\"city\"")
        }
    }

    /// The number of companies in a store of a number of people.
    static func companies(_ rows: Int) -> Int { max(1, rows / 1000) }

    /// Writes a bundle of two versions, the second with a change, and returns its path.
    static func writeBundle(
        _ change: Change,
        _ shape: StoreShape = .usual,
        in folder: URL
    ) throws -> String {
        let bundle = folder.appending(path: "Shop.xcdatamodeld")
        try? FileManager.default.removeItem(at: bundle)
        var changed = ShopModel(shape)
        change.make(&changed)
        for (name, model) in [("Shop 1", ShopModel(shape)), ("Shop 2", changed)] {
            let version = bundle.appending(path: "\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(model.text.utf8).write(to: version.appending(path: "contents"))
        }
        let current = """
            <?xml version="1.0"?><plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
            <string>Shop 2.xcdatamodel</string></dict></plist>
            """
        try Data(current.utf8).write(to: bundle.appending(path: ".xccurrentversion"))
        return bundle.path
    }

    /// The statements that fill an empty store of the first version; indexes are made once the rows are there.
    static func filling(rows: Int, _ shape: StoreShape = .usual) -> String {
        let companies = companies(rows)
        let extra = shape.columns.map { ", \($0.name)" }.joined()
        let values = shape.columns.map { ", \($0.value)" }.joined()
        let statements = [
            "PRAGMA cache_size = -16384", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
            "BEGIN IMMEDIATE", "DROP INDEX ZPERSON_ZEMPLOYER_INDEX",
            "DROP INDEX ZPERSON_Z_ENT_INDEX", "DROP INDEX Z_Person_byNameAndAge",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(companies))
            INSERT INTO ZCOMPANY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'Company ' || i FROM n
            """,
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO ZPERSON
            (Z_PK, Z_ENT, Z_OPT, ZAGE, ZEMPLOYER, ZCITY, ZNAME, ZNOTE, ZSCHOOL\(extra))
            SELECT i, CASE WHEN i % 10 = 0 THEN 3 WHEN \(shape.subEntities.count) > 0
            THEN 4 + i % \(max(1, shape.subEntities.count)) ELSE 2 END,
            1, i % 90, 1 + i * 7919 % \(companies), 'City ' || (i % 500),
            'Person ' || i, 'A note about ' || i, CASE WHEN i % 10 = 0 THEN 'School ' || (i % 100) END
            \(values) FROM n
            """,
            "CREATE INDEX ZPERSON_ZEMPLOYER_INDEX ON ZPERSON (ZEMPLOYER)",
            "CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT)",
            "CREATE INDEX Z_Person_byNameAndAge ON ZPERSON "
                + "(ZNAME COLLATE BINARY ASC, ZAGE COLLATE BINARY ASC)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(companies) WHERE Z_ENT = 1",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT = 2",
        ]
        let end = ["COMMIT", "PRAGMA journal_mode = WAL;"]
        return (statements + shape.filling(rows: rows) + end).joined(separator: ";\n")
    }

    private var text: String {
        let account = "<entity name=\"Account\">\n\(Property("name").text)</entity>\n"
        let employers = hasManyEmployers ? "toMany=\"YES\"" : "maxCount=\"1\""
        let constraint = """
            <uniquenessConstraints><uniquenessConstraint><constraint value="name"/>\
            </uniquenessConstraint></uniquenessConstraints>
            """
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            \(hasAccounts ? account : "")<entity name="Company">
            \(Property("name").text)<relationship name="staff" optional="YES" toMany="YES" \
            deletionRule="Nullify" destinationEntity="Person" inverseName="employer" \
            inverseEntity="Person"/>
            </entity>
            <entity name="Person">
            \(person.map(\.text).joined())<relationship name="employer" optional="YES" \(employers) \
            deletionRule="Nullify" destinationEntity="Company" inverseName="staff" \
            inverseEntity="Company"/>
            <fetchIndex name="byNameAndAge"><fetchIndexElement property="name" type="Binary" \
            order="ascending"/><fetchIndexElement property="age" type="Binary" order="ascending"/>\
            </fetchIndex>
            \(shape.personText)\(hasUniqueNames ? constraint : "")</entity>
            <entity name="Student" parentEntity="Person">
            \(student.map(\.text).joined())</entity>
            \(shape.entityText)</model>

            """
    }
}
