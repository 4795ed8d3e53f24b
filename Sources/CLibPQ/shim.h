#ifndef WAYMARK_CLIBPQ_H
#define WAYMARK_CLIBPQ_H

#include <libpq-fe.h>

#endif
