/* The floor: starts a program n times on each of j workers, with vfork and execve, and prints milliseconds per start. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void start(int times, char **command) {
  for (int i = 0; i < times; i++) {
    pid_t child = vfork();
    if (child == 0) {
      execve(command[0], command, environ);
      _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
  }
}

int main(int count, char **words) {
  if (count < 4) return 2;
  int times = atoi(words[1]), workers = atoi(words[2]);
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int worker = 0; worker < workers; worker++)
    if (fork() == 0) {
      start(times, words + 3);
      _exit(0);
    }
  while (wait(NULL) > 0) {
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  double ms = (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) / 1e6;
  printf("%f\n", ms / times / workers);
  return 0;
}
