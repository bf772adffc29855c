import Diagnostics
import ObjectModel
import PropertyLists

extension LegacyReader {
    mutating func attribute(_ object: inout ArchivedObject, of owner: String) -> Attribute {
        let name = propertyName(&object, of: owner)
        let element = "\(owner).\(name)"
        var values = stereotypes(
            of: &object,
            named: ["XD_PPropStereotype", "XD_PAtt_Stereotype"],
            element
        )
        var attribute = Attribute(
            name: name,
            type: type(values.take("XD_PAttK_attributeType"), element),
            source: archive.source
        )
        readFlags(&values, into: &attribute, element)
        readCommon(&values, into: &attribute, element)
        attribute.valueTransformerName = values.text("XD_PAttK_valueTransformerName", archive)
        attribute.validation.regularExpression = values.text(
            "XD_PAttK_regularExpressionString",
            archive
        )
        if flag(values.take("XD_PAttK_allowsExternalBinaryDataStorage"), element) == true {
            attribute.allowsExternalBinaryDataStorage = true
            doubts.append("no known Xcode 3 model has external storage ('\(element)')")
        }
        let limitType: AttributeType = attribute.type == .string ? .integer64 : attribute.type
        if let text = values.text("XD_PAttK_minValueString", archive) {
            attribute.validation.minimum = value(text, limitType, element)
        }
        if let text = values.text("XD_PAttK_maxValueString", archive) {
            attribute.validation.maximum = value(text, limitType, element)
        }
        if let text = values.text("XD_PAttK_defaultValueAsString", archive) {
            if attribute.type == .date, text == "now" { attribute.unstatedDefault = .moment(text) }
            attribute.defaultValue = value(text, attribute.type, element)
            if attribute.type != .date, attribute.defaultValue?.sourceText != text {
                attribute.sourceSettings["defaultValueString"] = text
            }
        }
        refuseRest(of: values, element)
        return attribute
    }

    mutating func relationship(_ object: inout ArchivedObject, of owner: String) -> Relationship {
        let name = propertyName(&object, of: owner)
        let element = "\(owner).\(name)"
        var values = stereotypes(
            of: &object,
            named: ["XD_PPropStereotype", "XD_PR_Stereotype"],
            element
        )
        var relationship = Relationship(
            name: name,
            isOptional: false,
            destinationEntity: entityName(values.take("XD_PRK_destination")),
            source: archive.source
        )
        readFlags(&values, into: &relationship, element)
        readCommon(&values, into: &relationship, element)
        relationship.isToMany = flag(values.take("XD_PRK_isToMany"), element) ?? false
        relationship.isOrdered = flag(values.take("XD_PRK_ordered"), element) ?? false
        relationship.minCount = count(values.take("XD_PRK_minCount"), element)
        relationship.maxCount = count(values.take("XD_PRK_maxCount"), element)
        noteCounts(of: relationship, element)
        let code = number(values.take("XD_PRK_deleteRule"), element)
        if let rule = code.flatMap(Relationship.DeleteRule.init) {
            relationship.deleteRule = rule
        } else {
            refuse("the delete rule \(code.map(String.init) ?? "nil")", of: element)
        }
        let inverse = values.take("XD_PRK_inverseRelationship")
        if var other = archive.object(inverse, of: ["XDPMRelationship"]) {
            relationship.inverseName = archive.text(of: other.reference("_name"))
            relationship.inverseEntity = entityName(other.reference("_owner"))
        }
        refuseRest(of: values, element)
        return relationship
    }

    mutating func fetchedProperty(
        _ object: inout ArchivedObject,
        of owner: String
    ) -> FetchedProperty {
        let name = propertyName(&object, of: owner)
        let element = "\(owner).\(name)"
        var values = stereotypes(
            of: &object,
            named: ["XD_PPropStereotype", "XD_PFP_Stereotype"],
            element
        )
        // All attributes that Xcode wrote since are optional, and have no flags.
        let isOptional = flag(values.take("XD_PPSK_isOptional"), element) ?? true
        var property = FetchedProperty(name: name, isOptional: isOptional, source: archive.source)
        readCommon(&values, into: &property, element)
        let request = values.take("XD_PFP_fetchRequestKey")
        if archive.archive[request] != .null {
            var value = fetchRequest(request, element)
            value.name = "fetchedPropertyFetchRequest"
            property.fetchRequest = value
        }
        values.skip([
            "XD_PPSK_isTransient", "XD_PPSK_isIndexed", "XD_PPSK_isSpotlightIndexed",
            "XD_PPSK_isStoredInTruthFile",
        ])
        refuseRest(of: values, element)
        return property
    }

    mutating func fetchRequest(_ reference: Reference, _ element: String) -> FetchRequest {
        guard var object = archive.object(reference, of: ["XDPMFetchRequest"]) else {
            refuse("a fetch request that is not an XDPMFetchRequest", of: element)
            return FetchRequest(name: "", entity: nil, source: archive.source)
        }
        return FetchRequest(
            name: archive.text(of: object.reference("_name")) ?? "",
            entity: entityName(object.reference("_entity")),
            predicate: archive.text(of: object.reference("_predicateString")),
            source: archive.source
        )
    }

