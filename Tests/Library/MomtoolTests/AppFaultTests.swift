import Foundation
import ModelLoading
import Momtool
import TestSupport
import Testing

/// What code of an app does to its stores whatever their model is.
struct AppFaultTests {
    private static let open =
        "do { try c.addPersistentStore(at: u) } catch { f.removeItem(at: storeURL) }"
    private static let wipe = "func save() { wipe() }\nfunc wipe() {\n f.removeItem(at: u)\n}"
    private static let opener = "func open() throws {\n try c.addPersistentStore(at: u)\n}"

    static let faults: [(file: String, text: String, rule: String?)] = [
        ("App/A.swift", open, "store-deleted"),
        (
            "App/A.swift",
            "c.loadPersistentStores { d, e in\n    if let error = e {\n        p.destroyPersistentStore(at: u)\n    }\n}",
            "store-deleted"
        ),
        ("App/A.swift", "#if DEBUG\n\(open)\n#endif", nil), ("AppTests/A.swift", open, nil),
        ("App/A.swift", "func reset() { p.destroyPersistentStore(at: u) }", nil),
        ("App/A.swift", "do { try write() } catch { f.removeItem(at: storeURL) }", nil),
        (
            "App/A.swift", "do { c = try ModelContainer(for: A.self) } catch { save() }\n\(wipe)",
            "store-deleted"
        ),
        ("App/A.swift", "do { try write() } catch { save() }\n\(wipe)", nil),
        (
            "App/A.swift", "\(opener)\ndo { try open() } catch { f.removeItem(at: u) }",
            "store-deleted"
        ),
        (
            "App/A.swift",
            "guard let c = try? ModelContainer(for: A.self) else { f.removeItem(at: u) }",
            "store-deleted"
        ),
        (
            "App/A.swift",
            "if let c = try? ModelContainer(for: A.self) {\n} else {\n f.removeItem(at: u)\n}",
            "store-deleted"
        ),
        (
            "App/A.m", "if (![c addPersistentStoreWithType:t]) {\n [f removeItemAtURL:u];\n}",
            "store-deleted"
        ),
        (
            "App/A.m",
            "- (void)open {\n if (![c addPersistentStoreWithType:t]) {\n  [self reset:u];\n }\n}\n- (void)reset:(NSURL *)u {\n [f removeItemAtURL:u];\n}",
            "store-deleted"
        ),
        (
            "App/A.m",
            "id store = [c addPersistentStoreWithType:t];\nif (store == nil) {\n [f removeItemAtURL:u];\n}",
            "store-deleted"
        ),
        (
            "App/A.m",
            "if (![c addPersistentStoreWithType:t]) {\n/*\n [f removeItemAtURL:u];\n*/\n}", nil
        ),
        ("Package.swift", "resources: [.copy(\"M.xcdatamodeld\")]", "model-copied"),
        ("Package.swift", "resources: [.copy(\n\"M.xcdatamodeld\"\n)]", "model-copied"),
        ("Package.swift", "resources: [.process(\"M.xcdatamodeld\")]", nil),
        ("Package.swift", "resources: [.copy(\"Fonts\")]", nil),
    ]

    private static let remove = "f.removeItem(at: storeURL)"
    private static let make = "Result { try ModelContainer(for: A.self) }"
    private static let load =
        "func load(done: (Result<Void, Error>) -> Void) { c.loadPersistentStores { _, e in done(e) } }"

