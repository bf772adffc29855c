import Diagnostics
import ModelLoading
import ObjectModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30)))
struct VersionOrderTests {
    @Test func `versions are ordered by number, whatever stands between`() {
        let names = ["V 23", "V2", "V_3", "V1.10", "V1.9", "V10", "v4", "Model", "V01"]
        #expect(
            VersionOrder(bundleName: "Model").sorted(names.reversed())
                == ["Model", "V01", "V1.9", "V1.10", "V2", "V_3", "v4", "V10", "V 23"]
        )
    }

    @Test func `the version named like its bundle comes first`() {
        #expect(VersionOrder(bundleName: "B").sorted(["A 2", "B", "A"]) == ["B", "A", "A 2"])
        #expect(VersionOrder(bundleName: nil).sorted(["A 2", "B", "A"]) == ["A", "A 2", "B"])
    }

    @Test func `names that differ in more than numbers claim no order`() {
        let order = VersionOrder(bundleName: "App")
        #expect(order.isKnown(between: "App 2", and: "App 10"))
        #expect(order.isKnown(between: "App", and: "Other 2"))
        #expect(order.isKnown(between: "App_2", and: "App 3"))
        #expect(!order.isKnown(between: "Draft 2", and: "Other 3"))
    }

    @Test func `numbers of any length are compared`() {
        let names = [
            "V" + String(repeating: "9", count: 40), "V1" + String(repeating: "0", count: 40),
        ]
        #expect(VersionOrder(bundleName: nil).sorted(names.reversed()) == names)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `real versions come in the order of their numbers`() throws {
        let path = try #require(
            Corpus.paths { $0.hasSuffix("SubstrateDataModel.xcdatamodeld") }.first
        )
        let names = readModelBundle(at: Corpus.path(path)).value.versions.map(\.name)
        #expect(names == ["SubstrateDataModel"] + (2...39).map { "SubstrateDataModel\($0)" })
    }
}
