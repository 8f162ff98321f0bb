/*
 * Impairs what a process writes to the files below one directory: calls are delayed, held, or fail. It is loaded before the C library
 * (LD_PRELOAD), and told what to do by a file that it maps, so that a later process than the one that began can end it.
 *
 * YCSB_DISK_CONTROL  the file, of struct control (DiskShim.java has the same offsets)
 * YCSB_DISK_ROOT     the directory, without symbolic links and a slash at the end
 *
 * Reads are left alone: what the page cache holds would be served by a sick disk as well. Calls that bypass the C library (io_uring,
 * pages of mapped files) are not seen.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum trouble { NONE, SLOW, STALL, ERROR, FULL };

struct control {
    _Atomic uint32_t trouble;    /* 0: what is done */
    _Atomic uint32_t held;       /* 4: calls that wait now */
    _Atomic uint64_t latency_us; /* 8: of SLOW */
    _Atomic uint64_t jitter_us;  /* 16: up to this much more */
    _Atomic uint64_t affected;   /* 24: calls that were affected since the trouble began */
    _Atomic uint64_t first_ns;   /* 32: when the first of them began, since the epoch */
    _Atomic uint32_t first_call; /* 40: which call that was, a place in the list of DiskShim.java */
    _Atomic uint32_t spared;     /* 44: calls that the trouble does not concern */
};

enum call { WRITE, SYNC, ALLOCATE, SUBMIT };

static struct control *control;
static char root[4096];
static size_t root_length;
static _Atomic uint64_t dice = 88172645463325252ull;

__attribute__((constructor)) static void attach(void) {
    const char *file = getenv("YCSB_DISK_CONTROL");
    const char *directory = getenv("YCSB_DISK_ROOT");
    if (!file || !directory || strlen(directory) >= sizeof root) {
        return;
    }
    strcpy(root, directory);
    root_length = strlen(root);
    int fd = open(file, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped != MAP_FAILED) {
        control = mapped;
    }
}

static int ours(int fd) {
    char link[32];
    char path[sizeof root + 256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path);
    return length > (ssize_t)root_length && memcmp(path, root, root_length) == 0 && path[root_length] == '/';
}

static void rest(uint64_t micros) {
    struct timespec time = {(time_t)(micros / 1000000), (long)(micros % 1000000) * 1000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) {
    }
}

static void note(enum call call) {
    uint64_t none = 0;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t ns = (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
    if (atomic_compare_exchange_strong(&control->first_ns, &none, ns)) {
        atomic_store(&control->first_call, call);
    }
    atomic_fetch_add(&control->affected, 1);
}

/* Returns what the call is to fail with, or 0 when it is to be done; after a while, if that is the trouble. */
static int meet(int fd, enum call call, int grows) {
    if (!control || atomic_load_explicit(&control->trouble, memory_order_relaxed) == NONE || !ours(fd)) {
        return 0;
    }
    int before = errno;
    int fails = 0;
    uint64_t jitter;
    switch (atomic_load(&control->trouble)) {
        case SLOW:
            note(call);
            jitter = atomic_load(&control->jitter_us);
            uint64_t thrown = atomic_fetch_add(&dice, 0x9e3779b97f4a7c15ull);
            thrown = (thrown ^ (thrown >> 30)) * 0xbf58476d1ce4e5b9ull;
            thrown ^= thrown >> 27;
            rest(atomic_load(&control->latency_us) + thrown % (jitter + 1));
            break;
        case STALL:
            note(call);
            atomic_fetch_add(&control->held, 1);
            while (atomic_load(&control->trouble) == STALL) {
                rest(2000);
            }
            atomic_fetch_sub(&control->held, 1);
            break;
        case ERROR:
            note(call);
            fails = EIO;
            break;
        case FULL:
            if (grows) {
                note(call);
                fails = ENOSPC;
            } else {
                atomic_fetch_add(&control->spared, 1);
            }
            break;
        default:
            break;
    }
    errno = before;
    return fails;
}

/* Whether bytes at a place, or at the file's own one, make the file longer. */
static int grows(int fd, off_t place, size_t bytes) {
    struct stat status;
    if (!control || atomic_load_explicit(&control->trouble, memory_order_relaxed) != FULL || fstat(fd, &status) != 0) {
        return 0;
    }
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_APPEND)) {
        return bytes > 0;
    }
    if (place < 0) {
        place = lseek(fd, 0, SEEK_CUR);
    }
    return place + (off_t)bytes > status.st_size;
}

