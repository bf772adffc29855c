import Diagnostics
import ObjectModel

extension Rule {
    static let tooManyProperties = Rule(
        .named("too-many-properties", .apple, .warning),
        summary: "Entities have at most 100 properties",
        rationale: """
            Xcode warns about larger ones: every fetch reads the whole row. Move what is seldom read into a separate \
            entity.
            """,
        passing: ["<entity name='A'/>"],
        failing: [
            """
            <entity ◀name='A'><attribute name='a00' optional='YES' attributeType='String'/>
            <attribute name='a10' optional='YES' attributeType='String'/>
            <attribute name='a20' optional='YES' attributeType='String'/>
            <attribute name='a30' optional='YES' attributeType='String'/>
            <attribute name='a40' optional='YES' attributeType='String'/>
            <attribute name='a50' optional='YES' attributeType='String'/>
            <attribute name='a60' optional='YES' attributeType='String'/>
            <attribute name='a70' optional='YES' attributeType='String'/>
            <attribute name='a80' optional='YES' attributeType='String'/>
            <attribute name='a90' optional='YES' attributeType='String'/>
            <attribute name='a100' optional='YES' attributeType='String'/>
            <attribute name='a110' optional='YES' attributeType='String'/>
            <attribute name='a120' optional='YES' attributeType='String'/>
            <attribute name='a130' optional='YES' attributeType='String'/>
            <attribute name='a140' optional='YES' attributeType='String'/>
            <attribute name='a150' optional='YES' attributeType='String'/>
            <attribute name='a160' optional='YES' attributeType='String'/>
            <attribute name='a170' optional='YES' attributeType='String'/>
            <attribute name='a180' optional='YES' attributeType='String'/>
            <attribute name='a190' optional='YES' attributeType='String'/>
            <attribute name='a200' optional='YES' attributeType='String'/>
            <attribute name='a210' optional='YES' attributeType='String'/>
            <attribute name='a220' optional='YES' attributeType='String'/>
            <attribute name='a230' optional='YES' attributeType='String'/>
            <attribute name='a240' optional='YES' attributeType='String'/>
            <attribute name='a250' optional='YES' attributeType='String'/>
            <attribute name='a260' optional='YES' attributeType='String'/>
            <attribute name='a270' optional='YES' attributeType='String'/>
            <attribute name='a280' optional='YES' attributeType='String'/>
            <attribute name='a290' optional='YES' attributeType='String'/>
            <attribute name='a300' optional='YES' attributeType='String'/>
            <attribute name='a310' optional='YES' attributeType='String'/>
            <attribute name='a320' optional='YES' attributeType='String'/>
            <attribute name='a330' optional='YES' attributeType='String'/>
            <attribute name='a340' optional='YES' attributeType='String'/>
            <attribute name='a350' optional='YES' attributeType='String'/>
            <attribute name='a360' optional='YES' attributeType='String'/>
            <attribute name='a370' optional='YES' attributeType='String'/>
            <attribute name='a380' optional='YES' attributeType='String'/>
            <attribute name='a390' optional='YES' attributeType='String'/>
            <attribute name='a400' optional='YES' attributeType='String'/>
            <attribute name='a410' optional='YES' attributeType='String'/>
            <attribute name='a420' optional='YES' attributeType='String'/>
            <attribute name='a430' optional='YES' attributeType='String'/>
            <attribute name='a440' optional='YES' attributeType='String'/>
            <attribute name='a450' optional='YES' attributeType='String'/>
            <attribute name='a460' optional='YES' attributeType='String'/>
            <attribute name='a470' optional='YES' attributeType='String'/>
            <attribute name='a480' optional='YES' attributeType='String'/>
            <attribute name='a490' optional='YES' attributeType='String'/>
            <attribute name='a500' optional='YES' attributeType='String'/>
            <attribute name='a510' optional='YES' attributeType='String'/>
            <attribute name='a520' optional='YES' attributeType='String'/>
            <attribute name='a530' optional='YES' attributeType='String'/>
            <attribute name='a540' optional='YES' attributeType='String'/>
            <attribute name='a550' optional='YES' attributeType='String'/>
            <attribute name='a560' optional='YES' attributeType='String'/>
            <attribute name='a570' optional='YES' attributeType='String'/>
            <attribute name='a580' optional='YES' attributeType='String'/>
            <attribute name='a590' optional='YES' attributeType='String'/>
            <attribute name='a600' optional='YES' attributeType='String'/>
            <attribute name='a610' optional='YES' attributeType='String'/>
            <attribute name='a620' optional='YES' attributeType='String'/>
            <attribute name='a630' optional='YES' attributeType='String'/>
            <attribute name='a640' optional='YES' attributeType='String'/>
            <attribute name='a650' optional='YES' attributeType='String'/>
            <attribute name='a660' optional='YES' attributeType='String'/>
            <attribute name='a670' optional='YES' attributeType='String'/>
            <attribute name='a680' optional='YES' attributeType='String'/>
            <attribute name='a690' optional='YES' attributeType='String'/>
            <attribute name='a700' optional='YES' attributeType='String'/>
            <attribute name='a710' optional='YES' attributeType='String'/>
            <attribute name='a720' optional='YES' attributeType='String'/>
            <attribute name='a730' optional='YES' attributeType='String'/>
            <attribute name='a740' optional='YES' attributeType='String'/>
            <attribute name='a750' optional='YES' attributeType='String'/>
            <attribute name='a760' optional='YES' attributeType='String'/>
            <attribute name='a770' optional='YES' attributeType='String'/>
            <attribute name='a780' optional='YES' attributeType='String'/>
            <attribute name='a790' optional='YES' attributeType='String'/>
            <attribute name='a800' optional='YES' attributeType='String'/>
            <attribute name='a810' optional='YES' attributeType='String'/>
            <attribute name='a820' optional='YES' attributeType='String'/>
            <attribute name='a830' optional='YES' attributeType='String'/>
            <attribute name='a840' optional='YES' attributeType='String'/>
            <attribute name='a850' optional='YES' attributeType='String'/>
            <attribute name='a860' optional='YES' attributeType='String'/>
            <attribute name='a870' optional='YES' attributeType='String'/>
            <attribute name='a880' optional='YES' attributeType='String'/>
            <attribute name='a890' optional='YES' attributeType='String'/>
            <attribute name='a900' optional='YES' attributeType='String'/>
            <attribute name='a910' optional='YES' attributeType='String'/>
            <attribute name='a920' optional='YES' attributeType='String'/>
            <attribute name='a930' optional='YES' attributeType='String'/>
            <attribute name='a940' optional='YES' attributeType='String'/>
            <attribute name='a950' optional='YES' attributeType='String'/>
            <attribute name='a960' optional='YES' attributeType='String'/>
            <attribute name='a970' optional='YES' attributeType='String'/>
            <attribute name='a980' optional='YES' attributeType='String'/>
            <attribute name='a990' optional='YES' attributeType='String'/>
            <attribute name='a1000' optional='YES' attributeType='String'/></entity>
            """
        ],
        check: .model { model in
            zip(model.entities, model.properties).compactMap { entity, properties in
                guard properties.count > 100 else { return nil }
                return Violation(
                    "split '\(entity.name)': it has \(properties.count) properties",
                    at: entity.source.location(of: "name"),
                    element: entity.name
                )
            }
        }
    )
}
