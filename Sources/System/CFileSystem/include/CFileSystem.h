#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

// What Swift's modules of the C library lack, with the same arguments on every system.
#include <stddef.h>
#include <sys/types.h>

/// Lets a file share the blocks of another one; -1 where the file system cannot.
int file_share_blocks(int source, int target);

/// Copies bytes from one file's place to another's without bringing them here; -1 where the system cannot.
ssize_t file_transfer(int source, int target, size_t count);

ssize_t file_list_attributes(const char *path, char *names, size_t size);

ssize_t file_get_attribute(const char *path, const char *name, void *value, size_t size);

int file_set_attribute(int file, const char *name, const void *value, size_t size);

/// Makes a pipe that no other program is given by chance; -1 where the system cannot.
int program_pipe(int ends[2]);

/// Returns how many bytes of a pipe nobody has read, by the end that is written to; 0 where the system does not tell.
size_t program_unread(int end);

/// Starts a program that gets three open files and nothing else that is open here.
///
/// What it got by chance it would keep open: whoever waits for the end of a pipe or of a socket would wait for it.
/// A program of its own group gets no signals that a terminal sends to the group of this process.
/// Returns 0, or the number of an error.
int program_start(
    pid_t *program, char *const words[], char *const settings[], const int files[3], int is_own_group,
    const char *folder
);

/// Lets the system end a program that was started here when it has computed for some seconds, where the system can.
void program_limit_time(pid_t program, long long seconds);

/// Lets this thread, and every process that it starts from now on, open nothing but what lies below some paths.
///
/// Both lists end with NULL. What is below a readable path may be read and run, what is below a writable one written too.
/// Returns 0, or -1 where the system cannot; then nothing is confined.
int program_confine(const char *const readable[], const char *const writable[]);

/// Returns how many words this process was started with, its own name among them; 0 where they are not known.
int program_argument_count(void);

/// Returns the words that this process was started with; NULL where they are not known.
char *const *program_arguments(void);

#endif