static size_t sum(const struct iovec *parts, int count) {
    size_t bytes = 0;
    for (int i = 0; i < count; i++) {
        bytes += parts[i].iov_len;
    }
    return bytes;
}

#define REAL(result, name, ...)                                   \
    static result (*real)(__VA_ARGS__);                           \
    if (!real) {                                                  \
        real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);   \
    }

#define MEET(call, growing)               \
    int failure = meet(fd, call, growing); \
    if (failure) {                        \
        errno = failure;                  \
        return -1;                        \
    }

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t)
    MEET(WRITE, grows(fd, -1, count))
    return real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t place) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t)
    MEET(WRITE, grows(fd, place, count))
    return real(fd, bytes, count, place);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t place) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
    MEET(WRITE, grows(fd, place, count))
    return real(fd, bytes, count, place);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int)
    MEET(WRITE, grows(fd, -1, sum(parts, count)))
    return real(fd, parts, count);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t place) {
    REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t)
    MEET(WRITE, grows(fd, place, sum(parts, count)))
    return real(fd, parts, count, place);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t place) {
    REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t)
    MEET(WRITE, grows(fd, place, sum(parts, count)))
    return real(fd, parts, count, place);
}

int fsync(int fd) {
    REAL(int, fsync, int)
    MEET(SYNC, 0)
    return real(fd);
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int)
    MEET(SYNC, 0)
    return real(fd);
}

int sync_file_range(int fd, off64_t from, off64_t bytes, unsigned int flags) {
    REAL(int, sync_file_range, int, off64_t, off64_t, unsigned int)
    MEET(SYNC, 0)
    return real(fd, from, bytes, flags);
}

int fallocate(int fd, int mode, off_t from, off_t bytes) {
    REAL(int, fallocate, int, int, off_t, off_t)
    MEET(ALLOCATE, grows(fd, from, (size_t)bytes))
    return real(fd, mode, from, bytes);
}

int fallocate64(int fd, int mode, off64_t from, off64_t bytes) {
    REAL(int, fallocate64, int, int, off64_t, off64_t)
    MEET(ALLOCATE, grows(fd, from, (size_t)bytes))
    return real(fd, mode, from, bytes);
}

/* These return the error. */
int posix_fallocate(int fd, off_t from, off_t bytes) {
    REAL(int, posix_fallocate, int, off_t, off_t)
    int failure = meet(fd, ALLOCATE, grows(fd, from, (size_t)bytes));
    return failure ? failure : real(fd, from, bytes);
}

int posix_fallocate64(int fd, off64_t from, off64_t bytes) {
    REAL(int, posix_fallocate64, int, off64_t, off64_t)
    int failure = meet(fd, ALLOCATE, grows(fd, from, (size_t)bytes));
    return failure ? failure : real(fd, from, bytes);
}

/* libaio's, which returns the error as a negative number, or how many were submitted. */
int io_submit(aio_context_t context, long count, struct iocb **blocks) {
    REAL(int, io_submit, aio_context_t, long, struct iocb **)
    for (long i = 0; i < count; i++) {
        int operation = blocks[i]->aio_lio_opcode;
        int fd = (int)blocks[i]->aio_fildes;
        int writes = operation == IOCB_CMD_PWRITE || operation == IOCB_CMD_PWRITEV;
        if (!writes && operation != IOCB_CMD_FSYNC && operation != IOCB_CMD_FDSYNC) {
            continue;
        }
        size_t bytes = operation == IOCB_CMD_PWRITE ? (size_t)blocks[i]->aio_nbytes : 1;
        int failure = meet(fd, SUBMIT, writes && grows(fd, (off_t)blocks[i]->aio_offset, bytes));
        if (failure) {
            return i == 0 ? -failure : real(context, i, blocks);
        }
    }
    return real(context, count, blocks);
}
