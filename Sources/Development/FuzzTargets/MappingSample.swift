/// A small mapping model between the sample models, in the editor's form.
enum MappingSample {
    static let text = """
        <?xml version="1.0" standalone="yes"?>
        <database>
        <object type="XDDEVATTRIBUTEMAPPING" id="z101">
        <attribute name="name" type="string">heading</attribute>
        <attribute name="sourcekeypath" type="string">title</attribute>
        <relationship name="entitymapping" type="1/1" destination="XDDEVENTITYMAPPING" idrefs="z103"></relationship>
        </object>
        <object type="XDDEVRELATIONSHIPMAPPING" id="z102">
        <attribute name="name" type="string">author</attribute>
        <attribute name="sourcemappingname" type="string">PersonToPerson</attribute>
        <relationship name="entitymapping" type="1/1" destination="XDDEVENTITYMAPPING" idrefs="z103"></relationship>
        </object>
        <object type="XDDEVENTITYMAPPING" id="z103">
        <attribute name="name" type="string">BookToBook</attribute>
        <attribute name="sourcename" type="string">Book</attribute>
        <attribute name="destinationname" type="string">Book</attribute>
        <attribute name="mappingnumber" type="int16">1</attribute>
        <relationship name="mappingmodel" type="1/1" destination="XDDEVMAPPINGMODEL" idrefs="z105"></relationship>
        <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" idrefs="z101"></relationship>
        <relationship name="relationshipmappings" type="0/0" destination="XDDEVRELATIONSHIPMAPPING" idrefs="z102"></relationship>
        </object>
        <object type="XDDEVENTITYMAPPING" id="z104">
        <attribute name="name" type="string">PersonToPerson</attribute>
        <attribute name="sourcename" type="string">Person</attribute>
        <attribute name="destinationname" type="string">Person</attribute>
        <attribute name="mappingnumber" type="int16">2</attribute>
        <relationship name="mappingmodel" type="1/1" destination="XDDEVMAPPINGMODEL" idrefs="z105"></relationship>
        </object>
        <object type="XDDEVMAPPINGMODEL" id="z105">
        <attribute name="sourcemodelpath" type="string">Old.xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">New.xcdatamodel</attribute>
        <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z103 z104"></relationship>
        </object>
        </database>
        """
}
