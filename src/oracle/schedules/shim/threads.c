/* Lets one thread of a program run at a time, and switches between them at calls of pthreads as a schedule says.
   Built by cc on first use, loaded by LD_PRELOAD; see docs/schedules.md. Data races between two calls are invisible to it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST_THREADS 1024
#define MOST_LATE 65536
#define NAME 96

enum state { RUNNABLE, WAITING, SLEEPING, JOINING, OUTSIDE, ENDED };

struct thread {
  enum state state;
  char name[NAME];       /* causal: 0 is the first thread, 0.2 the second one that it made */
  char point[NAME + 12]; /* the point where it is */
  const char *kind;
  int children, points;
  int late;              /* so many points of others come first */
  double since;          /* when it became late, by the virtual clock */
  int patience;          /* a timed wait runs out after so many points of others */
  int is_timed, has_timed_out;
  const void *on;        /* what it waits for */
  double until;          /* a sleeper or a timed wait, by the virtual clock */
  long ticket;           /* who could run first, runs first */
  int word;              /* futex: 1 says run */
  pthread_t id;
  void *(*start)(void *);
  void *arg;
};

static struct thread threads[MOST_THREADS];
static int count, current = -1, active;
static long tickets;
static double now;
static double bound = 0.1; /* seconds for which a late thread may be overtaken by sleepers */
static __thread int self = -1;
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;

static long seed = -1;
static int trace = -1;
static struct { char point[NAME + 12]; int n; } late[MOST_LATE];
static int lates;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
  void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  return found ? found : dlsym(RTLD_NEXT, name);
}
static int (*real_lock)(pthread_mutex_t *), (*real_unlock)(pthread_mutex_t *), (*real_trylock)(pthread_mutex_t *);
static ssize_t (*real_write)(int, const void *, size_t);

static void say(const char *format, ...) {
  char line[4096];
  va_list args;
  if (trace < 0) return;
  va_start(args, format);
  int length = vsnprintf(line, sizeof line - 1, format, args);
  va_end(args);
  if (length > (int)sizeof line - 2) length = sizeof line - 2;
  line[length++] = '\n';
  if (real_write(trace, line, length) < 0) trace = -1;
}

/* The same hash as in preload/names.cjs would do; any that mixes well will. */
static uint32_t mix(const char *text, uint32_t salt) {
  uint32_t hash = 2166136261u ^ salt;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  hash ^= hash >> 16; hash *= 2246822507u; hash ^= hash >> 13; hash *= 3266489909u;
  return hash ^ (hash >> 16);
}

static int lateness(const char *point) {
  if (seed < 0) {
    for (int i = 0; i < lates; i++)
      if (strcmp(late[i].point, point) == 0) return late[i].n;
    return 0;
  }
  static const double rates[] = {0.1, 0.25, 0.05, 0.5}, reaches[] = {16, 4, 64};
  if (mix(point, seed * 7919 + 1) / 4294967296.0 >= rates[seed % 4]) return 0;
  return 1 + (int)(-log((mix(point, seed * 7919 + 2) + 1.0) / 4294967297.0) * reaches[seed % 3]);
}

static void read_schedule(void) {
  const char *path = getenv("CULPRIT_THREADS");
  FILE *file = path ? fopen(path, "re") : NULL;
  char line[4096], text[4000];
  int n;
  if (!file) return;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "seed %ld", &seed) == 1) continue;
    if (sscanf(line, "slow %lf", &bound) == 1) {
      bound /= 1000;
      continue;
    }
    if (sscanf(line, "late %3999s %d", text, &n) == 2 && lates < MOST_LATE) {
      snprintf(late[lates].point, sizeof late[0].point, "%.*s", NAME, text);
      late[lates++].n = n;
    } else if (sscanf(line, "trace %3999[^\n]", text) == 1) {
      char name[4200];
      snprintf(name, sizeof name, "%s/%s-%d.jsonl", text, program_invocation_short_name, (int)getpid());
      trace = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
  }
  fclose(file);
  say("{\"process\":\"%s\"}", program_invocation_short_name);
}

