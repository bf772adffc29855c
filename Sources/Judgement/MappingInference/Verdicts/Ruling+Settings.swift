import Diagnostics

extension Ruling {
    /// What is in no hash, so that Core Data opens the old store as it is.
    static let settings = [
        fetchIndexChanged, fetchIndexRebuilt, fetchedPropertyChanged, compositeTypeChanged,
        configurationChanged, fetchRequestChanged, versionIdentifiersChanged,
        renamingIdentifierChanged, classChanged, userInfoChanged, valueTransformerChanged,
        modelSettingChanged, attributeSettingChanged, relationshipSettingChanged,
    ]

    static let fetchIndexChanged = Ruling(
        "a fetch index is added, removed or changed",
        .is(.noEffectOnHash, "fetch-index-changed"),
        "existing stores keep their indexes until they are migrated",
        cure: "set a version hash modifier to have indexes rebuilt",
        .by(.measured, "Wire 2.26 to 2.27")
    )
    /// Rebuilt when a migration happens anyway (MigrationBehaviour, "Changes").
    static let fetchIndexRebuilt = Ruling(
        "a fetch index is added, removed or changed, and the hash of its entity changes",
        .is(.noEffectOnHash, "fetch-index-changed"),
        "indexes are rebuilt when the entity is migrated",
        .by(.measured, "Wire 2.26 to 2.27")
    )
    static let fetchedPropertyChanged = Ruling(
        "a fetched property is added, removed or changed",
        .is(.noEffectOnHash, "fetched-property-changed"),
        "fetched properties are not stored",
        .by(.documented)
    )
    static let compositeTypeChanged = Ruling(
        "a composite type is added, removed or changed",
        .is(.noEffectOnHash, "composite-type-changed"),
        "only its attributes matter; each is listed separately",
        .by(.inferred)
    )
    static let configurationChanged = Ruling(
        "a configuration is added, removed or changed",
        .is(.noEffectOnHash, "configuration-changed"),
        "its stores hold other entities from now on; existing rows do not move",
        .by(.inferred)
    )
    static let fetchRequestChanged = Ruling(
        "a fetch request is added, removed or changed",
        .is(.noEffectOnHash, "fetch-request-changed"),
        "fetch requests are not stored",
        .by(.documented)
    )
    static let versionIdentifiersChanged = Ruling(
        "the model's version identifiers change",
        .is(.noEffectOnHash, "version-identifiers-changed"),
        "version identifiers are hints only",
        .by(.documented)
    )
    static let renamingIdentifierChanged = Ruling(
        "the renaming identifier of an entity changes",
        .is(.noEffectOnHash, "renaming-identifier-changed"),
        "it only affects how versions are matched",
        .by(.documented)
    )
    static let classChanged = Ruling(
        "the class of an entity changes",
        .is(.noEffectOnHash, "class-changed"),
        "classes are not stored",
        .by(.measured)
    )
    static let userInfoChanged = Ruling(
        "user info changes",
        .is(.noEffectOnHash, "user-info-changed"),
        "user info is not stored",
        .by(.documented)
    )
    static let valueTransformerChanged = Ruling(
        "the value transformer of an attribute changes",
        .is(.noEffectOnHash, "value-transformer-changed"),
        "stored bytes stay as the old transformer wrote them",
        .by(.measured, "Wire 2.83 to 2.84; WooCommerce")
    )
    static let modelSettingChanged = Ruling(
        "another setting of the model or of an entity changes",
        .is(.noEffectOnHash, "setting-changed"),
        "it does not affect the data",
        .by(.documented)
    )
    static let attributeSettingChanged = Ruling(
        "another setting of an attribute changes, such as a validation",
        .is(.noEffectOnHash, "setting-changed"),
        "values are kept",
        .by(.documented)
    )
    static let relationshipSettingChanged = Ruling(
        "another setting of a relationship changes",
        .is(.noEffectOnHash, "setting-changed"),
        "links are kept",
        .by(.documented)
    )
}
