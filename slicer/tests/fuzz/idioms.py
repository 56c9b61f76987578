# SPDX-License-Identifier: Apache-2.0
"""Pieces of C as people write it, each with a final value that may determine later reads."""
# Each: what it costs (below 0: its value is not uniform), and its lines. {n} is a new name,
# {a}, {b}, {c} are values, {k} is a number from 2 to 6, {r} a small array of 4, {f} a function of
# two values; the value is {n}x.
PIECES = (
    # Arrays and pointers that walk.
    (12, "u64 {n}m[3][4];",
     "for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) {n}m[i][j] = {a} + (u64)(i * j);",
     "u64 {n}x = {n}m[{b} % 3][{c} % 4];"),
    (8, "u64 {n}x = 0;", "for (u64 *p = {r}; p < {r} + 4; p++) {n}x += *p * {k};"),
    (8, "u64 {n}v[5], *{n}p = {n}v;", "*{n}p++ = {a}; *{n}p++ = {b}; *{n}p = {c};",
     "u64 {n}x = {n}v[{k} % 3] + (u64)({n}p - {n}v);"),
    (10, "int {n}c = 1 + (int)({a} % 5);", "u64 {n}v[{n}c];",
     "for (int i = 0; i < {n}c; i++) {n}v[i] = {b} + (u64)i;", "u64 {n}x = {n}v[{n}c - 1];"),
    (8, "u64 {n}x = 0;", "for (int i = 0, j = 4; i < j; i++, j--)",
     "  {n}x = {n}x * 3 + {r}[i] - {r}[j - 1];"),
    (6, "u64 *{n}p = (u64[]){{ {a}, {b}, {c} }};", "u64 {n}x = {n}p[{k} % 3];"),
    (6, "u64 {n}i = 0, {n}v[4] = {{0}};", "{n}v[{n}i++] = {a}; {n}v[{n}i++] = {b};",
     "while ({n}i--) {n}v[3] += {n}v[{n}i];", "u64 {n}x = {n}v[3];"),
    (6, "const u64 *restrict {n}p = {r};", "volatile u64 {n}o = {n}p[1];",
     "u64 {n}x = {n}o + {a};"),
    (6, "u64 {n}o = {a}, {n}t = {b};", "*({c} % 2 ? &{n}o : &{n}t) += {k};",
     "u64 {n}x = {n}o ^ {n}t;"),
    (6, "u64 **{n}p = (u64 *[]){{ {r}, {r} + 1, {r} + 2 }};", "u64 {n}x = {n}p[{a} % 3][1];"),
    (6, "u64 *{n}p = {r} + {a} % 4, *{n}q = {r} + {b} % 4;",
     "u64 {n}x = {n}p < {n}q ? (u64)({n}q - {n}p) : *{n}p;"),
    (6, "char {n}b[16];", "memcpy({n}b, {r}, 16);", "u64 {n}x;", "memcpy(&{n}x, {n}b + 8, 8);"),
    (6, "u64 {n}x = memcmp({r}, {r} + 2, 8) < 0 ? {a} : {b};"),
    # Structures.
    (4, "struct Pair {n}p = paired({a}, {b}), {n}q = swapped({n}p);",
     "u64 {n}x = {n}q.a - {n}p.a;"),
    (4, "u64 {n}x = swapped((struct Pair){{ .b = {a}, .a = {k} }}).a;"),
    (8, "struct Pair {n}v[3] = {{ [1] = {{ {a}, {b} }}, [2] = paired({c}, 1ul) }};",
     "struct Pair *{n}p = {n}v;",
     "{n}p += {a} % 3;", "{n}p->a += {k};", "u64 {n}x = {n}p->a + {n}v[1].b;"),
    (10, "struct Flex *{n}p = keep(malloc(sizeof *{n}p + {k} * sizeof(u64)));",
     "{n}p->count = {k};",
     "for (int i = 0; i < {n}p->count; i++) {n}p->items[i] = {a} + (u64)i;",
     "u64 {n}x = {n}p->items[{b} % {k}];", "free({n}p);"),
    (6, "struct {{ u64 *at; u64 (*of)(u64, u64); }} {n}s = {{ {r}, {f} }};",
     "u64 {n}x = {n}s.of(*{n}s.at, {a});"),
    (8, "struct Tree *{n}t = NULL;",
     "for (int i = 0; i < {k}; i++) {n}t = inserted({n}t, {a} * (u64)(i + 3));",
     "u64 {n}x = treeSum({n}t, 1);", "treeFree({n}t);"),
    (8, "struct Map {n}m = {{0}};", "put(&{n}m, {a}, {b}); put(&{n}m, {c}, {k});",
     "u64 {n}x = get(&{n}m, {a}) + get(&{n}m, {c});"),
    # Memory of the program's own.
    (8, "size_t {n}s = poolUsed;", "u64 *{n}p = take({k});",
     "for (int i = 0; i < {k}; i++) {n}p[i] = {a} ^ (u64)i;",
     "u64 {n}x = {n}p[{b} % {k}];", "poolUsed = {n}s;"),
    (8, "u64 *{n}p = piece({k} * sizeof *{n}p), *{n}q = piece(2 * sizeof *{n}q);",
     "for (int i = 0; i < {k}; i++) {n}p[i] = {a} ^ (u64)i;", "{n}q[0] = {n}q[1] = {b};",
     "u64 {n}x = {n}p[{b} % {k}] + {n}q[{a} % 2];", "pieceAt = 0;"),
    (8, "u64 *{n}p = duplicate({r}, 4);", "{n}p[{a} % 4] += {b};", "u64 {n}x = {n}p[{c} % 4];",
     "free({n}p);"),
    # Numbers.
    (3, "double {n}d = (double)({a} % 1000) * 1.5 + 0.25;", "u64 {n}x = (u64){n}d;"),
    (3, "long {n}l = (long)({a} % 2000) - 1000;", "u64 {n}x = (u64)({n}l < 0 ? -{n}l / 2 : {n}l);"),
    (3, "float {n}d = (float)({a} % 512) / 4;", "int {n}i = (int){n}d % 7;",
     "u64 {n}x = (u64){n}i + {b};"),
    (3, "u64 {n}x = (u64)__builtin_popcountl({a}) + (__builtin_bswap64({b}) >> 40);"),
    (3, "enum {{ {n}A = {k}, {n}B, {n}C = 40 }};", "u64 {n}x = {a} % {n}B + {n}C;"),
    (3, "unsigned char {n}c = (unsigned char){a};", "short {n}s = (short)({b} % 3000);",
     "u64 {n}x = (u64)({n}c + {n}s);"),
    (3, "u64 {n}x = ({{ u64 t = {a}; t > 9 ? t - {k} : t + 1; }});"),
    (3, "_Bool {n}b = {a} & 4;", "u64 {n}x = {n}b ? {b} : {c};"),
    # Text.
    (6, 'char {n}t[64];', 'snprintf({n}t, sizeof {n}t, "%lu,%lu;%d", {a} % 999, {b} % 99, {k});',
     "u64 {n}x = 0;", 'for (char *p = strtok({n}t, ",;"); p; p = strtok(NULL, ",;")) '
     "{n}x = {n}x * 10 + strtoul(p, NULL, 10);"),
    (6, 'char {n}t[64];', 'snprintf({n}t, sizeof {n}t, "k%lu=%lu", {a} % 99, {b} % 999);',
     "char *{n}e = strchr({n}t, '=');", "u64 {n}x = {n}e ? strtoul({n}e + 1, NULL, 10) : 0;"),
    (6, 'char {n}t[64];', 'unsigned {n}o = 0, {n}w = 0;',
     'sprintf({n}t, "%u:%u", (unsigned)({a} % 77), (unsigned)({b} % 55));',
     'u64 {n}x = (u64)sscanf({n}t, "%u:%u", &{n}o, &{n}w) + {n}o * {n}w;'),
    (4, 'const char *{n}w[] = {{ "12", "340", "5" }};', "u64 {n}x = (u64)atol({n}w[{a} % 3]);"),
    # Control.
    (12, "u64 {n}x = {a};",
     "for (;;) {{ if ({n}x % 5 == 0 || {n}x < 9) break; {n}x = {n}x / 2 + 1; }}"),
    (20, "u64 {n}x = {k};", "for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) {{",
     "  if ({a} % 7 == (u64)(i * j)) goto out{n};", "  {n}x += (u64)(i + j); }}", "out{n}:;"),
    (12, "u64 {n}x;", "for ({n}x = 0; {n}x < 4; {n}x++)",
     "  if ({r}[{n}x] % 5 == {a} % 5) break;"),
    (12, "u64 {n}x = 0; int {n}i = 0;",
     "while ({n}i < 4 && {r}[{n}i] % 3 != {b} % 3) {n}x += {r}[{n}i++];"),
    (12, "u64 {n}x = {k}; u64 {n}s = 0;",
     "for (int i = 0; {n}s == 0 && i < 4 && ({n}x % 9 != 7 || i < 2); i++) {{",
     "  {n}x = {f}({r}[i], {n}x); {n}s = {n}x % 4 == 3; }}"),
    (12, "u64 {n}x = {a}; struct State {n}s = {{ {b}, 0 }};",
     "if ({n}x % 2 && next(&{n}s) % 3) {n}x += {n}s.calls;",
     "if ({n}x % 5 == 0 || next(&{n}s) % 2 || next(&{n}s) % 3 == 0) {n}x ^= {b};",
     "do {n}x = {n}x / 2 + 1; while ({n}x > 9 && {n}x % 7 && next(&{n}s) % 11);"),
    (12, "u64 {n}x;", "if ({a} % 7 > {k} % 7) {n}x = 2;", "else if ({b} % 3) {n}x = {c} % 5;",
     "else {n}x = {a} % 2 ? 4 : 5;", "for (int i = 0; i < 3; i++) {n}x += {n}x % 2 ? 1 : 3;"),
    (12, "u64 {n}x = 0; int {n}i = 1 + (int)({a} % 5);",
     "switch ({n}i % 3) {{ case 0: do {{ {n}x += {b}; /* fall through */",
     "case 2: {n}x ^= 5; /* fall through */", "case 1: {n}x++; }} while (--{n}i > 0); }}"),
    (8, "void *{n}l[] = {{ &&one{n}, &&two{n} }};", "u64 {n}x = {k};", "goto *{n}l[{a} % 2];",
     "one{n}: {n}x += {b};", "two{n}: {n}x++;"),
    (6, "u64 (*{n}f)(u64, u64) = {a} % 2 ? {f} : mixed;", "u64 {n}x = {n}f({b}, {c});"),
    (6, "u64 {n}x = apply({f}, {r}, 4);"),
    (6, "u64 {n}x = even({a} % 20) + odd({b} % 9);"),
    (10, "u64 {n}s[4] = {{ 3, 50, 700, 9000 }}, {n}k = {n}s[{a} % 4];",
     "u64 *{n}p = bsearch(&{n}k, {n}s, 4, sizeof(u64), ascending);",
     "u64 {n}x = {n}p ? (u64)({n}p - {n}s) : 9;"),
    # Names that hide others, and types local to a block.
    (4, "u64 {n}x = {a};", "{{ u64 rank = {n}x % 7, {n}x = rank + 1; touch({n}x); }}",
     "for (int rank = 0; rank < 3; rank++) {n}x += (u64)rank * {b};"),
    (4, "struct Own{n} {{ short a; struct Own{n} *next; u64 b; }} {n}o = {{ 3, &{n}o, {a} }};",
     "u64 {n}x = {n}o.next->next->b + (u64){n}o.a;"),
    (4, "extern int ranks; typedef u64 Word;",
     "Word {n}o = {a}, *{n}p = &{n}o, {n}v[2] = {{ {b} }};",
     "typeof({n}o) {n}x = *{n}p + {n}v[1] + (Word)ranks;"),
    (4, "u64 {n}o, {n}t, {n}x;", "{n}o = {n}t = {n}x = {a};",
     "{n}x = ({n}o++, --{n}t, {n}o * {n}t) ?: {b};"),
    (4, "u64 {n}x = _Generic({a}, u64: {b}, default: 1ul);"),
    (6, "u64 {n}x = 0;", "switch ({a} % 9) {{ case 1 ... 3: {n}x = {b}; break;",
     "default: {n}x = {c}; {{ case 7: {n}x++; }} }}"),
    # State that changes from call to call.
    (10, "struct State {n}s = {{ {a}, 0 }}; u64 {n}x = 0, {n}v;",
     "while (({n}v = next(&{n}s)) % 5 && {n}s.calls < 6) {n}x ^= {n}v;"),
    (10, "u64 {n}x = {k};", "forEach({r}, 4, adding, &{n}x);"),
    (14, "struct Vector {n}v = {{0}};", "for (u64 i = 0; i < {a} % 9; i++) push(&{n}v, {b} + i);",
     "push(&{n}v, {c});", "u64 {n}x = {n}v.items[{a} % {n}v.count];", "free({n}v.items);"),
    (14, "u64 {n}a[3] = {{ {a}, 1, 2 }}, {n}b[3] = {{0}}, *{n}o = {n}a, *{n}t = {n}b;",
     "for (int i = 0; i < {k}; i++) {{",
     "  for (int j = 0; j < 3; j++) {n}t[j] = {n}o[(j + 1) % 3] + {n}o[j] * 2;",
     "  u64 *other = {n}o; {n}o = {n}t; {n}t = other; }}", "u64 {n}x = {n}o[0] - {n}t[1];"),
    (14, "u64 **{n}r = keep(malloc(3 * sizeof *{n}r));",
     "for (int i = 0; i < 3; i++) {{ {n}r[i] = keep(malloc(2 * sizeof **{n}r));",
     "  {n}r[i][0] = {a}; {n}r[i][1] = (u64)i; }}",
     "u64 {n}x = {n}r[{b} % 3][0] ^ {n}r[{c} % 3][1];",
     "for (int i = 0; i < 3; i++) free({n}r[i]);", "free({n}r);"),
    (-6, "u64 {n}x = hidden({a});"),  # the ranks may have called it different numbers of times
    (6, 'const char *{n}k = {a} % 2 ? "step" : "base";', "u64 {n}x = setting({n}k) + {b};"),
    (6, "u64 {n}x = byAddress((uintptr_t){r}, {a} % 4);"),
    (6, "void *{n}v = {r};",
     "u64 {n}x = ((u64 *){n}v)[{a} % 4] + *(u64 *)((char *){n}v + 8 * ({b} % 4));"),
    (6, "struct Any {n}y = {{ .kind = (int)({a} % 2) }};",
     "if ({n}y.kind) {n}y.as.at = {r}; else {n}y.as.value = {b};",
     "u64 {n}x = {n}y.kind ? *{n}y.as.at : {n}y.as.value;"),
)

