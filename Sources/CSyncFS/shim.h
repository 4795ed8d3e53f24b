// As <unistd.h> declares it for _GNU_SOURCE, which the Glibc module is built without.
int syncfs(int descriptor);
