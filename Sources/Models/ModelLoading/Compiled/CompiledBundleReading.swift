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
        return unreadableBundle("the model cannot be read: \(reason(error))", path: path)
    }
    guard !names.isEmpty else {
        return optimized.isEmpty
            ? unreadableBundle("the bundle has no .mom", .notAModel, path: path)
            : unreadableBundle(
                "the bundle has only optimized models (.omo), which only Core Data can read",
                .optimizedModel,
                path: path
            )
    }
    let current = currentVersionName(in: url, path: path, names: names, optimized)
    let versions = names.map { name in
        let file = "\(path)/\(name).mom"
        return (name, file, readVersion(url.appending(path: name + ".mom"), path: file))
    }
    return bundle(of: versions, current, optimizedVersions(optimized, path), path: path)
}

private func readVersion(_ file: URL, path: String) -> Diagnosed<ManagedObjectModel> {
    readModel(in: file.path, megabytes: 64, path: path) {
        readCompiledModel(Data($0), path: path)
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