static void futex_wait(int *word) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0) syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
  __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}
static void futex_wake(int *word) {
  __atomic_store_n(word, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void make_runnable(struct thread *thread) {
  thread->state = RUNNABLE;
  thread->on = NULL;
  thread->ticket = ++tickets;
}

static void deadlock(void) {
  char line[512];
  int length = snprintf(line, sizeof line, "Error: deadlock: every thread waits, and nobody can wake one\n");
  if (real_write(2, line, length) < 0) _exit(134);
  for (int i = 0; i < count; i++) {
    if (threads[i].state == ENDED) continue;
    length = snprintf(line, sizeof line, "    thread %s waits in %s\n", threads[i].name, threads[i].kind);
    if (real_write(2, line, length) < 0) break;
  }
  abort();
}

/* Who runs next: the current thread as long as it can, else the first that could. Late ones run when no other thread can, or
   when they would be held back for too long: a program that sleeps until something must have happened is only wrong within reason. */
static int choose(void) {
  int best = -1, slow = -1, sleeper = -1, outside = 0;
  if (current >= 0 && threads[current].state == RUNNABLE && threads[current].late == 0) return current;
  for (int i = 0; i < count; i++) {
    struct thread *thread = &threads[i];
    if (thread->state == RUNNABLE) {
      int *chosen = thread->late > 0 ? &slow : &best;
      if (*chosen < 0 || thread->ticket < threads[*chosen].ticket) *chosen = i;
    } else if (thread->state == SLEEPING || (thread->state == WAITING && thread->is_timed)) {
      if (sleeper < 0 || thread->until < threads[sleeper].until) sleeper = i;
    } else if (thread->state == OUTSIDE) outside = 1;
  }
  int overtakes = slow >= 0 && sleeper >= 0 && threads[sleeper].until <= threads[slow].since + bound;
  if (best < 0 && slow >= 0 && !overtakes) {
    best = slow;
    threads[best].late = 0;
  }
  if (best < 0 && sleeper >= 0) {
    best = sleeper;
    if (threads[best].until > now) now = threads[best].until;
    threads[best].has_timed_out = threads[best].state == WAITING;
    make_runnable(&threads[best]);
  }
  if (best < 0 && !outside) deadlock();
  return best;
}

/* Lets the next thread run, and waits for its own turn. Called with the big lock held, returns with it held. */
static void switch_over(void) {
  int me = self, next = choose();
  current = next;
  if (next == me) return;
  if (next >= 0) futex_wake(&threads[next].word);
  real_unlock(&big);
  futex_wait(&threads[me].word);
  real_lock(&big);
}

static void place(char *out, size_t size, void *address) {
  Dl_info info;
  if (dladdr(address, &info) && info.dli_fname)
    snprintf(out, size, "%s+0x%lx", info.dli_fname, (unsigned long)((char *)address - (char *)info.dli_fbase - 1));
  else snprintf(out, size, "?");
}

static void tell_point(struct thread *me, void *caller) {
  void *frames[12];
  char at[1200], stack[2400] = "";
  if (trace < 0) return;
  place(at, sizeof at, caller);
  int depth = backtrace(frames, 12), seen = 0;
  for (int i = 0; i < depth; i++) {
    char frame[1200];
    seen |= frames[i] == caller;
    if (!seen) continue;
    place(frame, sizeof frame, frames[i]);
    size_t used = strlen(stack);
    if (used + strlen(frame) + 8 < sizeof stack) sprintf(stack + used, "%s\"%s\"", used ? "," : "", frame);
  }
  say("{\"event\":\"%s\",\"kind\":\"%s\",\"call\":\"%s\",\"place\":\"%s\",\"parent\":\"\",\"stack\":[%s]}", me->point, "thread", me->kind, at, stack);
}

/* A point at which another thread may run first. Called with the big lock held. */
static void point(const char *kind, void *caller, int may_wait) {
  struct thread *me = &threads[self];
  me->kind = kind;
  snprintf(me->point, sizeof me->point, "%s:%d", me->name, ++me->points);
  tell_point(me, caller);
  me->late = may_wait ? lateness(me->point) : 0;
  if (me->late > 0) {
    me->since = now;
    make_runnable(me);
    switch_over();
    me->late = 0;
  }
  say("{\"ran\":\"%s\",\"at\":%.3f}", me->point, now * 1000);
  for (int i = 0; i < count; i++) {
    struct thread *other = &threads[i];
    if (i == self) continue;
    if (other->state == RUNNABLE && other->late > 0) {
      other->late--;
      say("{\"late\":\"%s\",\"by\":\"%s\"}", other->point, me->point);
    } else if (other->state == WAITING && other->is_timed && other->patience > 0) {
      say("{\"late\":\"%s\",\"by\":\"%s\"}", other->point, me->point);
      if (--other->patience == 0) {
        other->has_timed_out = 1;
        make_runnable(other);
      }
    }
  }
}

static void wait_for(enum state state, const void *on) {
  threads[self].state = state;
  threads[self].on = on;
  switch_over();
}

static void wake(const void *on, enum state state, int most) {
  while (most-- != 0) {
    struct thread *first = NULL;
    for (int i = 0; i < count; i++)
      if (threads[i].state == state && threads[i].on == on && (!first || threads[i].ticket < first->ticket)) first = &threads[i];
    if (!first) return;
    make_runnable(first);
  }
}

static int is_mine(void) { return active && self >= 0; }
#define CALLER __builtin_return_address(0)
#define ENTER(kind) real_lock(&big); point(kind, CALLER, 1)
#define LEAVE real_unlock(&big)

static int acquire(pthread_mutex_t *mutex) {
  int result;
  while ((result = real_trylock(mutex)) == EBUSY) wait_for(WAITING, mutex);
  return result;
}

static void release(pthread_mutex_t *mutex) {
  real_unlock(mutex);
  wake(mutex, WAITING, -1);
}

__attribute__((constructor)) static void begin(void) {
  real_lock = REAL(pthread_mutex_lock);
  real_unlock = REAL(pthread_mutex_unlock);
  real_trylock = REAL(pthread_mutex_trylock);
  real_write = REAL(write);
}

static void in_child(void) { active = 0; }

static void start_schedule(void) {
  void *frame[1];
  backtrace(frame, 1); /* It loads a library, which must not happen later. */
  read_schedule();
  pthread_atfork(NULL, NULL, in_child);
  self = count++;
  strcpy(threads[self].name, "0");
  threads[self].id = pthread_self();
  make_runnable(&threads[self]);
  current = self;
  active = 1;
}

static void end_thread(void *unused) {
  (void)unused;
  if (!is_mine()) return;
  real_lock(&big);
  threads[self].state = ENDED;
  wake(&threads[self], JOINING, -1);
  int next = choose();
  current = next;
  if (next >= 0) futex_wake(&threads[next].word);
  self = -1;
  real_unlock(&big);
}

static void *run_thread(void *arg) {
  struct thread *me = arg;
  void *result;
  self = (int)(me - threads);
  futex_wait(&me->word);
  pthread_cleanup_push(end_thread, NULL);
  result = me->start(me->arg);
  pthread_cleanup_pop(1);
  return result;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *arg) {
  if (!real_lock) begin();
  if (!active && count == 0 && getenv("CULPRIT_THREADS")) start_schedule();
  if (!is_mine() || count >= MOST_THREADS) return REAL(pthread_create)(id, attr, start, arg);
  ENTER("pthread_create");
  struct thread *me = &threads[self], *made = &threads[count];
  snprintf(made->name, sizeof made->name, "%.*s.%d", NAME - 16, me->name, ++me->children);
  made->start = start;
  made->arg = arg;
  made->kind = "start";
  int result = REAL(pthread_create)(&made->id, attr, run_thread, made);
  if (result == 0) {
    *id = made->id;
    count++;
    make_runnable(made);
    /* The new thread may run before its maker does anything else, and what that does next may be no call at all. */
    point("return of pthread_create", CALLER, 1);
  }
  LEAVE;
  return result;
}

int pthread_join(pthread_t id, void **value) {
  if (!is_mine()) return REAL(pthread_join)(id, value);
  ENTER("pthread_join");
  for (int i = 0; i < count; i++)
    if (pthread_equal(threads[i].id, id))
      while (threads[i].state != ENDED) wait_for(JOINING, &threads[i]);
  LEAVE;
  return REAL(pthread_join)(id, value);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!real_lock) begin();
  if (!is_mine()) return real_lock(mutex);
  ENTER("pthread_mutex_lock");
  int result = acquire(mutex);
  LEAVE;
  return result;
}
int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (!real_lock) begin();
  if (!is_mine()) return real_trylock(mutex);
  ENTER("pthread_mutex_trylock");
  int result = real_trylock(mutex);
  LEAVE;
  return result;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (!real_lock) begin();
  if (!is_mine()) return real_unlock(mutex);
  ENTER("pthread_mutex_unlock");
  int result = real_unlock(mutex);
  wake(mutex, WAITING, -1);
  LEAVE;
  return result;
}

