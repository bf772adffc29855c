import Diagnostics

extension Ruling {
    /// What is in no hash, so that Core Data opens the old store as it is.
    static let settings = [
        fetchIndexChanged, fetchIndexRebuilt, fetchedPropertyChanged, compositeTypeChanged,
        configurationChanged, fetchRequestChanged, versionIdentifiersChanged,
        renamingIdentifierChanged, classChanged, userInfoChanged, valueTransformerChanged,
        modelSettingChanged, attributeSettingChanged, relationshipSettingChanged,
    ]

    static let fetchIndexChanged = row(.noEffectOnHash, "fetch-index-changed")
        .when("a fetch index is added, removed or changed")
        .then("existing stores keep their indexes until they are migrated")
        .cured("set a version hash modifier to have indexes rebuilt")
        .by(.measured, "Wire 2.26 to 2.27")
    /// Rebuilt when a migration happens anyway (MigrationBehaviour, "Changes").
    static let fetchIndexRebuilt = row(.noEffectOnHash, "fetch-index-changed")
        .when("a fetch index is added, removed or changed, and the hash of its entity changes")
        .then("indexes are rebuilt when the entity is migrated").by(.measured, "Wire 2.26 to 2.27")
    static let fetchedPropertyChanged = row(.noEffectOnHash, "fetched-property-changed")
        .when("a fetched property is added, removed or changed")
        .then("fetched properties are not stored").by(.documented)
    static let compositeTypeChanged = row(.noEffectOnHash, "composite-type-changed")
        .when("a composite type is added, removed or changed")
        .then("only its attributes matter; each is listed separately").by(.inferred)
    static let configurationChanged = row(.noEffectOnHash, "configuration-changed")
        .when("a configuration is added, removed or changed")
        .then("its stores hold other entities from now on; existing rows do not move").by(.inferred)
    static let fetchRequestChanged = row(.noEffectOnHash, "fetch-request-changed")
        .when("a fetch request is added, removed or changed").then("fetch requests are not stored")
        .by(.documented)
    static let versionIdentifiersChanged = row(.noEffectOnHash, "version-identifiers-changed")
        .when("the model's version identifiers change").then("version identifiers are hints only")
        .by(.documented)
    static let renamingIdentifierChanged = row(.noEffectOnHash, "renaming-identifier-changed")
        .when("the renaming identifier of an entity changes")
        .then("it only affects how versions are matched").by(.documented)
    static let classChanged = row(.noEffectOnHash, "class-changed")
        .when("the class of an entity changes").then("classes are not stored").by(.measured)
    static let userInfoChanged = row(.noEffectOnHash, "user-info-changed")
        .when("user info changes").then("user info is not stored").by(.documented)
    static let valueTransformerChanged = row(.noEffectOnHash, "value-transformer-changed")
        .when("the value transformer of an attribute changes")
        .then("stored bytes stay as the old transformer wrote them")
        .by(.measured, "Wire 2.83 to 2.84; WooCommerce")
    static let modelSettingChanged = row(.noEffectOnHash, "setting-changed")
        .when("another setting of the model or of an entity changes")
        .then("it does not affect the data").by(.documented)
    static let attributeSettingChanged = row(.noEffectOnHash, "setting-changed")
        .when("another setting of an attribute changes, such as a validation")
        .then("values are kept").by(.documented)
    static let relationshipSettingChanged = row(.noEffectOnHash, "setting-changed")
        .when("another setting of a relationship changes").then("links are kept").by(.documented)
}
