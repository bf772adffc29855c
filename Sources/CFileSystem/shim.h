// What Swift's modules of the C library lack, with the same arguments on every system.
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/xattr.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#endif

/// Lets a file share the blocks of another one; -1 where the file system cannot.
static inline int file_share_blocks(int source, int target) {
#ifdef FICLONE
    return ioctl(target, FICLONE, source);
#else
    errno = ENOTSUP;
    return -1;
#endif
}

/// Copies bytes from one file's place to another's without bringing them here; -1 where the system cannot.
static inline ssize_t file_transfer(int source, int target, size_t count) {
#ifdef __linux__
    return sendfile(target, source, NULL, count);
#else
    errno = ENOSYS;
    return -1;
#endif
}

static inline ssize_t file_list_attributes(const char *path, char *names, size_t size) {
#ifdef __linux__
    return listxattr(path, names, size);
#else
    return listxattr(path, names, size, 0);
#endif
}

static inline ssize_t file_get_attribute(
    const char *path, const char *name, void *value, size_t size
) {
#ifdef __linux__
    return getxattr(path, name, value, size);
#else
    return getxattr(path, name, value, size, 0, 0);
#endif
}

static inline int file_set_attribute(int file, const char *name, const void *value, size_t size) {
#ifdef __linux__
    return fsetxattr(file, name, value, size, 0);
#else
    return fsetxattr(file, name, value, size, 0, 0);
#endif
}
