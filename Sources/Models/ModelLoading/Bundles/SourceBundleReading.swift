package import Diagnostics
import FileSystem
import Essentials
package import ObjectModel
import PropertyLists

/// Reads an `.xcdatamodeld` or `.momd` with all its versions, a lone `.xcdatamodel`, `.mom` or `contents` file, or
/// Swift sources with `@Model` classes.
///
/// Compiled models are recognized by their content, so any name will do. Returns the readable versions, with the
/// diagnostics of all of them. `name` replaces the path in locations, except those of compiled models.
package func readModelBundle(at path: String, namedAs name: String? = nil) -> Diagnosed<ModelBundle>
{
    let url = fileURL(path)
    let name = name ?? path
    switch ModelFileKind(at: path) {
    case .versionedSource: return versionedBundle(url, path: name)
    case .compiledBundle, .compiledVersion: return readCompiledBundle(at: path)
    case .source: return loneVersion(url.appending(path: sourceName(in: url.path)), url, path: name)
    case nil where holdsSwiftSources(path):
        // Only Swift sources are a model without a name or a file that says so.
        return readSwiftBundle(at: path)
    case .contents, nil: return loneVersion(url, url.deletingLastPathComponent(), path: name)
    }
}

private func loneVersion(_ contents: URL, _ folder: URL, path: String) -> Diagnosed<ModelBundle> {
    let isFolder = folder.pathExtension == "xcdatamodel"
    let name = (isFolder ? folder : contents).deletingPathExtension().lastPathComponent
    let file = contents.lastPathComponent
    let contentsPath = path.hasSuffix(".xcdatamodel") ? "\(path)/\(file)" : path
    let read = readVersion(contents.path, path: contentsPath).map { model in
        let version = ModelVersion(name: name, path: path, isCurrent: true, model: model)
        return ModelBundle(path: path, versions: [version])
    }
    let notes = file == legacySource ? [legacyNote(names: [name], path: path)] : []
    return Diagnosed(read.value, notes + read.diagnostics)
}

private let legacySource = "elements"

/// Returns the name of the file in a version's folder that holds the model: `contents`, or `elements` where Xcode 3 was
/// the last to write it.
package func sourceName(in folder: String) -> String {
    func holds(_ name: String) -> Bool { Files.exists(at: "\(folder)/\(name)") }
    return !holds("contents") && holds(legacySource) ? legacySource : "contents"
}

/// Notes once for a model that versions of it are in the old format.
private func legacyNote(names: [String], path: String) -> Diagnostic {
    let shown = names.map { "'\($0)'" }.listed(most: 3)
    let verb = names.count == 1 ? "is" : "are"
    return Diagnostic(
        "legacy-model-format",
        saying:
            "\(shown) \(verb) in the format of Xcode 3 ('elements'); \(.conversion(of: nil)) writes the current format",
        severity: .note,
        at: FileLocation(path: path)
    )
}

/// Reads one model version from the bytes of `contents` or `elements`, which their beginning distinguishes.
package func readModel(source: [UInt8], path: String) -> Diagnosed<ManagedObjectModel> {
    source.starts(with: Array("bplist".utf8)) || path.hasSuffix("/" + legacySource)
        ? readModel(elements: Data(source), path: path) : readModel(contents: source, path: path)
}

private func readVersion(_ file: String, path: String) -> Diagnosed<ManagedObjectModel> {
    readModel(in: file, megabytes: 16, path: path) { readModel(source: $0, path: path) }
}

/// Reads a model from a file of at most so many megabytes.
func readModel(
    in file: String,
    megabytes: Int,
    path: String,
    _ read: ([UInt8]) -> Diagnosed<ManagedObjectModel>
) -> Diagnosed<ManagedObjectModel> {
    do throws(FileFault) { return read(try readFile(file, limit: megabytes << 20)) } catch {
        let isTooLarge = error == .tooLarge
        let message =
            isTooLarge
            ? "the model is larger than \(megabytes) MB, the limit"
            : "the model cannot be read: \(error.reason)"
        let rule: RuleID = isTooLarge ? .notAModel : .unreadableFile
        let fault = Diagnostic(rule, message, at: FileLocation(path: path))
        return Diagnosed(ManagedObjectModel(), [fault])
    }
}

func unreadableBundle(
    _ message: String,
    _ rule: RuleID = .unreadableFile,
    path: String
) -> Diagnosed<ModelBundle> {
    let fault = Diagnostic(rule, message, at: FileLocation(path: path))
    return Diagnosed(ModelBundle(path: path, versions: []), [fault])
}

func bundle(
    of versions: [(name: String, path: String, model: Diagnosed<ManagedObjectModel>)],
    _ current: Diagnosed<CurrentVersion>,
    _ further: [Diagnostic],
    path: String
) -> Diagnosed<ModelBundle> {
    let bundle = ModelBundle(
        path: path,
        versions: versions.enumerated().map { place, version in
            ModelVersion(
                name: version.name,
                path: version.path,
                place: place,
                isCurrent: version.name == current.value.name,
                model: version.model.value
            )
        },
        namedCurrentVersion: current.value.isNamed ? current.value.name : nil
    )
    let found = current.diagnostics + further + versions.flatMap(\.model.diagnostics)
    return Diagnosed(bundle, found)
}

