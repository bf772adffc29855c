import ObjectModel

/// Changes of composite attributes, and of what stands beside Core Data's own tables.
extension LossCase {
    private static let place = CompositeType(
        name: "Place",
        attributes: [text("street"), Attribute(name: "number", type: .integer32)]
    )

    private static func addPlace(_ model: inout ManagedObjectModel) {
        model.composites = [place]
        edit(&model, "Author") {
            $0.attributes.append(Attribute(name: "home", type: .composite, compositeName: "Place"))
        }
    }

    private static let places =
        library + ["UPDATE ZAUTHOR SET ZSTREET = 's', ZNUMBER = 70000 WHERE Z_PK < 3"]

    static let compositeCases: [LossCase] = [
        LossCase(
            "a composite attribute is removed",
            rows: places,
            [
                "Author.home.street": "SELECT count(ZSTREET) FROM ZAUTHOR",
                "Author.home.number": "SELECT count(ZNUMBER) FROM ZAUTHOR",
            ],
            from: addPlace
        ) { remove(["home"], &$0) },
        LossCase(
            "an element of a composite attribute is removed",
            rows: places,
            ["Author.home.street": "SELECT count(ZSTREET) FROM ZAUTHOR"],
            from: addPlace
        ) { $0.composites[0].attributes.removeFirst() },
        LossCase(
            "an element of a composite attribute is narrowed",
            rows: places,
            ["Author.home.number": "SELECT count(*) FROM ZAUTHOR WHERE ZNUMBER > 32767"],
            from: addPlace
        ) { $0.composites[0].attributes[1].type = .integer16 },
    ]

    static let surroundingCases: [LossCase] = [
        LossCase(
            "an index of somebody else names an attribute that goes",
            rows: library + ["CREATE INDEX mine ON ZCOVER (ZCOLOR)"],
            ["Cover.color": "SELECT count(ZCOLOR) FROM ZCOVER"],
            said: ["the index mine on ZCOVER goes"]
        ) { remove(["color"], &$0) },
        LossCase(
            "a trigger of somebody else names an attribute that goes",
            rows: library + [
                "CREATE TABLE log (what TEXT)",
                "CREATE TRIGGER mine AFTER UPDATE ON ZCOVER BEGIN INSERT INTO log VALUES (NEW.ZCOLOR); END",
            ],
            ["Cover.color": "SELECT count(ZCOLOR) FROM ZCOVER"],
            said: ["the trigger mine on ZCOVER goes"]
        ) { remove(["color"], &$0) },
    ]
}
