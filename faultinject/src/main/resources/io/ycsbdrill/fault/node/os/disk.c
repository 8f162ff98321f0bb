/*
 * Impairs what a process writes to the files below one directory: calls are delayed, held, or fail. It is loaded before the C library
 * (LD_PRELOAD), and told what to do by a file that it maps, so that a later process than the one that began can end it.
 *
 * YCSB_DISK_CONTROL  the file, of struct control (DiskShim.java has the same offsets)
 * YCSB_DISK_ROOT     the directory, without symbolic links and a slash at the end
 * YCSB_DISK_UNDO     the directory of the undo journal (below); absent when none is kept
 *
 * Reads are left alone: what the page cache holds would be served by a sick disk as well. Calls that bypass the C library (io_uring,
 * pages of mapped files, buffered streams of the C library itself) are not seen.
 *
 * The undo journal has what a power loss would take: for each write that was not synced yet, what the file had there before. It is
 * written before the write is done, and dropped when a sync of the file has succeeded that began later. UndoJournal.java applies what is
 * left, the latest first. A file's records are in the folder of its inode number, in one file for each generation; a sync begins the next
 * generation, and drops those before it. Names (a file created, renamed, removed) and shortened files count as durable at once.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { STRIPES = 64 };

enum trouble { NONE, SLOW, STALL, ERROR, FULL };

struct control {
    _Atomic uint32_t trouble;    /* 0: what is done */
    uint32_t unused;             /* 4 */
    _Atomic uint64_t latency_us; /* 8: of SLOW */
    _Atomic uint64_t jitter_us;  /* 16: up to this much more */
    _Atomic uint64_t affected;   /* 24: calls that were affected since the trouble began */
    _Atomic uint64_t first_ns;   /* 32: when the first of them began, since the epoch */
    _Atomic uint32_t first_call; /* 40: which call that was, a place in the list of DiskShim.java */
    _Atomic uint32_t spared;     /* 44: calls that the trouble does not concern */
    _Atomic uint32_t unfollowed; /* 48: why the journal is not complete, a place in the list of UndoJournal.java; 0: it is */
    uint32_t unused_too;         /* 52 */
    _Atomic uint64_t generation[STRIPES]; /* 56: of the journal, by inode number */
};

enum call { WRITE, SYNC, ALLOCATE, SUBMIT };

static struct control *control;
static char root[4096];
static char undo[4096];
static size_t root_length;
static dev_t device; /* of the directory */
static _Atomic uint64_t dice = 88172645463325252ull;

__attribute__((constructor)) static void attach(void) {
    const char *file = getenv("YCSB_DISK_CONTROL");
    const char *directory = getenv("YCSB_DISK_ROOT");
    if (!file || !directory || strlen(directory) >= sizeof root) {
        return;
    }
    const char *journal = getenv("YCSB_DISK_UNDO");
    if (journal && strlen(journal) < sizeof undo) {
        strcpy(undo, journal);
    }
    strcpy(root, directory);
    root_length = strlen(root);
    struct stat status;
    device = stat(root, &status) == 0 ? status.st_dev : 0;
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
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now); /* clock.c may be loaded as well */
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
            while (atomic_load(&control->trouble) == STALL) {
                rest(2000);
            }
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

/* Why the journal cannot tell what a power loss would take; the order is known to UndoJournal.java. */
enum unfollowed { FOLLOWED, NOT_WRITTEN, ASYNCHRONOUS, VECTOR_WITH_FLAGS, RANGES_MOVED };

enum kind { OVERWRITTEN = 0x4f565752, DURABLE = 0x44555242 };

struct record {
    uint32_t kind;
    uint32_t second; /* of the write, since the epoch: the kernel writes old ones back by itself */
    uint64_t place;  /* of what is written */
    uint64_t bytes;  /* how many */
    uint64_t before; /* the file's size before that */
    uint64_t old;    /* how many bytes of the file follow, those from the place on that are written over */
};

/* A call that changes a file, from before its record until it is done. */
struct change {
    pthread_mutex_t *lock; /* held; NULL when the journal is not concerned */
    uint64_t inode;
    int fd;
    int durable; /* the call itself writes through */
    uint64_t place;
};

static pthread_mutex_t locks[STRIPES] = {[0 ... STRIPES - 1] = PTHREAD_MUTEX_INITIALIZER};
static char buffers[STRIPES][65536];

