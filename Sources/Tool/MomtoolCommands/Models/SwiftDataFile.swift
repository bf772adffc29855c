import CodeGeneration
import Diagnostics
import Essentials
import ModelDiffing
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting

struct SwiftDataFile {
    /// The version whose hashes the classes must have.
    let version: ModelVersion
    private let bundle: ModelBundle
    private let place: String
    private let schemaName: String?
    private let swift: SwiftSettings

    /// Reads a model, Swift sources or a store, such as `main:Sources/App#SchemaV3`, to write classes from.
    init(from place: String, as schemaName: String?, _ swift: SwiftSettings) throws {
        self.place = place
        // Notes give a version inside another type both names; in the written file it has one of its own.
        let ownName = schemaName.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
        self.schemaName = ownName
        self.swift = swift
        let argument = ModelPlace(place, swift: swift)
        let bundle = try argument.load(allowingGaps: true)
        let named = [schemaName, ownName].compactMap(\.self)
            .first { bundle.version(named: $0) != nil }
        let version = try bundle.chosenVersion(bundle.selectedVersionName ?? named)
        self.version = version
        self.bundle = bundle
        let gaps = version.model.entities.flatMap(\.gaps)
        guard gaps.isEmpty || schemaName == nil else {
            let faults = version.model.entities.filter { !$0.gaps.isEmpty }.flatMap { entity in
                entity.gaps.map { gap in
                    let message =
                        "--frozen writes whole versions, but momtool does not understand part of "
                        + "'\(entity.name)': \(gap)"
                    let place = entity.source.element ?? FileLocation(path: version.path)
                    return Diagnostic("incomplete-model", message, at: place, element: entity.name)
                }
            }
            throw CommandFailure(.badData, faults.map(\.commandWords))
        }
    }

    func text() -> Diagnosed<String> {
        let frame = SwiftDataFrame(schemaName: schemaName, identifier: identifier, origin: place)
        let shapes = bundle.swift?.shapes[version.name]
        guard let shapes else { return swiftDataClasses(of: version.model, in: frame) }
        return swiftDataClasses(of: version.model, in: frame, shapes: shapes)
    }

    func proof(of text: String, at path: String) throws -> SwiftDataProof {
        try SwiftDataProof(
            of: text,
            at: path,
            named: schemaName,
            gives: version,
            swift,
            settingsFor: bundle.path
        )
    }

    /// The numbers of the version: its own, or those in the name of the schema.
    private var identifier: [Int] {
        let own = (version.model.versionIdentifiers.first ?? "").split(separator: ".")
            .compactMap { Int($0) }
        if own.count == 3 { return own }
        let digits = (schemaName ?? "").split { !$0.isNumber }.compactMap { Int($0) }
        return Array((digits + [0, 0]).prefix(3)).count == 3 && !digits.isEmpty
            ? Array((digits + [0, 0]).prefix(3)) : [1, 0, 0]
    }
}

extension GenerateCommand {
    func writeSwiftData() throws {
        let place = classesModel ?? from ?? ""
        let file = try SwiftDataFile(from: place, as: frozen, swift.settings)
        if check { return try checkSwiftData(file) }
        let written = file.text()
        let name = output ?? "standard output"
        let proof = try file.proof(of: written.value, at: name)
        Console.show(written.diagnostics)
        let explained = Set(
            written.diagnostics.filter { $0.severity == .error }.compactMap { $0.element }
                .map { $0.prefix { $0 != "." } }
        )
        // What has been reported of an entity is not repeated.
        let faults = proof.faults.filter { !explained.contains(($0.element ?? "")[...]) }
        Console.show(proof.doubts + faults)
        let isEqual = proof.fit.opensOneStore
        guard isEqual || frozen == nil else {
            Console.complain(
                "error: nothing is written: the hashes would differ from those of \(place)"
            )
            throw CommandFailure(.refused, [])
        }
        if let output {
            let bytes = Data(written.value.utf8)
            let files = OutputFiles(path: output, files: [OutputFile(path: output, bytes: bytes)])
            try OutputFiles.check([files], sparing: InputFiles([place]))
            if output != "-", !force { try requireReplaceable(output, byGenerated: written.value) }
            let hasWritten = try files.write()
            let state = hasWritten ? "written" : "up to date"
            var work = WorkReport()
            work.add(
                output,
                hasWritten ? .written : .unchanged,
                "\(output): \(state), \(proof.words)"
            )
            try report.deliver(work, sparing: [place])
        } else {
            Console.print(written.value, as: .verbatim)
            Console.complain("note: \(proof.words)")
        }
        guard isEqual else { throw CommandFailure(.findings, []) }
    }

    private func checkSwiftData(_ file: SwiftDataFile) throws {
        guard let output else { return }
        let proof = try file.proof(of: readText(output, limit: 16 << 20), at: output)
        Console.show(proof.doubts + proof.faults)
        var work = WorkReport()
        work.add(output, .unchanged, "\(output): \(proof.words)")
        try report.deliver(work, sparing: [output])
        guard proof.fit.opensOneStore else { throw CommandFailure(.findings, []) }
    }
}
