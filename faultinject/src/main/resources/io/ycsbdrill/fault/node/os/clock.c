/*
 * Tells a process a wrong time of day. It is loaded before the C library (LD_PRELOAD), and told what to do by a file that it maps, so
 * that a later process than the one that began can end it.
 *
 * YCSB_CLOCK_CONTROL  the file, of struct control (ClockShim.java has the same offsets)
 *
 * Wrong is the clock that people set (CLOCK_REALTIME). The one that only goes forward (CLOCK_MONOTONIC) is left alone, as it is when
 * somebody sets a machine's clock. Who waits until a time of day waits as long as by the wrong clock: the kernel is given the right time.
 * Timers (timer_settime, timerfd_settime), message queues and calls that bypass the C library (the kernel's page of functions, by programs
 * that are linked statically or made by Go, and futex) are not seen. It needs the C library glibc, 2.25 or later.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ll

struct control {
    _Atomic uint32_t trouble;  /* 0: whether the clock is wrong */
    uint32_t unused;           /* 4 */
    _Atomic int64_t ahead_ns;  /* 8: by how much, at once; negative for behind */
    _Atomic int64_t ppm;       /* 16: by how much more each second, in millionths */
    _Atomic int64_t period_ns; /* 24: for how long it is wrong, and right, by turns; 0: it is wrong all the time */
    _Atomic int64_t since_ns;  /* 32: when that began, by the right clock */
    _Atomic uint64_t affected; /* 40: how often a wrong time was told since */
    _Atomic int64_t right_ns;  /* 48: at last, when it was ... */
    _Atomic int64_t told_ns;   /* 56: ... and what was told */
    _Atomic uint64_t program;  /* 64: the server's: only what its processes are told counts; those that it starts may be others */
    _Atomic int64_t ended_ns;  /* 72: when the clock was made right again, for who reads the logs */
};

static struct control *control;

/* This process's program: the number of its file. */
static uint64_t program;

static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void attach(void) {
    real_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const char *file = getenv("YCSB_CLOCK_CONTROL");
    int fd = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) {
        return;
    }
    void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    struct stat self;
    if (stat("/proc/self/exe", &self) == 0) {
        program = self.st_ino;
    }
    if (mapped != MAP_FAILED) {
        control = mapped;
    }
}

static int right(clockid_t clock, struct timespec *time) {
    // Others' constructors may come before ours.
    return real_clock_gettime ? real_clock_gettime(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

static int wrong(void) {
    return control && atomic_load_explicit(&control->trouble, memory_order_acquire);
}

/* How far it is ahead when it is that late. */
static int64_t ahead(int64_t now) {
    int64_t elapsed = now - atomic_load_explicit(&control->since_ns, memory_order_relaxed);
    int64_t period = atomic_load_explicit(&control->period_ns, memory_order_relaxed);
    if (period > 0 && elapsed / period % 2 != 0) {
        return 0;
    }
    return atomic_load_explicit(&control->ahead_ns, memory_order_relaxed) +
           elapsed / 1000 * atomic_load_explicit(&control->ppm, memory_order_relaxed) / 1000;
}

static int64_t nanos(const struct timespec *time) {
    return (int64_t)time->tv_sec * SECOND + time->tv_nsec;
}

static void set(struct timespec *time, int64_t ns) {
    int64_t second = ns / SECOND - (ns % SECOND < 0);
    time->tv_sec = (time_t)second;
    time->tv_nsec = (long)(ns - second * SECOND);
}

static void tell(struct timespec *time) {
    int64_t now = nanos(time);
    int64_t by = ahead(now);
    if (by != 0) {
        set(time, now + by);
        if (program != atomic_load_explicit(&control->program, memory_order_relaxed)) {
            return;
        }
        atomic_store_explicit(&control->right_ns, now, memory_order_relaxed);
        atomic_store_explicit(&control->told_ns, now + by, memory_order_relaxed);
        atomic_fetch_add_explicit(&control->affected, 1, memory_order_release);
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = right(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI) && wrong()) {
        tell(time);
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    if (zone) {
        memset(zone, 0, sizeof(struct timezone)); /* as the C library does */
    }
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (result) {
        *result = now.tv_sec;
    }
    return now.tv_sec;
}

int timespec_get(struct timespec *time, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

/* The time of day by the right clock at which that of the wrong clock is reached; the same one when the clock is right. */
static const struct timespec *until(const struct timespec *deadline, struct timespec *space) {
    if (!deadline || !wrong()) {
        return deadline;
    }
    /* For ever, and what is none: the C library's to judge. */
    if (deadline->tv_sec > INT64_MAX / SECOND / 2 || deadline->tv_sec < 0 || deadline->tv_nsec < 0 || deadline->tv_nsec >= SECOND) {
        return deadline;
    }
    struct timespec now;
    right(CLOCK_REALTIME, &now);
    int64_t by = nanos(deadline) - ahead(nanos(&now));
    set(space, by < 0 ? 0 : by);
    return space;
}

static void *next(const char *name, const char *version) {
    void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
    return found ? found : dlsym(RTLD_NEXT, name);
}

/* Looks the C library's own one up at its first call: many threads may, with the same result. */
#define NEXT(name, version)                       \
    static _Atomic(void *) found;                 \
    void *own = atomic_load(&found);              \
    if (!own) {                                   \
        own = next(#name, version);               \
        atomic_store(&found, own);                \
    }                                             \
    __typeof__(&name) call = (__typeof__(&name))own; \
    struct timespec space

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
    NEXT(pthread_cond_timedwait, "GLIBC_2.3.2");
    // The clock of a condition is in what the C library keeps of it.
    int monotonic = (cond->__data.__wrefs & 2) != 0;
    return call(cond, mutex, monotonic ? time : until(time, &space));
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
    NEXT(pthread_cond_clockwait, NULL);
    return call(cond, mutex, clock, clock == CLOCK_REALTIME ? until(time, &space) : time);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
    NEXT(pthread_mutex_timedlock, NULL);
    return call(mutex, until(time, &space));
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict time) {
    NEXT(pthread_rwlock_timedrdlock, NULL);
    return call(lock, until(time, &space));
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict time) {
    NEXT(pthread_rwlock_timedwrlock, NULL);
    return call(lock, until(time, &space));
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
    NEXT(sem_timedwait, NULL);
    return call(semaphore, until(time, &space));
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
    NEXT(pthread_mutex_clocklock, NULL);
    return call(mutex, clock, clock == CLOCK_REALTIME ? until(time, &space) : time);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time) {
    NEXT(pthread_rwlock_clockrdlock, NULL);
    return call(lock, clock, clock == CLOCK_REALTIME ? until(time, &space) : time);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time) {
    NEXT(pthread_rwlock_clockwrlock, NULL);
    return call(lock, clock, clock == CLOCK_REALTIME ? until(time, &space) : time);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time) {
    NEXT(sem_clockwait, NULL);
    return call(semaphore, clock, clock == CLOCK_REALTIME ? until(time, &space) : time);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    NEXT(clock_nanosleep, NULL);
    return call(clock, flags, clock == CLOCK_REALTIME && flags & TIMER_ABSTIME ? until(time, &space) : time, left);
}