DECLARATIONS = """struct Pair { u64 a, b; };
struct Flex { int count; u64 items[]; };
struct Tree { struct Tree *sides[2]; u64 key; };
struct Map { struct { u64 key, value; int used; } cells[8]; };
extern size_t poolUsed, pieceAt;
struct Pair paired(u64 a, u64 b);
struct Pair swapped(struct Pair pair);
struct Tree *inserted(struct Tree *tree, u64 key);
u64 treeSum(const struct Tree *tree, u64 depth);
void treeFree(struct Tree *tree);
void put(struct Map *map, u64 key, u64 value);
u64 get(const struct Map *map, u64 key);
u64 *take(size_t count);
void *piece(size_t bytes);
u64 *duplicate(const u64 *from, size_t count);
u64 apply(u64 (*of)(u64, u64), const u64 *values, int count);
u64 even(u64 n);
u64 odd(u64 n);
struct State { u64 seed; int calls; };
struct Vector { u64 *items; u64 count, room; };
struct Any { int kind; union { u64 value, *at; } as; };
u64 next(struct State *state);
void forEach(u64 *values, int count, void (*with)(u64, void *), void *context);
void adding(u64 value, void *context);
void push(struct Vector *vector, u64 value);
u64 setting(const char *name);
u64 byAddress(uintptr_t at, u64 index);
static inline u64 hidden(u64 a) {
  static u64 calls;
  return a * 3 + ++calls;
}
"""

