import TestSupport

/// The XML of a model in the notation of transcripts: `Book(title String?, author > Author.books); Author(books >> Book.author)`.
///
/// `name TYPE` is an attribute, with `?` an optional one, with ` = VALUE` one with a default; `>` is a to-one relationship
/// and `>>` a to-many, with `!` behind the destination a mandatory one. A text with `<` is XML already.
func typedModel(_ text: String) -> String {
    guard !text.contains("<") else {
        return text.contains("<model") ? text : "<model>\(text)</model>"
    }
    let entities = text.split(separator: ";").map { part in
        let (head, body) = halves(part, "(")
        let properties = body.dropLast(body.hasSuffix(")") ? 1 : 0).split(separator: ",")
        return "<entity name='\(head)'>\(properties.map(property).joined())</entity>"
    }
    return "<model>\(entities.joined())</model>"
}

private func property(_ text: Substring) -> String {
    let (name, rest) = halves(text, " ")
    guard rest.hasPrefix(">") else { return attribute(name, rest) }
    let isToMany = rest.hasPrefix(">>")
    let isMandatory = rest.hasSuffix("!")
    let (destination, inverse) = halves(rest.filter { !"> !".contains($0) }[...], ".")
    let cardinality = isToMany ? "toMany='YES'" : "maxCount='1'"
    let back = inverse.isEmpty ? "" : " inverseName='\(inverse)' inverseEntity='\(destination)'"
    return "<relationship name='\(name)'\(isMandatory ? "" : " optional='YES'") \(cardinality) "
        + "deletionRule='Nullify' destinationEntity='\(destination)'\(back)/>"
}

private func attribute(_ name: String, _ text: String) -> String {
    var (type, value) = halves(text[...], "=")
    let isOptional = type.hasSuffix("?")
    if isOptional { type.removeLast() }
    let key = type == "Date" ? "defaultDateTimeInterval" : "defaultValueString"
    return "<attribute name='\(name)'\(isOptional ? " optional='YES'" : "") attributeType='\(type)'"
        + "\(value.isEmpty ? "" : " \(key)='\(value)'")/>"
}

/// What stands before a mark and behind it, without blanks around them.
private func halves(_ text: Substring, _ mark: Character) -> (String, String) {
    func bare(_ part: Substring) -> String {
        String(part.trimmingPrefix { $0 == " " }.reversed().trimmingPrefix { $0 == " " }.reversed())
    }
    let start = text.trimmingPrefix { $0 == " " }
    guard let place = start.firstIndex(of: mark) else { return (bare(start), "") }
    return (bare(start[..<place]), bare(start[start.index(after: place)...]))
}
