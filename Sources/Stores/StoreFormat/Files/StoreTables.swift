package import ObjectModel
import SQLiteAccess

package struct NumberedEntity: Sendable, Hashable {
    /// The number (`Z_ENT`), from 1.
    package var number: Int
    package var name: String
    /// The number of the parent; 0 for none.
    package var superNumber: Int
    /// The name of the topmost ancestor, whose table the entity lives in.
    package var rootName: String
    package var isAbstract: Bool
}

package enum ColumnRole: Sendable, Hashable {
    case primaryKey
    case entityNumber
    /// The counter of updates, `Z_OPT`.
    case optimisticLock
    /// The value of an attribute, or of the element of a composite at a path below it.
    case attribute(PropertyReference, [String])
    case toOne(PropertyReference)
    case toOneEntity(PropertyReference)
    /// The position of the row in the ordered to-many inverse of a to-one relationship.
    case orderKey(PropertyReference)
    /// The key of the object whose to-many relationship without inverse holds the row.
    case toManyOwner(PropertyReference)
    /// The position of the row in that relationship.
    case toManyOwnerOrderKey(PropertyReference)

    /// The entity whose objects use the column; `nil` for what all rows have.
    package var declarer: String? {
        switch self {
        case .primaryKey, .entityNumber, .optimisticLock: nil
        case .attribute(let property, _), .toOne(let property), .toOneEntity(let property),
            .orderKey(let property), .toManyOwner(let property), .toManyOwnerOrderKey(let property):
            property.entity
        }
    }

    /// Whether the column belongs to a relationship of other objects that leads to the row.
    package var isOfArrivals: Bool {
        switch self {
        case .toManyOwner, .toManyOwnerOrderKey: true
        default: false
        }
    }
}

package struct StoreColumn: Sendable, Hashable {
    package var name: String
    /// The declared type, such as `VARCHAR`.
    package var declaredType: String
    package var role: ColumnRole

    package init(name: String, declaredType: String, role: ColumnRole) {
        (self.name, self.declaredType, self.role) = (name, declaredType, role)
    }
}

/// The table of a root entity and everything below it (SQLiteStores, "Tables and columns").
package struct EntityTable: Sendable, Hashable {
    package var name: String
    package var rootEntity: String
    /// The entities whose rows it holds, in the order of their numbers.
    package var entities: [String]
    /// The columns, in the order of a fresh store.
    package var columns: [StoreColumn]
    /// The column sets that the table itself keeps unique, in frameworks up to 851.
    package var uniqueColumns: [[String]] = []

    package var createSQL: String {
        let single = Set(uniqueColumns.filter { $0.count == 1 }.map { $0[0] })
        let columns = columns.map { column in
            let type = column.role == .primaryKey ? "INTEGER PRIMARY KEY" : column.declaredType
            let unique = single.contains(column.name) ? " UNIQUE" : ""
            return "\(quotedIdentifier(column.name)) \(type)\(unique)"
        }
        let constraints = uniqueColumns.filter { $0.count > 1 }.map { names in
            let list = names.map(quotedIdentifier).joined(separator: ", ")
            let name = quotedIdentifier(names.joined(separator: "_"))
            return ", CONSTRAINT \(name) UNIQUE (\(list))"
        }
        return "CREATE TABLE \(quotedIdentifier(name)) ( \(columns.joined(separator: ", "))"
            + (constraints.isEmpty ? " )" : constraints.joined() + ")")
    }
}

package struct JoinColumn: Sendable, Hashable {
    package var name: String
    /// The entity whose rows it points at, as the relationship on its side declares it.
    package var entity: String
    /// The relationship that leads to those rows.
    package var leadsThrough: PropertyReference
    /// The column of the order keys of that relationship; `nil` when it has none.
    package var orderKey: String?
}

/// The table of a many-to-many relationship (SQLiteStores, "Many-to-many relationships").
package struct JoinTable: Sendable, Hashable {
    package var name: String
    /// The column that points at rows of the entity that names the table.
    package var first: JoinColumn
    /// The column that points at the destinations of the relationship that names the table.
    package var second: JoinColumn
    /// Whether the name is a guess: both sides belong to one entity, and no override decides.
    package var isNameGuessed: Bool = false

    package var namingRelationship: PropertyReference { second.leadsThrough }

    /// The other side, where both belong to one entity, so that it may name the table instead.
    package var otherNamingRelationship: PropertyReference? {
        let other = first.leadsThrough
        return first.entity == second.entity && other != namingRelationship ? other : nil
    }

    package var columnNames: [String] {
        [first.name, second.name] + [first.orderKey, second.orderKey].compactMap(\.self)
    }

    package var createSQL: String {
        let columns = columnNames.map { "\(quotedIdentifier($0)) INTEGER" }.joined(separator: ", ")
        let key = "\(quotedIdentifier(first.name)), \(quotedIdentifier(second.name))"
        return "CREATE TABLE \(quotedIdentifier(name)) ( \(columns), PRIMARY KEY (\(key)) )"
    }
}

/// Where the links of a relationship are, whatever stores it: the rows of a table, each from a source to a destination.
package struct StoredLinks: Sendable, Hashable {
    package enum Form: Sendable, Hashable {
        /// A to-one relationship: columns in the table of the entity that declares it.
        case key
        /// A to-many relationship whose inverse is to-one: the columns of that inverse, in its table.
        case inverseKey
        /// A to-many relationship without inverse: the owner's key in the table of the destination.
        case owner
        /// A many-to-many relationship, from its own side.
        case join
    }

    package var form: Form
    package var table: String
    /// The columns with the keys of both ends; `Z_PK` where the row itself is one.
    package var source: String
    package var destination: String
    /// The column of the entity number beside a key.
    package var entityColumn: String?
    /// The column of the order: for a to-one relationship that of its inverse, otherwise its own.
    package var orderKey: String?

    package init(
        _ form: Form,
        in table: String,
        from source: String,
        to destination: String,
        entityColumn: String? = nil,
        orderKey: String? = nil
    ) {
        (self.form, self.table) = (form, table)
        (self.source, self.destination) = (source, destination)
        (self.entityColumn, self.orderKey) = (entityColumn, orderKey)
    }

    /// The column of the links; of a join table that of their sources.
    package var key: String { form == .key ? destination : source }

    /// The column that identifies the rows.
    package var rowKey: String { form == .join ? "rowid" : "Z_PK" }
}
