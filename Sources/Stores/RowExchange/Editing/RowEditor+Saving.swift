import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Why a save is refused.
package struct SaveFault: Sendable, Hashable, CustomStringConvertible {
    /// Core Data's error code.
    package var code: Int
    /// The object and the property.
    package var element: String
    /// What is wrong.
    package var message: String

    /// The fault in one line.
    package var description: String { "\(element): \(message) (\(code))" }
}

extension RowEditor {
    /// Deletes objects, and deals with what they lead to as the delete rules say.
    package mutating func delete(_ objects: [Object]) throws(RowExchangeError) {
        try begin()
        var waiting = objects
        var doomed: [Object] = []
        while let object = waiting.popLast() {
            guard deleted.insert(object).inserted else { continue }
            doomed.append(object)
            for field in fields[object.entity]?.fields ?? [] {
                guard let rule = field.relationship?.deleteRule else { continue }
                let destinations = try destinations(of: field, of: object)
                touched.formUnion(destinations)
                switch rule {
                case .cascade: waiting += destinations
                case .deny where !destinations.isEmpty:
                    let denial = Denial(
                        object: object,
                        relationship: field.name,
                        destinations: destinations
                    )
                    denials.append(denial)
                case .nullify:
                    for destination in destinations {
                        try detach(field, of: object, from: destination)
                    }
                case .deny, .noAction: break
                }
            }
        }
        for object in doomed { try remove(object) }
        for object in touched where !deleted.contains(object) { try deriveValues(of: object) }
    }

    private mutating func detach(
        _ field: RowField,
        of object: Object,
        from destination: Object
    ) throws(RowExchangeError) {
        switch field {
        case .toOne(let field): try link(field, of: object, to: nil)
        case .toMany(let field): try unlink(field, of: object, from: destination)
        case .value, .composite: break
        }
    }

    /// Removes the row of an object, and those that join it to others.
    private mutating func remove(_ object: Object) throws(RowExchangeError) {
        guard let fields = fields[object.entity] else { return }
        for field in fields.fields {
            switch field {
            case .toMany(let field):
                guard case .joinTable(let name, let source, _, _) = field.storage else { continue }
                let column = quotedIdentifier(source)
                try execute("DELETE FROM \(quotedIdentifier(name)) WHERE \(column) = \(object.key)")
            case .value(let field) where field.attribute.allowsExternalBinaryDataStorage:
                let sql =
                    "SELECT \(quotedIdentifier(field.column)) FROM \(quotedIdentifier(fields.table)) "
                    + "WHERE Z_PK = \(object.key)"
                let name = try value(sql)?.blob.flatMap { externalFileName($0) }
                surplusFiles += [name].compactMap(\.self)
            case .value, .composite, .toOne: continue
            }
        }
        try execute("DELETE FROM \(quotedIdentifier(fields.table)) WHERE Z_PK = \(object.key)")
    }

    /// Saves what was changed, if Core Data would: objects are validated, and delete rules that deny are asked.
    ///
    /// - Returns: why the save is refused, which undoes all changes since the one before; nothing when it is saved.
    /// - Throws: `RowExchangeError` when the store cannot be written.
    package mutating func save() throws(RowExchangeError) -> [SaveFault] {
        guard hasChanges else { return [] }
        touched.subtract(deleted)
        var faults = try conflicts + deniedDeletions()
        var keys: [String: Set<Int64>] = [:]
        for object in touched {
            guard let table = fields[object.entity]?.table else { continue }
            keys[table, default: []].insert(object.key)
        }
        let (verification, connection) = (verification, connection)
        let found = try reading { () throws(StoreError) in
            try verification.faults(ofRows: keys, on: connection)
        }
        for fault in found { faults += try saveFaults(fault) }
        if faults.isEmpty {
            for object in touched.subtracting(inserted) {
                let table = quotedIdentifier(fields[object.entity]?.table ?? "")
                try execute("UPDATE \(table) SET Z_OPT = Z_OPT + 1 WHERE Z_PK = \(object.key)")
            }
        }
        let sorted = faults.sorted { ($0.element, $0.code) < ($1.element, $1.code) }
        try end(saving: faults.isEmpty)
        return sorted
    }

    private func deniedDeletions() throws(RowExchangeError) -> [SaveFault] {
        var faults: [SaveFault] = []
        for denial in denials {
            let left = denial.destinations.filter { !deleted.contains($0) }
            guard !left.isEmpty else { continue }
            let names = left.prefix(Diagnostic.AffectedRows.keyLimit).map(words).joined(
                separator: ", "
            )
            faults.append(
                SaveFault(
                    code: 1600,
                    element: "\(words(denial.object)): \(denial.relationship)",
                    message: "cannot be deleted while it leads to \(names)"
                )
            )
        }
        return faults
    }

    private func saveFaults(
        _ fault: SaveVerification.Fault
    ) throws(RowExchangeError) -> [SaveFault] {
        let finding = fault.finding
        guard let table = finding.entity.flatMap({ layout.table(of: $0)?.name }) else { return [] }
        let keys = finding.keys.map(String.init).joined(separator: ", ")
        let found = try objects(
            "SELECT Z_ENT, Z_PK FROM \(quotedIdentifier(table)) WHERE Z_PK IN (\(keys))"
        )
        return found.map { object in
            SaveFault(
                code: fault.code,
                element: "\(words(object)): \(finding.property ?? "")",
                message: finding.reason.text(in: .code)
            )
        }
    }
}

extension ExternalData {
    /// Removes the file of a value that is gone.
    func remove(_ name: String) {
        try? FileManager.default.removeItem(at: url(of: name))
    }
}
