/// Probes of edits of a source.
extension Probe {
    static let edits = [renames, settings]

    private static let index =
        "<fetchIndex name='byA'>\n<fetchIndexElement property='a' type='Binary' order='ascending'/>\n"
        + "</fetchIndex>"

    private static func relationship(_ name: String, to end: String, inverse: String) -> String {
        "<relationship name='\(name)' optional='YES' maxCount='1' deletionRule='Nullify' "
            + "destinationEntity='\(end)' inverseName='\(inverse)' inverseEntity='\(end)'/>"
    }

    /// Two entities that name each other and have properties of one name, and a third one.
    private static let library = """
        <model lastSavedToolsVersion='23000'>
        <entity name='A' representedClassName='Shop.A'>
        \(text("a"))
        <attribute name='f' optional='YES' attributeType='Boolean'/>
        \(relationship("r", to: "B", inverse: "o"))
        \(index)
        </entity>
        <entity name='B' representedClassName='Shop.B'>
        \(text("a"))
        \(text("k"))
        \(relationship("o", to: "A", inverse: "r"))
        \(index)
        </entity>
        <entity name='C' representedClassName='Shop.C'/>
        <configuration name='K'>
        <memberEntity name='A'/>
        <memberEntity name='C'/>
        </configuration>
        <elements>
        <element name='A' positionX='0'/>
        <element name='C' positionX='0'/>
        </elements>
        </model>
        """

    private static let contents = "M.xcdatamodeld/V1.xcdatamodel/contents"

    /// What has another name is named by it everywhere, and found by the one that stores know.
    private static let renames = Probe(
        "renames-reach-what-names-a-thing",
        files: bundle("M", ["V1": library]).merging(bundle("Old", ["V1": library])) { $1 },
        [
            Run("model rename M.xcdatamodeld A.a b"), Run("model rename M.xcdatamodeld A.b c"),
            Run("model rename M.xcdatamodeld B.k l"), Run("model rename M.xcdatamodeld B.l k"),
            Run("model rename M.xcdatamodeld A.r q"), Run("model rename M.xcdatamodeld A Z"),
            Run(
                file: contents,
                says: [
                    "name='c' optional='YES' attributeType='String' elementID='a'",
                    "property='c'", "property='a'", "inverseName='q'",
                    "representedClassName='Shop.Z'",
                ],
                omits: ["elementID='k'"]
            ),
            Run(
                "diff Old.xcdatamodeld M.xcdatamodeld --format edits",
                says: ["rename: attribute Z.a", "rename: entity A"]
            ),
        ]
    )

    /// What is added, set or removed brings along or takes away what belongs to it.
    private static let settings = Probe(
        "settings-bring-what-belongs-to-them",
        files: bundle("M", ["V1": library]),
        [
            Run("model set M.xcdatamodeld A.f --default true"),
            Run("model set M.xcdatamodeld B.o --many yes"),
            Run(
                "model add M.xcdatamodeld attribute A.d Double --set derivationExpression=r.@count"
            ),
            Run("model add M.xcdatamodeld relationship A.p --to B --inverse n"),
            Run("model remove M.xcdatamodeld entity C"),
            Run(
                file: contents,
                says: [
                    "name='f' optional='YES' attributeType='Boolean' defaultValueString='YES'",
                    "name='o' optional='YES' toMany='YES' deletionRule='Nullify'",
                    "usesScalarValueType=\"YES\"/>\n<attribute name='f'",
                    "inverseName=\"n\" inverseEntity=\"B\"",
                ],
                omits: [
                    "defaultValueString=\"0.0\"", "<element name='C'", "<memberEntity name='C'",
                ]
            ),
        ]
    )
}
