import Foundation
import TestSupport
import Testing

struct CorpusMatrixTests {
    struct App: Sendable, CustomTestStringConvertible {
        var repository: String
        /// The path of the model below it, with the target version where that is not the current one.
        var model: String
        var cases: Int
        /// The configuration: policies and agreed losses.
        var settings = ""

        var testDescription: String { "\(repository)/\(model)" }
    }

    private static let apps = [
        App(
            repository: "CypherPoet+CoreDataKit",
            model: "Examples/ReviewJournal/Shared/Data/ReviewJournal.xcdatamodeld",
            cases: 4,
            settings: "migration: stepwise"
        ),
        App(
            repository: "LoopKit+LoopKit",
            model: "LoopKit/Persistence/Model.xcdatamodeld",
            cases: 1,
            settings: """
                policies:
                  LoopKit.CachedCarbObjectv3EntityMigrationPolicy: copy
                  LoopKit.DeletedCarbObjectv3EntityMigrationPolicy: delete
                """
        ),
        App(
            repository: "Mioke+CoreDataMigrationHelper",
            model: "CoreDataTest/CoreDataTest.xcdatamodeld",
            cases: 6,
            settings: "losses: {CoreDataTest v7: [Media]}"
        ),
        App(
            repository: "alemar11+CoreDataPlus",
            model: "Tests/Resources/SampleModel/SampleModel.xcdatamodeld#SampleModel3",
            cases: 2,
            settings: """
                policies: {REPLACE_AT_RUNTIME.V2to3MakerPolicy: copy}
                losses:
                  SampleModel2: [Car.color, ExpensiveSportCar.color, SportCar.color, Person.id]
                  SampleModel3: [Car.maker, LuxuryCar.maker, SportCar.maker, ExpensiveSportCar.maker]
                """
        ),
        App(
            repository: "apptentive+apptentive-ios",
            model: "Apptentive/Apptentive/Model/ATDataModel.xcdatamodeld",
            cases: 5,
            settings: "migration: stepwise"
        ),
        App(
            repository: "billmoss+CoreDataMigrations-HybridMigration",
            model: "CoreDataMigration/Model.xcdatamodeld#Model5",
            cases: 4,
            settings: "losses: {Model5: [Topic.presenterEmail, Topic.presenterName]}"
        ),
        App(
            repository: "hwaxxer+BookMigration",
            model: "BookMigration/Model.xcdatamodeld",
            cases: 2,
            settings: "migration: stepwise"
        ),
        App(
            repository: "infobip+mobile-messaging-sdk-ios",
            model:
                "Classes/MobileMessaging/Resources/InternalStorage/MMInternalStorageModel.xcdatamodeld",
            cases: 5,
            settings: "migration: stepwise"
        ),
        App(
            repository: "novasamatech+nova-wallet-ios",
            model: "novawallet/Common/Storage/UserDataModel.xcdatamodeld",
            cases: 20,
            settings: "losses: {MultiassetUserDataModel: [CDAccountItem, CDConnectionItem]}"
        ),
        App(
            repository: "objcio+core-data",
            model: "Migrations/Migrations/Moody.xcdatamodeld",
            cases: 5,
            settings: "migration: stepwise"
        ),
        App(
            repository: "oreillymedia+flapjack",
            model: "Tests/CoreData/Resources/TestMigrationModel.xcdatamodeld",
            cases: 3,
            settings: "migration: stepwise"
        ),
        App(
            repository: "wibosco+CoreDataMigrationRevised-Example",
            model:
                "CoreDataMigration-Example/CoreData/Model/CoreDataMigration_Example.xcdatamodeld",
            cases: 3,
            settings: "migration: stepwise"
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
                try FileManager.default.createDirectory(
                    at: copy.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try FileManager.default.copyItem(atPath: Corpus.path(path), toPath: copy.path)
            }
            let root = folder.appending(path: app.repository)
            // The root of a repository bounds the search for mapping models.
            try FileManager.default.createDirectory(
                at: root.appending(path: ".git"),
                withIntermediateDirectories: true
            )
            try Data(app.settings.utf8).write(to: root.appending(path: ".momtool.yml"))
            let run = try momtool(["test", "--matrix", app.model, "--rows", "3"], in: root)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("\(app.cases) passed"), "\(run.output)")
        }
    }
}
