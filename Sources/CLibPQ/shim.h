#ifndef WAYMARK_CLIBPQ_H
#define WAYMARK_CLIBPQ_H

#include <libpq-fe.h>

/* What Swift's Glibc module leaves out: headers, and the functions behind _GNU_SOURCE. */
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/file.h>
extern int pthread_setname_np(unsigned long thread, const char *name);
extern int pipe2(int descriptors[2], int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

#endif
