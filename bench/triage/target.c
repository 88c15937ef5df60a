/*
 * A little calculator with 20 planted defects. Each is marked with DEFECT(n): built with -DTRUTH, the program prints the number and
 * ends there, which is the ground truth. Built without, the defect does what defects do, and the program prints its stack as it dies.
 *
 *   gcc -O0 -g -rdynamic -o target target.c
 */
#include <assert.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef TRUTH
#define DEFECT(n) (printf("\ndefect %d\n", n), fflush(stdout), _exit(0))
#else
#define DEFECT(n) ((void)0)
#endif

typedef struct Value { char kind; long number; char *text; struct Value *items; int length; } Value;

static const char *at;
static struct { char name[16]; Value value; } variables[64];
static int variable_count;
static struct { char name[16], body[16]; } aliases[64];
static int alias_count;
static char stack_of_handler[65536];

void on_crash(int number) {
  void *frames[100];
  backtrace_symbols_fd(frames, backtrace(frames, 100), 2);
  signal(number, SIG_DFL);
  raise(number);
}

Value parse_value(void);

void internal(const char *what) { fprintf(stderr, "internal error: %s\n", what); abort(); }
/* What the user did wrong is no crash: it is said, and the line is skipped. */
int complain(const char *what) { printf("? %s\n", what); at += strlen(at); return 0; }
void blanks(void) { while (*at == ' ') at++; }
int accept(char c) { blanks(); if (*at != c) return 0; at++; return 1; }

char *read_word(void) {
  static char word[16]; int n = 0;
  blanks();
  while ((*at >= 'a' && *at <= 'z') && n < 15) word[n++] = *at++;
  word[n] = 0;
  return word;
}

/* 7: a string that is not closed has no end. It is read for many callers. */
char *find_quote(const char *from) {
  const char *end = strchr(from, '"');
  if (!end) { DEFECT(7); *(volatile char *)0 = 0; }
  return (char *)end;
}
/* 12: an unknown escape */
void check_escapes(const char *text) {
  for (; *text; text++) if (*text == '\\') { if (text[1] != 'n') { DEFECT(12); internal("unreachable: escape"); } text++; }
}
Value read_text(void) {
  Value value = {'t'};
  char *end = find_quote(at);
  value.text = strndup(at, end - at); at = end + 1;
  check_escapes(value.text);
  return value;
}
/* 11: 0x without digits */
Value read_hex(void) {
  Value value = {'n'}; char *end;
  value.number = strtol(at, &end, 16);
  if (end == at) { DEFECT(11); fprintf(stderr, "calc: error: hexadecimal digits are missing\n"); exit(3); }
  at = end;
  return value;
}
Value read_number(void) {
  Value value = {'n'};
  if (at[0] == '0' && at[1] == 'x') { at += 2; return read_hex(); }
  value.number = strtol(at, (char **)&at, 10);
  return value;
}
Value read_list(void) {
  Value value = {'l'};
  value.items = calloc(32, sizeof(Value));
  while (*at && !accept(']') && value.length < 32) { value.items[value.length++] = parse_value(); accept(','); }
  return value;
}
/* 8: groups are counted, and the count is wrong from the fifth on */
Value read_group(void) {
  static int depth;
  if (++depth >= 5) { DEFECT(8); assert(depth < 5); }
  Value value = parse_value();
  accept(')'); depth--;
  return value;
}
/* 20: minus before a text */
Value negate(Value value) {
  if (value.kind == 't') { DEFECT(20); value.number = -*(volatile long *)value.items; }
  value.number = -value.number;
  return value;
}
/* 2: a variable that is not there */
Value *lookup(const char *name) {
  for (int i = 0; i < variable_count; i++) if (!strcmp(variables[i].name, name)) return &variables[i].value;
  return 0;
}
Value read_variable(void) {
  Value *found = lookup(read_word());
  if (!found) DEFECT(2);
  return *found;
}
Value parse_value(void) {
  Value nothing = {'n'};
  blanks();
  if (accept('"')) return read_text();
  if (accept('[')) return read_list();
  if (accept('(')) return read_group();
  if (accept('-')) return negate(parse_value());
  if (*at >= '0' && *at <= '9') return read_number();
  if (*at >= 'a' && *at <= 'z') return read_variable();
  complain("a value is missing");
  return nothing;
}

