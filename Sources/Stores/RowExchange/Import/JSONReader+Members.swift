import SQLiteAccess

extension JSONReader {
    func takeNull() throws(StoreError) -> Bool {
        guard try peek() == UInt8(ascii: "n") else { return false }
        _ = try word()
        return true
    }

    /// Passes on the name of each member of an object after its opening brace, with its location, and takes the closing
    /// one; the body takes the colon and the value.
    ///
    /// The bytes of the name are valid until the next read.
    func forEachMember(
        _ body: (UnsafeRawBufferPointer, (line: Int, column: Int)) throws(StoreError) -> Void
    ) throws(StoreError) {
        if try take("}") { return }
        repeat {
            _ = try peek()
            let mark = mark
            try body(try string(), mark)
        } while try take(",")
        guard try take("}") else { throw try unexpected("',' or '}'") }
    }

    /// Calls the body, which takes it, for each element of an array after its opening bracket, and takes the closing
    /// one.
    func forEachElement(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        if try take("]") { return }
        repeat { try body() } while try take(",")
        guard try take("]") else { throw try unexpected("',' or ']'") }
    }
}
