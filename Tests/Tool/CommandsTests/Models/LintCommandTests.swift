import Foundation
import TestSupport
import Testing

struct FreshLintTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            var path: String?
            var rule: String
            var severity: String
        }

        var findings: [Finding]
    }

    /// Findings above a note, by project: values that steps lose or refuse with some rows, renames that nothing names
    /// or that Apple's compiler does not see, losses of past steps, and bundles of several versions that name no
    /// current one, or not the newest one.
    private static let known: [String: Set<String>] = [
        "AppLozic+Applozic-iOS-SDK": ["rows-decide"],
        "CypherPoet+CoreDataKit": ["data-loss", "new-required-without-default"],
        "JohnEstropia+CoreStore": [
            "current-version-not-last", "equal-checksums", "missing-current-version",
        ],
        "Mioke+CoreDataMigrationHelper": ["data-loss"],
        "ResearchKit+AppCore": ["data-loss"],
        "SwiftGen+SwiftGen": ["data-loss", "new-required-without-default"],
        "TangoJ-Labs+Blobjot": ["data-loss", "undeclared-rename"],
        "alemar11+CoreDataPlus": [
            "current-version-not-last", "data-loss", "missing-current-version",
            "missing-renaming-identifier",
        ],
        "apptentive+apptentive-ios": ["data-loss"],
        "artsy+energy": ["data-loss"],
        "billmoss+CoreDataMigrations-HybridMigration": ["current-version-not-last"],
        "dashpay+dashsync-iOS": ["data-loss"],
        "dashpay+dashwallet-ios": ["missing-current-version", "new-required-without-default"],
        "duckduckgo+BrowserServicesKit": ["data-loss"],
        "hwaxxer+BookMigration": ["data-loss", "several-mapping-models"],
        "indieSoftware+INCoreData": ["missing-renaming-identifier"],
        "kasianov-mikhail+scout": ["data-loss", "literal-renaming-identifier", "rows-decide"],
        "kmitj+JivoSDK-iOS": ["data-loss", "undeclared-rename"],
        "nextcloud+notes-ios": ["literal-renaming-identifier"],
        "novasamatech+nova-wallet-ios": ["data-loss"],
        "objcio+core-data": ["data-loss"],
        "oreillymedia+flapjack": ["data-loss"],
        "owntracks+ios": ["data-loss"],
        "richardpiazza+XcodeServer": ["missing-current-version"],
        "vaavud+iOS": ["missing-current-version"],
        "wibosco+CoreDataMigrationRevised-Example": ["data-loss"],
    ]

    @Test(.enabled(if: Corpus.isPresent))
    func `what is found in real projects does harm`() throws {
        let models = Corpus.paths { $0.hasSuffix(".xcdatamodeld") }
        let run = try momtool(["lint", "--format", "json"] + models, in: Corpus.folder)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        var found: [String: Set<String>] = [:]
        for finding in report.findings where finding.severity != "note" {
            let project = finding.path?.split(separator: "/").first.map(String.init) ?? ""
            found[project, default: []].insert(finding.rule)
        }
        #expect(found == Self.known)
        #expect(models.count >= 60, "\(models.count)")
        #expect(report.findings.count { $0.severity == "note" } >= 100)
    }
}
