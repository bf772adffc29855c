import Foundation
import PropertyLists
import Testing

struct KeyedArchiveTests {
    @Test func `a graph with a cycle is written and read back`() throws {
        let node = KeyedArchive.ClassRecord("Node", "Base")
        var archive = KeyedArchive()
        let name = archive.add(.plain(.string("loop")))
        let first = KeyedArchive.Reference(2)
        let second = KeyedArchive.Reference(3)
        _ = archive.add(
            .instance(.init(node, ["next": .reference(second), "name": .reference(name)]))
        )
        _ = archive.add(
            .instance(
                .init(node, ["next": .reference(first), "all": .references([first, second])])
            )
        )
        archive.top = ["root": .reference(first)]
        let decoded = try KeyedArchive(archive.binaryData)
        #expect(decoded.objects.dropLast() == archive.objects[...])
        #expect(decoded.objects.last == .classRecord(node))
        #expect(decoded.root == first)
        #expect(node.chain == ["Node", "Base", "NSObject"])
        #expect(decoded.binaryData == archive.binaryData)
    }

    @Test func `objects of one class may hold different keys in any order`() throws {
        let node = KeyedArchive.ClassRecord("Node")
        var archive = KeyedArchive()
        func number(_ value: Int64) -> KeyedArchive.Value { .plain(.integer(value)) }
        let values: [KeyedArchive.Values] = [
            ["b": number(1), "a": number(2)], ["a": number(3), "b": number(4)], [:],
            ["a": number(5)], ["b": number(6), "a": number(7)],
            ["\u{FFFD}": number(8), "𝄞": number(9)],
        ]
        for values in values { _ = archive.add(.instance(.init(node, values))) }
        let decoded = try KeyedArchive(archive.binaryData)
        #expect(decoded.objects.dropLast() == archive.objects[...])
        #expect(try readPropertyList(archive.binaryData) == archive.propertyList)
        #expect(try readPropertyList(archive.propertyList.binaryData) == archive.propertyList)
        #expect(archive.binaryData.count == archive.propertyList.binaryData.count)
    }

    static let faults: [PropertyList] = [
        .array([]),
        .dictionary(["$objects": .array([]), "$top": .dictionary([:])]),
        .dictionary(["$objects": .array([.string("$null")])]),
        archive(objects: [.dictionary([:])]),
        archive(objects: [.dictionary(["$class": .uid(9)])]),
        archive(objects: [.dictionary(["$class": .uid(1)])]),
        archive(objects: [.dictionary(["$class": .string("A")])]),
        archive(objects: [], root: .uid(5)),
    ]

    static func archive(objects: [PropertyList], root: PropertyList = .uid(0)) -> PropertyList {
        .dictionary([
            "$objects": .array([.string("$null")] + objects), "$top": .dictionary(["root": root]),
        ])
    }

    @Test(arguments: faults)
    func `a list that is no archive is refused`(list: PropertyList) {
        #expect(throws: PropertyListError.self) { try KeyedArchive(list) }
    }

    @Test func `a number beyond the archive is nil`() {
        #expect(KeyedArchive()[.init(5)] == .null)
        #expect(KeyedArchive()[.init(-1)] == .null)
        #expect(KeyedArchive().root == nil)
    }
}
