import Diagnostics
import Foundation
import ModelEditing
import ModelLoading
import ObjectModel
import SwiftDataReading

extension FuzzTarget {
    private static let separator: UInt8 = 0x1E

    static let editor = FuzzTarget(
        "editor",
        "a model source and a list of edits, with a record separator between them, applied and taken back",
        tokens: ModelTokens.source + [
            "\u{1E}", "- add: ", "- set: ", "- rename: ", "- remove: ", "- move: ", "- order: ",
            "- insert: ", "\n  with: {", "\n  to: ", "\n  parts: [{", "\n  withReferences: YES",
            "entity Book", "attribute Book.title", "relationship Book.author",
            "constraint Book.title", " / userInfo a", "index Book.i", "member C.Book", "%2E",
            "attributeType: Double", "\n- {rename: entity Book, to: Person}", "null", "*a", "&a",
        ],
        takes: { $0.hasSuffix("/edits.yml") },
        samples: {
            let edits = [
                """
                - add: attribute Book.rating
                  with: {attributeType: Double, optional: null}
                - rename: attribute Book.title
                  to: caption
                - set: entity Person
                  with: {versionHashModifier: "2"}
                - add: relationship Person.tags
                  with: {destinationEntity: Book, toMany: 'YES', inverseName: owner}
                - move: attribute Person.name
                  to: entity Book
                - remove: entity Person
                  withReferences: YES
                """,
                """
                - insert: entity Tag
                - insert: index Tag.i
                  parts: [{property: a, type: Binary, order: ascending}]
                - add: entity Book / userInfo a
                - order: model
                  as: [entity Tag, entity Person, entity Book]
                """,
            ]
            return edits.map { SampleModel.text(renamed: false) + [separator] + Data($0.utf8) }
        },
        run: { bytes in
            let parts = bytes.split(
                separator: separator,
                maxSplits: 1,
                omittingEmptySubsequences: false
            ).map(Array.init)
            guard parts.count == 2 else { return .refused("there are no edits") }
            do throws(EditFault) {
                let list = try ModelEdit.read(String(decoding: parts[1], as: UTF8.self))
                let result = try edited(parts[0], list, path: "contents")
                _ = readModel(contents: Data(result), path: "contents")
                let back = try edits(from: result, to: parts[0], path: "contents")
                _ = try edited(result, ModelEdit.read(ModelEdit.text(of: back)), path: "contents")
                let outline = try ModelOutline(result, path: "contents")
                for edit in list { _ = outline.settings(of: edit.path) }
                return .accepted
            } catch { return .refused(error.message) }
        }
    )

    /// Makes each kind of change of a project that lists versions of a model.
    static func exerciseEdits(ofProject bytes: [UInt8], model: String) {
        let edits: [ProjectEdit] = [
            .add("M 3", makesCurrent: true), .add("a\"b;", makesCurrent: false), .setCurrent("M"),
            .rename("M 2", to: "O{"), .remove("M 2", current: "M"),
        ]
        for edit in edits {
            guard
                let result = try? edited(
                    project: bytes,
                    [edit],
                    model: model,
                    path: "project.pbxproj"
                )
            else { continue }
            _ = readXcodeProject(result, path: "project.pbxproj", model: model)
        }
    }

    /// Makes each kind of edit of Swift sources, at the locations that are read there.
    static func exerciseEdits(of source: SwiftSource, _ models: SwiftModels) {
        func offset(_ mark: SourceMark) -> Int? {
            guard let place = mark.element, let line = place.line, let column = place.column else {
                return nil
            }
            let lines = source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            guard line <= lines.count, let start = lines.dropFirst(line - 1).first?.startIndex
            else { return nil }
            return start + column - 1
        }
        guard let version = models.versions.last else { return }
        var lists: [[SwiftEdit]] = [[.retarget(version.name, to: "Next"), .importModule("A")]]
        for entity in version.model.entities.prefix(2) {
            for link in entity.relationships.prefix(2) {
                guard let place = offset(link.source) else { continue }
                lists.append([.writeInverse(propertyAt: place, class: "A", property: "fresh")])
            }
        }
        for plan in models.plans.prefix(1) {
            guard let place = offset(plan.source) else { continue }
            lists.append([.addToPlan(at: place, version: "Next", from: version.name)])
        }
        for list in lists { _ = try? edited(swift: source, list) }
        let copy = SwiftSchemaCopy(version.name, as: "Next", identifier: [2, 0, 0])
        _ = try? declarations(copying: copy, in: source)
        _ = try? mentions(of: version.name, in: source)
    }
}
