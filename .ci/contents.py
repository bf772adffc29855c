"""Prints what the executable consists of: `contents.py notices|sbom VERSION TIME SCRATCH`.

SCRATCH is the build folder. Its linked.txt names the archives that the linker took something from, one a line, and the list of
objects of the link names the modules. Each must belong to a component whose licence is known here, or nothing is printed: what is
linked anew is noticed by a release that fails.
"""
import functools, glob, json, os, re, subprocess, sys, time

form, version, moment, scratch = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
SWIFT, OF_LLVM = "Apache-2.0 WITH Swift-exception", "Apache-2.0 WITH LLVM-exception"
# By source package of Debian, or formula of Homebrew.
LICENCES = {"libxml2": "MIT", "sqlite3": "blessing", "zlib": "Zlib", "xz-utils": "LicenseRef-public-domain", "libyaml": "MIT",
            "pcre2": "BSD-3-Clause", "glibc": "LGPL-2.1-or-later", "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1"}
# By the beginning of an archive's name in the toolchain: the repository that it is made from.
RUNTIME = {"libswift": "swift", "libFoundationEssentials": "swift-foundation", "lib_FoundationCShims": "swift-foundation",
           "lib_FoundationCollections": "swift-collections", "libdispatch": "swift-corelibs-libdispatch",
           "libBlocksRuntime": "swift-corelibs-libdispatch", "libclang_rt": "llvm-project"}
# What the toolchain's own licence does not say: libswiftCore has LLVM's support library, Foundation's shims make UUIDs.
LLVM = """What is of LLVM (https://llvm.org; libswiftCore has parts of it) is under the Apache License 2.0 with this exception:
As an exception, if, as a result of your compiling your source code, portions of this Software are embedded into an Object form
of such source code, you may redistribute such embedded portions in such Object form without complying with the conditions of
Sections 4(a), 4(b) and 4(d) of the License."""
UUIDS = """Copyright (c) 2004 Apple Computer, Inc. All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following
conditions are met:
1. Redistributions of source code must retain the above copyright notice, and the entire permission notice in its entirety,
   including the disclaimer of warranties.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
   disclaimer in the documentation and/or other materials provided with the distribution.
3. The name of the author may not be used to endorse or promote products derived from this software without specific prior
   written permission.

THIS SOFTWARE IS PROVIDED ``AS IS'' AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES
OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE, ALL OF WHICH ARE HEREBY DISCLAIMED. IN NO EVENT SHALL THE AUTHOR BE
LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO,
PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF
THE USE OF THIS SOFTWARE, EVEN IF NOT ADVISED OF THE POSSIBILITY OF SUCH DAMAGE."""
RELINKING = """
glibc is the GNU C Library, under the GNU Lesser General Public License 2.1 or later, and is linked statically. You may change
it and link momtool with it anew, and for that take momtool apart: the release's tag has all of momtool's sources, under the MIT
licence, and `.ci/release executable` there links them with the glibc that is installed. The sources of this glibc are in
each release, beside the archive, in momtool-VERSION-linux-MACHINE.sources.tar."""


