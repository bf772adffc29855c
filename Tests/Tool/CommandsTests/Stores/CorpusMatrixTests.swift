import Foundation
import TestSupport
import Testing

struct CorpusMatrixTests {
    typealias App = (repository: String, model: String, cases: Int, settings: String)

    private static let apps: [App] = [
        (
            "CypherPoet+CoreDataKit",
            "Examples/ReviewJournal/Shared/Data/ReviewJournal.xcdatamodeld", 4,
            "migration: stepwise"
        ),
        (
            "LoopKit+LoopKit", "LoopKit/Persistence/Model.xcdatamodeld", 1,
            """
            policies:
              LoopKit.CachedCarbObjectv3EntityMigrationPolicy: copy
              LoopKit.DeletedCarbObjectv3EntityMigrationPolicy: delete
            """
        ),
        (
            "Mioke+CoreDataMigrationHelper", "CoreDataTest/CoreDataTest.xcdatamodeld", 6,
            "losses: {CoreDataTest v7: [Media]}"
        ),
        (
            "alemar11+CoreDataPlus",
            "Tests/Resources/SampleModel/SampleModel.xcdatamodeld#SampleModel3", 2,
            """
            policies: {REPLACE_AT_RUNTIME.V2to3MakerPolicy: copy}
            losses:
              SampleModel2: [Car.color, ExpensiveSportCar.color, SportCar.color, Person.id]
              SampleModel3: [Car.maker, LuxuryCar.maker, SportCar.maker, ExpensiveSportCar.maker]
            """
        ),
        (
            "apptentive+apptentive-ios", "Apptentive/Apptentive/Model/ATDataModel.xcdatamodeld", 5,
            "migration: stepwise"
        ),
        (
            "billmoss+CoreDataMigrations-HybridMigration",
            "CoreDataMigration/Model.xcdatamodeld#Model5", 4,
            "losses: {Model5: [Topic.presenterEmail, Topic.presenterName]}"
        ),
        ("hwaxxer+BookMigration", "BookMigration/Model.xcdatamodeld", 2, "migration: stepwise"),
        (
            "infobip+mobile-messaging-sdk-ios",
            "Classes/MobileMessaging/Resources/InternalStorage/MMInternalStorageModel.xcdatamodeld",
            5, "migration: stepwise"
        ),
        (
            "novasamatech+nova-wallet-ios", "novawallet/Common/Storage/UserDataModel.xcdatamodeld",
            20, "losses: {MultiassetUserDataModel: [CDAccountItem, CDConnectionItem]}"
        ),
        ("objcio+core-data", "Migrations/Migrations/Moody.xcdatamodeld", 5, "migration: stepwise"),
        (
            "oreillymedia+flapjack", "Tests/CoreData/Resources/TestMigrationModel.xcdatamodeld", 3,
            "migration: stepwise"
        ),
        (
            "wibosco+CoreDataMigrationRevised-Example",
            "CoreDataMigration-Example/CoreData/Model/CoreDataMigration_Example.xcdatamodeld", 3,
            "migration: stepwise"
        ),
    ]

    @Test(.enabled(if: Corpus.isPresent), arguments: apps)
    func `an app with mapping models passes every version`(_ app: App) throws {
        try withFolder { folder in
            let kinds = [".xcdatamodeld", ".xcmappingmodel"]
            let paths = Corpus.paths { path in
                path.hasPrefix(app.repository + "/") && !path.contains("/history/")
                    && kinds.contains(where: path.hasSuffix)
            }
            for path in paths {
                let copy = folder.appending(path: path)
                try makeFolder(copy.deletingLastPathComponent())
                try FileManager.default.copyItem(atPath: Corpus.path(path), toPath: copy.path)
            }
            let root = folder.appending(path: app.repository)
            // The root of a repository bounds the search for mapping models.
            try makeFolder(root.appending(path: ".git"))
            try write(app.settings, ".momtool.yml", in: root)
            let run = try momtool(["test", "--matrix", app.model, "--rows", "3"], in: root)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("\(app.cases) passed"), "\(run.output)")
        }
    }
}

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusCommandTests {
    private static let partner = "artsy+energy/Resources/CoreData/ArtsyPartner.xcdatamodeld"

    /// The stores that artsy's own tests open at 2.7, and which of them are damaged: their only row has the number of
    /// an entity of another version, or the greatest keys are wrong.
    private static let stores = [
        ("1.3", ["foreign-entity-number", "key-above-maximum"]), ("1.3.5", []),
        ("1.4", ["key-above-maximum"]), ("1.6", []),
        ("2.0", ["foreign-entity-number", "key-above-maximum"]),
    ]

    @Test(arguments: stores)
    private func `an old store of artsy comes to 2.7`(name: String, faults: [String]) throws {
        try withFolder { folder in
            let old = Corpus.path(
                "artsy+energy/ArtsyFolio Tests/Migrations/ArtsyPartner_\(name).sqlite"
            )
            let model = Corpus.path(Self.partner)
            let new = folder.appending(path: "New.sqlite").path
            let target = ["--model", model, "--to", "ArtsyFolio v2.7.0"]
            let run = try momtool(
                ["migrate", old] + target + ["-o", new, "--allow-data-loss"],
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
            try expectRun(["identify", new, "--model", model], nil, "ArtsyFolio v2.7.0")
            let verified = try momtool("verify", new, "--model", "\(model)#ArtsyFolio v2.7.0")
            let lines = verified.output.split(separator: "\n").filter { line in
                !line.contains(": note: ") && line.contains("[")
                    && !faults.contains { line.contains("[\($0)]") }
            }
            #expect(lines == [], "\(name)")
        }
    }

    @Test func `the store that artsy ships with its sources is read`() throws {
        let store = Corpus.path("artsy+energy/Resources/CoreData/oss_stubbed_data.sqlite")
        let model = Corpus.path(Self.partner)
        try expectRun(["identify", store, "--model", model], 0)
        #expect(try momtool("inspect", store).status == 0)
        let export = try expectRun(["export", store, "--model", model], 0)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(export.output.utf8)) as? [String: [Any]]
        )
        let count = rows.values.map(\.count).reduce(0, +)
        #expect(count > 100, "\(count)")
    }

    @Test func `a bundle with an empty list of versions compiles`() throws {
        let bundle = Corpus.path(
            "JohnEstropia+CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo/"
                + "Advanced.EvolutionDemo.xcdatamodeld"
        )
        try withFolder { folder in
            try expectRun(["compile", bundle, "-o", folder.path], 0)
            let made = folder.appending(path: "Advanced.EvolutionDemo.momd").path
            try expectRun(["inspect", made], 0)
        }
    }
}
