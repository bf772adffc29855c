// Linked into a program, this takes the place of the C library's functions that change files.
//
// MOMTOOL_FAULT says what happens at the n-th such call, counted from 1, whoever makes it:
//     fail:N:ERRNO    it fails;          full:N:ERRNO   it fails, and so do all that need room after it;
//     kill:N          the process is killed before it;   torn:N   it is killed in the middle of it.
// MOMTOOL_FAULT_LOG names a file that gets a line for each call.
#ifndef SYSTEM_FAULTS_H
#define SYSTEM_FAULTS_H

/// Whether this build has the functions; the sanitizers of the compiler need the same place.
int system_faults_are_built(void);

#endif
