/* SPDX-License-Identifier: Apache-2.0 */
/* Names, and options that are set through pointers. */
#include "backend.h"
char *described(const char *name, int number, const void *where) {
  char *result = malloc(strlen(name) + 64);
  sprintf(result, "%s of backend %d at %p", name, number, where);
  return result;
}
static char *part(char *text, char **rest) {
  char *end = strchr(text, '=');
  *rest = end ? end + 1 : NULL;
  if (end)
    *end = 0;
  return text;
}
static void set(struct option *option, char *value) {
  switch (option->kind) {
  case FLAG:
    *(int *)option->variable = 1;
    break;
  case NUMBER:
    *(int *)option->variable = atoi(value);
    break;
  case LONG:
    *(int64_t *)option->variable = atoll(value);
    break;
  case TEXT:
    *(char **)option->variable = strdup(value);
    break;
  }
  if (rank < 0)
    fprintf(output, "%s is set to %s: %s\n", option->name, value, option->help);
}
void parse(struct option *options, int count, char **words) {
  for (int i = 0; i < count; i++) {
    char *value, *copy = strdup(words[i]), *name = part(copy, &value);
    for (struct option *each = options; each->name; each++)
      if (!strcmp(each->name, name))
        set(each, value ? value : "1");
    free(copy);
  }
}