DEFINITIONS = """static u64 pool[256];
size_t poolUsed;
static char *pieces;
size_t pieceAt;
struct Pair paired(u64 a, u64 b) { struct Pair made = { a, b }; return made; }
struct Pair swapped(struct Pair pair) {
  u64 a = pair.a;
  pair.a = pair.b;
  pair.b = a;
  return pair;
}
struct Tree *inserted(struct Tree *tree, u64 key) {
  struct Tree **at = &tree;
  while (*at)
    at = &(*at)->sides[key > (*at)->key];
  *at = calloc(1, sizeof **at);
  (*at)->key = key;
  return tree;
}
u64 treeSum(const struct Tree *tree, u64 depth) {
  return !tree ? 0 : tree->key * depth + treeSum(tree->sides[0], depth + 1)
                         + treeSum(tree->sides[1], depth + 2);
}
void treeFree(struct Tree *tree) {
  if (!tree) return;
  treeFree(tree->sides[0]);
  treeFree(tree->sides[1]);
  free(tree);
}
void put(struct Map *map, u64 key, u64 value) {
  u64 at = key % 8;
  while (map->cells[at].used && map->cells[at].key != key) at = (at + 1) % 8;
  map->cells[at].key = key;
  map->cells[at].value = value;
  map->cells[at].used = 1;
}
u64 get(const struct Map *map, u64 key) {
  for (u64 at = key % 8; map->cells[at].used; at = (at + 1) % 8)
    if (map->cells[at].key == key) return map->cells[at].value;
  return 0;
}
void *piece(size_t bytes) {
  if (!pieces) pieces = malloc(4096);
  if (!pieces || pieceAt + bytes > 4096) abort();
  char *made = pieces + pieceAt;
  pieceAt += bytes;
  return made;
}
u64 *take(size_t count) {
  u64 *made = pool + poolUsed;
  if (poolUsed + count > 256) abort();
  poolUsed += count;
  return made;
}
u64 *duplicate(const u64 *from, size_t count) {
  return memcpy(keep(malloc(count * sizeof *from)), from, count * sizeof *from);
}
u64 apply(u64 (*of)(u64, u64), const u64 *values, int count) {
  u64 sum = 0;
  for (int i = 0; i < count; i++) sum += of(values[i], (u64)i);
  return sum;
}
u64 even(u64 n) { return n == 0 ? 1 : odd(n - 1); }
u64 odd(u64 n) { return n == 0 ? 0 : even(n - 1); }
u64 next(struct State *state) {
  state->calls++;
  return (state->seed = state->seed * 69069 + 1) >> 5;
}
void forEach(u64 *values, int count, void (*with)(u64, void *), void *context) {
  while (count-- > 0) with(*values++, context);
}
void adding(u64 value, void *context) { *(u64 *)context += value; }
void push(struct Vector *vector, u64 value) {
  if (vector->count == vector->room) {
    vector->room = vector->room ? 2 * vector->room : 1;
    vector->items = keep(realloc(vector->items, vector->room * sizeof *vector->items));
  }
  vector->items[vector->count++] = value;
}
static struct { const char *name; u64 value; } settings[] = {{"base", 40}, {"step", 3}};
u64 setting(const char *name) {
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp(settings[i].name, name) == 0) return settings[i].value;
  return 0;
}
u64 byAddress(uintptr_t at, u64 index) { return *(u64 *)(at + index * sizeof(u64)); }
"""


def piece(body):
    cost, *lines = body.rng.choice(PIECES)
    if not body.afford(abs(cost) + 3):
        return
    uniform = body.kind() and cost > 0
    arrays = [each for each in body.regions() if each.length >= 4 and (each.uniform or not uniform)]
    array = body.rng.choice(arrays) if arrays else body.new_array(uniform, 4)
    pure = [each.name for each in body.program.callable(body.function, "pure")] + ["mixed"]
    names = {"n": body.fresh("w"), "k": body.rng.randrange(2, 7), "f": body.rng.choice(pure),
             "r": f"({array.text})", **{each: body.value(uniform, 2) for each in "abc"}}
    for line in lines:
        body.line(line.format(**names))
    body.new_scalar(uniform, f"{names['n']}x")


ALL = [(1, piece)]
