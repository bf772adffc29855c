import Diagnostics
import Foundation
import ModelLoading
import Testing
import XMLReading

struct AttributePlaceTests {
    @Test func `each of many unknown attributes is reported at its place`() {
        let names = (0..<20_000).map { "a\($0)" }
        let text = "<model \(names.map { "\($0)='>'" }.joined(separator: "\n"))/>"
        let model = readModel(contents: Data(text.utf8), path: "m")
        #expect(model.diagnostics.count == names.count)
        #expect(
            model.diagnostics.enumerated().allSatisfy { line, diagnostic in
                diagnostic.message.hasPrefix("unknown attribute 'a\(line)' of 'model'")
                    && diagnostic.location?.line == line + 1
                    && diagnostic.location?.column == (line == 0 ? 8 : 1)
            }
        )
    }

    @Test(arguments: [
        ["a", "b", "c"], ["c", "b", "a"], ["b", "b", "a", "c", "b"], ["d", "c", "d", "a"],
    ])
    func `the order of questions does not matter, nor do tags between`(names: [String]) throws {
        let text = "<x a='1' b='a=' c='3'><y c='1' a=\"b='\"/></x>"
        let document = try readXML(Data(text.utf8), path: "m")
        let inner = try #require(document.root.children.first).range.lowerBound
        let outerColumns = ["a": 4, "b": 10, "c": 17]
        let innerColumns = ["a": 32, "c": 26]
        let source = document.source
        func column(_ name: String, _ offset: Int) -> Int? {
            source.location(ofAttribute: name, inTagAt: offset)?.column
        }
        // First one tag after the other, then alternating.
        #expect(names.map { column($0, 0) } == names.map { outerColumns[$0] })
        #expect(names.map { column($0, inner) } == names.map { innerColumns[$0] })
        for name in names {
            #expect(column(name, 0) == outerColumns[name])
            #expect(column(name, inner) == innerColumns[name])
        }
    }

    @Test func `names that Unicode holds equal are two`() throws {
        let text = "<x \u{E9}='1' e\u{301}='2'/>"
        let source = try readXML(Data(text.utf8), path: "m").source
        let columns = ["e\u{301}", "\u{E9}"].map {
            source.location(ofAttribute: $0, inTagAt: 0)?.column
        }
        #expect(columns == [11, 4])
    }
}
