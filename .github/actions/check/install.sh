#!/usr/bin/env bash
# Puts momtool on the path of the next steps: the archive of a release, or the file that ARCHIVE names.
set -euo pipefail
folder=${RUNNER_TEMP:-$(mktemp -d)}/momtool
mkdir -p "$folder"
if [ -n "${ARCHIVE:-}" ]; then
    cp "$ARCHIVE" "$folder/momtool.tar.xz"
else
    version=${VERSION#v}
    name=momtool-$version-linux-$(uname -m).tar.xz
    curl -fsSL --retry 3 -o "$folder/momtool.tar.xz" "$RELEASES/$VERSION/$name"
    curl -fsSL --retry 3 -o "$folder/SHA256SUMS" "$RELEASES/$VERSION/SHA256SUMS"
    # What was loaded is what was released, or nothing is installed.
    sum=$(awk -v name="$name" '$2 == name { print $1 }' "$folder/SHA256SUMS")
    echo "${sum:?the release names no checksum of $name}  $folder/momtool.tar.xz" | sha256sum --check --quiet
fi
tar -xJf "$folder/momtool.tar.xz" -C "$folder"
echo "$folder/bin" >>"$GITHUB_PATH"
"$folder/bin/momtool" --version
