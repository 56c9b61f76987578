# SPDX-License-Identifier: Apache-2.0
"""Pieces of MPI as people write it: other ways to read, and other messages."""
import re

from body import CALL_COST, SLOTS

LONG = "MPI_UNSIGNED_LONG"

# Messages in which all ranks take part: whether the value is uniform, and the lines. {n} is a new
# name, {v} what this rank has, {k} a constant from 2 to 6; the value is {n}.
MESSAGES = (
    (True, "u64 {n}s = {v}, {n} = 0; MPI_Request {n}q;",
     "MPI_Iallreduce(&{n}s, &{n}, 1, LONG, MPI_BXOR, MPI_COMM_WORLD, &{n}q);",
     "MPI_Wait(&{n}q, MPI_STATUS_IGNORE);"),
    (True, "u64 {n} = {v}; MPI_Request {n}q;",
     "MPI_Ibcast(&{n}, 1, LONG, 0, MPI_COMM_WORLD, &{n}q);", "MPI_Wait(&{n}q, MPI_STATUS_IGNORE);"),
    (False, "u64 {n}s = {v}, {n}a[4] = {{0}}, {n} = 0;",
     "MPI_Gather(&{n}s, 1, LONG, {n}a, 1, LONG, 0, MPI_COMM_WORLD);",
     "for (int i = 0; i < ranks; i++) {n}a[i] = {n}a[i] * {k} + (u64)i;",
     "MPI_Scatter({n}a, 1, LONG, &{n}, 1, LONG, 0, MPI_COMM_WORLD);"),
    (False, "u64 {n}s[4], {n}a[4] = {{0}};", "for (int i = 0; i < 4; i++) {n}s[i] = {v} + (u64)i;",
     "MPI_Alltoall({n}s, 1, LONG, {n}a, 1, LONG, MPI_COMM_WORLD);",
     "u64 {n} = {n}a[0] + {k} * {n}a[ranks - 1];"),
    (False, "MPI_Comm {n}c;", "MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &{n}c);",
     "u64 {n}s = {v}, {n} = 0;", "MPI_Allreduce(&{n}s, &{n}, 1, LONG, MPI_SUM, {n}c);",
     "MPI_Comm_free(&{n}c);"),
    (True, "struct Pair {n}p = paired({v}, {k}ul);",
     "MPI_Bcast(&{n}p, sizeof {n}p, MPI_BYTE, ranks - 1, MPI_COMM_WORLD);",
     "u64 {n} = {n}p.a ^ {n}p.b;"),
    (True, "u64 {n}a[3] = {{ {v}, {k}, (u64)rank }};",
     "MPI_Allreduce(MPI_IN_PLACE, {n}a, 3, LONG, MPI_SUM, MPI_COMM_WORLD);",
     "u64 {n} = {n}a[0] + {n}a[1] * {n}a[2];"),
    (False, "u64 {n} = {v};", "MPI_Sendrecv_replace(&{n}, 1, LONG, (rank + 1) % ranks, 3, "
     "(rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"),
    (True, "u64 {n}s = {v}, {n}a[4] = {{0}};",
     "int {n}c[4] = {{ 1, 1, 1, 1 }}, {n}d[4] = {{ 0, 1, 2, 3 }};",
     "MPI_Allgatherv(&{n}s, 1, LONG, {n}a, {n}c, {n}d, LONG, MPI_COMM_WORLD);",
     "u64 {n} = {n}a[0] - {n}a[ranks - 1];"),
    (True, "struct {{ double value; int place; }} {n}i = {{ (double)({v} % 999), rank }}, {n}o;",
     "MPI_Allreduce(&{n}i, &{n}o, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);",
     "u64 {n} = (u64){n}o.value + (u64){n}o.place;"),
)

