import AppKit
import SwiftData

// Each entity asks one question; what follows from another hash than momtool's stands behind its name.

// Plain: nothing below counts, as not even this class has the hash of known stores.
@Model final class Plain {
    var text: String = ""
    init() {}
}

// Spotlight: the bit of .spotlight is not Core Data's.
@Model final class Spotlight {
    @Attribute(.spotlight) var text: String = ""
    init() {}
}

// Preserved: the bit of .preserveValueOnDeletion is not Core Data's.
@Model final class Preserved {
    @Attribute(.preserveValueOnDeletion) var text: String = ""
    init() {}
}

// Modified: hashModifier: is not the version hash modifier.
@Model final class Modified {
    @Attribute(hashModifier: "2") var text: String = ""
    init() {}
}

// Transformed: .transformable names its transformer otherwise, or is not Transformable.
@Model final class Transformed {
    @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var color: NSColor?
    init() {}
}

// UniqueTwice: a constraint that .unique and #Unique both name counts once; momtool counts it twice.
@Model final class UniqueTwice {
    #Unique<UniqueTwice>([\.text])
    @Attribute(.unique) var text: String = ""
    init() {}
}

// Ephemeral: momtool has no reading; with the hash of a transient attribute, .ephemeral is one.
@Model final class Ephemeral {
    @Attribute(.ephemeral) var text: String = ""
    init() {}
}

// Denied: the delete rule .deny, or .noAction of its link back, has another number.
@Model final class Denied {
    @Relationship(deleteRule: .deny, inverse: \Target.denied) var targets: [Target] = []
    init() {}
}

// Counted: minimumModelCount: or maximumModelCount: is not in the hash as in Core Data's models.
@Model final class Counted {
    @Relationship(minimumModelCount: 1, maximumModelCount: 9, inverse: \Target.counted)
    var targets: [Target] = []
    init() {}
}

// Friend: a many-to-many relationship of a class with itself hashes otherwise than one between two classes.
@Model final class Friend {
    var friends: [Friend] = []
    @Relationship(inverse: \Friend.friends) var friendOf: [Friend] = []
    init() {}
}

// Target: as Denied, Counted.
@Model final class Target {
    @Relationship(deleteRule: .noAction) var denied: Denied?
    var counted: Counted?
    init() {}
}

let models: [any PersistentModel.Type] = [
    Plain.self, Spotlight.self, Preserved.self, Modified.self, Transformed.self, UniqueTwice.self,
    Ephemeral.self, Denied.self, Counted.self, Friend.self, Target.self,
]
