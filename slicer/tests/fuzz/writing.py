# SPDX-License-Identifier: Apache-2.0
"""Ways to write code: reads in every place where an expression may appear, macros, includes,
conditional text, unusual layout."""
import transfers

# As in transfers.READS; {m} calls the read of a number at {at} into {n}, as an expression.
CALL = "MPI_File_read_at({h}, {at}, &{n}, 1, LONG, MPI_STATUS_IGNORE)"
PIECES = (
    # Places of a call.
    ("u64 {n} = 0;", "if ({m} == MPI_SUCCESS && {n} % 2) {n} += 3; else", "  {n}++;"),
    ("u64 {n} = 1;", "for ({m}; {n} > 99; {n} /= {k}) touch({n});"),
    ("u64 {n} = {v};", "for (int i = 0; i < {k}; i++, MPI_File_read_at({h}, "
     "(MPI_Offset)({n} % SLOTS) * 64, &{n}, 1, LONG, MPI_STATUS_IGNORE)) {n} += (u64)i;"),
    ("u64 {n} = 0, {n}e = {v} % 2 ? (u64){m} : 7;", "{n} += {n}e;"),
    ("u64 {n} = 0;", "u64 {n}e = ({m}, {n} + 1);", "{n} ^= {n}e;"),
    ("u64 {n} = 0;", "switch ({m}) {{ case MPI_SUCCESS: {n}++; break; default: {n} = 0; }}"),
    ("u64 {n} = 0; int {n}e[2] = {{ {m}, 4 }};", "{n} += (u64){n}e[1];"),
    ("u64 {n} = sizeof({m}) + (u64)({m} == MPI_SUCCESS);",),
    ("u64 {n} = 0;", "{n} += (u64)({{ int rc = {m}; rc; }});"),
    ("u64 {n} = 0;", "while ({m} == MPI_SUCCESS && {n} % 2 == 0 && {n}++ < 0) ;"),
    ("u64 {n} = 0;", "if ({v} % 3) if ({v} % 2) {m}; else {n} = 8; else {n} = 9;"),
    ("u64 {n} = 0;", "{v} % 2 || {m};", "!{n} && {m};"),
    ("u64 {n} = 0;", "do if ({m}) break; while (0);"),
    ("u64 {n} = 0;", "(void){m};", "(MPI_File_read_at)({h}, {at}, &{n}, 1, LONG, "
     "MPI_STATUS_IGNORE);"),
    ("u64 {n} = 0;", "(*&MPI_File_read_at)({h}, {at}, &{n}, 1, LONG, MPI_STATUS_IGNORE);"),
    ("u64 {n} = 0; int (*{n}f)() = (int (*)())0;", "{n}f = {n}f ? {n}f : 0;", "{m};"),
    ("u64 {n} = 0; __typeof__(&MPI_File_read_at) {n}f = MPI_File_read_at;",
     "{n}f({h}, {at}, &{n}, 1, LONG, MPI_STATUS_IGNORE);"),
    # Macros.
    ("u64 {n} = 0;", "EACH(i, {k}) {{ {m}; {n} += (u64)i; }}"),
    ("u64 {n} = 0;", "READ_OR({h}, {at}, &{n}, goto bad{n});", "{n} += {k};", "bad{n}: ;"),
    ("u64 PASTED({n}, a) = {v}, PASTED({n}, b) = 5, {n} = 0;",
     "EXCHANGE(PASTED({n}, a), PASTED({n}, b));",
     "READ_AT(PASTED({n}, b) % SLOTS, {h}, {n});", "{n} -= PASTED({n}, a);"),
    ("u64 {n} = 0;", "WITH({h}, {{ u64 t = {v}; READ_AT(t % SLOTS, it, {n}); }})"),
    ("u64 {n} = 0;", "READ_IT({h}, {at}, &{n}, 1, LONG, MPI_STATUS_IGNORE);"),
    ("u64 {n} = 0;", "BEGIN {m}; {n}++; END"),
    ("u64 {n} = 0;", "SUM_OF({n}, {v}, {k})", "READ_AT({n} % SLOTS, {h}, {n});"),
    ("u64 {n} = FIELDS(VALUE_OF) {v};", "READ_AT({n} % SLOTS, {h}, {n});"),
    ("u64 {n} = (u64)strlen(TEXT_OF({k} + rank)) + __LINE__ % 2;", "READ_AT({n}, {h}, {n});"),
    ("u64 {n} = {v}; const char *{n}f = __func__;",
     "READ_AT(({n} + strlen({n}f)) % SLOTS, {h}, {n});"),
    ("u64 {n} = CHOOSE({v}, 5ul, 9ul);", "LOOP_WHILE({n} % 7 != 3, READ_AT({n} % SLOTS, {h}, {n}); "
     "if ({n} % {k} == 0) break)"),
    # Conditional text, and layout.
    ("u64 {n} = 0;", "MPI_File_read_at({h},", "#if SLOTS > 9", "  {at},", "#else", "  0,", "#endif",
     "  &{n}, 1, LONG, MPI_STATUS_IGNORE);"),
    ("u64 {n} = 0;", "#ifdef NEVER", "{n} = ;", "#else", "{m};", "#endif"),
    ("u64 {n} = {v} % 50, {n}l[] = {{", '#include "numbers.inc"', "}};",
     "READ_AT({n}l[{n} % 5], {h}, {n});"),
    ("u64 {n} = {v};", "#define value {n}", '#include "statement.inc"', "#undef value",
     "READ_AT({n} % SLOTS, {h}, {n});"),
    ("u64 {n} = 0; /* {{ */ {m}; // }} \\", "  {n} = 5;", "{n}++;"),
    ("u64 {n} = 0; if ({v} % 2) {m}; else; {n} += '}}'; touch({n}); {n} ^= (u64)\"/*\"[1];",),
    ("u64 {n}a <: 2 :> = <% 0, 3 %>;", "READ_AT({n}a<:1:>, {h}, {n}a<:0:>);",
     "u64 {n} = {n}a[0];"),
    ('_Pragma("GCC diagnostic push") u64 {n} = 0;', "#pragma GCC diagnostic ignored \"-Wall\"",
     "{m};", '_Pragma("GCC diagnostic pop")'),
    ("u64 {n} = 0; {{ {{ ; {m}; }} ; }} ;;",),
    ("u64 {n} = 0; goto in{n};", "if (0) {{ in{n}: {m}; }} else {n}++;"),
)

