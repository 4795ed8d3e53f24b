#ifndef WAYMARK_CLINUX_H
#define WAYMARK_CLINUX_H

/* Functions of Linux that Swift's Glibc module leaves out. They are declared here instead of including their headers:
   the types of an included header would belong to this module too, and not be those of Glibc. */

/* <fcntl.h> and <unistd.h> with _GNU_SOURCE. */
extern int pipe2(int descriptors[2], int flags);
extern int syncfs(int descriptor);

/* <pthread.h> with _GNU_SOURCE. */
extern int pthread_setname_np(unsigned long thread, const char *name);

/* <sys/eventfd.h>. */
#define EFD_CLOEXEC 02000000
#define EFD_NONBLOCK 00004000
extern int eventfd(unsigned int count, int flags);
extern int eventfd_read(int descriptor, unsigned long *value);
extern int eventfd_write(int descriptor, unsigned long value);

/* <sys/file.h>. */
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
extern int flock(int descriptor, int operation);

#endif
