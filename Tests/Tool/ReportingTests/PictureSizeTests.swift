import Diagnostics
import Essentials
import Foundation
import ModelDrawing
import ModelLoading
import ObjectModel
import MomtoolReporting
import TestSupport
import Testing

/// Whether the text of a picture can be read in the view with which its page begins.
struct PictureSizeTests {
    /// The least size of text, in pixels of the screen.
    private static let least = 9.0

    /// Ninety entities in nine groups, with properties and links within and between them.
    private static let model: ManagedObjectModel = {
        let entities = (0..<90).map { number in
            let group = number / 10
            let ends =
                [group * 10 + (number + 1) % 10, group * 10 + (number + 3) % 10]
                + (number % 10 == 0 ? [(number + 10) % 90] : [])
            let links = ends.enumerated().map {
                "<relationship name='link\($0)' optional='YES' maxCount='1' destinationEntity='Area\($1 / 10)Thing\($1 % 10)'/>"
            }
            let attributes = (0..<(3 + number % 9)).map {
                "<attribute name='attribute\($0)' optional='YES' attributeType='String'/>"
            }
            return "<entity name='Area\(group)Thing\(number % 10)'>"
                + "\((attributes + links).joined())</entity>"
        }
        let text = "<model>\(entities.joined())</model>"
        return readModel(contents: Data(text.utf8), path: "m").value
    }()

    /// The models of many entities in the corpus, the newest version of each.
    private static func largeModels() -> [(String, ManagedObjectModel)] {
        guard Corpus.isPresent else { return [] }
        return Corpus.paths { $0.hasSuffix(".xcdatamodeld") }.compactMap { path in
            readModelBundle(at: Corpus.path(path)).value.versions.last.map { (path, $0.model) }
        }.filter { $0.1.entities.count > 30 }
    }

