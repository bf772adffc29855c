import TestSupport
import Testing

struct CaseFindingTests {
    /// Transcripts have no report with the time of each case.
    @Test func `a report as JUnit has the group of a case, and what it lacks at its first line`()
        throws
    {
        try withFolder { folder in
            let versions = [textModel("A", ["a"]), textModel("A", ["a", "b"])]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            let text = "model: ../../../M.xcdatamodeld\nfrom: V1\nbefore: {}\n"
            try write(text, "Cases/Shop/one/case.yml", in: folder)
            try expectRun(
                "test Cases --format junit",
                in: folder,
                1,
                "<testcase classname=\"Cases/Shop\" name=\"one\"",
                "file=\"Cases/Shop/one/case.yml\" line=\"1\"><failure message=\"after.json is missing"
            )
        }
    }
}
