import Diagnostics
import Foundation
import ModelHashing
import ObjectModel
import SwiftDataReading

/// Reads one source, or several files of it, `// FILE: name` before each.
func read(
    _ text: String,
    _ options: SwiftReadingOptions = SwiftReadingOptions()
) -> Diagnosed<SwiftModels> {
    var files: [SwiftSource] = []
    var name = "Model.swift"
    var lines: [Substring] = []
    func close() {
        guard !lines.isEmpty else { return }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        files.append(SwiftSource(path: name, bytes: bytes))
        lines = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasPrefix("// FILE: ") else {
            lines.append(line)
            continue
        }
        close()
        name = String(line.dropFirst("// FILE: ".count))
    }
    close()
    return readSwiftModels(files, options: options)
}

extension SwiftModelVersion {
    var hashes: [String: String] {
        versionHashes(of: model).entities.filter { !spoiledEntities.contains($0.key) }
            .mapValues(\.hex)
    }

    func entity(_ name: String) -> Entity? { model.entities.first { $0.name == name } }
}

extension Diagnosed where Value == SwiftModels {
    var messages: [String] { diagnostics.map { String($0.description.prefix { $0 != "\n" }) } }

    /// Each message without its words, as `Model.swift:3:5 error [rule]`.
    var facts: [String] {
        diagnostics.map { diagnostic in
            let place = diagnostic.location.map {
                [$0.path, $0.line?.description, $0.column?.description].compactMap(\.self)
            }
            return ((place ?? []).joined(separator: ":"))
                + " \(diagnostic.severity.rawValue) [\(diagnostic.rule.rawValue)]"
        }
    }

    /// Each message with its rule, for a record.
    var words: String {
        diagnostics.map { "\($0.message) [\($0.rule.rawValue)]" }.joined(separator: "; ")
    }

    /// Whether a message about a whole file says that it is not read.
    func leavesOut(_ path: String) -> Bool {
        diagnostics.contains {
            $0.rule == .swiftSyntax && $0.location?.path == path && $0.location?.line == nil
        }
    }

    /// The properties of an entity of the first version, as `a: Integer 64?` and `b → Other.c`.
    func shape(of entity: String, in version: String? = nil) -> [String] {
        let found = version.flatMap { value.version(named: $0) } ?? value.versions.first
        guard let found, let entity = found.entity(entity) else { return [] }
        let composites = Dictionary(
            found.model.composites.map { ($0.name, $0.attributes) },
            uniquingKeysWith: { first, _ in first }
        )
        let attributes = entity.attributes.map { attribute in
            let elements = attribute.compositeName.flatMap { composites[$0] }.map { elements in
                " { " + elements.map(describe).joined(separator: ", ") + " }"
            }
            return describe(attribute) + (elements ?? "")
        }
        let relationships = entity.relationships.map { relationship in
            let arrow = relationship.isToMany ? "⇉" : "→"
            let inverse = relationship.inverseName.map { "." + $0 } ?? ""
            return relationship.name + (relationship.isOptional ? "?" : "")
                + " \(arrow) \(relationship.destinationEntity ?? "-")\(inverse)"
        }
        return attributes + relationships
    }

    private func describe(_ attribute: Attribute) -> String {
        "\(attribute.name): \(attribute.type.sourceName ?? "-")" + (attribute.isOptional ? "?" : "")
    }
}