    @Test func `nothing is drawn smaller than what scripts reckon with`() throws {
        let diagram = Diagram(Self.model)
        let overview = try #require(diagram.overview)
        #expect(overview.boxes.count > 4 && overview.boxes.count < 30)
        for svg in [diagram.svg, overview.svg] {
            let sizes = svg.matches(of: /font(?:-size)?: (\d+)px/).compactMap {
                Double($0.output.1)
            }
            #expect(sizes.count > 3)
            #expect(sizes.allSatisfy { $0 >= drawnTextSize }, "\(sizes)")
            #expect(!svg.contains("font-size=") && !svg.contains("textLength"))
        }
        #expect(
            diagramPage(diagram).contains(
                "[least, drawn, title] = [\(Self.least), \(drawnTextSize), 26]"
            )
        )
    }

    @Test func `a page of many entities begins with their clusters`() throws {
        let page = diagramPage(Diagram(Self.model))
        let pictures = page.components(separatedBy: "<svg ").dropFirst()
        #expect(pictures.count == 2)
        #expect(pictures.first?.contains("class=\"overview\"") == true)
        #expect(page.contains(">all clusters</button>"))
        let links = Set(page.matches(of: /href="#([a-z]+-[0-9]+)"/).map { String($0.output.1) })
        #expect(links.count > 90)
        for link in links { #expect(page.contains("id=\"\(link)\""), "\(link)") }
        let ids = page.matches(of: /\ id="([^"]+)"/).map { String($0.output.1) }
        #expect(Set(ids).count == ids.count)
        let small = diagramPage(
            Diagram(readModel(contents: Data("<model/>".utf8), path: "m").value)
        )
        #expect(small.components(separatedBy: "<svg ").count == 2)
    }

    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Opens a page in a browser, and gives what a script writes about the picture.
    private func measured(_ page: String, _ width: Int, after step: String) throws -> [String:
        Double]
    {
        let script = """
            <script>
            \(step)
            setTimeout(() => {
              const frame = document.querySelector('.picture').getBoundingClientRect();
              const shown = [...document.querySelectorAll('.picture svg:not([hidden]) text')].filter((text) => {
                const box = text.getBoundingClientRect();
                return box.width > 0 && box.right > frame.left && box.left < frame.right
                  && box.bottom > frame.top && box.top < frame.bottom;
              });
              const sizes = shown.map((text) =>
                parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
              const view = document.querySelector('.picture svg:not([hidden])').viewBox.baseVal;
              const found = { left: view.x, top: view.y, wide: view.width, count: sizes.length, least: Math.min(...sizes), width: innerWidth,
                overview: document.querySelectorAll('.picture svg.overview:not([hidden])').length,
                found: document.querySelectorAll('.box.found').length,
                rows: shown.filter((text) => text.classList.contains('row')).length,
                changed: shown.filter((text) => /added|removed|changed/.test(text.getAttribute('class'))).length,
                exact: shown.filter((text) => text.matches('.box.found .title')
                  && text.textContent === document.body.dataset.wanted
                  && text.getBoundingClientRect().right < frame.right).length,
                covered: document.querySelector('.tools').getBoundingClientRect().bottom - frame.top,
                sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth };
              for (const name in found) document.body.setAttribute('data-' + name, found[name]);
            }, 50);
            </script>
            """
        return try withFolder { folder in
            let file = folder.appending(path: "page.html")
            let text = page.replacing("</body>", with: script + "</body>")
            try Data(text.utf8).write(to: file)
            let run = try result(
                of: URL(filePath: try #require(Self.browser)),
                [
                    "--headless", "--no-sandbox", "--disable-gpu", "--window-size=\(width),900",
                    "--user-data-dir=\(folder.path)/profile", "--virtual-time-budget=2000",
                    "--dump-dom", file.absoluteString,
                ]
            )
            let found = run.output.matches(of: /\ data-([a-z]+)="(-?[0-9.]+)"/).compactMap {
                match in
                Double(match.output.2).map { (String(match.output.1), $0) }
            }
            return Dictionary(found) { first, _ in first }
        }
    }

    @Test(.enabled(if: browser != nil))
    func `in a browser no text of the first view is smaller than nine pixels`() throws {
        for (name, model) in [("generated", Self.model)] + Self.largeModels() {
            let page = diagramPage(Diagram(model))
            for width in [1400, 500] {
                let found = try measured(page, width, after: "")
                #expect(found["count"] ?? 0 > 3, "\(name): \(found)")
                #expect(found["least"] ?? 0 >= Self.least - 0.01, "\(name) at \(width): \(found)")
                #expect(found["sideways"] == 0, "\(name) at \(width): \(found)")
                // The buttons stand above the picture, not on a box.
                #expect(found["covered"] ?? 1 <= 0, "\(name) at \(width): \(found)")
                #expect(found["overview"] == 1, "\(name) at \(width): \(found)")
            }
        }
    }

    @Test(.enabled(if: browser != nil))
    func `a click on a cluster, a name and a search show boxes that can be read`() throws {
        let page = diagramPage(Diagram(Self.model))
        let steps = [
            "document.querySelector('.overview .box a').dispatchEvent(new MouseEvent('click', {bubbles: true}));",
            "location.hash = '#box-42';",
            "search.value = 'area4'; search.dispatchEvent(new Event('input'));",
        ]
        for step in steps {
            let found = try measured(page, 1400, after: step)
            #expect(found["overview"] == 0, "\(step): \(found)")
            #expect(found["count"] ?? 0 > 3, "\(step): \(found)")
            #expect(found["least"] ?? 0 >= Self.least - 0.01, "\(step): \(found)")
        }
        let back = steps[2] + "search.value = ''; search.dispatchEvent(new Event('input'));"
        #expect(try measured(page, 1400, after: back)["overview"] == 1)
    }

    @Test(.enabled(if: browser != nil))
    func `keys move a picture, magnify it and lead back`() throws {
        let page = diagramPage(Diagram(Self.model))
        func after(_ keys: String...) throws -> [String: Double] {
            let presses = keys.map {
                "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '\($0)', bubbles: true}));"
            }
            let step =
                "location.hash = '#cluster-0'; setTimeout(() => {"
                + "document.querySelector('.picture').focus(); \(presses.joined())}, 20);"
            let found = try measured(page, 1400, after: step)
            return try #require(found["wide"] == nil ? nil : found)
        }
        let first = try after()
        let moves = [
            ("ArrowLeft", "left", -1.0), ("ArrowRight", "left", 1), ("ArrowUp", "top", -1),
            ("ArrowDown", "top", 1),
        ]
        for (key, name, sign) in moves {
            let moved = try after(key)
            let other = name == "left" ? "top" : "left"
            #expect(
                (moved[name, default: 0] - first[name, default: 0]) * sign > 1,
                "\(key): \(moved)"
            )
            #expect(moved[other] == first[other] && moved["wide"] == first["wide"], "\(key)")
        }
        let wide = first["wide", default: 0]
        #expect(try after("+")["wide", default: wide] < wide)
        #expect(try after("-")["wide", default: 0] > wide)
        #expect(try after("+", "ArrowDown", "0") == after("0"))
        #expect(first["overview"] == 0)
        #expect(try after("Escape")["overview"] == 1)
    }

    /// A model in which `Chat` is the last of many entities, of which most have a link to it.
    private static let chats: ManagedObjectModel = {
        var names = (0..<60).map { "Guest\($0)" }
        names += ["ChatAttendee", "OldChat"]
        names += (0..<60).map { "Topic\($0)" }
        names.append("Chat")
        let entities = names.enumerated().map { index, name in
            let ends = index % 2 == 0 ? ["Chat"] : [names[(index + 2) % names.count]]
            let links = ends.map {
                "<relationship name='ofChat' optional='YES' maxCount='1' destinationEntity='\($0)'/>"
            }
            let attributes = (0..<8).map {
                "<attribute name='attribute\($0)' optional='YES' attributeType='String'/>"
            }
            return "<entity name='\(name)'>\((attributes + links).joined())</entity>"
        }
        let text = "<model>\(entities.joined())</model>"
        return readModel(contents: Data(text.utf8), path: "m").value
    }()

    private func search(_ text: String) -> String {
        "document.body.dataset.wanted = '\(text)'; search.value = '\(text)'; search.dispatchEvent(new Event('input'));"
    }

    @Test(.enabled(if: browser != nil))
    func `a search shows the name that it has, not what leads there`() throws {
        let page = diagramPage(Diagram(Self.chats))
        for width in [1400, 500] {
            for name in ["Chat", "OldChat", "ChatAttendee", "Topic7"] {
                let found = try measured(page, width, after: search(name))
                #expect(found["exact"] == 1, "\(name): \(found)")
                #expect(found["least"] ?? 0 >= Self.least - 0.01, "\(name): \(found)")
            }
        }
        // What stands in boxes is found too, and the rest is dimmed.
        let rows = try measured(page, 1400, after: search("ofchat"))
        #expect(rows["found"] == 123 && rows["rows"] ?? 0 > 3, "\(rows)")
        #expect(try measured(page, 1400, after: search("OldChat"))["found"] == 2)
    }

    @Test(.enabled(if: browser != nil))
    func `from afar names are large and rows are not drawn`() throws {
        for model in [Self.model, Self.chats] {
            let page = diagramPage(Diagram(model))
            let step = "location.hash = '#cluster-0'; setTimeout(() => {"
            for count in [2, 4, 6, 9] {
                let far = String(
                    repeating: "tools.querySelector('[data-zoom=\"0.8\"]').click();",
                    count: count
                )
                let found = try measured(page, 1400, after: step + far + "}, 20);")
                #expect(found["overview"] == 0, "\(count): \(found)")
                #expect(found["count"] ?? 0 > 3, "\(count): \(found)")
                #expect(found["least"] ?? 0 >= Self.least - 0.01, "\(count): \(found)")
                if count > 4 { #expect(found["rows"] == 0, "\(count): \(found)") }
            }
        }
    }

    @Test(.enabled(if: browser != nil))
    func `a picture of few changes in a large model begins with them`() throws {
        var diagram = Diagram(Self.chats)
        for index in [122, 61, 30] {
            diagram.boxes[index].mark = .changed
            diagram.boxes[index].rows[3].mark = .changed
        }
        let part = diagram.changedPart().changedRows()
        #expect(part.overview == nil)
        for width in [1400, 500] {
            let found = try measured(diagramPage(part), width, after: "")
            #expect(found["changed"] ?? 0 >= (width > 1000 ? 2 : 1), "\(width): \(found)")
            #expect(found["least"] ?? 0 >= Self.least - 0.01, "\(width): \(found)")
        }
        // The same in the whole picture: a cluster that is too large begins with what changed in it.
        let cluster = try #require(diagram.clusters.firstIndex { $0.boxes.contains(122) })
        let found = try measured(
            diagramPage(diagram),
            1400,
            after: "location.hash = '#cluster-\(cluster)';"
        )
        #expect(found["changed"] ?? 0 >= 1, "\(found)")
    }
}