static void unfollowed(enum unfollowed why) {
    uint32_t none = FOLLOWED;
    if (control && undo[0]) {
        atomic_compare_exchange_strong(&control->unfollowed, &none, why);
    }
}

/* The inode of a file that the journal concerns; 0 for any other. */
static uint64_t journaled(int fd, struct stat *status) {
    if (!control || !undo[0] || !ours(fd) || fstat(fd, status) != 0) {
        return 0;
    }
    return S_ISREG(status->st_mode) && status->st_nlink > 0 ? (uint64_t)status->st_ino : 0;
}

static int log_of(uint64_t inode) {
    char path[sizeof undo + 64];
    uint64_t generation = atomic_load(&control->generation[inode % STRIPES]);
    for (int attempt = 0; attempt < 2; attempt++) {
        snprintf(path, sizeof path, "%s/%llu/%llu", undo, (unsigned long long)inode, (unsigned long long)generation);
        int log = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        if (log >= 0 || errno != ENOENT) {
            return log;
        }
        snprintf(path, sizeof path, "%s/%llu", undo, (unsigned long long)inode);
        mkdir(path, 0700);
    }
    return -1;
}

static int put(int log, const void *bytes, size_t count) {
    const char *from = bytes;
    while (count > 0) {
        ssize_t done = syscall(SYS_write, log, from, count);
        if (done < 0 && errno != EINTR) {
            return 0;
        }
        if (done > 0) {
            from += done;
            count -= (size_t)done;
        }
    }
    return 1;
}

/* Appends a record with what the file has there. Under the inode's lock. */
static int append(int fd, uint64_t inode, struct record record) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now);
    record.second = (uint32_t)now.tv_sec;
    int log = log_of(inode);
    if (log < 0) {
        return 0;
    }
    int fine = put(log, &record, sizeof record);
    if (fine && record.old > 0) {
        /* The file as such: the descriptor may be for writing only, or not for bytes at any place (O_DIRECT). */
        char link[32];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        int source = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
        char *buffer = buffers[inode % STRIPES];
        uint64_t at = record.place;
        uint64_t left = record.old;
        fine = source >= 0;
        while (fine && left > 0) {
            size_t part = left < sizeof buffers[0] ? (size_t)left : sizeof buffers[0];
            ssize_t got = syscall(SYS_pread64, source, buffer, part, (off_t)at);
            fine = got > 0 ? put(log, buffer, (size_t)got) : got < 0 && errno == EINTR;
            if (got > 0) {
                at += (uint64_t)got;
                left -= (uint64_t)got;
            }
        }
        if (source >= 0) {
            syscall(SYS_close, source);
        }
    }
    syscall(SYS_close, log);
    return fine;
}

/* Before bytes are written at a place, or at the file's own one when that is negative. */
static struct change begin(int fd, off_t place, uint64_t bytes) {
    struct change change = {NULL, 0, fd, 0, 0};
    struct stat status;
    int saved = errno;
    uint64_t inode = journaled(fd, &status);
    if (inode && bytes > 0) {
        change.lock = &locks[inode % STRIPES];
        change.inode = inode;
        pthread_mutex_lock(change.lock);
        int flags = fcntl(fd, F_GETFL);
        if (fstat(fd, &status) != 0 || flags < 0) {
            unfollowed(NOT_WRITTEN);
        } else {
            if (flags & O_APPEND) {
                place = status.st_size;
            } else if (place < 0) {
                place = lseek(fd, 0, SEEK_CUR);
            }
            uint64_t size = (uint64_t)status.st_size;
            change.place = (uint64_t)place;
            change.durable = (flags & O_DSYNC) != 0;
            if (!change.durable) {
                uint64_t old = change.place >= size ? 0 : size - change.place;
                struct record record = {OVERWRITTEN, 0, change.place, bytes, size, old < bytes ? old : bytes};
                if (!append(fd, inode, record)) {
                    unfollowed(NOT_WRITTEN);
                }
            }
        }
    }
    errno = saved;
    return change;
}

