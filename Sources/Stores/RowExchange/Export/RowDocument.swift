import ObjectModel
import Diagnostics
import SQLiteAccess

/// Walks over the rows of a text: an object of entities, each with an object or an array of objects.
struct RowDocument {
    private let reader: JSONReader
    private let entities: [[UInt8]: Int]
    private let abstractEntities: Set<Int>

    init(_ source: RowSource, entities: [(name: String, isAbstract: Bool)]) {
        reader = JSONReader(source)
        self.entities = Dictionary(firstOf: entities.enumerated().map { (Array($1.name.utf8), $0) })
        abstractEntities = Set(entities.indices.filter { entities[$0].isAbstract })
    }

    /// Passes on each row, with the reader after its opening brace; the body takes the closing one.
    func forEachRow(
        _ body: (JSONReader, Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        try reader.expect("{")
        var seen: Set<Int> = []
        if try !reader.take("}") {
            repeat {
                let entity = try entity(&seen)
                try reader.expect(":")
                try forEachRow(of: entity, body)
            } while try reader.take(",")
            try reader.expect("}")
        }
        guard try reader.peek() == nil else {
            throw reader.failure("there is more text after the end")
        }
    }

    private func forEachRow(
        of entity: Int,
        _ body: (JSONReader, Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        if try reader.take("{") { return try body(reader, entity) }
        guard try reader.take("[") else { throw try reader.unexpected("'[' and rows") }
        try reader.forEachElement { () throws(StoreError) in
            guard try reader.take("{") else { throw try reader.unexpected("'{' and a row") }
            try body(reader, entity)
        }
    }

    private func entity(_ seen: inout Set<Int>) throws(StoreError) -> Int {
        _ = try reader.peek()
        let mark = reader.mark
        let bytes = Array(try reader.string())
        let name = String(decoding: bytes, as: UTF8.self)
        guard let entity = entities[bytes] else {
            throw reader.fault(
                .unknownEntity,
                "the model has no entity '\(name)'"
                    + suggestion(
                        for: name,
                        among: entities.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
                    ),
                at: mark
            )
        }
        guard !abstractEntities.contains(entity) else {
            let message = "'\(name)' is abstract; use one of its sub-entities"
            throw reader.fault(.unknownEntity, message, at: mark)
        }
        guard seen.insert(entity).inserted else {
            throw reader.fault(.unexpectedShape, "the entity '\(name)' occurs twice", at: mark)
        }
        return entity
    }
}

extension JSONReader {
    func fault(
        _ rule: RuleID,
        _ message: String,
        at mark: (line: Int, column: Int),
        element: String? = nil
    ) -> StoreError {
        let message = element.map { "\($0): \(message)" } ?? message
        return .rows(Diagnostic(rule, message, at: location(mark), element: element))
    }

    /// Skips the members of a row after its opening brace, and returns the offset of its `@id`.
    func skipRow(
        _ identifier: (UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        try forEachMember { name, _ throws(StoreError) in
            let isIdentifier = name.elementsEqual("@id".utf8)
            try expect(":")
            if isIdentifier {
                guard try peek() == UInt8(ascii: "\"") else {
                    throw try unexpected("a string as @id")
                }
                let mark = mark
                let text = try string()
                guard !text.isEmpty else {
                    throw fault(.unexpectedShape, "the @id is empty", at: mark)
                }
                try identifier(text)
            } else {
                try skipValue()
            }
        }
    }
}
