package import struct Essentials.Data
import SQLiteAccess

/// A transaction of persistent history: one save.
package struct HistoryTransaction: Sendable, Hashable {
    /// The key (`Z_PK`); `nil` for changes that name no transaction.
    package var key: Int64?
    /// Whether changes name it although it is gone.
    package var isMissing = false
    /// When it was saved, in seconds since 2001-01-01 00:00 UTC.
    package var seconds: Double?
    /// The author that the context was given.
    package var author: String?
    /// The name of the context.
    package var context: String?
    /// The bundle of the application.
    package var bundle: String?
    /// The name of the process.
    package var process: String?
}

/// A change of one object in a transaction.
package struct HistoryChange: Sendable, Hashable {
    /// What was done.
    package enum Kind: Sendable, Hashable {
        /// The object was inserted.
        case insert
        /// Properties of the object were changed.
        case update
        /// The object was deleted.
        case delete
        /// A number (`ZCHANGETYPE`) that momtool does not know, or none.
        case unknown(Int64?)
    }

    /// The key (`Z_PK`).
    package var key: Int64
    /// What was done.
    package var kind: Kind
    /// The number of the object's entity.
    package var entity: Int64?
    /// The key of the object.
    package var object: Int64?
    /// The bitmap of the changed properties, which updates have.
    package var bitmap: Data?
    /// The values that were kept of a deleted object.
    package var tombstone: [Kept]

    /// A value that was kept of a deleted object.
    package struct Kept: Sendable, Hashable {
        /// The column, such as `ZTOMBSTONE0`.
        package var column: String
        /// The value as it is stored.
        package var value: RecordedValue
    }

    /// The positions of the bits that are set: 0 is the lowest bit of the first byte, 8 that of the second.
    ///
    /// Which property a bit stands for is not documented, and no store that was examined tells it.
    package var bits: [Int] {
        (bitmap ?? Data()).enumerated().flatMap { place, byte in
            (0..<8).filter { byte & (1 << $0) != 0 }.map { place * 8 + $0 }
        }
    }
}

/// A value in a row of history or of mirroring, as it is stored.
package enum RecordedValue: Sendable, Hashable {
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text.
    case text(String)
    /// Bytes.
    case bytes(Data)

    /// Takes a value; `nil` for NULL.
    init?(_ value: SQLiteValue) {
        switch value {
        case .null: return nil
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .text(let text): self = .text(text)
        case .blob(let data): self = .bytes(data)
        }
    }
}

/// A piece of history: a transaction, and then each of its changes.
package enum HistoryEvent: Sendable, Hashable {
    /// A transaction, before its changes.
    case transaction(HistoryTransaction)
    /// A change of the transaction before it.
    case change(HistoryChange)
}

/// What is wanted of a store's history.
package struct HistoryFilter: Sendable, Hashable {
    /// The numbers of entities; `nil` for all.
    package var entities: Set<Int64>?
    /// The key of an object; `nil` for all.
    package var object: Int64?
    /// The time from which on transactions count, in seconds since 2001; `nil` for all.
    package var since: Double?

    /// Creates a filter; without arguments everything passes.
    package init(entities: Set<Int64>? = nil, object: Int64? = nil, since: Double? = nil) {
        self.entities = entities
        self.object = object
        self.since = since
    }

    /// Whether changes are left out, and transactions that have no others with them.
    var picksChanges: Bool { entities != nil || object != nil }
}