/* After the call has written so many bytes; negative when it has failed. */
static void done(struct change change, int64_t written) {
    if (!change.lock) {
        return;
    }
    int saved = errno;
    if (change.durable && written > 0) {
        /* What was not synced there before is so now. Without earlier records there is nothing to keep it from. */
        char path[sizeof undo + 32];
        snprintf(path, sizeof path, "%s/%llu", undo, (unsigned long long)change.inode);
        struct record record = {DURABLE, 0, change.place, (uint64_t)written, 0, 0};
        if (syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0 && !append(change.fd, change.inode, record)) {
            unfollowed(NOT_WRITTEN);
        }
    }
    pthread_mutex_unlock(change.lock);
    errno = saved;
}

/* A sync of a file, from its begin to its end. */
struct syncing {
    uint64_t inode;      /* 0 when the journal is not concerned */
    uint64_t generation; /* the last one that is synced with it */
};

static struct syncing sync_begin(int fd) {
    struct syncing syncing = {0, 0};
    struct stat status;
    int saved = errno;
    syncing.inode = journaled(fd, &status);
    if (syncing.inode) {
        uint64_t stripe = syncing.inode % STRIPES;
        pthread_mutex_lock(&locks[stripe]); /* writes under way are done before it begins */
        syncing.generation = atomic_fetch_add(&control->generation[stripe], 1);
        pthread_mutex_unlock(&locks[stripe]);
    }
    errno = saved;
    return syncing;
}

/* Drops the records of an inode up to a generation. */
static void drop(uint64_t inode, uint64_t generation) {
    char path[sizeof undo + 32];
    snprintf(path, sizeof path, "%s/%llu", undo, (unsigned long long)inode);
    pthread_mutex_lock(&locks[inode % STRIPES]);
    DIR *folder = opendir(path);
    if (folder) {
        for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
            if (entry->d_name[0] != '.' && strtoull(entry->d_name, NULL, 10) <= generation) {
                syscall(SYS_unlinkat, dirfd(folder), entry->d_name, 0);
            }
        }
        closedir(folder);
        syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR); /* fails when a later generation is there */
    }
    pthread_mutex_unlock(&locks[inode % STRIPES]);
}

static void sync_end(struct syncing syncing, int result) {
    if (syncing.inode && result == 0) {
        int saved = errno;
        drop(syncing.inode, syncing.generation);
        errno = saved;
    }
}

/* A sync of all files, as copy scripts make it. */
static void sync_all_begin(uint64_t generations[STRIPES]) {
    for (int stripe = 0; control && undo[0] && stripe < STRIPES; stripe++) {
        pthread_mutex_lock(&locks[stripe]);
        generations[stripe] = atomic_fetch_add(&control->generation[stripe], 1);
        pthread_mutex_unlock(&locks[stripe]);
    }
}

static void sync_all_end(const uint64_t generations[STRIPES]) {
    int saved = errno;
    DIR *folder = control && undo[0] ? opendir(undo) : NULL;
    if (folder) {
        for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
            uint64_t inode = strtoull(entry->d_name, NULL, 10);
            if (inode) {
                drop(inode, generations[inode % STRIPES]);
            }
        }
        closedir(folder);
    }
    errno = saved;
}

/* The inode of a file that ends with its last name, so that the next file with this number does not inherit its records. */
static uint64_t ends(int folder, const char *path, struct stat *status) {
    int saved = errno;
    int last = control && undo[0] && fstatat(folder, path, status, AT_SYMLINK_NOFOLLOW) == 0 && status->st_dev == device
            && S_ISREG(status->st_mode) && status->st_nlink == 1;
    errno = saved;
    return last ? (uint64_t)status->st_ino : 0;
}

static void ended(uint64_t inode, int result) {
    if (inode && result == 0) {
        int saved = errno;
        drop(inode, UINT64_MAX);
        errno = saved;
    }
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

#define WRITTEN(place, count, call)                    \
    struct change change = begin(fd, place, count);    \
    ssize_t written = call;                            \
    done(change, written);                             \
    return written;

#define SYNCED(call)                             \
    struct syncing syncing = sync_begin(fd);     \
    int synced = call;                           \
    sync_end(syncing, synced);                   \
    return synced;

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t)
    MEET(WRITE, grows(fd, -1, count))
    WRITTEN(-1, count, real(fd, bytes, count))
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t place) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t)
    MEET(WRITE, grows(fd, place, count))
    WRITTEN(place, count, real(fd, bytes, count, place))
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t place) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
    MEET(WRITE, grows(fd, place, count))
    WRITTEN(place, count, real(fd, bytes, count, place))
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int)
    MEET(WRITE, grows(fd, -1, sum(parts, count)))
    WRITTEN(-1, sum(parts, count), real(fd, parts, count))
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t place) {
    REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t)
    MEET(WRITE, grows(fd, place, sum(parts, count)))
    WRITTEN(place, sum(parts, count), real(fd, parts, count, place))
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t place) {
    REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t)
    MEET(WRITE, grows(fd, place, sum(parts, count)))
    WRITTEN(place, sum(parts, count), real(fd, parts, count, place))
}

