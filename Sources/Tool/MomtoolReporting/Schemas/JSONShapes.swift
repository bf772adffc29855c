import MappingInference

enum JSONShapes {
    static let definitions = ShapeNotation.read(
        ([text] + ofReports).joined(separator: "\n"),
        knowing: known
    ).shapes

    private static let known = [
        "cloudKitVerdict": ShapeNotation.oneOf(CloudKitVerdict.allCases.map(\.rawValue)),
        "unit": ShapeNotation.oneOf(RowRisk.Unit.allCases.map(\.name)),
    ]

    private static let text = """
        side := { name: string, checksum: string }
        verdict := "no-effect-on-hash" | "lightweight" | "lightweight-though-undocumented" | "depends-on-rows" |
          "loses-data" | "needs-custom-stage" | "impossible"
        versionCommits := [{ version: string, path: string, first: string, date: string, author: string,
          subject: string, last?: string, tags: [string] }]
        severity := "error" | "warning" | "note"
        place = { path: string, line?: integer, column?: integer }
        unreadable = report { path: string, error: string "Why the file, one of several, could not be read." }
        settings = report { configuration?: string "The path of the file, if there is one.",
          versions: "changeable" | "all" "The versions that are checked.",
          order: [string] "The versions from the oldest to the newest.",
          releases: [string] "The patterns of tags that are releases; every tag if there are none.",
          unshipped: [string] "The versions that have not shipped.",
          allowDataLoss: [string] "What every migration may drop; * is all.",
          losses: {[string]} "What the steps into versions may drop; * is all.", migration: "direct" | "stepwise",
          stages: [string], mappingModels: [string], policies: {string} "What each migration policy does.",
          rows: {string} "The files with the rows of versions in the corpus.",
          joinTables: [string], claimants: [string],
          rules: {string} "The setting of each named rule: off or a severity.", houseRules: [{ rule: string,
          for: string, severity: severity }] "The rules of the team.", ignore: [{ rule?: string, element?: string,
          version?: string, reason: string }] }
        """

    /// What each report has is in the file that writes it.
    private static let ofReports = [
        ModelReport.shape, entityShape, HashReport.shape, diffShape, StoreReport.shape,
        RowDiffReport.shape, IdentityReport.shape, MigrationReport.shape, StagedPlanReport.shape,
        MigrationOutcome.shape, RepairReport.shape, DiagnosisReport.shape, WorkReport.shape,
        RuleExplanation.shape, OtherIdentifier.shape, AcceptanceWords.shape, findingShape,
        TestReport.shape,
    ]
}