    /// Code that learns in another way than by a `catch` that a store did not open, and whether it deletes it.
    static let results: [(text: String, isFound: Bool)] = [
        ("let r = \(make)\nswitch r {\ncase .success: go()\ncase .failure: \(remove)\n}", true),
        ("let r = \(make)\nswitch r {\ncase .success: \(remove)\ncase .failure: stop()\n}", false),
        (
            "let r = \(make)\nswitch download() {\ncase .success: go()\ncase .failure: \(remove)\n}",
            false
        ), ("let r = \(make)\nif case .failure = r {\n \(remove)\n}", true),
        ("let r = \(make)\nguard case .success(let c) = r else {\n \(remove)\n}", true),
        ("\(make)\n.flatMapError { _ in\n \(remove)\n return open()\n}", true),
        ("switch Result(catching: { try ModelContainer() }) {\ncase .failure: \(remove)\n}", true),
        (
            "\(load)\nfunc go() {\n load { r in\n  switch r {\n  case .failure: \(remove)\n  }\n }\n}",
            true
        ), ("\(load)\nfunc send() {\n post { d, e in\n  if let error { \(remove) }\n }\n}", false),
        ("if let c = try? ModelContainer() { return c }\n\(remove)", true),
        ("if let c = try? ModelContainer() {\n go(c)\n}\n\(remove)", false),
        ("do {\n return try ModelContainer()\n} catch {\n log()\n}\n\(remove)", true),
        ("do { try export(); return } catch { log() }\n\(remove)\ntry ModelContainer()", false),
        ("let c = (try? ModelContainer()) ?? anew()\nfunc anew() {\n \(remove)\n}", true),
        ("let c = (try? ModelContainer())\n?? anew()\nfunc anew() {\n \(remove)\n}", true),
    ]

    private static func loading(_ text: String, _ parameters: String = "d, e") -> String {
        "c.loadPersistentStores { \(parameters) in\n\(text)\n}"
    }
    private static let fits = "m.isConfiguration(withName: nil, compatibleWithStoreMetadata: d)"

    /// Forms of a condition on the error of a container, or on a model, and whether the store is deleted.
    static let conditions: [(text: String, isFound: Bool)] = [
        (loading("if let e { \(remove) }"), true),
        (loading("if let e { \(remove) }").replacing("\n", with: " "), true),
        (loading("if let e {\n log(e)\n \(remove)\n}", "(d: D, e: Error?)"), true),
        (loading("if let failure = e as NSError?, failure.code == 1 { \(remove) }"), true),
        (loading("guard let e else { return }\n\(remove)"), true),
        (loading("if let d { \(remove) }"), false),
        (loading("if let o = old { \(remove) }"), false),
        ("c.loadPersistentStores { if let e = $1 { \(remove) } }", true),
        ("\(loading("if e != nil { failed = true }"))\nif failed {\n \(remove)\n}", true),
        ("\(loading("if e != nil { failed = true }"))\nif !failed {\n \(remove)\n}", false),
        ("\(loading("failure = e"))\nif let failure { \(remove) }", true),
        ("\(loading("if let e { stop(e) }\nready = true"))\nif ready { \(remove) }", false),
        ("if !\(fits) { \(remove) }\n\(loading("go()"))", true),
        ("guard \(fits) else { \(remove) }\n\(loading("go()"))", true),
        ("if \(fits) { \(remove) }\n\(loading("go()"))", false),
        ("if !\(fits) { m.migrate(u)\n\(remove) }\n\(loading("go()"))", false),
        (loading("if let e { p.replacePersistentStore(at: u, from: Bundle.main.url(n)) }"), true),
        (loading("if let e { p.replacePersistentStore(at: b, from: u)\n\(remove) }"), false),
        ("s.add(SQLiteStore(localStorageOptions: .recreateStoreOnModelMismatch))", true),
        ("MagicalRecord.setShouldDeleteStoreOnModelMismatch(true)", true),
        ("MagicalRecord.setShouldDeleteStoreOnModelMismatch(false)", false),
        (loading("if let e { f.removeItem(at: cacheURL.appending(path: \"thumbs\")) }"), false),
        (loading("if let e { f.removeItem(at: cacheURL)\n\(remove) }"), true),
        (loading("if let e { f.removeItem(at: cacheURL); \(remove) }"), true),
        (loading("if let e { f.removeItem(at: caches.appending(path: \"a.sqlite\")) }"), true),
        (loading("if let e { f.removeItem(at: u); clearCache() }"), true),
    ]