ssize_t pwritev2(int fd, const struct iovec *parts, int count, off_t place, int flags) {
    REAL(ssize_t, pwritev2, int, const struct iovec *, int, off_t, int)
    MEET(WRITE, grows(fd, place, sum(parts, count)))
    struct stat status;
    if (flags != 0 && journaled(fd, &status)) {
        unfollowed(VECTOR_WITH_FLAGS);
    }
    WRITTEN(place, sum(parts, count), real(fd, parts, count, place, flags))
}

ssize_t pwritev64v2(int fd, const struct iovec *parts, int count, off64_t place, int flags) {
    REAL(ssize_t, pwritev64v2, int, const struct iovec *, int, off64_t, int)
    MEET(WRITE, grows(fd, place, sum(parts, count)))
    struct stat status;
    if (flags != 0 && journaled(fd, &status)) {
        unfollowed(VECTOR_WITH_FLAGS);
    }
    WRITTEN(place, sum(parts, count), real(fd, parts, count, place, flags))
}

ssize_t sendfile(int fd, int source, off_t *from, size_t count) {
    REAL(ssize_t, sendfile, int, int, off_t *, size_t)
    MEET(WRITE, grows(fd, -1, count))
    WRITTEN(-1, count, real(fd, source, from, count))
}

ssize_t sendfile64(int fd, int source, off64_t *from, size_t count) {
    REAL(ssize_t, sendfile64, int, int, off64_t *, size_t)
    MEET(WRITE, grows(fd, -1, count))
    WRITTEN(-1, count, real(fd, source, from, count))
}

ssize_t copy_file_range(int source, off64_t *from, int fd, off64_t *to, size_t count, unsigned int flags) {
    REAL(ssize_t, copy_file_range, int, off64_t *, int, off64_t *, size_t, unsigned int)
    MEET(WRITE, grows(fd, to ? *to : -1, count))
    WRITTEN(to ? *to : -1, count, real(source, from, fd, to, count, flags))
}

int fsync(int fd) {
    REAL(int, fsync, int)
    MEET(SYNC, 0)
    SYNCED(real(fd))
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int)
    MEET(SYNC, 0)
    SYNCED(real(fd))
}

/* Makes nothing durable: the disk's own cache and the file's size are left out. */
int sync_file_range(int fd, off64_t from, off64_t bytes, unsigned int flags) {
    REAL(int, sync_file_range, int, off64_t, off64_t, unsigned int)
    MEET(SYNC, 0)
    return real(fd, from, bytes, flags);
}

void sync(void) {
    static void (*real)(void);
    if (!real) {
        real = (void (*)(void))dlsym(RTLD_NEXT, "sync");
    }
    uint64_t generations[STRIPES];
    sync_all_begin(generations);
    real();
    sync_all_end(generations);
}

int syncfs(int fd) {
    REAL(int, syncfs, int)
    uint64_t generations[STRIPES];
    struct stat status;
    int concerned = fstat(fd, &status) == 0 && status.st_dev == device;
    sync_all_begin(generations);
    int result = real(fd);
    if (concerned && result == 0) {
        sync_all_end(generations);
    }
    return result;
}

/* What makes a file longer is written; what makes it shorter is durable at once. */
static struct change longer(int fd, off64_t size) {
    struct stat status;
    struct change none = {NULL, 0, fd, 0, 0};
    return journaled(fd, &status) && size > status.st_size ? begin(fd, status.st_size, (uint64_t)(size - status.st_size))
                                                           : none;
}

int ftruncate(int fd, off_t size) {
    REAL(int, ftruncate, int, off_t)
    struct change change = longer(fd, size);
    int result = real(fd, size);
    done(change, result);
    return result;
}

