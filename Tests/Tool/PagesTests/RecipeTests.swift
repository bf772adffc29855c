import Foundation
import TestSupport
import Testing

struct RecipeTests {
    private static let page = "MigrationRecipes.md"

    struct Recipe: Sendable, CustomTestStringConvertible {
        var title: String
        var script: String
        var rows: String

        var testDescription: String { title }
    }

    static let recipes: [Recipe] = {
        let file = pagesFolder.appending(path: page)
        let text = (try? fileText(file)) ?? ""
        return text.components(separatedBy: "\n## ").dropFirst().compactMap { part in
            func block(_ language: String) -> String? {
                part.components(separatedBy: "```\(language)\n").dropFirst().first?
                    .components(separatedBy: "```").first
            }
            guard let script = block("sh"), let rows = block("json") else { return nil }
            let title = part.components(separatedBy: "\n").first ?? ""
            return Recipe(title: title, script: script, rows: rows)
        }
    }()

    @Test func `every recipe that shows commands shows what they lead to`() throws {
        let file = pagesFolder.appending(path: Self.page)
        let text = try fileText(file)
        let scripts = text.components(separatedBy: "```sh\n").count - 1
        #expect(Self.recipes.count == scripts)
        #expect(scripts >= 6)
    }

    @Test(arguments: recipes)
    func `a recipe ends with the rows that the page shows`(recipe: Recipe) throws {
        try withFolder { folder in
            let result = try migratedShop(
                of: Self.page,
                rows: #require(try guideBlocks(Self.page, "json").last),
                by: recipe.script,
                check: "momtool check Shop.xcdatamodeld",
                in: folder
            )
            let found = try Self.entities(result)
            let shown = try Self.entities(Data(recipe.rows.utf8))
            #expect(!shown.isEmpty)
            for (entity, objects) in shown { #expect(found[entity] == objects, "\(entity)") }
        }
    }

    /// The objects of each entity as sorted lines, with the number of links for links, and 1 for a UUID.
    private static func entities(_ data: Data) throws -> [String: [String]] {
        let object = try JSONSerialization.jsonObject(with: data)
        let entities = try #require(object as? [String: [[String: Any]]])
        return entities.mapValues { objects in
            objects.map { object in
                object.filter { $0.key != "@id" }
                    .map { "\($0.key): \(plain($0.value))" }.sorted().joined(separator: ", ")
            }.sorted()
        }
    }

    private static func plain(_ value: Any) -> String {
        if let links = value as? [String] { return "\(links.count)" }
        guard let text = value as? String else { return "\(value)" }
        return text.contains("/") || UUID(uuidString: text) != nil ? "1" : text
    }
}

/// Fills a store of the model that a page shows in its first block of XML, changes the model by a script, and migrates.
///
/// The script may write stages, after which `check` must find nothing. Returns the rows of the new store.
func migratedShop(
    of page: String,
    rows: String,
    by script: String,
    check: String,
    in folder: URL
) throws -> Data {
    let model = try #require(try guideBlocks(page, "xml").first)
    try writeBundle(["Shop": model], "Shop.xcdatamodeld", in: folder)
    try write(rows, "Rows.json", in: folder)
    try expect("momtool lock Shop.xcdatamodeld", in: folder)
    try expect("momtool create Shop.sqlite --model Shop.xcdatamodeld --rows Rows.json", in: folder)
    try expect(script, in: folder)
    try expect(check, in: folder)
    let stages = folder.appending(path: "Stages.yml").path
    let way =
        FileManager.default.fileExists(atPath: stages)
        ? "--stages Stages.yml" : "--model Shop.xcdatamodeld"
    try expect("momtool migrate Shop.sqlite \(way) -o New.sqlite", in: folder)
    try expect("momtool verify New.sqlite --model Shop.xcdatamodeld", in: folder)
    try expect("momtool export New.sqlite --model Shop.xcdatamodeld -o New.json", in: folder)
    return try Data(contentsOf: folder.appending(path: "New.json"))
}

private func expect(_ script: String, in folder: URL) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let run = try shellResult(
        script,
        in: folder,
        environment: ["PATH": "\(commandFolder):\(path)"],
        shellOption: "-ec"
    )
    #expect(run.status == 0, "\(script)\n\(run.errors)\(run.output)")
}