# Reads of one rank. {at} is a place in bytes, {h} a file, {n} a new name; the value is {n}.
READS = (
    ("u64 {n}a[{k}] = {{0}};",
     "if (MPI_File_read_at({h}, {at}, {n}a, {k}, LONG, MPI_STATUS_IGNORE) != MPI_SUCCESS)",
     "  MPI_Abort(MPI_COMM_WORLD, 3);", "u64 {n} = {n}a[0] ^ {n}a[{k} - 1];"),
    ("u64 {n}a[{k}] = {{0}};", "CHECK(MPI_File_read_at({h}, {at}, {n}a, {k}, LONG, "
     "MPI_STATUS_IGNORE));", "u64 {n} = {n}a[0];"),
    ("u64 {n}a[{k}] = {{0}};", "u64 {n} = readBlock({h}, {at}, {n}a, {k}) + {n}a[1];"),
    ("u64 {n} = readOne({h}, {at});",),
    # One read says where the next one is.
    ("u64 {n} = {v};", "for (int i = 0; i < {k}; i++)",
     "  MPI_File_read_at({h}, (MPI_Offset)({n} % SLOTS) * 64, &{n}, 1, LONG, MPI_STATUS_IGNORE);"),
    ("u64 {n} = {v}, {n}t[4] = {{0}};", "do {{",
     "  {n} = readOne({h}, (MPI_Offset)({n} % SLOTS) * 64);",
     "  {n}t[{n} % 4]++;", "}} while ({n} % 3 && {n}t[0] + {n}t[1] + {n}t[2] + {n}t[3] < {k});"),
    # A list of places, and what is at each.
    ("u64 {n}l[4] = {{0}}, {n}a[2] = {{0}}, {n} = 0;",
     "MPI_File_read_at({h}, {at}, {n}l, 4, LONG, MPI_STATUS_IGNORE);",
     "for (int i = 0; i < 4; i++) {{",
     "  if ({n}l[i] % {k} == 1) continue;",
     "  MPI_File_read_at({h}, (MPI_Offset)({n}l[i] % SLOTS) * 64, {n}a, 2, LONG, "
     "MPI_STATUS_IGNORE);", "  {n} += {n}a[0] * 3 + {n}a[1];", "}}"),
    ("u64 *{n}l = keep(malloc({k} * sizeof *{n}l)), {n} = 0;",
     "MPI_File_read_at({h}, {at}, {n}l, {k}, LONG, MPI_STATUS_IGNORE);",
     "qsort({n}l, {k}, sizeof *{n}l, ascending);",
     "for (u64 *p = {n}l; p != {n}l + {k}; p++)",
     "  {n} ^= readOne({h}, (MPI_Offset)(*p % SLOTS) * 64);", "free({n}l);"),
    ("struct Pair {n}p[2] = {{{{0}}}};",
     "MPI_File_read_at({h}, {at}, {n}p, sizeof {n}p, MPI_BYTE, MPI_STATUS_IGNORE);",
     "u64 {n} = readOne({h}, (MPI_Offset)({n}p[1].a % SLOTS) * 64) + {n}p[0].b;"),
    ("struct Pair {n}p = {{0}}; MPI_Datatype {n}t; int {n}c[2] = {{ 1, 1 }};",
     "MPI_Aint {n}d[2] = {{ offsetof(struct Pair, a), offsetof(struct Pair, b) }};",
     "MPI_Datatype {n}y[2] = {{ LONG, LONG }};",
     "MPI_Type_create_struct(2, {n}c, {n}d, {n}y, &{n}t); MPI_Type_commit(&{n}t);",
     "MPI_File_read_at({h}, {at}, &{n}p, 1, {n}t, MPI_STATUS_IGNORE);", "MPI_Type_free(&{n}t);",
     "u64 {n} = {n}p.a + {n}p.b;"),
    ("u64 {n}a[2] = {{0}}; MPI_Request {n}q = MPI_REQUEST_NULL; int {n}f = 0;",
     "MPI_File_iread_at({h}, {at}, {n}a, 2, LONG, &{n}q);",
     "while (!{n}f) MPI_Test(&{n}q, &{n}f, MPI_STATUS_IGNORE);", "u64 {n} = {n}a[0] + {n}a[1];"),
    ("static u64 {n}a[4]; static int {n}k;", "if (!{n}k++)",
     "  MPI_File_read_at({h}, 640, {n}a, 4, LONG, MPI_STATUS_IGNORE);",
     "u64 {n} = {n}a[{v} % 4];"),
    ("u64 {n} = {v}; char {n}b[8]; int {n}i = 0;",
     "for (int i = 0; i < {k}; i++) {{",
     "  MPI_File_read_at({h}, (MPI_Offset)({n} % SLOTS) * 64, {n}b, 8, MPI_BYTE, "
     "MPI_STATUS_IGNORE);",
     "  memcpy(&{n}i, {n}b, sizeof {n}i);", "  {n} = (u64)(unsigned){n}i + {n} / 7;", "}}"),
    ("union {{ unsigned char bytes[16]; u64 numbers[2]; }} {n}u = {{ .numbers = {{ {v}, {k} }} }};",
     "MPI_File_read_at({h}, {at}, {n}u.bytes, 16, MPI_BYTE, MPI_STATUS_IGNORE);",
     "u64 {n} = {n}u.numbers[{k} % 2] + {n}u.bytes[3];"),
    # The next read is in flight while this one's bytes are used.
    ("u64 {n}b[2][4] = {{{{0}}}}, {n} = 0; MPI_Request {n}q;",
     "MPI_File_iread_at({h}, {at}, {n}b[0], 4, LONG, &{n}q);", "for (int i = 0; i < {k}; i++) {{",
     "  MPI_Wait(&{n}q, MPI_STATUS_IGNORE);",
     "  MPI_Offset next = (MPI_Offset)({n}b[i % 2][0] % SLOTS);",
     "  if (i + 1 < {k})",
     "    MPI_File_iread_at({h}, next * 64, {n}b[(i + 1) % 2], 4, LONG, &{n}q);",
     "  {n} += {n}b[i % 2][3];", "}}"),
    ("struct Reader {n}r = {{ .file = {h}, .at = {at} }}; u64 {n} = 0;",
     "for (int i = 0; i < 3 * {k}; i++) {n} = {n} * 5 + nextOf(&{n}r);"),
    ("struct Vector {n}v = {{0}}; u64 {n} = 0;",
     "for (u64 i = 0, {n}t = {v}; i < {k}; i++)",
     "  push(&{n}v, {n}t = readOne({h}, (MPI_Offset)({n}t % SLOTS) * 64));",
     "for (u64 i = {n}v.count; i-- > 0;)",
     "  {n} ^= readOne({h}, (MPI_Offset)({n}v.items[i] % SLOTS) * 64);",
     "free({n}v.items);"),
    ("MPI_File *{n}f = {v} % 2 ? &{h} : &{o}; u64 {n} = 0;",
     "READ(*{n}f, {at}, &{n}, 1);"),
    ("u64 {n}a[{k}], {n}t = {v}, {n} = 0;", "for (int i = 0; i < {k}; i++) {{",
     "  {n}a[i] = {n}t % SLOTS; {n}t = {n}t / 3 + 7;", "}}",
     "for (int i = 0; i < {k} && {n} % 11 != 4; i++)",
     "  MPI_File_read_at({h}, (MPI_Offset){n}a[i] * 64, &{n}, 1, LONG, MPI_STATUS_IGNORE);"),
    ("u64 {n} = {v}; MPI_Offset {n}p = {at};", "int {n}e = 0;",
     "while (!({n}e = MPI_File_read_at({h}, {n}p, &{n}, 1, LONG, MPI_STATUS_IGNORE)) "
     "&& {n} % {k}) {{",
     "  {n}p += 8 * (MPI_Offset)(1 + {n} % 3);", "  if ({n}p > 60000) break;", "}}"),
)