int ftruncate64(int fd, off64_t size) {
    REAL(int, ftruncate64, int, off64_t)
    struct change change = longer(fd, size);
    int result = real(fd, size);
    done(change, result);
    return result;
}

static struct change allocated(int fd, int mode, off64_t from, off64_t bytes) {
    struct change none = {NULL, 0, fd, 0, 0};
    struct stat status;
    if (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) {
        return begin(fd, from, (uint64_t)bytes);
    }
    if (mode & ~FALLOC_FL_KEEP_SIZE) {
        if (journaled(fd, &status)) {
            unfollowed(RANGES_MOVED);
        }
        return none;
    }
    return mode & FALLOC_FL_KEEP_SIZE ? none : longer(fd, from + bytes);
}

int fallocate(int fd, int mode, off_t from, off_t bytes) {
    REAL(int, fallocate, int, int, off_t, off_t)
    MEET(ALLOCATE, grows(fd, from, (size_t)bytes))
    struct change change = allocated(fd, mode, from, bytes);
    int result = real(fd, mode, from, bytes);
    done(change, result);
    return result;
}

int fallocate64(int fd, int mode, off64_t from, off64_t bytes) {
    REAL(int, fallocate64, int, int, off64_t, off64_t)
    MEET(ALLOCATE, grows(fd, from, (size_t)bytes))
    struct change change = allocated(fd, mode, from, bytes);
    int result = real(fd, mode, from, bytes);
    done(change, result);
    return result;
}

/* These return the error. */
int posix_fallocate(int fd, off_t from, off_t bytes) {
    REAL(int, posix_fallocate, int, off_t, off_t)
    int failure = meet(fd, ALLOCATE, grows(fd, from, (size_t)bytes));
    if (failure) {
        return failure;
    }
    struct change change = allocated(fd, 0, from, bytes);
    int result = real(fd, from, bytes);
    done(change, -result);
    return result;
}

int posix_fallocate64(int fd, off64_t from, off64_t bytes) {
    REAL(int, posix_fallocate64, int, off64_t, off64_t)
    int failure = meet(fd, ALLOCATE, grows(fd, from, (size_t)bytes));
    if (failure) {
        return failure;
    }
    struct change change = allocated(fd, 0, from, bytes);
    int result = real(fd, from, bytes);
    done(change, -result);
    return result;
}

int unlink(const char *path) {
    REAL(int, unlink, const char *)
    struct stat status;
    uint64_t inode = ends(AT_FDCWD, path, &status);
    int result = real(path);
    ended(inode, result);
    return result;
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int)
    struct stat status;
    uint64_t inode = flags & AT_REMOVEDIR ? 0 : ends(folder, path, &status);
    int result = real(folder, path, flags);
    ended(inode, result);
    return result;
}

/* The C library's remove makes its calls itself. */
int remove(const char *path) {
    REAL(int, remove, const char *)
    struct stat status;
    uint64_t inode = ends(AT_FDCWD, path, &status);
    int result = real(path);
    ended(inode, result);
    return result;
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *)
    struct stat status;
    uint64_t inode = ends(AT_FDCWD, to, &status);
    int result = real(from, to);
    ended(inode, result);
    return result;
}

int renameat(int folder, const char *from, int target, const char *to) {
    REAL(int, renameat, int, const char *, int, const char *)
    struct stat status;
    uint64_t inode = ends(target, to, &status);
    int result = real(folder, from, target, to);
    ended(inode, result);
    return result;
}

int renameat2(int folder, const char *from, int target, const char *to, unsigned int flags) {
    REAL(int, renameat2, int, const char *, int, const char *, unsigned int)
    struct stat status;
    uint64_t inode = flags == 0 ? ends(target, to, &status) : 0;
    int result = real(folder, from, target, to, flags);
    ended(inode, result);
    return result;
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
        struct stat status;
        if (journaled(fd, &status)) {
            unfollowed(ASYNCHRONOUS);
        }
        size_t bytes = operation == IOCB_CMD_PWRITE ? (size_t)blocks[i]->aio_nbytes : 1;
        int failure = meet(fd, SUBMIT, writes && grows(fd, (off_t)blocks[i]->aio_offset, bytes));
        if (failure) {
            return i == 0 ? -failure : real(context, i, blocks);
        }
    }
    return real(context, count, blocks);
}
