"""Writes an image with the executable alone, as `docker load` and `podman load` take it: image.py VERSION TIME MACHINE EXECUTABLE OUT.

No engine is needed to make it. The same bytes come out for the same input.
"""

import hashlib
import io
import json
import sys
import tarfile
import time

version, moment, machine, executable, out = sys.argv[1:]
architecture = {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)


def packed(files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, (content, mode) in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, int(moment)
            archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


with open(executable, "rb") as file:
    layer = packed({"momtool": (file.read(), 0o755)})
config = json.dumps(
    {
        "architecture": architecture,
        "os": "linux",
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(moment))),
        "config": {"Entrypoint": ["/momtool"], "WorkingDir": "/work"},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
    },
    sort_keys=True,
).encode()
name = hashlib.sha256(config).hexdigest() + ".json"
manifest = json.dumps(
    [{"Config": name, "RepoTags": [f"momtool:{version}", "momtool:latest"], "Layers": ["layer.tar"]}], sort_keys=True
).encode()
with open(out, "wb") as file:
    file.write(packed({name: (config, 0o644), "layer.tar": (layer, 0o644), "manifest.json": (manifest, 0o644)}))
