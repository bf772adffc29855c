#!/usr/bin/env bash
# Puts momtool on the path of the next steps: the archive of a release, or the file that ARCHIVE names.
set -euo pipefail
folder=${RUNNER_TEMP:-$(mktemp -d)}/momtool
mkdir -p "$folder"
if [ -n "${ARCHIVE:-}" ]; then
    cp "$ARCHIVE" "$folder/momtool.tar.xz"
elif [ "$(uname)" != Linux ]; then
    echo "::error title=momtool::no release has an archive for $(uname): run this job on 'ubuntu-latest', or build" \
        "momtool there with 'swift build -c release' and name a tar.xz with bin/momtool in the action's 'archive'"
    exit 1
else
    version=${VERSION#v}
    name=momtool-$version-linux-$(uname -m).tar.xz
    load() { curl -fsSL --retry 3 -o "$folder/$2" "$RELEASES/$version/$1"; }
    load "$name" momtool.tar.xz || {
        echo "::error title=momtool::$RELEASES/$version has no $name: name another release in the action's 'version'"
        exit 1
    }
    load SHA256SUMS SHA256SUMS
    # What was loaded is what was released, or nothing is installed.
    sum=$(awk -v name="$name" '$2 == name { print $1 }' "$folder/SHA256SUMS")
    echo "${sum:?the release names no checksum of $name}  $folder/momtool.tar.xz" | sha256sum --check --quiet
fi
tar -xJf "$folder/momtool.tar.xz" -C "$folder"
echo "$folder/bin" >>"$GITHUB_PATH"
"$folder/bin/momtool" --version
