import TestSupport
import Testing

struct CloudKitCommandTests {
    @Test(.enabled(if: Corpus.isPresent))
    func `a published schema passes with its model`() throws {
        let folder = Corpus.path("UW-LCI+Co-ML")
        let check = "cloudkit check \(folder)/CoML.xcdatamodel \(folder)/ckschema.ckdb"
        try expectRun(check, 0, not: ["error:"])
    }
}
