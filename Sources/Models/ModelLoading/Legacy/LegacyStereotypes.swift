import ObjectModel
import PropertyLists

/// The values in the stereotypes of an object, by key; nil is left out.
struct StereotypeValues {
    private(set) var rest: [String: KeyedArchive.Reference]

    init(_ values: [String: KeyedArchive.Reference]) { rest = values }

    /// Takes the value of a key; the number of nil where there is none.
    mutating func take(_ key: String) -> KeyedArchive.Reference {
        rest.removeValue(forKey: key) ?? .null
    }

    mutating func text(_ key: String, _ archive: ArchiveReader) -> String? {
        archive.text(of: take(key))
    }

    /// Marks keys without new information as known.
    mutating func skip(_ keys: [String]) { for key in keys { rest[key] = nil } }
}

extension LegacyReader {
    /// Returns the values in the stereotypes of an object; unknown names are reported.
    mutating func stereotypes(
        of object: inout ArchivedObject,
        named names: Set<String>,
        _ element: String
    ) -> StereotypeValues {
        var values: [String: Reference] = [:]
        for reference in bucket("Stereotypes", of: &object) {
            guard var stereotype = archive.object(reference, of: ["XDUMLStereotypeImp"]),
                let name = archive.text(of: stereotype.reference("_name")), names.contains(name)
            else {
                refuseHashed("an unknown stereotype", of: element)
                continue
            }
            for property in bucket("OwnedAttributes", of: &stereotype) {
                guard var pair = archive.object(property, of: ["XDUMLPropertyImp"]),
                    let key = archive.text(of: pair.reference("_name"))
                else {
                    refuseHashed("an unknown value of '\(name)'", of: element)
                    continue
                }
                let value = pair.reference("_default")
                if archive.archive[value] != .null { values[key] = value }
            }
        }
        return StereotypeValues(values)
    }

    mutating func refuseRest(of values: StereotypeValues, _ element: String) {
        for key in values.rest.keys.sorted() { refuseHashed("the key '\(key)'", of: element) }
    }

    /// Reports a part that may be in the hash of the entity.
    mutating func refuseHashed(_ part: String, of element: String) {
        refuse(part, of: element)
        gaps.append("\(part) of '\(element)' is not understood")
    }

    /// Takes a number of any class; `nil` where there is none.
    mutating func number(_ reference: Reference, _ element: String) -> Int? {
        switch archive.archive[reference] {
        case .null: return nil
        case .plain(.integer(let number)): return Int(number)
        case .plain(.boolean(let flag)): return flag ? 1 : 0
        case .plain(.real64(let number)): if let number = Int(exactly: number) { return number }
        case .instance(let instance):
            // Integers in a text field.
            if let decimal = archive.decimal(instance), let number = Int(decimal.description) {
                return number
            }
        default: break
        }
        refuseHashed("a value that is not a whole number", of: element)
        return nil
    }

    mutating func flag(_ reference: Reference, _ element: String) -> Bool? {
        number(reference, element).map { $0 != 0 }
    }

    mutating func isEmpty(_ reference: Reference) -> Bool {
        switch archive.archive[reference] {
        case .null: true
        case .instance(let instance):
            ["NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary"]
                .contains(instance.className) && archive.uncountedElements(reference).isEmpty
        default: false
        }
    }

    /// Takes a version hash modifier, which no file that Apple's tools hashed has shown.
    mutating func hashModifier(_ reference: Reference, _ element: String) -> String? {
        guard let modifier = archive.text(of: reference) else { return nil }
        doubts.append("no known Xcode 3 model has a version hash modifier ('\(element)')")
        return modifier
    }

    /// Reads user info; what Sync Services left in nearly all models is converted as Apple's compiler does.
    mutating func userInfo(_ reference: Reference, _ element: String) -> [UserInfoEntry] {
        let services = "com.apple.syncservices."
        return archive.entries(reference).compactMap { key, value in
            let text = archive.text(of: value)
            guard key.hasPrefix(services) else {
                if let text { return UserInfoEntry(key: key, value: text) }
                archive.invalid("the user info '\(key)' is not a string", element: element)
                return nil
            }
            switch (key.dropFirst(services.count), text) {
            case ("Syncable", "NO"): return UserInfoEntry(key: key, value: "NO")
            case ("IdentityProperties", nil):
                let names = archive.elements(value).flatMap { archive.elements($0) }
                    .compactMap { archive.text(of: $0) }
                if names.isEmpty { return UserInfoEntry(key: key, value: "") }
            case ("ExcludeFromDataChangeAlert", "NO"), ("AutomaticResolutionPolicy", nil):
                return nil
            default: break
            }
            archive.invalid(
                "the user info '\(key)' of Sync Services is left out: it is unknown how its value"
                    + " is compiled",
                element: element
            )
            return nil
        }
    }
}