static int wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, double until) {
  struct thread *me = &threads[self];
  me->is_timed = until >= 0;
  me->until = until;
  me->has_timed_out = 0;
  me->patience = me->is_timed ? lateness(me->point) : 0;
  release(mutex);
  me->ticket = ++tickets;
  wait_for(WAITING, condition);
  int result = me->has_timed_out ? ETIMEDOUT : 0;
  me->is_timed = 0;
  me->patience = 0;
  acquire(mutex);
  return result;
}
static double left(const struct timespec *time, clockid_t clock) {
  struct timespec here;
  clock_gettime(clock, &here);
  double wait = (time->tv_sec - here.tv_sec) + (time->tv_nsec - here.tv_nsec) / 1e9;
  return now + (wait > 0 ? wait : 0);
}
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (!is_mine()) return REAL(pthread_cond_wait)(condition, mutex);
  ENTER("pthread_cond_wait");
  int result = wait_on(condition, mutex, -1);
  LEAVE;
  return result;
}
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  if (!is_mine()) return REAL(pthread_cond_timedwait)(condition, mutex, time);
  real_lock(&big);
  point("pthread_cond_timedwait", CALLER, 0);
  int result = wait_on(condition, mutex, left(time, CLOCK_REALTIME));
  LEAVE;
  return result;
}
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  if (!is_mine()) return REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
  real_lock(&big);
  point("pthread_cond_clockwait", CALLER, 0);
  int result = wait_on(condition, mutex, left(time, clock));
  LEAVE;
  return result;
}
int pthread_cond_signal(pthread_cond_t *condition) {
  if (!is_mine()) return REAL(pthread_cond_signal)(condition);
  ENTER("pthread_cond_signal");
  wake(condition, WAITING, 1);
  LEAVE;
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (!is_mine()) return REAL(pthread_cond_broadcast)(condition);
  ENTER("pthread_cond_broadcast");
  wake(condition, WAITING, -1);
  LEAVE;
  return 0;
}

