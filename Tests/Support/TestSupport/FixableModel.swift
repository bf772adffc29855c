package let fixableModel = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Old" representedClassName="Old" syncable="YES" renamingIdentifier="Older">
            <attribute name="name" optional="YES" attributeType="String"/>
        </entity>
    </model>
    """
