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
        rows.append(
            Row(
                what: title,
                peer: "half the size",
                pairs: try Pairs(
                    bench.runs,
                    .momtool(large, accepting: [0, 1]),
                    against: .momtool(small, accepting: [0, 1]),
                    prepare: { remove(output) }
                )
            )
        )
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
    try FileManager.default.copyItem(
        atPath: bundle,
        toPath: bench.path(folder) + "/M.xcdatamodeld"
    )
    try MeasuredCommand(
        executable: "/usr/bin/git",
        arguments: ["-C", bench.path(folder), "init", "-q"]
    ).run()
    return bench.path(folder)
}
