import Foundation

/// Measures everything that the page of the documentation shows, and writes it when told to.
struct TableCommand {
    private var sizes: [Int] = []
    private var writes = false
    private var only: Set<String> = []
    private var chosen: [String] = []
    private var exchangeRows = 1_000_000

    /// The sections beside those of numbers of rows, and the options that choose them alone.
    ///
    /// Large models come last: the system counts the memory of this process, which grows with them, as the least of
    /// each process that it starts.
    private static let parts: [(option: String, title: String)] = [
        ("--stores", "1,000 stores"), ("--matrix", "A matrix of versions"),
        ("--models", "120 versions of a model"), ("--predictions", "Predictions"),
        ("--shapes", "Large tables"),
        ("--exchange", "Rows in and out"), ("--care", "The care of 5 million objects"),
        ("--schemas", "Large models"),
    ]

    /// Reads the arguments after `table`.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--write": writes = true
            case _ where Self.parts.contains(where: { $0.option == argument }):
                only.insert(argument)
            case "--exchange-rows":
                guard let size = rest.popFirst().flatMap(Int.init), size > 0 else {
                    throw BenchmarkError("--exchange-rows is followed by a number")
                }
                exchangeRows = size
                only.insert("--exchange")
            case "--rows":
                guard let size = rest.popFirst().flatMap(Int.init), size > 0 else {
                    throw BenchmarkError("--rows is followed by a number")
                }
                sizes.append(size)
            default: chosen.append(argument)
            }
        }
    }

    func run() throws {
        var page = BenchmarkPage()
        let conditions = try measuringConditions()
        func add(_ title: String, _ figures: () throws -> [String]) {
            print(title)
            fflush(nil)
            do {
                let lines = try figures()
                lines.forEach { print($0) }
                page.set(title, [conditions, ""] + lines)
            } catch {
                // One section that cannot be measured leaves the others, and stands as it was.
                print("not measured: \(error)")
            }
            fflush(nil)
        }
        let usual = only.isEmpty ? [10_000, 1_000_000] : []
        for size in sizes.isEmpty ? usual : sizes {
            let lines = try changes(rows: size)
            page.set(
                "\(size.formatted(.number.locale(.init(identifier: "en_US")))) rows",
                [conditions, ""] + lines
            )
        }
        if sizes.isEmpty, chosen.isEmpty {
            for part in Self.parts where only.isEmpty || only.contains(part.option) {
                let title = part.option == "--exchange" ? exchangeTitle : part.title
                add(title) { try figures(of: part.option) }
            }
        }
        page.noteAbsences(of: Self.parts.map(\.title))
        if writes { try page.write() }
    }

    private var exchangeTitle: String {
        "Rows in and out: \(exchangeRows.formatted(.number.locale(.init(identifier: "en_US"))))"
    }

    private func figures(of option: String) throws -> [String] {
        switch option {
        case "--stores": try manyStoresFigures()
        case "--matrix": try matrixFigures()
        case "--models": try modelFigures()
        case "--predictions": try predictionFigures()
        case "--schemas": try schemaFigures()
        case "--shapes": try shapeFigures()
        case "--care": try careFigures(rows: 5_000_000)
        default: try exchangeFigures(rows: exchangeRows)
        }
    }

    private func changes(rows: Int) throws -> [String] {
        try withBenchmarkFolder { folder in try changes(rows: rows, in: folder) }
    }

    private func changes(rows: Int, in folder: URL) throws -> [String] {
        // Enough to even out what else the machine does, and not for ever.
        let runs = rows <= 100_000 ? 15 : rows <= 1_000_000 ? 5 : 3
        print("\(rows) rows, \(runs) runs each")
        let bench = try ChangeBench(rows: rows, runs: runs, folder: folder)
        var lines = ChangeBench.Result.heading
        for kind in ChangeKind.all()
        where chosen.isEmpty || chosen.contains(where: kind.name.contains) {
            let result = try bench.measure(kind, withOtherPeers: rows <= 1_000_000)
            let line = result.row(kind.name)
            print(line)
            fflush(nil)
            lines.append(line)
        }
        return lines + Self.absences(rows: rows)
    }

    private static func absences(rows: Int) -> [String] {
        guard rows <= 1_000_000 else {
            let text = "Three runs each; `sqlite-utils` and Alembic were not measured at this size."
            return ["", text]
        }
        let absent = ["sqlite-utils", "alembic"].filter { executable(named: $0) == nil }
        return absent.isEmpty
            ? [] : ["", "Not installed, and so not measured: \(absent.joined(separator: ", "))."]
    }
}

/// Makes a folder for the time of a measurement, among temporary files if nothing else is said.
func withBenchmarkFolder<Result>(
    in place: URL = FileManager.default.temporaryDirectory,
    _ body: (URL) throws -> Result
) throws -> Result {
    let folder =
        place
        .appending(path: "momtool-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