    private mutating func propertyName(_ object: inout ArchivedObject, of owner: String) -> String {
        let name = archive.text(of: object.reference("_name")) ?? ""
        if name.isEmpty {
            archive.invalid("a property of '\(owner)' has no name", severity: .error)
        }
        return name
    }

    private mutating func readFlags(
        _ values: inout StereotypeValues,
        into property: inout some FlaggedProperty,
        _ element: String
    ) {
        func isSet(_ key: String) -> Bool { flag(values.take("XD_PPSK_\(key)"), element) ?? false }
        property.flags[.indexed] = isSet("isIndexed")
        property.flags[.spotlightIndexing] = isSet("isSpotlightIndexed")
        property.flags[.storedInTruthFile] = isSet("isStoredInTruthFile")
        property.isOptional = isSet("isOptional")
        property.isTransient = isSet("isTransient")
    }

    private mutating func readCommon(
        _ values: inout StereotypeValues,
        into property: inout some Property,
        _ element: String
    ) {
        let modifier = values.take("XD_PPSK_versionHashModifier")
        property.versionHashModifier = hashModifier(modifier, element)
        property.renamingIdentifier = values.text("XD_PPSK_elementID", archive)
        property.userInfo = userInfo(values.take("XD_PPSK_userInfo"), element)
    }

    private mutating func type(_ reference: Reference, _ element: String) -> AttributeType {
        guard let code = number(reference, element) else { return .undefined }
        // Only these types existed, and were seen.
        guard let type = AttributeType(rawValue: code), code <= 1000 || type == .transformable
        else {
            refuseHashed("the attribute type \(code)", of: element)
            return .undefined
        }
        return type
    }

    /// Takes a count; 0 is none.
    private mutating func count(_ reference: Reference, _ element: String) -> Int? {
        guard let count = number(reference, element), count != 0 else { return nil }
        guard let bound = Int32(exactly: count), bound > 0 else {
            refuseHashed("the count \(count)", of: element)
            return nil
        }
        return count
    }

    /// Notes counts that are hashed as they are, without confirmation by a hash of Apple's.
    private mutating func noteCounts(of relationship: Relationship, _ element: String) {
        let (least, most) = (relationship.minCount ?? 0, relationship.maxCount ?? 0)
        let isKnown = relationship.isToMany ? most == 0 && least <= 1 : most == 1 && least <= 1
        guard !isKnown else { return }
        doubts.append("no known Xcode 3 model has the counts \(least), \(most) ('\(element)')")
    }

    private mutating func value(
        _ text: String,
        _ type: AttributeType,
        _ element: String
    ) -> AttributeValue? {
        if type == .date { return date(text, element) }
        let value = ValueText(text: text)
        if !value.isPlain(for: type) {
            let name = type.sourceName ?? "Undefined"
            archive.invalid("'\(text)' is not a value of type \(name)", element: element)
        }
        return value.value(for: type)
    }

    /// Takes the text of a date, which Apple's compiler read in any human form, in the machine's time zone.
    private mutating func date(_ text: String, _ element: String) -> AttributeValue? {
        if let seconds = Double(text), seconds.isFinite {
            archive.invalid(
                "the date '\(text)' is read as seconds since 2001-01-01, which no compiled model"
                    + " has shown",
                element: element
            )
            return .date(seconds)
        }
        if let noon = noon(of: text) {
            archive.invalid(
                "the date '\(text)' is read as 12:00 UTC; Apple's compiler uses 12:00 in the time"
                    + " zone of its Mac",
                element: element
            )
            return .date(noon)
        }
        let reason = text == "now" ? "it is the time of compiling" : "it is not understood"
        archive.invalid("the date '\(text)' is left out: \(reason)", element: element)
        return nil
    }

    /// The seconds from 2001 to noon of a day written as month/day/year; `nil` for any other text.
    ///
    /// A two-digit year is one of the last century where no other is possible.
    private func noon(of text: String) -> Double? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isASCII) ? Int($0) : nil }
        guard parts.count == 3, numbers.count == 3, let digits = parts.last?.count else {
            return nil
        }
        let (month, day) = (numbers[0], numbers[1])
        var year = numbers[2]
        if digits == 2, (70...99).contains(year) { year += 1900 }
        guard (1600...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
            return nil
        }
        // Days since 2001-03-01, counting years from March.
        let isEarly = month <= 2
        let shifted = year - (isEarly ? 1 : 0)
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        let days = shifted * 365 + leapDays + dayOfYear
        return Double(days - Self.daysTo2001) * 86400 + 43200
    }

    private static let daysTo2001 = 2000 * 365 + 2000 / 4 - 2000 / 100 + 2000 / 400 + 306
}
