import StoreFormat
import Testing

struct DamagedIndexTests {
    @Test(arguments: [
        ("row 6 missing from index a b", ["a b"]),
        ("row 6 values differ from index i", ["i"]),
        ("wrong # of entries in index i", ["i"]),
        ("rowid not at end-of-record for row 6 of index i", ["i"]),
        ("non-unique entry in index i", nil),
        ("Tree 5 page 12: btreeInitPage() returns error code 11", nil),
    ])
    func `what SQLite says is of an index alone`(_ fault: String, _ names: [String]?) {
        #expect(damagedIndexes(by: [fault, fault]) == names)
    }
}
