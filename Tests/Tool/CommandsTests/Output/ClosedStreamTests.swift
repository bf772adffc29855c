import Foundation
import TestSupport
import Testing

struct ClosedStreamTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    @Test(arguments: ["inspect -", "verify --from-list -"])
    func `a closed standard input is an empty one`(words: String) throws {
        let closed = try shell("timeout 60 \"$m\" \(words) <&-")
        let empty = try shell("timeout 60 \"$m\" \(words) </dev/null")
        #expect(closed.status == empty.status && closed.status != 124)
        #expect(closed.errors == empty.errors)
    }

    @Test func `stores are migrated and reported without standard streams`() throws {
        try withFolder { folder in
            try Data("\(Self.store)\n".utf8).write(to: folder.appending(path: "l"))
            let run = try shell(
                "timeout 300 \"$m\" migrate --from-list l --model '\(Self.model)' --to V2 -o O "
                    + "--journal j.jsonl --format json=r.json <&- >&-",
                in: folder
            )
            #expect(!run.errors.contains("interrupted"), "\(run.errors)")
            let report = try Data(contentsOf: folder.appending(path: "r.json"))
            #expect(report.first == UInt8(ascii: "{") || report.first == UInt8(ascii: "["))
        }
    }

    @Test func `what cannot be written without standard output is still an error`() throws {
        let run = try shell("\"$m\" inspect '\(Self.model)' <&- >&-")
        #expect(run.status == 74)
        #expect(run.errors.contains("standard output: error: "), "\(run.errors)")
    }
}
