import Diagnostics
import Foundation
import Momtool
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct RowTests {
    private static let source = """
        <model>
        <entity name="Book">
            <attribute name="pages" optional="YES" attributeType="Integer 16"/>
            <attribute name="price" optional="YES" attributeType="Decimal"/>
            <attribute name="weight" optional="YES" attributeType="Double"/>
            <attribute name="height" optional="YES" attributeType="Float"/>
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="isRead" optional="YES" attributeType="Boolean"/>
            <attribute name="bought" optional="YES" attributeType="Date"/>
            <attribute name="cover" optional="YES" attributeType="Binary" \
        allowsExternalBinaryDataStorage="YES"/>
            <attribute name="isbn" optional="YES" attributeType="UUID"/>
            <attribute name="page" optional="YES" attributeType="URI"/>
            <attribute name="size" optional="YES" attributeType="Composite" composite="Size"/>
            <attribute name="cached" optional="YES" transient="YES" attributeType="String"/>
            <relationship name="author" minCount="1" maxCount="1" destinationEntity="Person" \
        inverseName="books" inverseEntity="Person"/>
        </entity>
        <entity name="Person">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" \
        inverseName="author" inverseEntity="Book"/>
        </entity>
        <entity name="Writer" parentEntity="Person"/>
        <composite name="Size"><attribute name="width" optional="YES" attributeType="Integer 32"/></composite>
        </model>
        """
    private static let rows = #"""
        {"Book": [{"@id": "p1", "pages": 12, "price": "12.50", "weight": 0.5, "height": 1.5,
        "title": "A\n\"B\"", "isRead": true, "bought": "2001-01-01T00:00:10Z", "cover": "AQID",
        "isbn": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "page": "https://example.org/a",
        "size": {"width": 7}, "author": "Writer/p1"}, {"@id": "p2", "author": "Person/p2"}],
        "Person": [{"@id": "p2", "name": "Bob"}], "Writer": [{"@id": "p1", "name": "Ada"}]}
        """#

    private func withStore(_ sql: String? = nil, _ body: (Store, Model) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle([Self.source], at: bundle)
            let file = folder.appending(path: "Rows.json")
            try Data(Self.rows.utf8).write(to: file)
            let model = try Model(bundle.path)
            let path = folder.appending(path: "Shop.sqlite").path
            let store = try Store.create(path, of: model, rows: .file(file.path))
            if let sql { try SQLiteConnection(path: path, mode: .readWrite).execute(sql) }
            try body(store, model)
        }
    }

    private enum Length: Int, RowValue { case short = 12, long = 900 }

    @Test func `each attribute is read as the type that it has`() throws {
        try withStore { store, model in
            let rows = try Rows(of: store, model: model, entities: ["Book"]).all()
            let (full, bare) = (try #require(rows.first), try #require(rows.last))
            #expect(rows.map(\.id.description) == ["Book/p1", "Book/p2"])
            #expect(try full.value("pages", as: Int.self) == 12)
            #expect(try full.value("pages", as: Length.self) == .short)
            #expect(try full.value("price", as: Decimal.self) == Decimal(string: "12.5"))
            #expect(try full.value("weight", as: Double.self) == 0.5)
            #expect(try full.value("height", as: Double.self) == 1.5)
            #expect(try full.value("title", as: String.self) == "A\n\"B\"")
            #expect(try full.value("isRead", as: Bool.self) == true)
            let date = Date(timeIntervalSinceReferenceDate: 10)
            #expect(try full.value("bought", as: Date.self) == date)
            #expect(try full.value("cover", as: Data.self) == Data([1, 2, 3]))
            let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
            #expect(try full.value("isbn", as: UUID.self) == uuid)
            #expect(try full.value("page", as: URL.self) == URL(string: "https://example.org/a"))
            #expect(try full.value("size.width", as: Int.self) == 7)
            #expect(try bare.value("pages", as: Int.self) == nil && bare.values.isEmpty)
            #expect(Set([full, full, bare]).count == 2)
        }
    }

    @Test func `a task reads the same rows, and none when it is cancelled`() async throws {
        let model = try Model(Corpus.package.appending(path: "Models/Library.xcdatamodeld").path)
        let store = try Store(Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path)
        for rows in [Rows(of: store, model: model), Rows(of: store, model: model, where: "1 = 0")] {
            var read: [Row] = []
            try rows.forEach { read.append($0) }
            #expect(try await inBackground { try rows.all() } == read)
            let task = Task {
                // The reading begins after its cancellation.
                withUnsafeCurrentTask { $0?.cancel() }
                return try await inBackground { try rows.all() }
            }
            let error = await #expect(throws: MomtoolError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
            #expect(error?.diagnostics.first?.rule == "interrupted")
        }
    }

    @Test func `relationships lead to references of the objects' own entities`() throws {
        try withStore { store, model in
            let rows = try Rows(of: store, model: model).all()
            let all = Dictionary(uniqueKeysWithValues: rows.map { ($0.id.description, $0) })
            #expect(try all["Book/p1"]?.references("author").map(\.description) == ["Writer/p1"])
            #expect(try all["Writer/p1"]?.references("books").first == all["Book/p1"]?.id)
            #expect(try all["Person/p2"]?.references("books").map(\.key) == [2])
            #expect(rows.count == 4)
        }
    }

    @Test func `what is not there, not stored or of another type is an error`() throws {
        try withStore("UPDATE ZBOOK SET ZPAGES = 'many'") { store, model in
            let row = try #require(
                try Rows(of: store, model: model, entities: ["Book"]).all().first
            )
            func rule(_ body: () throws -> Void) -> String? {
                #expect(throws: MomtoolError.self, performing: body)?.diagnostics.first?.rule
                    .rawValue
            }
            #expect(rule { _ = try row.value("titel", as: String.self) } == "unknown-property")
            #expect(rule { _ = try row.value("cached", as: String.self) } == "unknown-property")
            #expect(rule { _ = try row.value("title", as: Int.self) } == "wrong-value")
            #expect(rule { _ = try row.value("pages", as: Int.self) } == "damaged-value")
            #expect(rule { _ = try row.references("title") } == "unknown-property")
        }
    }

    @Test func `a row is printed on one line`() throws {
        try withStore { store, model in
            let rows = try Rows(of: store, model: model, entities: ["Book"]).all()
            #expect(rows.allSatisfy { !"\($0)".contains("\n") })
            #expect(rows.last?.description == "Book/p2: author = Person/p2")
            #expect(rows.first?.description.contains("price = 12.5, ") == true)
        }
    }

    @Test func `rows that are read one by one are those of the export`() throws {
        let model = try Model(Corpus.package.appending(path: "Models/Library.xcdatamodeld").path)
        let store = try Store(Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path)
        let rows = Rows(of: store, model: model)
        var (count, links, values) = (0, 0, 0)
        try rows.forEach { row in
            count += 1
            values += row.values.count
            for name in ["author", "books", "loans"] {
                links += (try? row.references(name).count) ?? 0
            }
        }
        let json = try rows.json()
        #expect(count > 3 && count == json.components(separatedBy: "{\"@id\": ").count - 1)
        #expect(links > 0 && values > count)
    }

    @Test func `rows come with those that they require`() throws {
        try withStore { store, model in
            let (books, condition) = (["Book"], "pages == 12")
            let alone = Rows(of: store, model: model, entities: books, where: condition)
            let found = try alone.all().map(\.id.description)
            #expect(found == ["Book/p1"])
            let all = Rows(
                of: store,
                model: model,
                entities: books,
                where: condition,
                withRequired: true
            )
            let both = try all.all().map(\.id.description)
            #expect(both == ["Book/p1", "Writer/p1"])
        }
    }

    @Test func `what the body throws ends the reading`() throws {
        try withStore { store, model in
            var count = 0
            #expect(throws: CancellationError.self) {
                try Rows(of: store, model: model).forEach { _ in
                    count += 1
                    throw CancellationError()
                }
            }
            #expect(count == 1)
        }
    }

    @Test func `rows in code make the store that the same rows of a file make`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle([Self.source], at: bundle)
            let model = try Model(bundle.path)
            let path = folder.appending(path: "A.sqlite").path
            let store = try Store.create(path, of: model, rows: .json(Self.rows))
            let text = try Rows(of: store, model: model).json()
            let copy = folder.appending(path: "B.sqlite").path
            let again = try Store.create(copy, of: model, rows: .json(text))
            #expect(try Rows(of: again, model: model).json() == text)
            #expect(text.contains(#""title": "A\n\"B\"""#))
            let error = #expect(throws: MomtoolError.self) {
                let bad = folder.appending(path: "C.sqlite").path
                try Store.create(bad, of: model, rows: .json("{\n\"Boat\": []}"))
            }
            let place = error?.diagnostics.first?.location
            #expect(place?.description == "rows:2:1", "\(String(describing: error))")
        }
    }

    @Test func `advice on links of a part is followed to the end, or not given`() throws {
        try withStore { store, model in
            let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent()
            func create(_ rows: Rows, _ advice: [Advice] = []) throws -> MomtoolError? {
                let file = folder.appending(path: "Part.json").path
                try rows.write(to: file)
                let path = folder.appending(path: "\(UUID().uuidString).sqlite").path
                do throws(MomtoolError) {
                    try Store.create(path, of: model, rows: .file(file), following: advice)
                    return nil
                } catch {
                    #expect(!FileManager.default.fileExists(atPath: path))
                    return error
                }
            }
            let people = Rows(of: store, model: model, entities: ["Person"])
            #expect(try create(people)?.advice == [.clearLinks])
            #expect(try create(people, [.clearLinks]) == nil)
            let books = Rows(of: store, model: model, entities: ["Book"])
            for advice in [[], [Advice.clearLinks]] {
                let error = try #require(try create(books, advice))
                #expect(error.advice == [])
                let notes = error.diagnostics.flatMap(\.notes).map(\.message)
                #expect(notes.contains { $0.contains("withRequired: true") }, "\(error)")
            }
            let all = Rows(of: store, model: model, entities: ["Book"], withRequired: true)
            #expect(try create(all) == nil)
        }
    }

    @Test func `a condition of several entities is said to be about each`() throws {
        try withStore { store, model in
            let rows = Rows(
                of: store,
                model: model,
                entities: ["Book", "Person"],
                where: "pages > 2"
            )
            let error = #expect(throws: MomtoolError.self) { try rows.json() }
            #expect(error?.description.contains("'pages'") == true)
            let notes = (error?.diagnostics ?? []).flatMap(\.notes).map(\.message)
            #expect(!notes.isEmpty)
            let alone = Rows(of: store, model: model, entities: ["Person"], where: "pages > 2")
            let other = #expect(throws: MomtoolError.self) { try alone.json() }
            #expect(other?.diagnostics.flatMap(\.notes) == [])
        }
    }
}
