extension JSONReader {
    /// Takes null when it comes next.
    func takeNull() throws(RowExchangeError) -> Bool {
        guard try peek() == UInt8(ascii: "n") else { return false }
        _ = try word()
        return true
    }

    /// Hands over the name of each member of an object whose opening brace is taken, with its place, and takes the closing
    /// one; the body takes the colon and the value.
    ///
    /// The bytes of the name are valid until the reader is asked for more.
    func forEachMember(
        _ body: (UnsafeRawBufferPointer, (line: Int, column: Int)) throws(RowExchangeError) -> Void
    ) throws(RowExchangeError) {
        if try take("}") { return }
        repeat {
            _ = try peek()
            let mark = mark
            try body(try string(), mark)
        } while try take(",")
        guard try take("}") else { throw try unexpected("',' or '}'") }
    }

    /// Calls the body, which takes it, for each element of an array whose opening bracket is taken, and takes the closing
    /// one.
    func forEachElement(
        _ body: () throws(RowExchangeError) -> Void
    ) throws(RowExchangeError) {
        if try take("]") { return }
        repeat {
            try body()
        } while try take(",")
        guard try take("]") else { throw try unexpected("',' or ']'") }
    }
}
