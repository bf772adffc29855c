import Foundation
import MigrationTesting

extension FuzzTarget {
    static let acceptanceReport = FuzzTarget(
        "acceptance-report",
        "a report of acceptance, with its comparison",
        tokens: [
            "\"observed\": ", "\"expected\": ", "null", "\"refused\"", "134190", "1e999", "[", "{",
            "\"double:\"", "\"date:nan\"", "\"rules\": []", "\"format\": 1",
        ],
        takes: { $0.hasSuffix("ing.json") && $0.contains("Acceptance/") },
        samples: {
            let check = """
                {"case": "V1 to V2", "check": "objects", "rules": [{"rule": "r", "evidence": "inferred"}],
                 "expected": {"A/p1": {"d": "date:0.1", "n": "integer:1", "l": ["A/p1"]}},
                 "observed": {"A/p1": {"d": "date:0.10000000000000001", "n": "integer:2", "l": []}}}
                """
            let system = """
                {"name": "s", "version": "1", "machine": "m", "coreData": "1", "xcode": "none"}
                """
            let report =
                "{\"format\": 1, \"momtool\": \"1\", \"system\": \(system), \"checks\": [\(check)]}"
            return [Data(report.utf8)]
        },
        run: { data in
            do throws(AcceptanceFileError) {
                let comparison = AcceptanceComparison(of: try AcceptanceReport.read(data))
                _ = comparison.rows
                return .accepted
            } catch { return .refused(error.description) }
        }
    )
}