# Reads that all ranks make together, of files of their own opening.
TOGETHER = (
    ('char {n}p[16]; MPI_File {n}f; u64 {n}a[2] = {{0}};',
     'snprintf({n}p, sizeof {n}p, "%c.dat", (char)(97 + {u} % 2));',
     "MPI_File_open(MPI_COMM_WORLD, {n}p, MPI_MODE_RDONLY, MPI_INFO_NULL, &{n}f);",
     "MPI_File_seek({n}f, -(MPI_Offset)(64 * (1 + {v} % 50)), MPI_SEEK_END);",
     "MPI_File_read({n}f, {n}a, 2, LONG, MPI_STATUS_IGNORE);", "MPI_File_close(&{n}f);",
     "u64 {n} = {n}a[0] ^ {n}a[1];"),
    ("MPI_File {n}f; MPI_Info {n}i; u64 {n} = 0; MPI_Request {n}q;", "MPI_Info_create(&{n}i);",
     'MPI_Info_set({n}i, "romio_ds_read", "disable");',
     'if (MPI_File_open(MPI_COMM_SELF, "a.dat", MPI_MODE_RDONLY, {n}i, &{n}f)) abort();',
     "MPI_Info_free(&{n}i);", "MPI_File_seek({n}f, {at}, MPI_SEEK_SET);",
     "MPI_File_iread({n}f, &{n}, 1, LONG, &{n}q);", "MPI_Wait(&{n}q, MPI_STATUS_IGNORE);",
     "MPI_File_close(&{n}f);"),
    ("u64 {n}a[2] = {{0}};",
     "MPI_File_read_at_all_begin({all}, {at}, {n}a, 2, LONG);",
     "MPI_File_read_at_all_end({all}, {n}a, MPI_STATUS_IGNORE);", "u64 {n} = {n}a[0] + {n}a[1];"),
    ("MPI_File {n}f; char {n}p[32]; u64 {n}a[4] = {{ {v}, {k}, 9, 1 }}, {n} = 0;",
     'snprintf({n}p, sizeof {n}p, "own%d.dat", rank);', "for (int i = 0; i < 2; i++) {{",
     "  MPI_File_open(MPI_COMM_SELF, {n}p, i ? MPI_MODE_RDONLY : MPI_MODE_CREATE | MPI_MODE_WRONLY,"
     " MPI_INFO_NULL, &{n}f);", "  if (i == 0) MPI_File_write({n}f, {n}a, 4, LONG, "
     "MPI_STATUS_IGNORE);",
     "  else MPI_File_read_at({n}f, 8 * (MPI_Offset)({n}a[0] % 3), &{n}, 1, LONG, "
     "MPI_STATUS_IGNORE);", "  MPI_File_close(&{n}f);", "}}"),
    ("MPI_File {n}f; MPI_Datatype {n}t; u64 {n}a[4] = {{0}};",
     "int {n}z[2] = {{ 8, 2 * ranks }}, {n}s[2] = {{ 2, 2 }};",
     "int {n}b[2] = {{ (int)({u} % 6), 2 * rank }};",
     "MPI_Type_create_subarray(2, {n}z, {n}s, {n}b, MPI_ORDER_C, LONG, &{n}t);",
     "MPI_Type_commit(&{n}t);",
     'MPI_File_open(MPI_COMM_WORLD, "a.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &{n}f);',
     'MPI_File_set_view({n}f, {at}, LONG, {n}t, "native", MPI_INFO_NULL);',
     "MPI_File_read_all({n}f, {n}a, 4, LONG, MPI_STATUS_IGNORE);",
     "MPI_File_close(&{n}f); MPI_Type_free(&{n}t);", "u64 {n} = {n}a[0] + {n}a[3];"),
    ("MPI_File {n}f; MPI_Datatype {n}t; u64 {n}a[3] = {{0}}; int {n}l[2] = {{ 1, 2 }};",
     "int {n}d[2] = {{ (int)({u} % 4), 6 + rank }};",
     "MPI_Type_indexed(2, {n}l, {n}d, LONG, &{n}t); MPI_Type_commit(&{n}t);",
     'MPI_File_open(MPI_COMM_SELF, "b.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &{n}f);',
     'MPI_File_set_view({n}f, 0, LONG, {n}t, "native", MPI_INFO_NULL);',
     "for (int i = 0; i < {k}; i++) MPI_File_read({n}f, {n}a, 3, LONG, MPI_STATUS_IGNORE);",
     "MPI_File_close(&{n}f); MPI_Type_free(&{n}t);", "u64 {n} = {n}a[0] + {n}a[2];"),
)

