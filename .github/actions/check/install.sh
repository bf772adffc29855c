#!/usr/bin/env bash
# Puts momtool on the path of the next steps: the archive of a release, or the file that ARCHIVE names.
set -euo pipefail
folder=${RUNNER_TEMP:-$(mktemp -d)}/momtool
mkdir -p "$folder"
if [ -n "${ARCHIVE:-}" ]; then
    cp "$ARCHIVE" "$folder/momtool.tar.xz"
else
    version=${VERSION#v}
    case $(uname) in
        Darwin) kind=macos-universal sum=(shasum -a 256) ;;
        Linux) kind=linux-$(uname -m) sum=(sha256sum) ;;
        *)
            echo "::error title=momtool::no release has an archive for $(uname): run this job on 'ubuntu-latest'," \
                "or name a tar.xz with bin/momtool in the action's 'archive'"
            exit 1
            ;;
    esac
    name=momtool-$version-$kind.tar.xz
    load() { curl -fsSL --retry 3 -o "$folder/$2" "$RELEASES/$version/$1"; }
    load "$name" momtool.tar.xz || {
        echo "::error title=momtool::$RELEASES/$version has no $name: name another release in the action's 'version'"
        exit 1
    }
    load SHA256SUMS SHA256SUMS
    # What was loaded is what was released, or nothing is installed.
    released=$(awk -v name="$name" '$2 == name { print $1 }' "$folder/SHA256SUMS")
    loaded=$("${sum[@]}" "$folder/momtool.tar.xz")
    if [ "${loaded%% *}" != "${released:?the release names no checksum of $name}" ]; then
        echo "::error title=momtool::$name is not the file that was released: its checksum is ${loaded%% *}, not $released"
        exit 1
    fi
fi
tar -xJf "$folder/momtool.tar.xz" -C "$folder"
echo "$folder/bin" >>"$GITHUB_PATH"
"$folder/bin/momtool" --version
