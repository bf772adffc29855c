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
        // Written in one go, or as a property list first: the same content.
        #expect(try readPropertyList(archive.binaryData) == archive.propertyList)
        #expect(try readPropertyList(archive.propertyList.binaryData) == archive.propertyList)
        #expect(archive.binaryData.count == archive.propertyList.binaryData.count)
    }

    @Test(arguments: [0, 1, 3, 5])
    func `what objects share is written as if each had its own`(count: Int) throws {
        let node = KeyedArchive.ClassRecord("Node")
        let keys = ["e", "b", "d", "a", "c"]
        func values(_ number: Int64, _ list: KeyedArchive.Value) -> [KeyedArchive.Value] {
            [
                .plain(.integer(number)), .reference(KeyedArchive.Reference(Int(number))),
                .plain(.real64(0.5)), .plain(.string("text")), list,
            ]
        }
        let lists: [KeyedArchive.Value] = [
            .plain(.boolean(true)), .references([.null, KeyedArchive.Reference(1)]),
            .plain(.array([.integer(1), .string("text")])),
        ]
        for list in lists {
            var (shared, own) = (KeyedArchive(), KeyedArchive())
            let first = KeyedArchive.Values(keys: keys, values(1, list)).sharing(butFirst: count)
            for number in [1, 2, 900, 3] as [Int64] {
                let all = values(number, list)
                // What is shared is that of the first.
                let mixed = Array(all.prefix(count)) + values(1, list).dropFirst(count)
                let same = first.replacingOwn(Array(all.prefix(count)))
                #expect(same == KeyedArchive.Values(keys: keys, mixed))
                #expect(keys.map { same[$0] } == mixed)
                _ = shared.add(.instance(.init(node, same)))
                _ = own.add(.instance(.init(node, .init(keys: keys, mixed))))
            }
            var changed = first
            changed["a"] = nil
            changed["f"] = .plain(.integer(7))
            _ = shared.add(.instance(.init(node, changed)))
            _ = own.add(.instance(.init(node, changed)))
            #expect(shared == own)
            #expect(try readPropertyList(shared.binaryData) == own.propertyList)
            if case .plain(.boolean) = list { #expect(shared.binaryData == own.binaryData) }
        }
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
