import Diagnostics
import ModelLoading
import PropertyLists

package enum ProjectEdit: Sendable, Hashable {
    case add(String, makesCurrent: Bool)
    case setCurrent(String)
    case rename(String, to: String)
    /// Removes a version, if the project lists it; if it was current, another one becomes current.
    case remove(String, current: String)
}

/// Returns a `project.pbxproj` after a change of a model's versions, as Xcode would write it.
///
/// Every other byte stays as it is. The result is read again: apart from the change it must mean the same as before. No
/// two edits may concern the same lines. `model` is a path relative to the project's folder. Returns `nil` if the project
/// does not list the versions of the model; throws if the project cannot be edited with this certainty.
package func edited(
    project bytes: [UInt8],
    _ edits: [ProjectEdit],
    model: String,
    path: String
) throws(EditFault) -> [UInt8]? {
    let objects = try projectObjects(bytes, path: path)
    let groups = versionGroups(in: objects, path: path, model: model)
    guard !groups.isEmpty else { return nil }
    guard let source = String(validating: bytes, as: UTF8.self), bytes.first != 0xEF else {
        throw EditFault("the project is not in the form that Xcode writes")
    }
    var text = ProjectText(source)
    var expected = objects
    for edit in edits { for group in groups { try text.apply(edit, to: group, &expected) } }
    let result = Array(text.text.utf8)
    guard try projectObjects(result, path: path) == expected else {
        throw EditFault("the project is not in the form that Xcode writes")
    }
    return result
}

private func projectObjects(
    _ bytes: [UInt8],
    path: String
) throws(EditFault) -> [String: PropertyList] {
    guard bytes.first != UInt8(ascii: "<") else {
        throw EditFault("the project is written in XML, which Xcode no longer does")
    }
    let list: OpenStepList
    do throws(PropertyListError) { list = try readOpenStepPropertyList(bytes, path: path) } catch {
        throw EditFault("\(error)")
    }
    guard let objects = list.value["objects"]?.dictionary else {
        throw EditFault("the file lists no objects")
    }
    return objects
}

private struct ProjectText {
    private var lines: [String]
    /// What precedes the line feed at the end of lines, such as a carriage return.
    private let ending: String

    init(_ source: String) {
        lines = source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        ending = lines.first?.unicodeScalars.last == "\r" ? "\r" : ""
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func apply(
        _ edit: ProjectEdit,
        to group: ProjectVersionGroup,
        _ objects: inout [String: PropertyList]
    ) throws(EditFault) {
        switch edit {
        case .add(let name, let makesCurrent):
            guard !group.names.values.contains(name) else {
                throw EditFault("the project already lists '\(name)'")
            }
            let identifier = freshIdentifier(for: name, objects)
            try insertReference(identifier, name)
            let range = try block(of: group.identifier)
            guard let place = lines[range].firstIndex(where: { $0.hasPrefix("\t\t\tchildren = (") })
            else { throw EditFault("the project's group of versions has no children") }
            let line = "\t\t\t\t\(identifier) /* \(name).xcdatamodel */,\(ending)"
            lines.insert(line, at: place + 1)
            objects[identifier] = Self.reference(to: name)
            var children = objects[group.identifier]?["children"]?.array ?? []
            children.insert(.string(identifier), at: 0)
            objects[group.identifier]?.set("children", .array(children))
            // A project that does not name the current version still does not name it afterwards.
            if makesCurrent, group.current != nil || group.names.isEmpty {
                try setCurrent(identifier, name, of: group, &objects)
            }
        case .setCurrent(let name) where !group.names.values.contains(name):
            // It came into the folder without an entry in the project.
            try apply(.add(name, makesCurrent: true), to: group, &objects)
        case .setCurrent(let name):
            try setCurrent(try group.identifier(of: name), name, of: group, &objects)
        case .rename(let old, let new):
            let identifier = try group.identifier(of: old)
            guard let path = objects[identifier]?["path"]?.string, path == old + ".xcdatamodel",
                objects[identifier]?["name"] == nil
            else { throw EditFault("the project has another path for '\(old)'") }
            try rename(identifier, from: path, to: new + ".xcdatamodel")
            objects[identifier]?.set("path", .string(new + ".xcdatamodel"))
        case .remove(let name, _) where !group.names.values.contains(name): return
        case .remove(let name, let current):
            let identifier = try group.identifier(of: name)
            if group.current == identifier {
                let next = try group.identifier(of: current)
                try setCurrent(next, current, of: group, &objects)
            }
            try removeLines(of: identifier, in: group.identifier)
            objects[identifier] = nil
            let children = group.children.filter { $0 != identifier }
            objects[group.identifier]?.set("children", .array(children.map { .string($0) }))
        }
    }

    private static func reference(to name: String) -> PropertyList {
        .dictionary([
            "isa": .string("PBXFileReference"), "lastKnownFileType": .string("wrapper.xcdatamodel"),
            "path": .string(name + ".xcdatamodel"), "sourceTree": .string("<group>"),
        ])
    }

    /// An unused identifier: always the same for the same project and name.
    private func freshIdentifier(for name: String, _ objects: [String: PropertyList]) -> String {
        var count = 0
        while true {
            let seed = "\(name)\u{0}\(count)\u{0}\(objects.count)"
            let (high, low) = (Self.hash("a" + seed), Self.hash("b" + seed))
            let digits = Self.digits(high, 12) + Self.digits(low, 12)
            let isUsed = lines.contains { $0.contains(digits) }
            if objects[digits] == nil, !isUsed { return digits }
            count += 1
        }
    }

    /// Fowler, Noll and Vo's hash of 64 bits.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func digits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String((String(repeating: "0", count: 16) + digits).suffix(count))
    }

