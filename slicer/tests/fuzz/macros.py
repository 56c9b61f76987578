# SPDX-License-Identifier: Apache-2.0
"""What people put around calls of MPI: macros that check, name, repeat and declare; assertions;
types without a name; designated initialisers."""
import transfers
from writing import CALL

ARGS = "{h}, {at}, &{n}, 1, LONG, MPI_STATUS_IGNORE"

# As in transfers.READS; {m} calls the read of a number at {at} into {n}, {args} are its arguments.
PIECES = (
    # A call by its name and its arguments, which the macro puts together, and makes a text of.
    ("u64 {n} = 0;", "TRY(MPI_File_read_at, {args});"),
    ("u64 {n} = 0;", "TRY(MPI_File_read_at, {args});", "{n} ^= {v};",
     "TRY(MPI_File_read_at, {h}, (MPI_Offset)({n} % SLOTS) * 64, &{n}, 1, LONG, "
     "MPI_STATUS_IGNORE);", "MPI_Offset {n}s = 0;", "TRY(MPI_File_get_size, {h}, &{n}s);",
     "{n} += (u64){n}s;"),
    ("u64 {n} = 0;", "TRY(MPI_File_read_at, {args}); TRY(MPI_File_read_at, {h}, 64, &{n}, 1, LONG, "
     "MPI_STATUS_IGNORE);"),
    ("u64 {n} = 0;", "TRY_IN(MPI_File_read_at, ({args}));"),
    ("u64 {n} = 0;", "TRY_CALL({m});", "TRY_CALL(MPI_File_read_at({h}, "
     "(MPI_Offset)({n} % SLOTS) * 64, &{n}, 1, LONG, MPI_STATUS_IGNORE));"),
    ("u64 {n} = 0;", "DO(MPI_File_read_at, {args});"),
    ("u64 {n} = 0;", "GOTO_ON(bad{n}, MPI_File_read_at, {args});", "{n} += {k};", "bad{n}: ;"),
    ("u64 {n} = 0; int {n}e = 0;", "TRACED({n}e, MPI_File_read_at)({args});", "{n} += (u64){n}e;"),
    ("u64 {n} = (u64)CALLED(MPI_File_read_at, {h}, {at}, &(u64){{ 0 }}, 1, LONG, "
     "MPI_STATUS_IGNORE);", "CALLED(MPI_File_read_at, {args});"),
    ("u64 {n} = 0; int {n}e = SAFE({m});", "{n} += (u64){n}e;"),
    ("u64 {n} = 0;", "IO(read_at, {args});", "IO(seek, {h}, {at}, MPI_SEEK_SET);",
     "IO(read_at, {h}, (MPI_Offset)({n} % SLOTS) * 64, &{n}, 1, LONG, MPI_STATUS_IGNORE);"),
    ("u64 {n} = 0;", "TRY_IO(read_at, {args});", "TRY_IO(get_atomicity, {h}, &(int){{ 0 }});"),
    ("u64 {n} = 0;", "NAMED(read_at)({args});"),
    ("u64 {n} = 0; double {n}t = 0;", "TIMED({n}t, {m});", "TIMED({n}t, TRY(MPI_File_read_at, "
     "{h}, (MPI_Offset)({n} % SLOTS) * 64, &{n}, 1, LONG, MPI_STATUS_IGNORE));"),
    ("u64 {n} = 0;", "TWICE({m});"),
    ("u64 {n} = 0;", "TWICE(TRY(MPI_File_read_at, {args}));"),
    ("u64 {n} = 0;", "if (RETRY({k}, {m})) abort();"),
    ("u64 {n} = 0;", "if (RETRY({k}, TRY(MPI_File_read_at, {args}))) abort();"),
    ("u64 {n} = 0;", "ERR({m})", "ERR(MPI_File_read_at({h}, (MPI_Offset)({n} % SLOTS) * 64, &{n}, "
     "1, LONG, MPI_STATUS_IGNORE))"),
    ("u64 {n} = 0; int {n}e = {m};", "HANDLE({n}e);"),
    ("u64 {n} = 0;", "MPI_File_read_at(THE_ARGUMENTS({h}, {at}, {n}));"),
    ("u64 {n} = 0;", "APPLY(TRY, MPI_File_read_at, {args});"),
    ("u64 {n} = 0;", "APPLY(MPI_File_read_at, {args});"),
    ("u64 {n} = GET({h}, {at});", "GET({h}, (MPI_Offset)({n} % SLOTS) * 64, {n});"),
    ("u64 {n} = TRY(MPI_File_read_at, {h}, {at}, (u64[1]){{ 0 }}, 1, LONG, MPI_STATUS_IGNORE) ? 3 "
     ": {v};", "if (TRY(MPI_File_read_at, {args}) && {v}) {n}++;"),
    ("u64 {n} = 0;", "for (int i = 0; i < {k}; i++, TRY(MPI_File_read_at, {h}, "
     "(MPI_Offset)({n} % SLOTS) * 64, &{n}, 1, LONG, MPI_STATUS_IGNORE)) {n} += (u64)i;"),
    ("u64 {n} = 0;", "if ({v} % 2) TRY(MPI_File_read_at, {args}); else {n} = 3;"),
    ("u64 {n} = 0; MPI_Request {n}q;", "TRY(MPI_File_iread_at, {h}, {at}, &{n}, 1, LONG, &{n}q);",
     "TRY(MPI_Wait, &{n}q, MPI_STATUS_IGNORE);"),
    ("u64 {n} = 0; MPI_Status {n}s; int {n}c;",
     "TRY(MPI_File_read_at, {h}, {at}, &{n}, 1, LONG, &{n}s);",
     "TRY(MPI_Get_count, &{n}s, LONG, &{n}c);", "{n} += (u64){n}c;"),
    ("u64 {n}a = 0, {n}b = 0, {n}c = 0;", "FIELDS_OF({n}, READ_FIELD, {h})",
     "u64 {n} = {n}a + {n}b + {n}c;"),
    ("DECLARE_AND_READ(u64, {n}, {h}, {at});", "DECLARE_AND_READ(unsigned, {n}o, {h}, "
     "(MPI_Offset)({n} % SLOTS) * 64);", "{n} += {n}o;"),
    ("TABLE_OF({n})", "u64 {n} = 0;", "for (size_t i = 0; i < COUNT({n}rows); i++) {{",
     "  u64 t = 0;", "  TRY(MPI_File_read_at, {h}, {n}rows[i].at, &t, 1, LONG, MPI_STATUS_IGNORE);",
     "  {n} = {n} * {n}rows[i].by + t;", "}}"),
    ("#define MPI_File_read_at(...) (counted++, MPI_File_read_at(__VA_ARGS__))", "u64 {n} = 0;",
     "{m};", "{m};", "#undef MPI_File_read_at"),
    ("#define LOCAL_READ(a) MPI_File_read_at({h}, (a), &{n}, 1, LONG, MPI_STATUS_IGNORE)",
     "u64 {n} = 0;", "LOCAL_READ({at});", "LOCAL_READ((MPI_Offset)({n} % SLOTS) * 64);",
     "#undef LOCAL_READ"),
    ("u64 {n} = 0, {n}h[2] = {{ 0 }};", "#define EACH_OF(a, b) {{ {n}h[a] = b; {m}; }}",
     "EACH_OF(0, {v}) EACH_OF(1, 7)", "#undef EACH_OF", "{n} += {n}h[0] - {n}h[1];"),
    ("u64 {n} = 0;", "LOCKED({m}; {n} += {k};)"),
    ("u64 {n} = 0;", "LOCKED({{ u64 t = {v}; TRY(MPI_File_read_at, {h}, "
     "(MPI_Offset)(t % SLOTS) * 64, &{n}, 1, LONG, MPI_STATUS_IGNORE); }})"),
    ("u64 {n} = 0; const char *{n}f = NULL;", "{m}, {n}f = __func__;",
     "if ({n}f[0] == 0) {n} = 0;"),
    ("u64 {n} = 0;", "WHEN({v} % 2, {m}, {n} = 9);"),
    ("u64 {n} = WITH_DEFAULT(TRY(MPI_File_read_at, {h}, {at}, &counted, 1, LONG, "
     "MPI_STATUS_IGNORE), {v});",),
    ("u64 {n} = 0; int {n}e;", "if (({n}e = TRY(MPI_File_read_at, {args})) != MPI_SUCCESS) {{",
     "  goto out{n};", "}}", "{n} ^= {k};", "out{n}: {n} += (u64){n}e;"),
    # Assertions.
    ("u64 {n} = 0;", "assert({m} == MPI_SUCCESS);"),
    ("u64 {n} = 0; int {n}e = {m};", "assert({n}e == MPI_SUCCESS && \"it reads\");", "(void){n}e;"),
    ("struct {{ u64 a, b; }} {n}p; u64 {n} = 0;",
     '_Static_assert(sizeof {n}p == 16, "two numbers");', "{m};", "{n}p.a = {n}; touch({n}p.a);"),
    ("u64 {n}a[{k}]; u64 {n} = 0;",
     '_Static_assert(sizeof({n}a) / sizeof *{n}a == {k} && _Alignof(__typeof__({n}a[0])) > 1, "");',
     "{m};", "{n}a[0] = {n}; touch({n}a[0]);"),
    ("u64 {n} = 0; STATIC_ASSERT(sizeof {n} == 8);", "{m};", "STATIC_ASSERT(sizeof {n} > 4);"),
    ("u64 {n} = 0; double {n}d[3] = {{ 0 }};", "BUILD_BUG(sizeof {n}d != 24);", "{m};",
     "{n}d[0] = 1; touch((u64){n}d[0]);"),
    ("u64 {n} = 0; char {n}t[24];", "enum {{ {n}N = sizeof {n}t / 8 }};",
     "u64 {n}l[{n}N] = {{ 0 }};",
     "MPI_File_read_at({h}, {at}, {n}l, {n}N, LONG, MPI_STATUS_IGNORE);", "{n} = {n}l[{n}N - 1];",
     "{n}t[0] = (char){n}; touch((u64){n}t[0]);"),
    ("u64 {n} = 0, {n}o[3] = {{ 0 }};", "typedef __typeof__({n}o) Row{n};",
     "Row{n} {n}r = {{ 0 }};",
     "MPI_File_read_at({h}, {at}, {n}r, COUNT({n}r), LONG, MPI_STATUS_IGNORE);",
     "{n} = {n}r[2]; {n}o[1] = {n}; touch({n}o[1]);"),
    ("u64 {n} = 0; int {n}z = 4;", "struct Sized{n} {{ char pad[sizeof {n}z]; u64 of; }} {n}s;",
     "{n}s.of = 0;", "MPI_File_read_at({h}, {at}, &{n}s.of, 1, LONG, MPI_STATUS_IGNORE);",
     "{n} = {n}s.of; {n}z++; touch((u64){n}z);"),
    ("u64 {n} = 0; __typeof__({n}) {n}b = 0;",
     "__typeof__(MPI_File_read_at({h}, 0, 0, 0, LONG, 0)) "
     "{n}e = {m};", "{n}b = (u64){n}e; {n} += {n}b;"),
    ("__auto_type {n} = {v};", "READ_AT({n} % SLOTS, {h}, {n});"),
    ("int {n}c = 1 + (int)({v} % 5); u64 {n}w[{n}c], {n} = 0;",
     "for (int i = 0; i < {n}c; i++) {n}w[i] = (u64)i;",
     "__typeof__({n}w) {n}x;", "memcpy({n}x, {n}w, sizeof {n}x);", "{m};",
     "{n} += {n}x[{n}c - 1] + sizeof {n}x;"),
    # Types without a name.
    ("struct {{ u64 at, value; }} {n}p = {{ {v}, 0 }};",
     "TRY(MPI_File_read_at, {h}, (MPI_Offset)({n}p.at % SLOTS) * 64, &{n}p.value, 1, LONG, "
     "MPI_STATUS_IGNORE);", "u64 {n} = {n}p.value;"),
    ("struct {{ union {{ u64 whole; struct {{ unsigned low, high; }}; }}; int kind; }} {n}p = "
     "{{ 0 }};",
     "MPI_File_read_at({h}, {at}, &{n}p.whole, 1, LONG, MPI_STATUS_IGNORE);",
     "u64 {n} = {n}p.low ^ {n}p.high;"),
    ("struct {{ int a; u64 b; }} {n}p, *{n}q = &{n}p, {n}r[2];", "{n}q->b = {v}; {n}r[1] = *{n}q;",
     "u64 {n} = 0;", "TRY(MPI_File_read_at, {h}, (MPI_Offset)({n}r[1].b % SLOTS) * 64, &{n}, 1, "
     "LONG, MPI_STATUS_IGNORE);"),
    ("u64 {n} = 0;", "MPI_File_read_at({h}, (MPI_Offset)(ALIGN_OF(u64) + {v} % 9) * 64, &{n}, "
     "sizeof(struct {{ char c[4]; }}) / 4, LONG, MPI_STATUS_IGNORE);"),
    ("u64 {n} = sorted_(ALIGN_OF(struct Pair), {v});", "READ_AT({n} % SLOTS, {h}, {n});"),
    ("u64 {n}l[4] = {{ {v}, 9, 2, 5 }};", "SORT(u64, {n}l, 4);", "u64 {n} = {n}l[2];",
     "READ_AT({n} % SLOTS, {h}, {n});"),
    ("u64 {n} = ((union {{ u64 u; double d; }}){{ .u = {v} }}).u;",
     "READ_AT({n} % SLOTS, {h}, {n});"),
    ("void *{n}v = &(struct {{ u64 a, b; }}){{ {v}, {k} }};",
     "u64 {n} = ((struct {{ u64 a, b; }} *){n}v)->b;", "READ_AT({n}, {h}, {n});"),
    ("u64 {n} = BITS_OF({v});", "READ_AT({n} % SLOTS, {h}, {n});"),
    ("enum {{ {n}A, {n}B = 7 }} {n}e = {v} % 2 ? {n}A : {n}B;", "u64 {n} = (u64){n}e;",
     "READ_AT({n}, {h}, {n});"),
    ("union {{ struct {{ unsigned low, high; }} two; u64 one; }} {n}u;", "{n}u.one = 0;",
     "MPI_File_read_at({h}, {at}, &{n}u.one, 1, LONG, MPI_STATUS_IGNORE);",
     "u64 {n} = sizeof {n}u.two + {n}u.two.low;", "READ_AT({n} % SLOTS, {h}, {n});"),
    ("static const struct {{ const char *name; u64 at; }} {n}t[] = {{ {{ \"one\", 3 }}, "
     "{{ \"two\", 50 }} }};", "u64 {n} = {n}t[{v} % COUNT({n}t)].at;", "READ_AT({n}, {h}, {n});"),
    ("static struct {{ u64 calls, last; }} {n}s;", "{n}s.calls++;",
     "TRY(MPI_File_read_at, {h}, {at}, &{n}s.last, 1, LONG, MPI_STATUS_IGNORE);",
     "u64 {n} = {n}s.last;"),
    ("u64 {n} = MAX_OF({v} % 50, (u64){k});", "READ_AT({n}, {h}, {n});"),
    ("struct {{ u64 (*of)(u64, u64); MPI_File *file; u64 at[2]; }} {n}s = {{ .file = &{h}, "
     ".at[1] = {v} % SLOTS, .of = mixed }};", "u64 {n} = {n}s.of({n}s.at[0], {n}s.at[1]);",
     "TRY(MPI_File_read_at, *{n}s.file, (MPI_Offset){n}s.at[1] * 64, &{n}, 1, LONG, "
     "MPI_STATUS_IGNORE);"),
    # Designated initialisers and compound literals.
    ("struct Pair {n}p = {{ .b = {v}, .a = 0 }}, {n}q[3] = {{ [2] = {{ .a = 5 }}, [0].b = 8 }};",
     "TRY(MPI_File_read_at, {h}, {at}, &{n}q[1], 2, LONG, MPI_STATUS_IGNORE);",
     "u64 {n} = {n}p.b + {n}q[1].b + {n}q[2].a + {n}q[0].b;"),
    ("u64 {n} = 0, {n}o[] = {{ [0 ... 2] = {v} % 7, [3] = 9 }};",
     "READ_AT({n}o[2] + {n}o[3], {h}, {n});"),
    ("struct Pair *{n}p = &(struct Pair){{ .a = {v} }};", "u64 {n} = {n}p->a;",
     "READ_AT({n} % SLOTS, {h}, *&(*{n}p).b);", "{n} ^= {n}p->b;"),
    ("struct Reader *{n}r = NEW(struct Reader, .file = {h}, .at = {at});",
     "u64 {n} = nextOf({n}r);",
     "{n} += nextOf({n}r); free({n}r);"),
    ("u64 {n} = swapped((struct Pair){{ .a = ({{ u64 t = 0; READ_AT({v} % SLOTS, {h}, t); t; }}) "
     "}}).b;",),
    ("u64 {n} = 0;", "MPI_File_read_at({h}, ((MPI_Offset[]){{ {at}, 640 }})[{v} % 2], "
     "(void *[]){{ &{n}, 0 }}[0], (int[]){{ 1 }}[0], (MPI_Datatype[]){{ LONG }}[0], "
     "MPI_STATUS_IGNORE);"),
    ("struct Pair {n}p = {{ {v}, 0 }};", "u64 *{n}b = &{n}p.b;",
     "u64 {n} = OWNER_OF({n}b, struct Pair, b)->a;", "READ_AT({n} % SLOTS, {h}, {n});"),
    ("struct {{ MPI_File file; struct {{ u64 first, count; }} part; }} {n}j[] = {{",
     "  {{ .file = {h}, .part = {{ .first = {v} % SLOTS, .count = 1 }} }},",
     "  {{ {o}, .part.first = 3, .part.count = 2 }},", "}};", "u64 {n} = 0, {n}a[2] = {{ 0 }};",
     "for (size_t i = 0; i < COUNT({n}j); i++) {{",
     "  TRY_CALL(MPI_File_read_at({n}j[i].file, (MPI_Offset){n}j[i].part.first * 64, {n}a, "
     "(int){n}j[i].part.count, LONG, MPI_STATUS_IGNORE));", "  {n} = {n} * 3 + {n}a[0];", "}}"),
)

