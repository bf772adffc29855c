import ModelEditing
import Testing

struct EditMessageTests {
    private static let source = """
        <model><entity name="Book">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="pages" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Page" inverseName="book" inverseEntity="Page"/>
        </entity><entity name="Page">
        <relationship name="book" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book" inverseName="pages" inverseEntity="Book"/>
        </entity></model>
        """

    private func fault(_ list: String) -> String {
        do throws(EditFault) {
            _ = try EditedSource(
                Array(Self.source.utf8),
                ModelEdit.read(list),
                path: "contents",
                knowsAll: true
            )
            return ""
        } catch {
            return error.message
        }
    }

    @Test(arguments: [
        (
            "[{set: relationship Book.pages, with: {deletionRule: cascade}}]",
            "'cascade' is no delete rule; did you mean 'Cascade'; there are "
        ),
        (
            "[{set: attribute Book.title, with: {renamingIdentifier: name}}]",
            "did you mean 'elementID'"
        ),
        ("[{set: attribute Book.title, with: {type: String}}]", "did you mean 'attributeType'"),
        ("[{set: relationship Book.pages, with: {min: 1}}]", "did you mean 'minCount'"),
        ("[{move: attribute Book.title, to: Page}]", "write to: entity Page"),
        ("[{move: attribute Book.title}]", "'to' is missing: the entity, as to: entity Order"),
    ])
    func `what was meant is named`(_ list: String, _ message: String) {
        #expect(fault(list).contains(message), "\(fault(list))")
    }

    @Test func `a delete rule that there is, and edits with it, are taken`() {
        #expect(fault("[{set: relationship Book.pages, with: {deletionRule: No Action}}]") == "")
        #expect(fault("[{move: attribute Book.title, to: entity Page}]") == "")
    }

    @Test func `the edit that is wrong is named in a list, by its line where it has one`() {
        let first = "{add: entity Tag}"
        let applied = fault("[\(first), {set: attribute Book.nope, with: {optional: true}}]")
        #expect(
            applied.hasPrefix("edit 2 (set attribute Book.nope): there is no attribute Book.nope"),
            "\(applied)"
        )
        let read = fault("[\(first), {move: attribute Book.title, to: Page}]")
        #expect(read.hasPrefix("edit 2 (move attribute Book.title): 'Page' is no"), "\(read)")
        let lines = fault("- \(first)\n- \(first)\n- move: attribute Book.title\n  to: Page\n")
        #expect(lines.hasPrefix("edit 3 (move attribute Book.title), line 3: "), "\(lines)")
        let alone = fault("[{set: attribute Book.nope, with: {optional: true}}]")
        #expect(alone.hasPrefix("there is no attribute Book.nope"), "\(alone)")
    }
}