    /// A value as Xcode writes it: quoted where its characters need it.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "_./$".utf8.contains(byte)
            }
        }
        guard !isPlain || text.isEmpty else { return text }
        return "\"\(text.backslashed)\""
    }

    private mutating func insertReference(_ identifier: String, _ name: String) throws(EditFault) {
        let begin = try only { $0.hasPrefix("/* Begin PBXFileReference section */") }
        let end = try only { $0.hasPrefix("/* End PBXFileReference section */") }
        guard begin < end else { throw EditFault("the project's sections are out of order") }
        let file = name + ".xcdatamodel"
        let line =
            "\t\t\(identifier) /* \(file) */ = {isa = PBXFileReference; "
            + "lastKnownFileType = wrapper.xcdatamodel; path = \(Self.quoted(file)); "
            + "sourceTree = \"<group>\"; };\(ending)"
        let place = lines[(begin + 1)..<end].firstIndex { other in
            other.hasPrefix("\t\t") && !other.hasPrefix("\t\t\t")
                && other.dropFirst(2).prefix(24) > identifier
        }
        lines.insert(line, at: place ?? end)
    }

    private mutating func setCurrent(
        _ identifier: String,
        _ name: String,
        of group: ProjectVersionGroup,
        _ objects: inout [String: PropertyList]
    ) throws(EditFault) {
        guard objects[group.identifier]?["currentVersion"]?.string != identifier else { return }
        let range = try block(of: group.identifier)
        let line = "\t\t\tcurrentVersion = \(identifier) /* \(name).xcdatamodel */;\(ending)"
        if let place = lines[range].firstIndex(where: { $0.hasPrefix("\t\t\tcurrentVersion = ") }) {
            lines[place] = line
        } else if let place = lines[range].firstIndex(where: { $0.hasPrefix("\t\t\t);") }) {
            lines.insert(line, at: place + 1)
        } else {
            throw EditFault("the project's group of versions has no children")
        }
        objects[group.identifier]?.set("currentVersion", .string(identifier))
    }

    /// Renames a version in all of its comments, and in its path.
    private mutating func rename(
        _ identifier: String,
        from old: String,
        to new: String
    ) throws(EditFault) {
        let (mark, renamed) = ("\(identifier) /* \(old) */", "\(identifier) /* \(new) */")
        let reference = try only { $0.hasPrefix("\t\t\(mark) = {isa = PBXFileReference; ") }
        let path = "path = \(Self.quoted(old));"
        guard lines[reference].components(splitBy: path) == 2 else {
            throw EditFault("the project has another path for '\(old)'")
        }
        lines[reference].replace(path, with: "path = \(Self.quoted(new));")
        for index in lines.indices where lines[index].contains(mark) {
            lines[index].replace(mark, with: renamed)
        }
    }

    private mutating func removeLines(of identifier: String, in group: String) throws(EditFault) {
        let range = try block(of: group)
        let children = lines[range].indices.filter { lines[$0].hasPrefix("\t\t\t\t\(identifier) ") }
        let reference = try only { line in
            line.hasPrefix("\t\t\(identifier) ") && line.contains("isa = PBXFileReference;")
        }
        for index in (children + [reference]).sorted().reversed() { lines.remove(at: index) }
    }

    private func block(of identifier: String) throws(EditFault) -> Range<Int> {
        let start = try only { line in
            line.hasPrefix("\t\t\(identifier) ") && line.hasSuffix("= {\(ending)")
        }
        guard let end = lines[start...].firstIndex(where: { $0.hasPrefix("\t\t};") }) else {
            throw EditFault("the project is not in the form that Xcode writes")
        }
        return start..<end
    }

    /// The only line that meets a condition.
    private func only(_ isMeant: (String) -> Bool) throws(EditFault) -> Int {
        let found = lines.indices.filter { isMeant(lines[$0]) }
        guard found.count == 1 else {
            throw EditFault("the project is not in the form that Xcode writes")
        }
        return found[0]
    }
}

extension ProjectVersionGroup {
    fileprivate func identifier(of name: String) throws(EditFault) -> String {
        let found = children.filter { names[$0] == name }
        guard found.count == 1 else { throw EditFault("the project does not list '\(name)'") }
        return found[0]
    }
}

extension PropertyList {
    fileprivate mutating func set(_ key: String, _ value: PropertyList) {
        guard case .dictionary(var values) = self else { return }
        values[key] = value
        self = .dictionary(values)
    }
}

extension String {
    /// The number of parts between the occurrences of another text.
    fileprivate func components(splitBy text: String) -> Int { ranges(of: text).count + 1 }
}