DECLARATIONS = r"""#include <assert.h>
#define TRY(f, ...) tried(f(__VA_ARGS__), #f, __LINE__)
#define TRY_IN(f, arguments) tried(f arguments, #f, __LINE__)
#define TRY_CALL(call) tried((call), #call, __LINE__)
#define DO(f, ...) do { int rc_ = f(__VA_ARGS__); if (rc_ != MPI_SUCCESS) { \
  fprintf(stderr, "%s:%d: %s in %s\n", __FILE__, __LINE__, #f, __func__); \
  MPI_Abort(MPI_COMM_WORLD, 5); } } while (0)
#define GOTO_ON(label, f, ...) do { if (f(__VA_ARGS__) != MPI_SUCCESS) goto label; } while (0)
#define TRACED(rc, f) rc = f
#define CALLED(f, ...) ({ int rc_ = f(__VA_ARGS__); tried(rc_, #f " in a block", __LINE__); rc_; })
#define SAFE(call) ({ __typeof__(call) rc_ = (call); if (rc_) abort(); rc_; })
#define IO(op, ...) MPI_File_##op(__VA_ARGS__)
#define TRY_IO(op, ...) TRY(MPI_File_##op, __VA_ARGS__)
#define NAMED(op) MPI_File_##op
#define TIMED(t, ...) \
  do { double t_ = MPI_Wtime(); __VA_ARGS__; (t) += MPI_Wtime() - t_; } while (0)
#define TWICE(call) do { call; call; } while (0)
#define RETRY(n, call) ({ int rc_, left_ = (n); do rc_ = (call); while (rc_ && left_-- > 0); rc_; })
#define ERR(call) { int rc_ = (call); if (rc_ != MPI_SUCCESS) { \
  char text_[MPI_MAX_ERROR_STRING]; int length_; \
  MPI_Error_string(rc_, text_, &length_); \
  fprintf(stderr, "%s: %s\n", #call, text_); MPI_Abort(MPI_COMM_WORLD, rc_); } }
#define HANDLE(rc) handle(rc, __FILE__, __LINE__, __func__)
#define THE_ARGUMENTS(h, at, to) (h), (at), &(to), 1, MPI_UNSIGNED_LONG, MPI_STATUS_IGNORE
#define APPLY(m, ...) m(__VA_ARGS__)
#define GET(...) CHOSEN_OF(__VA_ARGS__, GET_INTO, GET_VALUE, )(__VA_ARGS__)
#define CHOSEN_OF(a, b, c, name, ...) name
#define GET_VALUE(h, at) ({ u64 t_ = 0; TRY(MPI_File_read_at, h, at, &t_, 1, MPI_UNSIGNED_LONG, \
                                            MPI_STATUS_IGNORE); t_; })
#define GET_INTO(h, at, to) TRY(MPI_File_read_at, h, at, &to, 1, MPI_UNSIGNED_LONG, \
                                MPI_STATUS_IGNORE)
#define FIELDS_OF(n, X, h) X(n##a, 8, h) X(n##b, 160, h) X(n##c, 2400, h)
#define READ_FIELD(name, at, h) TRY(MPI_File_read_at, h, at, &name, 1, MPI_UNSIGNED_LONG, \
                                    MPI_STATUS_IGNORE);
#define DECLARE_AND_READ(T, name, h, at) \
  T name = 0; MPI_File_read_at(h, at, &name, sizeof name, MPI_BYTE, MPI_STATUS_IGNORE)
#define TABLE_OF(n) static const struct { MPI_Offset at; u64 by; } n##rows[] = \
  { { 64, 3 }, { 640, 5 }, { .by = 7 } };
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LOCKED(...) do { locks++; __VA_ARGS__ locks--; } while (0);
#define WHEN(c, a, b) ((c) ? (void)(a) : (void)(b))
#define WITH_DEFAULT(rc, otherwise) ((rc) == MPI_SUCCESS ? counted : (otherwise))
#define STATIC_ASSERT(c) _Static_assert(c, #c)
#define BUILD_BUG(c) ((void)sizeof(char[1 - 2 * !!(c)]))
#define ALIGN_OF(T) offsetof(struct { char c; T x; }, x)
#define SORT(T, array, n) sortedBy(array, n, sizeof(T), ALIGN_OF(T))
#define BITS_OF(v) (((union { struct { u64 low : 9, rest : 55; } part; u64 all; }){ .all = (v) }) \
                      .part.low)
#define MAX_OF(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define NEW(T, ...) ((T *)memcpy(keep(malloc(sizeof(T))), &(T){ __VA_ARGS__ }, sizeof(T)))
#define OWNER_OF(at, T, member) ((T *)((char *)(at) - offsetof(T, member)))
extern u64 counted, locks;
int tried(int rc, const char *what, int line);
void handle(int rc, const char *file, int line, const char *function);
u64 sorted_(size_t alignment, u64 value);
void sortedBy(void *array, size_t count, size_t size, size_t alignment);
"""

DEFINITIONS = r"""u64 counted, locks;
int tried(int rc, const char *what, int line) {
  if (rc == MPI_SUCCESS) return 0;
  fprintf(stderr, "line %d: %s\n", line, what);
  MPI_Abort(MPI_COMM_WORLD, 6);
  return rc;
}
void handle(int rc, const char *file, int line, const char *function) {
  if (rc != MPI_SUCCESS) {
    fprintf(stderr, "%s:%d: %s\n", file, line, function);
    exit(7);
  }
}
u64 sorted_(size_t alignment, u64 value) { return value / alignment; }
void sortedBy(void *array, size_t count, size_t size, size_t alignment) {
  if (size % alignment == 0) qsort(array, count, size, ascending);
}
"""


def around(body):
    transfers.read_by(body, [tuple(line.replace("{m}", CALL).replace("{args}", ARGS)
                                   for line in lines) for lines in PIECES])


ALL = [(1, around)]
