#ifndef WAYMARK_CLINUX_H
#define WAYMARK_CLINUX_H

/* What Swift's Glibc module leaves out: headers, and functions that are declared only with _GNU_SOURCE. */
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/file.h>
extern int memfd_create(const char *name, unsigned int flags);
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int pthread_setname_np(unsigned long thread, const char *name);
extern int syncfs(int descriptor);

#endif
