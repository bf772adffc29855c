import TestSupport
import Testing

struct HashCommandTests {
    struct Report: Decodable {
        struct Version: Decodable {
            var name: String
            var current: Bool
            var checksum: String
            var digest: String
            var entities: [String: String]
        }

        var model: String
        var versions: [Version]
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `the compiled models of public projects are equal to their sources`() throws {
        let folder = "Karim-ezzedine+CartKit/Sources/CartKitStorageCoreData/Resources/CartStorage."
        let models = ["xcdatamodeld", "momd"].map { Corpus.path(folder + $0) }
        try expectRun(["diff"] + models + ["--exit-code"], 0)
    }
}
