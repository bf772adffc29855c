package import Diagnostics
import ModelHashing
import ObjectModel

extension ModelLock {
    /// The first words of every lock's file, before the number of its format.
    package static let firstWords = "# momtool lock "

    /// The text of the lock's file; an unchanged entity is written only for the earlier version.
    package var text: String {
        var lines = [
            "\(Self.firstWords)\(recordsLosses ? 3 : 2): versions that shipped and must not be edited",
            "# `momtool lock MODEL --check` compares them with the model",
        ]
        var origins: [[String]: String] = [:]
        for version in prunedVersions + versions {
            lines += [
                "", "version \(EscapedName.escape(version.name))", "checksum \(version.checksum)",
            ]
            if let day = version.prunedDay { lines.append("pruned \(day)") }
            lines += (version.losses ?? []).map { "loses \(EscapedName.escape($0))" }
            lines += version.unknownEntities.map { "unknown \(EscapedName.escape($0))" }
            let versionName = EscapedName.escape(version.name)
            for entity in version.entities {
                let block = entity.lines
                if let origin = origins[block] {
                    lines.append("same \(origin) \(EscapedName.escape(entity.name))")
                } else {
                    origins[block] = versionName
                    lines += block
                }
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Reads the text of a lock's file; each line that cannot be read is an error.
    package static func parse(_ text: String, path: String) -> Diagnosed<ModelLock> {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated().map { LockConflict.Line($0 + 1, $1) }
        guard let conflict = LockConflict(in: lines) else { return parse(lines, path: path) }
        let ours = parse(conflict.ours, path: path).value
        let theirs = parse(conflict.theirs, path: path).value
        return Diagnosed(ours.joined(with: theirs), [conflict.diagnostic(ours, theirs, path: path)])
    }

    private static func parse(_ lines: [LockConflict.Line], path: String) -> Diagnosed<ModelLock> {
        var parser = LockParser(path: path)
        parser.lock.recordsLosses = !["1", "2"].contains { form in
            lines.first?.text.starts(with: (firstWords + form).utf8) ?? false
        }
        for line in lines { parser.read(line.text, line: line.number) }
        parser.finishVersion()
        return Diagnosed(parser.lock, parser.diagnostics)
    }
}

extension ModelLock.Entity {
    fileprivate var lines: [String] {
        let name = EscapedName.escape(name)
        return ["entity \(hash.hex) \(name)"] + settings.map { "setting \(name) \($0)" }
            + properties.map { "property \($0.hash) \(name) \(EscapedName.escape($0.name))" }
            + cases.map {
                "case \(name) \(EscapedName.escape($0.property)) \(EscapedName.escape($0.value))"
            }
            + encoded.map {
                "holds \(name) \(EscapedName.escape($0.name)) \(EscapedName.escape($0.type))"
            }
    }
}

private struct LockParser {
    let path: String
    var lock = ModelLock()
    var diagnostics: [Diagnostic] = []
    private var version: ModelLock.Version?
    private var versionNames: Set<String> = []
    private var entityNames: Set<String> = []
    private var entities: [String: [String: ModelLock.Entity]] = [:]
    /// The entities of each version above that are missing from the earlier version that they refer to.
    private var missing: [String: Set<String>] = [:]
    /// Whether the last entity is an earlier version's, to which nothing is added.
    private var isShared = false
    private var hasFaults = false

    init(path: String) { self.path = path }

    mutating func read(_ line: Substring.UTF8View, line number: Int) {
        // By bytes: names have no white space of any kind, and grapheme breaking is slow.
        let fields = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.map { Substring($0) }
        guard let keyword = fields.first, !keyword.utf8.starts(with: "#".utf8) else { return }
        guard diagnostics.count < 100 else { return }
        let isRead =
            switch (keyword, fields.count) {
            case ("version", 2): beginVersion(fields[1], number)
            case ("checksum", 2): readChecksum(fields[1])
            case ("pruned", 2): readPruning(fields[1])
            case ("loses", 2): readLoss(fields[1])
            case ("unknown", 2): readUnknown(fields[1])
            case ("entity", 3): readEntity(fields[1], fields[2], number)
            case ("same", 3): readSame(fields[1], fields[2], number)
            case ("setting", 3...): readSetting(fields)
            case ("property", 4): readProperty(fields[1], fields[2], fields[3], number)
            case ("case", 4): readCase(fields[1], fields[2], fields[3])
            case ("holds", 4): readEncoded(fields[1], fields[2], fields[3])
            default: false
            }
        guard !isRead else { return }
        report(
            LockConflict.Marker(line) == nil
                ? "this line is not valid in a lock, or not valid here"
                : "this marker is left over from a merge conflict: remove it",
            number
        )
    }

    mutating func finishVersion() {
        guard let version else { return }
        if version.prunedDay == nil {
            lock.versions.append(version)
        } else {
            lock.prunedVersions.append(version)
        }
        entities[version.name] = Dictionary(firstOf: version.entities.map { ($0.name, $0) })
        self.version = nil
        guard !hasFaults, version.checksum != version.hashes.checksum else { return }
        report(
            "the checksum of '\(version.name)' does not match its entities; restore the block from"
                + " version control",
            version.line
        )
    }

    private mutating func report(_ message: String, _ line: Int?) {
        hasFaults = true
        let place = FileLocation(path: path, line: line)
        diagnostics.append(Diagnostic("invalid-lock", message, at: place))
    }

    private mutating func beginVersion(_ field: Substring, _ line: Int) -> Bool {
        finishVersion()
        hasFaults = false
        entityNames = []
        guard let name = EscapedName.unescape(field) else { return false }
        if !versionNames.insert(name).inserted { report("version '\(name)' already exists", line) }
        version = ModelLock.Version(name: name, checksum: "", entities: [], line: line)
        return true
    }

    private mutating func readChecksum(_ field: Substring) -> Bool {
        guard version?.checksum == "" else { return false }
        version?.checksum = String(field)
        return true
    }

    private mutating func readPruning(_ field: Substring) -> Bool {
        guard let version, version.entities.isEmpty, version.prunedDay == nil,
            ModelLock.isDay(String(field))
        else { return false }
        self.version?.prunedDay = String(field)
        return true
    }

    private mutating func readLoss(_ field: Substring) -> Bool {
        let losses = version?.losses ?? []
        guard version?.entities.isEmpty == true, let name = EscapedName.unescape(field) else {
            return false
        }
        version?.losses = losses + [name]
        return true
    }

    private mutating func readUnknown(_ field: Substring) -> Bool {
        guard version?.entities.isEmpty == true, let name = EscapedName.unescape(field),
            entityNames.insert(name).inserted
        else { return false }
        version?.unknownEntities.append(name)
        return true
    }

    private mutating func readEntity(_ hash: Substring, _ field: Substring, _ line: Int) -> Bool {
        guard version != nil, let hash = VersionHash(hex: hash),
            let name = EscapedName.unescape(field), entityNames.insert(name).inserted
        else { return false }
        isShared = false
        version?.entities.append(
            ModelLock.Entity(name: name, hash: hash, settings: [], properties: [], line: line)
        )
        return true
    }

    private mutating func readSame(_ origin: Substring, _ field: Substring, _ line: Int) -> Bool {
        guard version != nil, let origin = EscapedName.unescape(origin),
            let name = EscapedName.unescape(field), entityNames.insert(name).inserted
        else { return false }
        isShared = true
        guard var entity = entities[origin]?[name] else {
            reportMissing(name, of: origin, line)
            return true
        }
        entity.line = line
        version?.entities.append(entity)
        return true
    }

    /// Reports an entity that no earlier version has, once for all versions that refer to it.
    ///
    /// It counts as not understood: nobody edited it.
    private mutating func reportMissing(_ name: String, of origin: String, _ line: Int) {
        let isReported = missing[origin]?.contains(name) ?? false
        let own = version?.name ?? ""
        missing[own, default: []].insert(name)
        version?.unknownEntities.append(name)
        version?.missingEntities.insert(name)
        hasFaults = true
        guard !isReported else { return }
        report(
            versionNames.contains(origin)
                ? "the block of '\(origin)' above has no '\(name)': restore it from version control"
                : "the block of '\(origin)' with '\(name)' is missing above: restore it from version control",
            line
        )
    }

    private mutating func readSetting(_ fields: [Substring]) -> Bool {
        guard let last = lastEntity(named: fields[1]) else { return false }
        let setting = fields.dropFirst(2).joined(separator: " ")
        version?.entities[last].settings.append(setting)
        return true
    }

    private mutating func readProperty(
        _ hash: Substring,
        _ entity: Substring,
        _ field: Substring,
        _ line: Int
    ) -> Bool {
        guard let last = lastEntity(named: entity), let name = EscapedName.unescape(field),
            hash.utf8.count == 16, hash.utf8.allSatisfy(isHexDigit)
        else { return false }
        version?.entities[last].properties.append(
            ModelLock.Property(name: name, hash: String(hash), line: line)
        )
        return true
    }

    private mutating func readCase(
        _ entity: Substring,
        _ property: Substring,
        _ value: Substring
    ) -> Bool {
        guard let last = lastEntity(named: entity), let name = EscapedName.unescape(property),
            let value = EscapedName.unescape(value)
        else { return false }
        version?.entities[last].cases.append(ModelLock.EnumValue(property: name, value: value))
        return true
    }

    private mutating func readEncoded(
        _ entity: Substring,
        _ path: Substring,
        _ type: Substring
    ) -> Bool {
        guard let last = lastEntity(named: entity), let name = EscapedName.unescape(path),
            let type = EscapedName.unescape(type)
        else { return false }
        version?.entities[last].encoded.append(EncodedShape.Member(name: name, type: type))
        return true
    }

    /// Properties and settings follow their entity, so that a line that was moved is found.
    private func lastEntity(named field: Substring) -> Int? {
        guard !isShared, let entities = version?.entities, let last = entities.last,
            EscapedName.unescape(field) == last.name
        else { return nil }
        return entities.count - 1
    }
}

/// Locks are written in lower case, and compared as text.
private func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
}
