"""Prints what the executable consists of, as SPDX 2.3: VERSION TIME."""
import json, subprocess, sys, time

version, moment = sys.argv[1], int(sys.argv[2])


def said(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def package(name, version, licence, source):
    return {"SPDXID": "SPDXRef-" + name.replace("_", "-"), "name": name, "versionInfo": version,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "downloadLocation": source, "filesAnalyzed": False}


packages = [package("momtool", version, "MIT", "NOASSERTION")]
pins = json.load(open("Package.resolved"))["pins"]
used = {"swift-argument-parser": "Apache-2.0", "swift-syntax": "Apache-2.0"}
for pin in pins:
    if pin["identity"] in used:
        packages.append(package(pin["identity"], pin["state"]["version"], used[pin["identity"]], pin["location"]))
swift = said("swift", "--version").split("Swift version ")[1].split(" ")[0]
packages.append(package("swift-runtime", swift, "Apache-2.0", "https://github.com/swiftlang/swift"))
archives = {
    "libxml2-dev": "MIT", "libsqlite3-dev": "blessing", "zlib1g-dev": "Zlib", "liblzma-dev": "0BSD",
    "libyaml-dev": "MIT", "libpcre2-dev": "BSD-3-Clause", "libc6-dev": "LGPL-2.1-or-later",
}
for name, licence in archives.items():
    packages.append(package(name, said("dpkg-query", "-W", "-f", "${Version}", name), licence, "https://packages.debian.org/" + name))
relations = [
    {"spdxElementId": "SPDXRef-momtool", "relationshipType": "STATIC_LINK", "relatedSpdxElement": item["SPDXID"]}
    for item in packages[1:]
]
described = {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-momtool"}
document = {
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "momtool-" + version,
    "documentNamespace": f"https://spdx.org/spdxdocs/momtool-{version}-{said('git', 'rev-parse', 'HEAD')}",
    "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)), "creators": ["Tool: .ci/sbom.py"]},
    "packages": packages, "relationships": [described] + relations,
}
print(json.dumps(document, indent=2))