private func versionedBundle(_ url: URL, path: String) -> Diagnosed<ModelBundle> {
    let names: [String]
    do {
        let found = try Files.names(in: url.path)
            .filter { $0.hasSuffix(".xcdatamodel") }
            .map { String($0.dropLast(".xcdatamodel".count)) }
        let bundleName = fileURL(path).deletingPathExtension().lastPathComponent
        names = VersionOrder(bundleName: bundleName).sorted(found).map { $0 + ".xcdatamodel" }
    } catch { return unreadableBundle("the model cannot be read: \(reason(error))", path: path) }
    let current = currentVersionName(in: url, path: path, names: names)
    let folder = url.path
    let files = names.map { $0 + "/" + sourceName(in: "\(folder)/\($0)") }
    let models = files.concurrentMap { readVersion("\(folder)/\($0)", path: "\(path)/\($0)") }
    let old = files.filter { $0.hasSuffix("/" + legacySource) }
        .map { String($0.dropLast("/\(legacySource)".count)).withoutExtension }
    let notes = old.isEmpty ? [] : [legacyNote(names: old, path: path)]
    let versions = zip(names, models).map { ($0.withoutExtension, "\(path)/\($0)", $1) }
    return bundle(of: versions, current, notes, path: path)
}

/// The fault of a missing current version, with a command that names the last one as an example.
private func unnamedCurrentVersion(
    _ message: String,
    _ path: String,
    _ names: [String]
) -> Diagnosed<CurrentVersion> {
    let last = (names.last ?? "").withoutExtension
    let fault = Diagnostic(
        .missingCurrentVersion,
        message,
        severity: .warning,
        at: FileLocation(path: path + "/.xccurrentversion"),
        notes: [
            Diagnostic.Note(
                saying:
                    "to make the last version current: \(.namingCurrent(path: path, version: last))"
            )
        ]
    )
    return Diagnosed(CurrentVersion(), [fault])
}

/// Returns the folder name of the current version: what `.xccurrentversion` says, or the only one.
private func currentVersionName(
    in url: URL,
    path: String,
    names: [String]
) -> Diagnosed<CurrentVersion> {
    let file = url.appending(path: ".xccurrentversion")
    let place = FileLocation(path: path + "/.xccurrentversion")
    guard !names.isEmpty else {
        let message =
            "the bundle has no version, so it has no model: restore the NAME.xcdatamodel folder of a version, "
            + "or copy one into it"
        return Diagnosed(
            CurrentVersion(),
            [Diagnostic(.emptyBundle, message, at: FileLocation(path: path))]
        )
    }
    guard Files.exists(at: file.path) else {
        guard names.count > 1 else {
            return Diagnosed(CurrentVersion(name: names[0].withoutExtension))
        }
        let message = "the bundle has \(names.count) versions but no .xccurrentversion"
        return unnamedCurrentVersion(message, path, names)
    }
    let bytes: Data
    do throws(FileFault) { bytes = Data(try readFile(file.path, limit: 1 << 20)) } catch {
        let message = "the file cannot be read: \(error.reason)"
        return Diagnosed(CurrentVersion(), [Diagnostic(.unreadableFile, message, at: place)])
    }
    let list: PropertyList
    do throws(PropertyListError) { list = try readPropertyList(bytes, path: place.path) } catch {
        if case .malformedXML(let fault) = error {
            let conflict = mergeConflict(in: [UInt8](bytes), path: place.path)
            return Diagnosed(CurrentVersion(), [conflict ?? fault])
        }
        return Diagnosed(
            CurrentVersion(),
            [Diagnostic(.missingCurrentVersion, "\(error)", at: place)]
        )
    }
    guard let name = list["_XCCurrentVersionName"]?.string else {
        // The only version is current without being named; Xcode writes such files itself.
        guard names.count > 1 else {
            return Diagnosed(CurrentVersion(name: names[0].withoutExtension))
        }
        // Xcode builds such bundles; only callers that need the current version report its absence.
        let message = "the file does not name a current version"
        return unnamedCurrentVersion(message, path, names)
    }
    guard names.contains(name) else {
        let message = "the current version '\(name)' is not in the bundle"
        return unnamedCurrentVersion(message, path, names)
    }
    return Diagnosed(CurrentVersion(name: name.withoutExtension, isNamed: true))
}

/// The version that the content of an `.xccurrentversion` names; `nil` where it names none.
package func currentVersionName(in list: [UInt8]) -> String? {
    let name = (try? readPropertyList(Data(list), path: ""))?["_XCCurrentVersionName"]?.string
    return name.map { $0.hasSuffix(".xcdatamodel") ? $0.withoutExtension : $0 }
}

/// The version for new stores of a bundle.
struct CurrentVersion {
    var name: String?
    /// Whether a file of the bundle names it, rather than its being the only one.
    var isNamed = false
}

extension String {
    fileprivate var withoutExtension: String { String(dropLast(".xcdatamodel".count)) }
}

func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "no such file"
    case .fileReadNoPermission: "permission denied"
    default: systemReason(error)
    }
}
