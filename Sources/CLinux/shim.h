#ifndef WAYMARK_CLINUX_H
#define WAYMARK_CLINUX_H

/* What Swift's Glibc module leaves out: headers, and functions that are declared only with _GNU_SOURCE. */
#include <sys/eventfd.h>
#include <sys/file.h>
extern int pipe2(int descriptors[2], int flags);
extern int pthread_setname_np(unsigned long thread, const char *name);
extern int syncfs(int descriptor);

#endif
