import Diagnostics
import FileSystem
import Essentials
import ObjectModel
import PropertyLists

/// Reads a `.momd` with all its versions, or a lone `.mom` file; returns the readable versions, with the diagnostics of
/// all.
func readCompiledBundle(at path: String) -> Diagnosed<ModelBundle> {
    let url = fileURL(path)
    guard FileIdentity(of: url.path)?.isFolder == true else {
        let name = url.deletingPathExtension().lastPathComponent
        return readVersion(url, path: path).map { model in
            let version = ModelVersion(name: name, path: path, isCurrent: true, model: model)
            return ModelBundle(path: path, versions: [version])
        }
    }
    return readVersions(in: url, path: path)
}

private func readVersions(in url: URL, path: String) -> Diagnosed<ModelBundle> {
    let names: [String]
    let optimized: [String]
    do {
        let all = try Files.names(in: url.path)
        func versions(_ suffix: String) -> [String] {
            all.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        }
        let order = VersionOrder(bundleName: url.deletingPathExtension().lastPathComponent)
        names = order.sorted(versions(".mom"))
        // Xcode writes one beside the .mom of the current version.
        optimized = order.sorted(versions(".omo")).filter { !names.contains($0) }
    } catch {
        let message = "the model cannot be read: \(reason(error))"
        let fault = Diagnostic(.unreadableFile, message, at: FileLocation(path: path))
        return Diagnosed(ModelBundle(path: path, versions: []), [fault])
    }
    guard !names.isEmpty else {
        let message =
            !optimized.isEmpty
            ? "the bundle has only optimized models (.omo), which only Core Data can read"
            : "the bundle has no .mom"
        let rule: RuleID = optimized.isEmpty ? .notAModel : .optimizedModel
        let fault = Diagnostic(rule, message, at: FileLocation(path: path))
        return Diagnosed(ModelBundle(path: path, versions: []), [fault])
    }
    let current = currentVersionName(in: url, path: path, names: names, optimized)
    var diagnostics = current.diagnostics + optimizedVersions(optimized, path)
    var versions: [ModelVersion] = []
    for (place, name) in names.enumerated() {
        let file = "\(path)/\(name).mom"
        let model = readVersion(url.appending(path: name + ".mom"), path: file)
        diagnostics += model.diagnostics
        versions.append(
            ModelVersion(
                name: name,
                path: file,
                place: place,
                isCurrent: name == current.value.name,
                model: model.value
            )
        )
    }
    let bundle = ModelBundle(
        path: path,
        versions: versions,
        namedCurrentVersion: current.value.isNamed ? current.value.name : nil
    )
    return Diagnosed(bundle, diagnostics)
}

private func readVersion(_ file: URL, path: String) -> Diagnosed<ManagedObjectModel> {
    do throws(FileFault) {
        return readCompiledModel(Data(try readFile(file.path, limit: 64 << 20)), path: path)
    } catch {
        let isTooLarge = error == .tooLarge
        let message =
            isTooLarge
            ? "the model is larger than 64 MB, the limit"
            : "the model cannot be read: \(error.reason)"
        let rule: RuleID = isTooLarge ? .notAModel : .unreadableFile
        let fault = Diagnostic(rule, message, at: FileLocation(path: path))
        return Diagnosed(ManagedObjectModel(), [fault])
    }
}

/// Lists the versions that exist only in a form that only Core Data reads.
private func optimizedVersions(_ names: [String], _ path: String) -> [Diagnostic] {
    names.map { name in
        Diagnostic(
            .optimizedModel,
            "the version '\(name)' exists only as an optimized model (.omo), which only Core Data can read",
            severity: .warning,
            at: FileLocation(path: "\(path)/\(name).omo")
        )
    }
}

/// Returns the version named in `VersionInfo.plist`, or the only one; the file has no other use.
private func currentVersionName(
    in url: URL,
    path: String,
    names: [String],
    _ optimized: [String]
) -> Diagnosed<CurrentVersion> {
    let onlyName = CurrentVersion(name: names.count == 1 ? names[0] : nil)
    let file = url.appending(path: "VersionInfo.plist")
    guard let bytes = try? Data(readFile(file.path, limit: 16 << 20)) else {
        return Diagnosed(onlyName)
    }
    let place = FileLocation(path: path + "/VersionInfo.plist")
    do throws(PropertyListError) {
        let list = try readPropertyList(bytes)
        guard let name = list["NSManagedObjectModel_CurrentVersionName"]?.string else {
            return Diagnosed(onlyName)
        }
        guard names.contains(name) else {
            let isOptimized = optimized.contains(name)
            let words =
                isOptimized
                ? "exists only as an optimized model (.omo), which only Core Data can read"
                : "is not in the bundle"
            let message = "the current version '\(name)' \(words)"
            let rule: RuleID = isOptimized ? .optimizedModel : .missingCurrentVersion
            let severity: Severity = isOptimized ? .error : .warning
            let fault = Diagnostic(rule, message, severity: severity, at: place)
            return Diagnosed(CurrentVersion(), [fault])
        }
        return Diagnosed(CurrentVersion(name: name, isNamed: true))
    } catch { return Diagnosed(onlyName, [Diagnostic(.unreadableFile, "\(error)", at: place)]) }
}