DECLARATIONS = """#define SLOTS 1024ul
#define CHECK(call) do { if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 2); } while (0)
u64 readOne(MPI_File file, MPI_Offset at);
u64 readBlock(MPI_File file, MPI_Offset at, void *to, int count);
struct Reader { MPI_File file; MPI_Offset at; u64 values[4]; int left; };
u64 nextOf(struct Reader *reader);
"""

DEFINITIONS = """static int transfer(MPI_File file, MPI_Offset at, void *to, int count,
                    MPI_Datatype type) {
  MPI_Status status;
  int got = 0, rc = MPI_File_read_at(file, at, to, count, type, &status);
  if (rc != MPI_SUCCESS) return -1;
  MPI_Get_count(&status, type, &got);
  return got;
}
static int (*transferBy)(MPI_File, MPI_Offset, void *, int, MPI_Datatype) = transfer;
u64 readOne(MPI_File file, MPI_Offset at) {
  u64 value = 5;
  return transfer(file, at, &value, 1, MPI_UNSIGNED_LONG) == 1 ? value : 0;
}
u64 readBlock(MPI_File file, MPI_Offset at, void *to, int count) {
  return (u64)transferBy(file, at, to, count, MPI_UNSIGNED_LONG);
}
static void refill(struct Reader *reader) {
  transfer(reader->file, reader->at, reader->values, 4, MPI_UNSIGNED_LONG);
  reader->at += sizeof reader->values;
  reader->left = 4;
}
u64 nextOf(struct Reader *reader) {
  if (reader->left == 0) refill(reader);
  return reader->values[4 - reader->left--];
}
"""


def emit(body, lines, **names):
    """Writes the lines; returns the text of their value."""
    names |= {"n": body.fresh("y"), "k": body.rng.randrange(2, 7)}
    for line in lines:
        body.line(re.sub(r"\bLONG\b", LONG, line).format(**names))
    return names["n"]


def message(body):
    if body.uniform and body.afford(3 * CALL_COST):
        uniform, *lines = body.rng.choice(MESSAGES)
        body.new_scalar(uniform, emit(body, lines, v=body.value(False, 2)))


def read(body):
    read_by(body, READS)


def read_by(body, ways):
    if body.afford(5 * CALL_COST):
        uniform = body.kind()
        handle = body.program.handle("all" if body.rng.random() < 0.5 else "own")
        name = emit(body, body.rng.choice(ways), h=handle, v=body.value(uniform, 2),
                    o=body.program.handle("all"),
                    at=body.slot(uniform))
        body.new_scalar(uniform, name)


def together(body):
    if body.uniform and body.afford(8 * CALL_COST):
        at = f"({body.slot(False)}) % {(SLOTS - 64) * 64}"
        body.new_scalar(False, emit(body, body.rng.choice(TOGETHER), at=at,
                                    v=body.value(False, 2), u=body.value(True, 2),
                                    all=body.program.handle("all")))


ALL = [(4, read), (2, message), (2, together)]
