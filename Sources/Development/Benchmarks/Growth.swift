import Foundation

/// Reading models and sources against the tools that only parse or search the same files.
func readingRows(_ bench: Bench) throws -> [Row] {
    let bundle = try writeVersions(120, entities: 60, bench)
    let files = try contents(of: bundle)
    let xmllint = MeasuredCommand(executable: "/usr/bin/xmllint", arguments: ["--noout"] + files)
    var rows = try ["hash", "lint"].map { command in
        Row(
            what: "\(command), 120 versions of 60 entities",
            peer: "`xmllint`",
            pairs: try Pairs(
                bench.runs,
                .momtool(command, bundle, accepting: [0, 1]),
                against: xmllint
            )
        )
    }
    let project = try writeProject(files: 10_000, bench)
    let grep = MeasuredCommand(
        executable: "/usr/bin/grep",
        arguments: ["-rlF", "NSPersistentCloudKitContainer", project],
        accepted: [0, 1]
    )
    let model = project + "/M.xcdatamodeld"
    for (name, words) in [("lint of one model", ["lint", model]), ("check", ["check", project])] {
        rows.append(
            Row(
                what: "\(name) in a repository of 10,000 Swift files",
                peer: "`grep -rlF`",
                pairs: try Pairs(bench.runs, .momtool(words, accepting: [0, 1]), against: grep)
            )
        )
    }
    return rows
}

/// Measures each command on an input and on one of twice the size: the peer is the command itself.
func growthRows(_ bench: Bench) throws -> [Row] {
    var rows: [Row] = []
    let output = bench.path("New.sqlite")
    func add(_ title: String, _ small: [String], _ large: [String]) throws {
        rows.append(try growthRow(title, small, large, bench) { remove(output) })
    }
    let versions = try [60, 120].map { try writeVersions($0, entities: 30, bench) }
    let entities = try [400, 800].map { try writeVersions(2, entities: $0, bench) }
    for command in ["lint", "check", "plan"] {
        for (title, bundles) in [("120 versions", versions), ("800 entities", entities)] {
            let inputs = command == "check" ? bundles.map(parent) : bundles
            try add("\(command), \(title)", [command, inputs[0]], [command, inputs[1]])
        }
    }
    let projects = try [5_000, 10_000].map { try writeProject(files: $0, bench) }
    for command in ["lint", "check"] {
        let inputs = command == "check" ? projects : projects.map { $0 + "/M.xcdatamodeld" }
        try add("\(command), 10,000 files", [command, inputs[0]], [command, inputs[1]])
    }
    let bundle = try ShopModel.write(bench)
    let stores = try [bench.rows / 2, bench.rows].map {
        try ShopModel.makeStore(bench, bundle: bundle, rows: $0)
    }
    let target = ["--model", bundle, "-o", output]
    try add(
        "migrate, \(bench.rows) rows",
        ["migrate", stores[0]] + target,
        ["migrate", stores[1]] + target
    )
    try add("verify, \(bench.rows) rows", ["verify", stores[0]], ["verify", stores[1]])
    return rows
}

/// As ``growthRows(_:)``, for inputs that are large in few projects.
func sizeRows(_ bench: Bench) throws -> [Row] {
    let output = bench.path("New.sqlite")
    func row(_ title: String, _ small: [String], _ large: [String]) throws -> Row {
        try growthRow(title, small, large, bench) { remove(output) }
    }
    let models = try [450, 900].map { try writeVersions(2, entities: $0, bench) }
    let edits = models.map {
        ["model", "add", $0, "attribute", "Entity1.more", "String", "--dry-run"]
    }
    let cases = try [48, 96].map { try writeCases($0, bench) }
    let many = try [10_000, 20_000].map { try writeVersions(1, entities: $0, bench) }
    let creations = many.map { ["create", output, "--model", $0] }
    let stores = try [1_000_000, 2_000_000].map { try LinkedStore(links: $0, bench) }
    let imports = stores.map { $0.creation(of: output) }
    return [
        try row("model, 900 entities", edits[0], edits[1]),
        try row("test, 96 cases", ["test", cases[0]], ["test", cases[1]]),
        try row("create, 20,000 entities", creations[0], creations[1]),
        try row("export, 2,000,000 links of one object", stores[0].export, stores[1].export),
        try row("create, 2,000,000 links of one object", imports[0], imports[1]),
    ]
}

private func growthRow(
    _ title: String,
    _ small: [String],
    _ large: [String],
    _ bench: Bench,
    prepare: () -> Void
) throws -> Row {
    Row(
        what: title,
        peer: "half the size",
        pairs: try Pairs(
            bench.runs,
            .momtool(large, accepting: [0, 1]),
            against: .momtool(small, accepting: [0, 1]),
            prepare: prepare
        )
    )
}

