import Diagnostics
import ModelLoading
import ObjectModel
import PropertyLists
import Testing

struct HostileArchiveTests {
    private typealias Archive = KeyedArchive

    @Test func `entities that share one large dictionary do not multiply it without bound`() {
        var archive = Archive()
        func plain(_ text: String) -> Archive.Reference { archive.add(.plain(.string(text))) }
        let attribute = archive.add(
            .instance(.init(.init("NSAttributeDescription", "NSPropertyDescription")))
        )
        let names = (0..<5_000).map { plain("a\($0)") }
        let properties = archive.add(
            .instance(
                .init(
                    .init("NSDictionary"),
                    [
                        "NS.keys": .references(names),
                        "NS.objects": .references(names.map { _ in attribute }),
                    ]
                )
            )
        )
        let entities = (0..<5_000).map { _ in
            archive.add(
                .instance(
                    .init(.init("NSEntityDescription"), ["NSProperties": .reference(properties)])
                )
            )
        }
        let dictionary = archive.add(
            .instance(
                .init(
                    .init("NSDictionary"),
                    ["NS.keys": .references(names), "NS.objects": .references(entities)]
                )
            )
        )
        let root = archive.add(
            .instance(
                .init(.init("NSManagedObjectModel"), ["NSEntities": .reference(dictionary)])
            )
        )
        archive.top = ["root": .reference(root)]
        let model = readCompiledModel(archive, path: "A.mom", entryLimit: 50_000)
        #expect(model.diagnostics.contains { $0.message.contains("too often") })
    }
}