/* 1: division by zero */
long divide(long a, long b) { if (b == 0) DEFECT(1); return a / b; }
void cmd_div(void) { Value a = parse_value(), b = parse_value(); printf("%ld\n", divide(a.number, b.number)); }
void cmd_let(void) {
  char *name = strdup(read_word());
  if (!accept('=') || variable_count >= 60) { complain("= is missing"); return; }
  Value value = parse_value();
  strcpy(variables[variable_count].name, name); variables[variable_count++].value = value;
}
/* 3 and 4: the first and the last of an empty list, in one function */
long list_item(Value list, int i) { return list.items[i].number; }
void cmd_first(void) {
  Value list = parse_value();
  if (list.kind != 'l') { complain("not a list"); return; }
  if (list.length == 0) { DEFECT(3); list.items = 0; }
  printf("%ld\n", list_item(list, 0));
}
void cmd_last(void) {
  Value list = parse_value();
  if (list.kind != 'l') { complain("not a list"); return; }
  if (list.length == 0) { DEFECT(4); list.items = 0; }
  printf("%ld\n", list_item(list, list.length ? list.length - 1 : 0));
}
/* 5 and 6: a row and a column that are not there; the two innermost frames are the same */
long read_cell(long *cells, int i) { return cells[i]; }
long get_cell(long row, long column) {
  static long cells[9];
  return read_cell(row > 2 || column > 2 ? 0 : cells, row * 3 + column);
}
void cmd_row(void) { Value n = parse_value(); if (n.number < 0) n.number = 0; if (n.number > 2) DEFECT(5); printf("%ld\n", get_cell(n.number, 0)); }
void cmd_column(void) { Value n = parse_value(); if (n.number < 0) n.number = 0; if (n.number > 2) DEFECT(6); printf("%ld\n", get_cell(0, n.number)); }
/* 9: an alias of itself */
void expand_alias(const char *name, int n);
void follow_alias(int i, int n) { char room[512]; room[0] = n; if (n > 9) DEFECT(9); expand_alias(aliases[i].body, n + 1 + (room[0] & 0)); }
void expand_alias(const char *name, int n) {
  for (int i = 0; i < alias_count; i++) if (!strcmp(aliases[i].name, name)) { follow_alias(i, n); return; }
  printf("%s\n", name);
}
void cmd_alias(void) {
  if (alias_count >= 60) return;
  strcpy(aliases[alias_count].name, read_word()); strcpy(aliases[alias_count].body, read_word()); alias_count++;
}
void cmd_call(void) { expand_alias(strdup(read_word()), 0); }
/* 10: the factorial of a negative number */
long factorial(long n) { volatile char room[512]; room[0] = 1; if (n == 0) return 1; if (n < 0) DEFECT(10); return n * factorial(n - 1) * room[0]; }
void cmd_fact(void) { Value n = parse_value(); if (n.number > 20) n.number = 20; printf("%ld\n", factorial(n.number)); }
/* 13: a table that is too large is not there */
char *grow_table(long size) { return size > 1000 ? 0 : malloc(size + 1); }
void fill_table(char *table, long size) { table[size] = 0; }
void cmd_table(void) { Value n = parse_value(); if (n.number < 0) n.number = 0; char *table = grow_table(n.number); if (!table) DEFECT(13); fill_table(table, n.number); }
/* 14: the thirteenth month */
const char *month_name(long month) {
  static const char *names[] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", 0};
  return names[month > 12 ? 12 : month < 1 ? 0 : month - 1 + (month == 13)];
}
void cmd_date(void) { Value n = parse_value(); const char *name = month_name(n.number); if (!name) DEFECT(14); printf("%c\n", name[0]); }
/* 15: a slice that ends before it begins */
void copy_range(char *to, const char *from, long length) { if (length < 0) { DEFECT(15); to = 0; } to[0] = from[0]; }
void cmd_slice(void) {
  char room[8]; Value text = parse_value(), from = parse_value(), to = parse_value();
  if (text.kind != 't') { complain("not a text"); return; }
  copy_range(room, text.text, to.number - from.number);
}
/* 16: a percent sign at the end of a format */
void format_one(const char *format) { if (!*format) { DEFECT(16); internal("format: no directive"); } putchar(*format); }
void cmd_format(void) {
  Value format = parse_value();
  if (format.kind != 't') { complain("not a text"); return; }
  for (const char *c = format.text; *c; c++) if (*c == '%') { format_one(c + 1); if (c[1]) c++; } else putchar(*c);
}
/* 17: an empty text in a list that is joined */
void join_item(Value item) {
  if (item.kind != 't') return;
  const char *text = *item.text ? item.text : 0;
  if (!text) DEFECT(17);
  putchar(text[0]);
}
void cmd_join(void) { Value list = parse_value(); if (list.kind != 'l') { complain("not a list"); return; } for (int i = 0; i < list.length; i++) join_item(list.items[i]); }
/* 18: a list is compared with something else */
int compare_values(Value a, Value b) { if ((a.kind == 'l') != (b.kind == 'l')) DEFECT(18); assert((a.kind == 'l') == (b.kind == 'l')); return a.number < b.number; }
void cmd_less(void) { Value a = parse_value(), b = parse_value(); printf("%d\n", compare_values(a, b)); }
/* 19: a comment that is not closed */
void skip_comment(void) { const char *end = strstr(at, "*/"); if (!end) { DEFECT(19); fprintf(stderr, "calc: error: lost in a comment\n"); exit(4); } at = end + 2; }
void cmd_print(void) { Value value = parse_value(); if (value.kind == 't') puts(value.text); else printf("%ld\n", value.number); }

static const struct { const char *name; void (*run)(void); } commands[] = {
  {"print", cmd_print}, {"let", cmd_let}, {"div", cmd_div}, {"first", cmd_first}, {"last", cmd_last}, {"row", cmd_row},
  {"column", cmd_column}, {"alias", cmd_alias}, {"call", cmd_call}, {"fact", cmd_fact}, {"table", cmd_table}, {"date", cmd_date},
  {"slice", cmd_slice}, {"format", cmd_format}, {"join", cmd_join}, {"less", cmd_less},
};

void run_line(void) {
  if (at[0] == '/' && at[1] == '*') { at += 2; skip_comment(); }
  if (!*at) return;
  const char *name = read_word();
  for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) if (!strcmp(commands[i].name, name)) { commands[i].run(); return; }
  complain("unknown command");
}

int main(int argc, char **argv) {
  static char line[4096];
  stack_t other = {.ss_sp = stack_of_handler, .ss_size = sizeof stack_of_handler};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
  sigaltstack(&other, 0);
  sigaction(SIGSEGV, &action, 0); sigaction(SIGFPE, &action, 0); sigaction(SIGABRT, &action, 0);
  FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
  if (!file) return 2;
  while (fgets(line, sizeof line, file)) { line[strcspn(line, "\n")] = 0; at = line; run_line(); }
  return 0;
}
