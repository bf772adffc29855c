// Protocol conformances that the linker of a release sets apart from the others.
#pragma once

#ifdef __linux__

// Where .ci/late-conformances.ld puts them; in other builds there are no such symbols, and these are null.
extern const int late_conformances_begin[] __attribute__((weak));
extern const int late_conformances_end[] __attribute__((weak));

// A function of Swift's runtime: adds to what dynamic casts search, and forgets what they did not find before.
void swift_registerProtocolConformances(const void *begin, const void *end);

/// Lets dynamic casts find the conformances that were set apart. To be called once.
static inline void register_late_conformances(void) {
    if (late_conformances_begin != late_conformances_end) {
        swift_registerProtocolConformances(late_conformances_begin, late_conformances_end);
    }
}

#else

static inline void register_late_conformances(void) {}

#endif