/* Calls that never wait for another thread: a place to switch, then the call itself. */
#define PLAIN(result, name, parameters, arguments) \
  result name parameters { \
    if (is_mine()) { \
      ENTER(#name); \
      LEAVE; \
    } \
    return REAL(name) arguments; \
  }
PLAIN(int, pthread_mutex_destroy, (pthread_mutex_t *mutex), (mutex))
PLAIN(int, pthread_cond_destroy, (pthread_cond_t *condition), (condition))
PLAIN(int, sem_destroy, (sem_t *semaphore), (semaphore))
PLAIN(int, close, (int fd), (fd))
PLAIN(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))

int sem_wait(sem_t *semaphore) {
  if (!is_mine()) return REAL(sem_wait)(semaphore);
  ENTER("sem_wait");
  int result;
  while ((result = REAL(sem_trywait)(semaphore)) != 0 && errno == EAGAIN) wait_for(WAITING, semaphore);
  LEAVE;
  return result;
}
int sem_post(sem_t *semaphore) {
  if (!is_mine()) return REAL(sem_post)(semaphore);
  ENTER("sem_post");
  int result = REAL(sem_post)(semaphore);
  wake(semaphore, WAITING, -1);
  LEAVE;
  return result;
}

#define RWLOCK(name, attempt) \
  int name(pthread_rwlock_t *lock) { \
    if (!is_mine()) return REAL(name)(lock); \
    ENTER(#name); \
    int result; \
    while ((result = REAL(attempt)(lock)) == EBUSY) wait_for(WAITING, lock); \
    LEAVE; \
    return result; \
  }
RWLOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock)
RWLOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock)
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (!is_mine()) return REAL(pthread_rwlock_unlock)(lock);
  ENTER("pthread_rwlock_unlock");
  int result = REAL(pthread_rwlock_unlock)(lock);
  wake(lock, WAITING, -1);
  LEAVE;
  return result;
}

