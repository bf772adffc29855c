import Foundation
import TestSupport
import Testing

/// The findings of `momtool check` in the repositories of the corpus, without a lock or a configuration.
struct CorpusProjectTests {
    /// The rules above a note, by repository; one that is not listed is green.
    ///
    /// Each was examined. What is lost on the way into a current version without a lock is red until it is named, and
    /// so is what stores still lose by a past step; what sources cannot show is a note. Mapping models of five apps
    /// lead from each version to the next: Core Data does not chain them for older stores, so the app's own code must,
    /// and `migration: stepwise` declares that it does.
    private static let red: [String: Set<String>] = [
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
        "dashpay+platform": ["inverse-not-written", "reserved-property-name"],
        "duckduckgo+BrowserServicesKit": ["data-loss"],
        "everpcpc+KMReader": [
            "data-loss", "frozen-version-reaches-live-type", "identifier-reused",
            "stage-fetches-other-type", "swift-condition",
        ],
        "gomez1112+EZSwiftData": ["frozen-version-reaches-live-type"],
        "hwaxxer+BookMigration": ["data-loss", "several-mapping-models"],
        "indieSoftware+INCoreData": ["missing-renaming-identifier"],
        "kasianov-mikhail+scout": ["data-loss", "literal-renaming-identifier", "rows-decide"],
        "kmitj+JivoSDK-iOS": ["data-loss", "undeclared-rename"],
        "nextcloud+notes-ios": ["literal-renaming-identifier"],
        "novasamatech+nova-wallet-ios": ["data-loss"],
        "objcio+core-data": ["data-loss"],
        "oreillymedia+flapjack": ["data-loss"],
        "own+scoped-inverse": ["new-required-without-default"],
        "owntracks+ios": ["data-loss"],
        "richardpiazza+XcodeServer": ["missing-current-version"],
        "vaavud+iOS": ["missing-current-version"],
        "wibosco+CoreDataMigrationRevised-Example": ["data-loss"],
    ]

    private static var repositories: [String] {
        guard Corpus.isPresent else { return [] }
        let names = Set(Corpus.paths { _ in true }.compactMap { $0.split(separator: "/").first })
        return names.map(String.init).filter { $0.contains("+") }.sorted()
    }

    @Test(.enabled(if: Corpus.isPresent), arguments: repositories)
    func `a repository is red for the reasons that are known, or green`(_ name: String) throws {
        let result = try momtool(["check", Corpus.path(name), "--rows", "2", "--format", "json"])
        let expected = Self.red[name] ?? []
        #expect(result.status == (expected.isEmpty ? 0 : 1), "\(result.errors)")
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        )
        let findings = try #require(report["findings"] as? [[String: Any]])
        let rules = findings.filter { $0["severity"] as? String != "note" }
            .compactMap { $0["rule"] as? String }
        #expect(Set(rules) == expected, "\(name)")
    }
}