DECLARATIONS = r"""#define EACH(i, n) for (int i = 0; i < (n); i++)
#define READ_IT MPI_File_read_at
#define READ_OR(f, at, to, otherwise) \
  if (MPI_File_read_at((f), (at), (to), 1, MPI_UNSIGNED_LONG, MPI_STATUS_IGNORE) != MPI_SUCCESS) \
    otherwise
#define READ_AT(slot, f, to) MPI_File_read_at(f, (MPI_Offset)(slot) * 64, &(to), 1, \
                                              MPI_UNSIGNED_LONG, MPI_STATUS_IGNORE)
#define PASTED(a, b) PASTED_(a, b)
#define PASTED_(a, b) a##_##b
#define EXCHANGE(a, b) do { u64 t_ = (a); (a) = (b); (b) = t_; } while (0)
#define WITH(file, ...) do { MPI_File it = (file); __VA_ARGS__ } while (0);
#define BEGIN {
#define END }
#define SUM_OF(to, ...) { u64 all_[] = { __VA_ARGS__ }; \
  for (size_t i_ = 0; i_ < sizeof all_ / sizeof *all_; i_++) to += all_[i_]; }
#define FIELDS(X) X(alpha, 3) X(beta, 50) X(gamma, 700)
#define VALUE_OF(name, number) number##ul * sizeof #name +
#define TEXT_OF(a) TEXT_OF_(a)
#define TEXT_OF_(a) #a
#define CHOOSE(c, a, b) __builtin_choose_expr(sizeof(c) == 8, (c) % 2 ? (a) : (b), 0)
#define LOOP_WHILE(condition, body) \
  { int rounds_ = 0; while ((condition) && rounds_++ < 4) { body; } }
"""

FILES = {"numbers.inc": "3, 50,\n700, 90, 1000\n", "statement.inc": "value = value * 3 + 1;\n"}


def written(body):
    pieces = [tuple(line.replace("{m}", CALL) for line in lines) for lines in PIECES]
    transfers.read_by(body, pieces)


ALL = [(1, written)]