    @Test(arguments: conditions)
    func `a condition on an error or a model is known by its form`(
        _ text: String,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            try write("func start() {\n\(text)\n}", "App/A.swift", in: folder)
            #expect(appFaults(below: folder.path).isEmpty != isFound)
        }
    }

    @Test(arguments: results)
    func `a result, an optional and an early return tell that a store did not open`(
        _ text: String,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            try write("func start() {\n\(text)\n}", "App/A.swift", in: folder)
            #expect(appFaults(below: folder.path).isEmpty != isFound)
        }
    }

    private static let wiper =
        "enum Wiper {\n static func wipe() {\n  f.removeItem(at: storeURL)\n }\n}"

    /// What the app does where it starts, another file, and whether a store is lost.
    static let others: [(start: String, other: String, isFound: Bool)] = [
        ("do { c = try ModelContainer(for: A.self) } catch { Wiper.wipe() }", wiper, true),
        ("do { c = try ModelContainer(for: A.self) } catch { model.wipe() }", wiper, false),
        ("do { try write() } catch { Wiper.wipe() }", wiper, false),
        ("func tapped() { Wiper.wipe() }", wiper, false),
        (
            "do { c = try ModelContainer(for: A.self) } catch { Log.add() }",
            "enum Log {\n static func add() { f.removeItem(at: oldLog) }\n}", false
        ),
        (
            "do { try Stack.open() } catch { Stack.wipe() }",
            "enum Stack {\n\(opener)\n static func wipe() { f.removeItem(at: storeURL) }\n}", true
        ),
        (
            "c.loadPersistentStores { d, e in\n guard let error = e else { return }\n Wiper.wipe()\n}",
            wiper, true
        ),
        (
            "do { c = try ModelContainer(for: A.self) } catch { Wiper.wipe() }",
            wiper.replacing("f.remove", with: "f.moveItem(at: storeURL, to: b); f.remove"), false
        ),
        ("\(failed) { StoreCleaner.removeAll() }", cleaner("StoreCleaner"), true),
        ("\(failed) { Cache.removeAll() }", cleaner("Cache"), false),
        (
            "let s: StoreCleaner\n\(failed) { items.removeAll() }", cleaner("StoreCleaner"),
            false
        ), ("\(failed) { Files.wipe(storeURL) }", files, true),
        ("\(failed) { Files.wipe(caches) }", files, false),
        ("\(failed) { Files.wipe(logs, \"no store\") }", files, false),
    ]

    private static let failed = "do { c = try ModelContainer(for: A.self) } catch"
    private static let files =
        "enum Files {\n static func wipe(_ u: URL) {\n  f.removeItem(at: u)\n }\n}"

    private static func cleaner(_ name: String) -> String {
        "enum \(name) {\n static func removeAll() {\n  for u in all { f.removeItem(at: u) }\n }\n}"
    }

    @Test(arguments: others)
    func `code in another file that deletes stores is found`(
        _ start: String,
        _ other: String,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            try write(start, "App/Start.swift", in: folder)
            try write(other, "App/Other.swift", in: folder)
            let found = appFaults(below: folder.path)
            #expect(found.isEmpty != isFound)
            #expect(found.allSatisfy { $0.location?.path.hasSuffix("Other.swift") == true })
            #expect(found.allSatisfy { $0.notes.count == 1 })
        }
    }

    @Test(arguments: faults)
    func `code that loses stores or models is found`(
        _ file: String,
        _ text: String,
        _ rule: String?
    ) throws {
        try withFolder { folder in
            try write(text, file, in: folder)
            let found = appFaults(below: folder.path).map(\.rule.rawValue)
            #expect(found == [rule].compactMap(\.self))
        }
    }

    @Test func `a copied folder with a model is found unless the model is processed`() throws {
        try withFolder { folder in
            try write("", "Sources/Kit/Data/M.xcdatamodeld/.xccurrentversion", in: folder)
            try write("[\n.copy(\"Data\")]", "Package.swift", in: folder)
            #expect(appFaults(below: folder.path).map(\.location?.line) == [2])
            let processed = "[.copy(\"Data\"), .process(\"Data/M.xcdatamodeld\")]"
            try write(processed, "Package.swift", in: folder)
            #expect(appFaults(below: folder.path).isEmpty)
        }
    }

    /// A source, a mapping model beside it, and whether stores of older versions do not open.
    static let options: [(text: String, mapped: Bool, isFound: Bool)] = [
        ("d.shouldMigrateStoreAutomatically = false", false, true),
        ("d.shouldMigrateStoreAutomatically = true", false, false),
        ("d.shouldInferMappingModelAutomatically = false", false, true),
        ("d.shouldInferMappingModelAutomatically = false", true, false),
        ("d.shouldMigrateStoreAutomatically = false", true, true),
        ("d.isReadOnly = true\nd.shouldMigrateStoreAutomatically = false", false, false),
        ("d.shouldMigrateStoreAutomatically = false\nNSMigrationManager(a)", false, false),
        ("[NSMigratePersistentStoresAutomaticallyOption: true, b: false]", false, false),
        ("@{NSMigratePersistentStoresAutomaticallyOption : @NO}", false, true),
        ("d.shouldMigrateStoreAutomatically = false\n// NSMigrationManager(a)", false, true),
        ("c.addPersistentStore(\(sqlite), at: u, options: nil)", false, true),
        ("c.addPersistentStore(\(sqlite),\n at: f(u),\n options: [:])", true, true),
        (
            "c.addPersistentStore(\(sqlite), at: u, options: [NSSQLitePragmasOption: p])", true,
            false
        ),
        (
            "do { try c.addPersistentStore(\(sqlite), at: u, options: nil)\n"
                + "} catch { try c.addPersistentStore(\(sqlite), options: [\(migrating): true, \(inferring): true]) }",
            false, false
        ),
        ("m = NSManagedObjectModel()\nc.addPersistentStore(\(sqlite), options: nil)", true, false),
        ("f.removeItem(at: u)\nc.addPersistentStore(\(sqlite), options: nil)", true, false),
        ("NSPersistentContainer(name: n)\nc.addPersistentStore(\(sqlite))", false, false),
        ("c.addPersistentStore(type: .sqlite, at: u)", false, true),
        ("c.addPersistentStore(\(sqlite), at: u, options: options)", false, false),
        ("c.addPersistentStore(\(sqlite), at: u, options: [.migrating: true])", false, false),
        ("c.addPersistentStore(\(sqlite), at: u, options: [\(migrating): true])", false, true),
        ("c.addPersistentStore(\(sqlite), at: u, options: [\(migrating): true])", true, false),
        ("c.addPersistentStore(ofType: NSInMemoryStoreType, options: nil)", false, false),
        ("c.addPersistentStore(with: d) { _, e in log(\"NSSQLiteStoreType\") }", false, false),
        (
            "[c addPersistentStoreWithType:NSSQLiteStoreType URL:u options:nil error:&e];", false,
            true
        ),
        (
            "[c addPersistentStoreWithType:NSSQLiteStoreType URL:u options:o error:&e];", false,
            false
        ),
        (
            "c.addPersistentStore(\(sqlite), at: URL(filePath: \"/dev/null\"), options: nil)",
            false, false
        ),
        ("\(declared)\nd.type = NSInMemoryStoreType\nd.\(off)", false, false),
        ("\(declared); d.\(off)\nd.url = URL(filePath: \"/dev/null\")", false, false),
        ("\(declared)\nif t { d.type = NSInMemoryStoreType }\nd.\(off)", false, true),
        (
            "m = mergedModel(from: nil, forStoreMetadata: d)\nc.addPersistentStore(\(sqlite), at: u)",
            false, false
        ),
        (
            "c.addPersistentStore(\(sqlite), at: c.persistentStoreDescriptions[0].url!)", false,
            false
        ),
        (
            "m.isConfiguration(compatibleWithStoreMetadata: d)\nc.addPersistentStore(\(sqlite), options: nil)",
            false, false
        ),
    ]

    private static let declared = "let d = NSPersistentStoreDescription()"
    private static let off = "shouldMigrateStoreAutomatically = false"
    private static let sqlite = "ofType: NSSQLiteStoreType"
    private static let migrating = "NSMigratePersistentStoresAutomaticallyOption"
    private static let inferring = "NSInferMappingModelAutomaticallyOption"

    @Test(arguments: options)
    func `options that forbid migration are found where there are older versions`(
        _ text: String,
        _ isMapped: Bool,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            try write(text, text.hasPrefix("[c ") ? "App/A.m" : "App/A.swift", in: folder)
            if isMapped { try write("", "One.xcmappingmodel/xcmapping.xml", in: folder) }
            let found = appFaults(below: folder.path, hasOlderVersions: true)
            #expect(found.map(\.rule.rawValue) == (isFound ? ["migration-off"] : []))
            #expect(appFaults(below: folder.path).isEmpty)
        }
    }

    /// A source, and the line of its code that migrates stores.
    static let migrators: [(file: String, text: String, line: Int?)] = [
        ("App/A.swift", "import CoreData\nlet m = NSMigrationManager(sourceModel: a)", 2),
        ("App/A.m", "\n[[NSMigrationManager alloc] init]", 2),
        ("App/A.swift", "final class M: NSMigrationManager {}", 1),
        ("App/A.swift", "let s = NSStagedMigrationManager([a])", 1),
        ("App/A.swift", "let s = DataStack(xcodeModelName: \"M\", migrationChain: [\"V1\"])", 1),
        ("AppTests/A.swift", "let m = NSMigrationManager(sourceModel: a)", nil),
        ("App/A.swift", "/*\nlet m = NSMigrationManager(sourceModel: a)\n*/", nil),
        ("App/A.swift", "// NSMigrationManager(sourceModel: a)", nil),
        ("App/A.swift", "func n(from s: NSManagedObject, manager: NSMigrationManager) {}", nil),
        ("App/A.swift", "print(\"use NSMigrationManager(sourceModel:)\")", nil),
        (
            "App/A.swift", "let t = \"\"\"\n NSMigrationManager(a)\n \"\"\"\nNSMigrationManager(b)",
            4
        ),
        ("App/A.swift", "#if false\n#if os(iOS)\n#endif\nNSMigrationManager(a)\n#endif", nil),
        ("Kit/Sources/A.swift", "NSMigrationManager(a)", nil),
        ("Kit/Sources/A.swift", "let name = \"M\"\nNSMigrationManager(a)", 2),
        ("App/A.swift", "let name = \"Cache\"\nNSMigrationManager(a)", nil),
        ("Tools/Sources/A.swift", "NSMigrationManager(a)", 1),
        ("Base/Sources/Base/A.swift", "NSMigrationManager(a)", 1),
        ("Base/Sources/Other/A.swift", "NSMigrationManager(a)", 1),
        ("Base/Sources/Base/A.swift", "let name = \"Own\"\nNSMigrationManager(a)", nil),
    ]

    @Test(arguments: migrators)
    func `code of the app that migrates stores is found at its line`(
        _ file: String,
        _ text: String,
        _ line: Int?
    ) throws {
        try withFolder { folder in
            try write(text, file, in: folder)
            try write("", "M.xcdatamodeld/.xccurrentversion", in: folder)
            try write("", "Kit/Sources/Cache.xcdatamodeld/.xccurrentversion", in: folder)
            try write("", "Base/Sources/Base/Own.xcdatamodeld/.xccurrentversion", in: folder)
            try write("import class Base.Migrator\n// import Kit\n", "App/Main.swift", in: folder)
            try write("import Kit\n", "Tools/Sources/Tool.swift", in: folder)
            for package in ["Kit", "Tools", "Base"] {
                try write("", "\(package)/Package.swift", in: folder)
            }
            try makeRepository(folder)
            let place = folder.appending(path: "M.xcdatamodeld").path
            #expect(ModelBundle(path: place, versions: []).migratorInCode?.place.line == line)
        }
    }
}