/// Writes cases of the steps from one version of a model to the next.
private func writeCases(_ count: Int, _ bench: Bench) throws -> String {
    let bundle = try writeVersions(25, entities: 40, bench)
    for number in 0..<count {
        let folder = "Cases-\(count)/\(number)"
        let version = 1 + number % 24
        try bench.write(
            "model: \(bundle)\nfrom: V\(version)\nto: V\(version + 1)\nexpect: migrated\n",
            to: folder + "/case.yml"
        )
        for name in ["before", "after"] {
            let rows = "{\"Entity\(number % 40)\": [{\"@id\": \"p1\", \"attribute1\": 1}]}"
            try bench.write(rows, to: "\(folder)/\(name).json")
        }
    }
    return bench.path("Cases-\(count)")
}

/// A store with one object that leads to all others, and its rows as JSON.
private struct LinkedStore {
    let bundle: String
    let store: String
    let rows: String

    var export: [String] { ["export", store, "--model", bundle] }

    func creation(of output: String) -> [String] {
        ["create", output, "--model", bundle, "--rows", rows]
    }

    init(links: Int, _ bench: Bench) throws {
        func side(_ name: String, _ other: String) -> String {
            """
            <entity name='\(name)'><relationship name='all' optional='YES' toMany='YES' \
            deletionRule='Nullify' destinationEntity='\(other)' inverseName='all' \
            inverseEntity='\(other)'/></entity>
            """
        }
        try bench.write(
            "<model>\(side("Item", "Tag"))\(side("Tag", "Item"))</model>",
            to: "Linked.xcdatamodel/contents"
        )
        bundle = bench.path("Linked.xcdatamodel")
        store = bench.path("Linked-\(links).sqlite")
        rows = store + ".json"
        let empty = try bench.write("{}", to: "Rows.json")
        try MeasuredCommand.momtool("create", store, "--model", bundle, "--rows", empty).run()
        let script = """
            PRAGMA synchronous = OFF; BEGIN; INSERT INTO ZTAG VALUES (1, 2, 1);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(links))
            INSERT INTO ZITEM SELECT i, 1, 1 FROM n;
            INSERT INTO Z_1ALL SELECT Z_PK, 1 FROM ZITEM;
            UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_ENT WHEN 1 THEN \(links) ELSE 1 END; COMMIT;
            """
        try MeasuredCommand.shell(bench.write(script, to: "Links.sql"), on: store).run()
        try MeasuredCommand.momtool(export + ["-o", rows]).run()
    }
}

private func parent(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
}

private func contents(of bundle: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bundle).sorted()
        .filter { $0.hasSuffix(".xcdatamodel") }.map { "\(bundle)/\($0)/contents" }
}

private func writeVersions(_ count: Int, entities: Int, _ bench: Bench) throws -> String {
    let name = "Versions-\(count)-\(entities)/M.xcdatamodeld"
    var more = Array(repeating: "", count: entities)
    for version in 1...count {
        let added = version % entities
        more[added] += "<attribute name='v\(version)' attributeType='String' optional='YES'/>"
        let text = (0..<entities).map { entity in
            let attributes = (0..<8).map {
                "<attribute name='attribute\($0)' attributeType='Integer 64' optional='YES'/>"
            }
            return "<entity name='Entity\(entity)'>\(attributes.joined())\(more[entity])</entity>"
        }
        try bench.write(
            "<?xml version='1.0'?>\n<model>\n\(text.joined(separator: "\n"))\n</model>\n",
            to: "\(name)/V\(version).xcdatamodel/contents"
        )
    }
    try bench.write(
        """
        <?xml version="1.0"?><plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
        <string>V\(count).xcdatamodel</string></dict></plist>
        """,
        to: "\(name)/.xccurrentversion"
    )
    return bench.path(name)
}

/// Writes a repository of Swift files of 6 kB with nothing in them, and a model of two versions.
private func writeProject(files: Int, _ bench: Bench) throws -> String {
    let folder = "Project-\(files)"
    let line = "    func value(of index: Int) -> String { table[index] ?? \"none\" } // of a view\n"
    let body = String(repeating: line, count: 72)
    for file in 0..<files {
        try bench.write(
            "struct View\(file) {\n\(body)}\n",
            to: "\(folder)/Sources/Group\(file / 100)/View\(file).swift"
        )
    }
    let bundle = try writeVersions(2, entities: 10, bench)
    try? FileManager.default.removeItem(atPath: bench.path(folder) + "/M.xcdatamodeld")
    try FileManager.default.copyItem(atPath: bundle, toPath: bench.path(folder) + "/M.xcdatamodeld")
    try MeasuredCommand(
        executable: "/usr/bin/git",
        arguments: ["-C", bench.path(folder), "init", "-q"]
    ).run()
    return bench.path(folder)
}
