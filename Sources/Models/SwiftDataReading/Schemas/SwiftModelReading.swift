package import Diagnostics
import Essentials
import ObjectModel

/// Whether this build reads Swift sources, which the package's trait `SwiftData` decides.
package var readsSwiftSources: Bool {
    #if SwiftData
        true
    #else
        false
    #endif
}

/// Reads the models that Swift sources declare for SwiftData.
///
/// Nothing is run or compiled. What no store has shown is refused by name and location; it spoils its own entity, not
/// the others. `sources` are the files of one module, and of others that declare types it stores.
package func readSwiftModels(
    _ sources: [SwiftSource],
    options: SwiftReadingOptions = SwiftReadingOptions()
) -> Diagnosed<SwiftModels> {
    #if SwiftData
        return modelsRead(from: sources, options: options)
    #else
        let message = "this build cannot read Swift sources; build it with the trait SwiftData"
        let place = sources.first.map { FileLocation(path: $0.path) }
        let diagnostic = Diagnostic(.swiftNotReadable, message, at: place)
        return Diagnosed(SwiftModels(versions: [], plans: []), [diagnostic])
    #endif
}

#if SwiftData
    private func modelsRead(
        from sources: [SwiftSource],
        options: SwiftReadingOptions
    ) -> Diagnosed<SwiftModels> {
        // Unbracketed nesting takes stack for each byte, and large files are not models.
        let large = sources.filter { $0.bytes.count > sizeLimit }
        let small = sources.filter { $0.bytes.count <= sizeLimit }
        let concerned = concerned(small)
        let strange = small.indices.map { place in
            strangeness(of: small[place].bytes, isParsed: concerned.contains(place))
        }
        let readable = small.indices.filter { strange[$0] == nil }
        let place = readable.first.map { FileLocation(path: small[$0].path) }
        let sources = readable.filter(concerned.contains).map { small[$0] }
        guard let parsed = parse(sources, options.patience) else {
            let message = "there is not enough memory to read Swift sources"
            let nothing = SwiftModels(versions: [], plans: [])
            return Diagnosed(nothing, [Diagnostic(.swiftNotReadable, message, at: place)])
        }
        let files = zip(sources, parsed).map { $1 ?? FileDeclarations(unreadAt: $0.path) }
        let foreign = options.types.compactMapValues { ForeignForm($0) }
        let conditions = BuildConditions(options)
        let index = TypeIndex(files, conditions, foreign: foreign)
        var reader = SchemaReader(index)
        var models = reader.models(options)
        // Other targets may open other models.
        let opening = sources.filter { source in
            !options.importers.contains(source.path)
                || models.stores.contains { $0.source.element?.path == source.path }
        }
        // Where a configuration is not read, the text shows what it may be.
        let (mirrored, isWhole) = reader.mirrored
        models.opensCloudKit =
            mirrored.contains(true)
            || !isWhole && opening.contains { $0.opensCloudKit(".private(") }
        models.refusesCloudKit =
            mirrored.isEmpty
            ? opening.contains { $0.opensCloudKit(".none") } : mirrored.allSatisfy { $0 == false }
        models.readings = SwiftReadings(files: files, options: options)
        let slow = zip(sources, parsed).filter { $1 == nil }.map(\.0)
        var diagnostics = omissions(large: large, Array(zip(small, strange)), slow: slow)
        diagnostics += faults(files, sources)
        for name in options.types.keys.sorted() where foreign[name] == nil {
            let message = "types: the entry for \(name) is not a Swift type"
            diagnostics.append(Diagnostic(.swiftNotReadable, message))
        }
        diagnostics += index.pointlessEntries() + reader.diagnostics
        if models.versions.isEmpty, !diagnostics.contains(where: { $0.severity == .error }) {
            diagnostics.append(
                Diagnostic(.swiftNoModel, "the sources contain no @Model class", at: place)
            )
        }
        let trials = ConditionTrials(files: files, foreign: foreign, options: options)
        diagnostics += trials.differences(from: models, conditions, reader.diagnostics)
        return Diagnosed(models, diagnostics)
    }

    /// The places of the files that models depend on: only these are parsed.
    private func concerned(_ sources: [SwiftSource]) -> Set<Int> {
        let words = sources.map { SourceWords($0.bytes, keepsUsed: false) }
        let needed = SourceWords.needed(among: words) { SourceWords(sources[$0].bytes).used }
        return needed.union(words.indices.filter { words[$0].opensContainers })
    }

    /// Reports why each omitted file is left out.
    private func omissions(
        large: [SwiftSource],
        _ judged: [(source: SwiftSource, strangeness: String?)],
        slow: [SwiftSource]
    ) -> [Diagnostic] {
        func omission(_ source: SwiftSource, _ words: String, _ severity: Severity) -> Diagnostic {
            let place = FileLocation(path: source.path)
            return Diagnostic(.swiftSyntax, words, severity: severity, at: place)
        }
        return large.map {
            omission($0, "the file is larger than \(sizeLimit) bytes and left out", .warning)
        }
            + judged.compactMap { source, strangeness in
                strangeness.map {
                    let severity = source.faultSeverity
                    return omission(source, "\($0); the file is left out", severity)
                }
            }
            + slow.map {
                omission($0, "the parser takes too long for the file, which is left out", .error)
            }
    }

    /// The largest file that is read, in bytes.
    let sizeLimit = 512 << 10

    /// Reads files on separate threads, whose stacks are deep enough for what the parser allows.
    ///
    /// `patience` is in seconds. Only with `isNumbered` do positions contain the file's number. The results are in the order
    /// of the files, `nil` for those that took too long; there are none without memory for a thread.
    func parse(
        _ sources: [SwiftSource],
        _ patience: Double,
        isNumbered: Bool = true
    ) -> [FileDeclarations?]? {
        let results = Locked([FileDeclarations?](repeating: nil, count: sources.count))
        let next = Locked(0)
        let count = min(max(1, sources.count / 4), ProcessInfo.processInfo.activeProcessorCount)
        let threads = DeepThreads(stackSize: 256 << 20, patience: patience).run(count) {
            while true {
                let number = next.withLock { value in
                    defer { value += 1 }
                    return value
                }
                guard number < sources.count else { return }
                let file = declarations(in: sources[number], file: isNumbered ? number : -1)
                results.withLock { $0[number] = file }
            }
        }
        return threads > 0 ? results.withLock(\.self) : nil
    }

    extension SwiftSource {
        /// Whether a database such as `.private(…)` follows `cloudKitDatabase:` outside of a comment.
        fileprivate func opensCloudKit(_ database: String) -> Bool {
            var start = 0
            while let found = bytes[start...].firstRange(of: Array("cloudKitDatabase".utf8)) {
                start = found.upperBound
                let rest = bytes[start...].prefix(200).filter { $0 > 0x20 }
                let before = bytes[..<found.lowerBound]
                let line = before[(before.lastIndex(of: 0x0A) ?? 0)...]
                let isComment = line.firstRange(of: Array("//".utf8)) != nil
                if !isComment, rest.starts(with: Array(":\(database)".utf8)) { return true }
            }
            return false
        }

        /// Whether it contains a model class or a list of them.
        fileprivate var mayDeclareModels: Bool {
            mentionsModels
                || ["VersionedSchema", "SchemaMigrationPlan"].contains(where: mentions)
        }

        /// The severity of an unread part: it may hide a class of a model, or a type in one; templates and other files
        /// unrelated to SwiftData hide at most the latter.
        fileprivate var faultSeverity: Severity {
            if mentionsModels { return .error }
            return mentions("SwiftData") ? .warning : .note
        }
    }

    private func faults(_ files: [FileDeclarations], _ sources: [SwiftSource]) -> [Diagnostic] {
        zip(files, sources).compactMap { file, source in
            // Templates and views do not hide classes, and a missing type is reported where it is used.
            guard let fault = file.fault, source.mayDeclareModels else { return nil }
            return Diagnostic(
                .swiftSyntax,
                "this is not Swift; code around it may be missing from the model",
                at: file.places.location(of: nil, ofElementAt: fault)
            )
        }
    }
#endif