@functools.cache
def said(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout.strip()


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().strip()


def of_swift(archive):
    name = os.path.basename(archive)
    source = next((source for start, source in RUNTIME.items() if name.startswith(start)), None)
    number = re.search(r"Swift version ([\d.]+)", said("swift", "--version"))[1]
    # The licence of all of Swift's repositories has the same words.
    texts = [read(scratch + "/checkouts/swift-argument-parser/LICENSE.txt")]
    texts += {"swift": [LLVM], "llvm-project": [LLVM], "swift-foundation": [UUIDS]}.get(source, [])
    licence = {"swift": f"{SWIFT} AND {OF_LLVM}", "llvm-project": OF_LLVM, "swift-foundation": SWIFT + " AND BSD-3-Clause"}
    return source and (source, f"of Swift {number}", licence.get(source, SWIFT), "https://www.swift.org/download/", texts)


def of_debian(archive):
    # Where /lib is a link to /usr/lib the package has the file in either.
    path = os.path.realpath(archive)
    for name in (archive, path, path.removeprefix("/usr"), "/usr" + archive):
        owner = said("dpkg-query", "-S", name).split(":")[0]
        if owner:
            break
    else:
        return None
    source, number = said("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", owner).split()
    kind = re.sub(r"^gcc-\d+$", "gcc", source)
    # Version 5.6 put liblzma under 0BSD.
    licence = "0BSD" if kind == "xz-utils" and number >= "5.6" else LICENCES.get(kind)
    texts = [read(f"/usr/share/doc/{owner}/copyright")]
    common = {"glibc": ["LGPL-2.1"], "gcc": ["GPL-3"]}.get(kind, [])
    return source, number, licence, f"https://tracker.debian.org/pkg/{source}", texts + [
        read("/usr/share/common-licenses/" + name) for name in common]


def of_homebrew(archive):
    """Never tried: a formula's files lie in Cellar/NAME/VERSION, its licence among them."""
    found = re.match(r"(.*/Cellar/([^/]+)/([^/]+))/", os.path.realpath(archive))
    return found and (found[2], found[3], LICENCES.get(found[2]), "https://formulae.brew.sh/formula/" + found[2],
                      [read(path) for path in glob.glob(found[1] + "/LICEN[CS]E*") + glob.glob(found[1] + "/COPYING*")])


def of_package(module):
    pins = {pin["identity"]: pin for pin in json.loads(read("Package.resolved"))["pins"]}
    folder = next(iter(glob.glob(f"{scratch}/checkouts/*/Sources/**/{module}/", recursive=True)), "").split("/Sources/")[0]
    pin = pins.get(os.path.basename(folder).lower())
    text = folder and read(folder + "/LICENSE.txt")
    licence = SWIFT if "Runtime Library Exception" in text and "Apache License" in text else None
    return pin and (pin["identity"], pin["state"]["version"], licence, pin["location"], [text])


def components():
    libraries = os.path.dirname(json.loads(said("swift", "-print-target-info"))["paths"]["runtimeResourcePath"])
    found, unknown = {}, []
    own = {os.path.basename(path) for path in glob.glob("Sources/*/*")}
    objects = glob.glob(scratch + "/release/momtool.product/Objects.LinkFileList") + glob.glob(scratch + "/*.LinkFileList")
    modules = set(re.findall(r"/([^/]+)\.build/", read(objects[0]))) - own
    for item in read(scratch + "/linked.txt").splitlines() + sorted(modules):
        if item in modules:
            component = of_package(item)
        elif item.startswith((libraries + "/swift", libraries + "/clang")):
            component = of_swift(item)
        else:
            component = of_homebrew(item) or of_debian(item)
        if not component or not component[2] or not all(component[4] or [None]):
            unknown.append(item)
            continue
        known = found.setdefault(component[0], [*component[1:], []])
        known[3] += [text for text in component[4] if text not in known[3]]
        known[4].append(os.path.basename(item))
    if unknown:
        sys.exit("\n".join(f"{item}: error: .ci/contents.py knows no licence of what is linked from it" for item in unknown))
    return dict(sorted(found.items()))


def notices(found):
    yield f"momtool {version} is under the MIT licence. Its executable holds these, each under its own:\n"
    for name, (number, licence, source, texts, parts) in found.items():
        yield f"- {name} {number}: {licence}; {source}\n  linked: {', '.join(parts)}"
    if "glibc" in found:
        yield RELINKING
    owners = {}
    for name, component in found.items():
        for text in component[3]:
            owners.setdefault(text, []).append(name)
    for text, names in owners.items():
        yield f"\n{'=' * 100}\n{', '.join(names)}\n{'=' * 100}\n\n{text}"


def sbom(found):
    def package(name, number, licence, source):
        return {"SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": number,
                "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
                "downloadLocation": source, "filesAnalyzed": False}
    packages = [package("momtool", version, "MIT", "NOASSERTION")]
    packages += [package(name, *component[:3]) for name, component in found.items()]
    document, momtool = "SPDXRef-DOCUMENT", "SPDXRef-momtool"
    relations = [(document, "DESCRIBES", momtool)] + [(momtool, "STATIC_LINK", item["SPDXID"]) for item in packages[1:]]
    yield json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": document, "name": "momtool-" + version,
        "documentNamespace": f"https://spdx.org/spdxdocs/momtool-{version}-{said('git', 'rev-parse', 'HEAD')}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)),
                         "creators": ["Tool: .ci/contents.py"]},
        "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-public-domain", "extractedText": "In the public domain."}],
        "packages": packages,
        "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), each)) for each in relations],
    }, indent=2)


print("\n".join({"notices": notices, "sbom": sbom}[form](components())))