/* Sleeping costs no time: the virtual clock advances when no thread can run. */
static void sleep_for(const char *kind, double seconds, void *caller) {
  real_lock(&big);
  point(kind, caller, 1);
  threads[self].until = now + seconds;
  wait_for(SLEEPING, NULL);
  LEAVE;
}
int usleep(useconds_t microseconds) {
  if (!is_mine()) return REAL(usleep)(microseconds);
  sleep_for("usleep", microseconds / 1e6, CALLER);
  return 0;
}
unsigned int sleep(unsigned int seconds) {
  if (!is_mine()) return REAL(sleep)(seconds);
  sleep_for("sleep", seconds, CALLER);
  return 0;
}
int nanosleep(const struct timespec *time, struct timespec *rest) {
  if (!is_mine()) return REAL(nanosleep)(time, rest);
  sleep_for("nanosleep", time->tv_sec + time->tv_nsec / 1e9, CALLER);
  return 0;
}
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  if (!is_mine()) return REAL(clock_nanosleep)(clock, flags, time, rest);
  double seconds = flags & TIMER_ABSTIME ? left(time, clock) - now : time->tv_sec + time->tv_nsec / 1e9;
  sleep_for("clock_nanosleep", seconds, CALLER);
  return 0;
}
int sched_yield(void) {
  if (!is_mine()) return REAL(sched_yield)();
  sleep_for("sched_yield", 0, CALLER);
  return 0;
}

/* Calls that may wait for something outside: the others run meanwhile. */
static void step_out(const char *kind, void *caller) {
  real_lock(&big);
  point(kind, caller, 1);
  threads[self].state = OUTSIDE;
  int next = choose();
  current = next;
  if (next >= 0) futex_wake(&threads[next].word);
  real_unlock(&big);
}
static void step_in(void) {
  int kept = errno;
  real_lock(&big);
  make_runnable(&threads[self]);
  if (current >= 0) {
    real_unlock(&big);
    futex_wait(&threads[self].word);
    real_lock(&big);
  } else current = self;
  real_unlock(&big);
  errno = kept;
}
ssize_t read(int fd, void *data, size_t size) {
  struct pollfd ready = {fd, POLLIN, 0};
  if (!is_mine() || REAL(poll)(&ready, 1, 0) != 0) return REAL(read)(fd, data, size);
  step_out("read", CALLER);
  ssize_t result = REAL(read)(fd, data, size);
  step_in();
  return result;
}
int poll(struct pollfd *fds, nfds_t size, int timeout) {
  if (!is_mine() || timeout == 0) return REAL(poll)(fds, size, timeout);
  step_out("poll", CALLER);
  int result = REAL(poll)(fds, size, timeout);
  step_in();
  return result;
}
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  if (!is_mine()) return REAL(pthread_barrier_wait)(barrier);
  step_out("pthread_barrier_wait", CALLER);
  int result = REAL(pthread_barrier_wait)(barrier);
  step_in();
  return result;
}
