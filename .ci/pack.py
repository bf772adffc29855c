"""Packs what lies in a folder, the same bytes for the same files: pack.py TIME FILE.tar|FILE.tar.xz|FILE.zip FOLDER NAME..."""
import lzma, os, sys, tarfile, time, zipfile

moment, target, folder, names = int(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3], sys.argv[4:]


def plain(item):
    # Without names of people or times of today.
    item.uid = item.gid = 0
    item.uname = item.gname = ""
    item.mtime, item.mode = moment, 0o777 if item.issym() else 0o755 if item.isdir() or item.mode & 0o100 else 0o644
    return item


os.chdir(folder)
paths = sorted({os.path.join(root, name) for top in names for root, folders, files in os.walk(top) for name in files + folders}
               | set(names))
if target.endswith(".zip"):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in filter(os.path.isfile, paths):
            item = zipfile.ZipInfo(path, time.gmtime(moment)[:6])
            item.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            item.compress_type = zipfile.ZIP_DEFLATED
            with open(path, "rb") as file:
                archive.writestr(item, file.read())
else:
    with lzma.open(target, "wb", preset=9 | lzma.PRESET_EXTREME) if target.endswith(".xz") else open(target, "wb") as out:
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path in paths:
                archive.add(path, recursive=False, filter=plain)
