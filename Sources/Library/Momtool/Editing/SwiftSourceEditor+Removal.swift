import Diagnostics
import Essentials
import ObjectModel
import SwiftDataReading

extension SwiftSourceEditor {
    /// Removes a class of the version: its declaration, its alias and its place in lists of classes.
    ///
    /// - Parameters:
    ///   - name: the name of the class.
    ///   - takesReferences: whether the relationships of other classes that lead to it go along.
    /// - Throws: ``MomtoolError`` for a class that others inherit from, one that relationships lead to, the only one, and
    ///   for sources in which it cannot be removed surely.
    package mutating func removeClass(
        _ name: String,
        withReferences takesReferences: Bool
    ) throws(MomtoolError) {
        let old = try version
        let gone = try entity(name)
        guard old.model.entities.count > 1 else {
            throw refusal("'\(name)' is the only class of '\(versionName)'")
        }
        let heirs = old.model.entities.filter { $0.parentEntity == name }.map(\.name)
        guard heirs.isEmpty else {
            throw refusal(
                "\(heirs.joined(separator: ", ")) would inherit from nothing; remove that first"
            )
        }
        let links = old.model.entities.filter { $0.name != name }.flatMap { owner in
            owner.relationships.filter { $0.destinationEntity == name }.map { (owner, $0) }
        }
        guard links.isEmpty || takesReferences else {
            let names = links.map { "\($0.0.name).\($0.1.name)" }.joined(separator: ", ")
            throw refusal("\(names) would lead to nothing; \(.references) removes that too")
        }
        var edits: [Int: [SwiftEdit]] = [:]
        for (_, link) in links {
            let (file, offset) = try position(of: link.source.element)
            edits[file, default: []].append(.remove(propertyAt: offset))
        }
        let (file, offset) = try position(of: gone.source.element)
        edits[file, default: []].append(.removeClass(at: offset))
        let around: [String]
        do throws(SwiftEditFault) {
            around = try typesAround(typeAt: offset, in: sources[file])
        } catch {
            throw refusal(Wording(error.message))
        }
        if bundle.swift?.schemas.contains(old.name) == true {
            let (home, place) = try position(of: old.model.source.element)
            edits[home, default: []].append(.removeFromModels(at: place, class: name))
        }
        for index in sources.indices where sources[index].names(name) {
            if around == [old.name] {
                edits[index, default: []].append(.removeAlias(name, of: old.name))
            }
            edits[index, default: []].append(.removeFromLists(class: name, of: old.name))
        }
        let current = versionName
        try take(try edited(edits), editing: current) { $0 == current }
        guard try !version.model.entities.contains(where: { $0.name == name }) else {
            throw refusal("the version would keep a class '\(name)'")
        }
        noteMentions(ofClass: name, links.map { $0.1.name })
    }

    /// Says where code has the name of a class still, which the compiler will tell.
    ///
    /// Classes of that name in other versions are meant where these are written, and in no other code.
    private mutating func noteMentions(ofClass name: String, _ properties: [String]) {
        let others = bundle.versions.filter { $0.name != versionName }.flatMap(\.model.entities)
            .filter { $0.name == name }.compactMap { $0.source.element?.path }
        var places: [String] = []
        for source in sources where source.names(name) && !others.contains(source.path) {
            guard let offsets = try? mentions(ofType: name, in: source) else { continue }
            places += offsets.map { offset in
                "\(source.path):\(source.bytes[..<offset].count { $0 == 0x0A } + 1)"
            }
        }
        if let first = places.first {
            let more = places.count > 1 ? " and \(places.count - 1) more" : ""
            tasks.append("code names '\(name)' at \(first)\(more)")
        }
        for property in properties { noteMentions(of: property, nil) }
    }
}
