"""Writes a Python wheel that holds the executable: wheel.py VERSION TIME MACHINE EXECUTABLE README FOLDER.

`pip install` and `uvx` put the executable on the path as it is; no Python runs with it. The executable needs nothing of the
system, so that it is right for glibc and musl alike. The same bytes come out for the same input.
"""

import base64
import hashlib
import sys
import time
import zipfile

version, moment, machine, executable, readme, folder = sys.argv[1:]
day = time.gmtime(max(int(moment), 315532800))[:6]
tags = [f"py3-none-manylinux2014_{machine}", f"py3-none-musllinux_1_1_{machine}"]
info, data = f"momtool-{version}.dist-info", f"momtool-{version}.data"
summary = "Core Data models and stores without a Mac"
with open(executable, "rb") as file:
    program = file.read()
with open(readme, encoding="utf-8") as file:
    about = file.read()
files = {
    f"{data}/scripts/momtool": program,
    f"{info}/METADATA": (
        f"Metadata-Version: 2.1\nName: momtool\nVersion: {version}\nSummary: {summary}\n"
        f"License: MIT\nRequires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n{about}"
    ).encode(),
    f"{info}/WHEEL": (
        "Wheel-Version: 1.0\nGenerator: momtool\nRoot-Is-Purelib: false\n" + "".join(f"Tag: {tag}\n" for tag in tags)
    ).encode(),
}
record = "".join(
    f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b'=').decode()},{len(text)}\n"
    for name, text in files.items()
)
files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
name = f"{folder}/momtool-{version}-py3-none-manylinux2014_{machine}.musllinux_1_1_{machine}.whl"
with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
    for path, text in files.items():
        entry = zipfile.ZipInfo(path, day)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
        wheel.writestr(entry, text)
print(name)
