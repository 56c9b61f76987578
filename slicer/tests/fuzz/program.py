# SPDX-License-Identifier: Apache-2.0
"""A random program: `Program(seed).sources()` gives its files. It is valid, deterministic and free
of undefined behaviour; it makes its own input and prints what it has computed."""
import dataclasses
import random

import idioms
import macros
import messages
import statements
import transfers
import writing
from body import Body
from objects import Function, Record, Region, Scalar, Scope, StructType

HEADER = """/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PROGRAM_H
#define PROGRAM_H
#include <mpi.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef unsigned long u64;
#define MIX(a, b) (((a) ^ ((b) << 3)) * 31ul + 7ul)
#define LOW(a) ((a) & 0xfful)
#define READ(f, at, to, n) MPI_File_read_at((f), (at), (to), (n), MPI_UNSIGNED_LONG, \\
                                            MPI_STATUS_IGNORE)
struct Node { u64 value; struct Node *next; };
extern int rank, ranks;
extern MPI_Datatype pairType;
void *keep(void *block);
struct Node *pushed(struct Node *next, u64 value);
int ascending(const void *one, const void *other);
u64 sumOf(int count, ...);
u64 parsed(const char *text);
u64 mixed(u64 a, u64 b);
void touch(u64 value);
void setPointer(u64 **pointer, u64 *value);
void pause_(void);
""" + "".join(each.DECLARATIONS for each in (idioms, transfers, writing, macros))

HELPERS = """int rank, ranks;
MPI_Datatype pairType;
void *keep(void *block) { if (!block) abort(); return block; }
struct Node *pushed(struct Node *next, u64 value) {
  struct Node *made = malloc(sizeof *made);
  made->value = value;
  made->next = next;
  return made;
}
int ascending(const void *one, const void *other) {
  u64 a = *(const u64 *)one, b = *(const u64 *)other;
  return (a > b) - (a < b);
}
u64 sumOf(int count, ...) {
  va_list rest;
  u64 sum = 0;
  va_start(rest, count);
  for (int i = 0; i < count; i++) sum = sum * 3 + va_arg(rest, u64);
  va_end(rest);
  return sum;
}
u64 parsed(const char *text) {
  u64 value = 0;
  return sscanf(text, "%lu", &value) == 1 ? value : 3;
}
u64 mixed(u64 a, u64 b) { return MIX(a, b); }
static u64 touched;
void touch(u64 value) { touched += value; }
void setPointer(u64 **pointer, u64 *value) { *pointer = value; }
void pause_(void) { usleep(150); }
static void makeFile(const char *name, u64 seed) {
  FILE *file = fopen(name, "wb");
  for (int i = 0; i < 1024 * 8; i++) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    u64 value = seed >> 37;
    fwrite(&value, sizeof value, 1, file);
  }
  fclose(file);
}
""" + idioms.DEFINITIONS + transfers.DEFINITIONS + macros.DEFINITIONS

WRITERS = (statements.ALL, messages.ALL, idioms.ALL, transfers.ALL, writing.ALL, macros.ALL)
STDIN = " ".join(str(71 * k * k % 1009) for k in range(40)) + "\n"
ARGUMENTS = ["17", "250"]


@dataclasses.dataclass
class Table:
    name: str
    kind: str
    length: int
    rank: int   # functions that come later may use it
    cost: int


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.seed, self.names = seed, 0
        self.units = self.rng.choice((1, 1, 2, 3))
        self.functions, self.entries, self.tables, self.types = [], [], [], []
        self.globals = Scope()
        self.declarations, self.definitions = [], []
        self.make_types()
        self.make_globals()
        self.make_handles()
        for rank in range(self.rng.randrange(4, 12)):
            self.make_function(rank)
            if rank >= 2 and self.rng.random() < 0.3:
                self.make_table(rank)
        self.main = self.make_main()

    # Queries by functions.

    def callable(self, function, kind):
        """Functions of this kind that the function may call: those made before it."""
        return [each for each in self.functions if each.kind == kind and each is not function
                and (not each.static or each.unit == function.unit)]

    def may_call(self, function, rank):
        return function.name == "main" or int(function.name[1:]) > rank

    def handle(self, which):
        return self.handles[which]

    # What is global.

    def make_types(self):
        kinds = ("u64", "int", "short", "byte", "bits", "array", "pointer", "union", "u64")
        for number in range(self.rng.randrange(1, 4)):
            members = []
            for k in range(self.rng.randrange(2, 6)):
                kind = self.rng.choice(kinds)
                members.append((kind, f"m{k}", self.rng.randrange(2, 7)))
            if self.types and self.rng.random() < 0.5:
                members.append(("struct", "in", self.rng.choice(self.types)))
            self.types.append(StructType(f"S{number}", members))

    def define(self, declaration, value):
        """A global: static in the only unit, or visible in all."""
        if self.units == 1 and self.rng.random() < 0.7:
            self.definitions.append(f"static {declaration}{value};")
        else:
            self.declarations.append(f"extern {declaration};")
            self.definitions.append(f"{declaration}{value};")

    def make_globals(self):
        for uniform, letter in ((True, "g"), (False, "v")):
            cells = f"{letter}Cells"
            self.define(f"u64 {cells}[8]", f" = {{{self.rng.randrange(99)}, 5, 77}}")
            self.globals.regions.append(Region(cells, 8, uniform, static=True))
            self.globals.regions.append(Region(f"{letter}At", 4, uniform, True, variable=True))
            self.define(f"u64 *{letter}At", f" = {cells} + 2")
            for k in range(self.rng.randrange(1, 3)):
                self.define(f"u64 {letter}{k}", f" = {self.rng.randrange(500)}")
                self.globals.scalars.append(Scalar(f"{letter}{k}", uniform, addressable=True))
            for k, kind in enumerate(self.types):
                pointers = [name for one, name, _ in kind.members if one == "pointer"]
                nested = [(name, detail) for one, name, detail in kind.members if one == "struct"]
                pointers += [f"{name}.{path}" for name, detail in nested
                             for path in pointer_paths(detail)]
                values = [f".{name} = {cells} + {self.rng.randrange(5)}" for name in pointers]
                self.define(f"struct {kind.name} {letter}S{k}",
                            f" = {{ {', '.join(values) or '0'} }}")
                self.globals.records.append(Record(f"{letter}S{k}.", kind, uniform, True))
        # The rank is not a uniform value.
        self.globals.scalars.append(Scalar("rank", False, writable=False))

    def make_handles(self):
        form = self.rng.choice(("apart", "struct", "array", "pointer"))
        which = ("all", "own", "out", "view")
        if form == "apart":
            self.handles = {each: f"{each}File" for each in which}
            for each in which:
                self.define(f"MPI_File {each}File", "")
        elif form == "struct":
            self.handles = {each: f"files.{each}" for each in which}
            self.declarations.append("struct Files { u64 used; MPI_File all, own, out, view; };")
            self.define("struct Files files", "")
        elif form == "array":
            self.handles = {each: f"files[{k}]" for k, each in enumerate(which)}
            self.define("MPI_File files[4]", "")
        else:
            self.handles = {each: f"files->{each}" for each in which}
            self.declarations.append("struct Files { MPI_File view, all, own, out; };")
            self.define("struct Files theFiles", "")
            self.define("struct Files *files", " = &theFiles")

    # Functions.

    def make_function(self, rank):
        kind = self.rng.choice(("pure", "local", "local", "all", "all"))
        unit = self.rng.randrange(self.units)
        function = Function(f"f{rank}", kind, [], unit, static=self.rng.random() < 0.4)
        if kind == "pure":
            self.make_pure(function)
        else:
            records = [f"record:{each.name}" for each in self.types]
            choices = ["u64", "u64", "region", "region", "callback", *records]
            choices += ["file"] if kind == "local" else []
            function.parameters = ["u64"] + [self.rng.choice(choices)
                                             for _ in range(self.rng.randrange(0, 4))]
            self.make_body(function, self.rng.randrange(100, 400))
        self.functions.append(function)

    def make_pure(self, function):
        function.parameters, function.cost = ["u64", "u64"], 10
        one, other = self.rng.randrange(2, 50), self.rng.randrange(2, 50)
        function.lines = self.rng.choice((
            [f"  return p0 % {one}ul * {other}ul + p1;"],
            ["  u64 sum = p1;", f"  for (u64 i = 0; i < p0 % {one}ul; i++)",
             f"    sum = sum * {other}ul + (i ^ p0);", "  return sum;"],
            [f"  if (p0 % {one}ul == 0)", f"    return p1 / {other}ul;",
             f"  return {function.name}(p0 / {one}ul % 4096ul, MIX(p1, p0));"],
            [f"  static const u64 table[4] = {{{one}, {other}, 3, 900}};",
             "  const u64 *at = &table[p0 % 4];", "  return *at + p1;"],
            ["  u64 pair[2] = {p0, p1}, *at = pair;", f"  while (*at > {one * 40}ul && *at % 5)",
             "    *at /= 2;", "  return pair[0] + 7 * pair[1];"]))
        if "MIX(p1, p0)" in function.lines[-1]:
            # It terminates: the value reaches a multiple (at the latest, zero).
            function.lines[0] = f"  if (p0 % {one}ul == 0 || p0 < 2)"

    def scope_of(self, function):
        scope, uniform = Scope(), function.kind == "all"
        for k, parameter in enumerate(function.parameters):
            if parameter == "u64":
                scope.scalars.append(Scalar(f"p{k}", uniform, addressable=True))
            elif parameter == "region":
                scope.regions.append(Region(f"p{k}", 2, uniform))
            elif parameter.startswith("record"):
                kind = next(each for each in self.types if each.name == parameter.split(":")[1])
                scope.records.append(Record(f"p{k}->", kind, uniform))
        return scope

    def make_body(self, function, budget):
        uniform = function.kind == "all"
        is_recursive = self.rng.random() < 0.25 and "callback" not in function.parameters
        body = Body(self, function, uniform, budget // (4 if is_recursive else 1))
        body.statements = lambda count: self.statements(body, count)
        body.scopes[1] = self.scope_of(function)
        for k, parameter in enumerate(function.parameters):
            if parameter == "callback":
                body.line(f"u64 called{k} = p{k}({body.value(uniform, 1)}, 3ul);")
                body.scopes[1].scalars.append(Scalar(f"called{k}", uniform))
        if is_recursive:
            body.line("u64 depth = p0 % 4;")
            body.line(f"if (depth == 0) return {body.value(uniform, 1)};")
            # The argument of the next call is not changed before that call.
        self.statements(body, self.rng.randrange(3, 8))
        if is_recursive:
            arguments = ["depth - 1"] + [f"p{k}" if each != "u64" else body.value(uniform, 1)
                                         for k, each in enumerate(function.parameters) if k]
            body.new_scalar(uniform, f"{function.name}({', '.join(arguments)})")
            self.statements(body, self.rng.randrange(0, 3))
        body.line(f"return {body.value(uniform, 2)};")
        function.cost = (body.cost + 5) * (4 if is_recursive else 1)
        function.lines = body.lines

    def make_table(self, rank):
        """Functions of one signature, made for it, and a table of them."""
        kind, number = self.rng.choice(("local", "all")), len(self.tables)
        made = []
        for k in range(self.rng.randrange(2, 4)):
            function = Function(f"f{rank}00{number}{k}", kind, ["u64", "region"], 0)
            self.make_body(function, 150)
            made.append(function)
        self.entries += made  # called only through the table
        name = f"table{number}"
        declaration = f"u64 (*{self.rng.choice(('', 'const '))}{name}[{len(made)}])(u64, u64 *)"
        self.declarations.append(f"extern {declaration};")
        self.definitions.append(f"{declaration} = {{ {', '.join(f.name for f in made)} }};")
        self.declarations += [f"{each.declared()};" for each in made]
        self.tables.append(Table(name, kind, len(made), int(made[-1].name[1:]),
                                 max(each.cost for each in made)))

    def statements(self, body, count):
        for _ in range(count):
            choices = self.rng.choices(WRITERS, (5, 4, 3, 2, 2, 2))[0]
            weights, writers = zip(*choices)
            self.rng.choices(writers, weights)[0](body)

    def make_main(self):
        function = Function("main", "all", [], 0)
        body = Body(self, function, True, 8000)
        body.statements = lambda count: self.statements(body, count)
        for line in ("MPI_Init(&argc, &argv);", "MPI_Comm_rank(MPI_COMM_WORLD, &rank);",
                     "MPI_Comm_size(MPI_COMM_WORLD, &ranks);",
                     "MPI_Type_contiguous(2, MPI_UNSIGNED_LONG, &pairType);",
                     "MPI_Type_commit(&pairType);",
                     'if (rank == 0) { makeFile("a.dat", 1); makeFile("b.dat", 2); }',
                     "MPI_Barrier(MPI_COMM_WORLD);",
                     "u64 first = argc > 1 ? strtoul(argv[1], NULL, 10) : 4;",
                     "u64 second = argc > 2 ? (u64)atoi(argv[2]) : 4;",
                     "u64 zeros[32 * 8] = {0};"):
            body.line(line)
        for which, name in (("all", "a.dat"), ("own", "b.dat"), ("view", "b.dat")):
            body.line(f'MPI_File_open(MPI_COMM_WORLD, "{name}", MPI_MODE_RDONLY, MPI_INFO_NULL, '
                      f"&{self.handles[which]});")
        out = self.handles["out"]
        body.line('MPI_File_open(MPI_COMM_WORLD, "out.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, '
                  f"MPI_INFO_NULL, &{out});")
        body.line(f"MPI_File_write_at_all({out}, (MPI_Offset)rank * 32 * 64, zeros, 32 * 8, "
                  "MPI_UNSIGNED_LONG, MPI_STATUS_IGNORE);")
        messages.standard_input(body)
        body.line("usleep(2000);")
        body.here.scalars += [Scalar("first", True, addressable=True),
                              Scalar("second", True, addressable=True)]
        for _ in range(3):
            messages.read_at(body)
        for _ in range(self.rng.randrange(10, 50)):
            self.statements(body, 1)
        body.line(f"u64 mine = {' + '.join(body.value(False, 2) for _ in range(4))}, total = 0;")
        everything = [each.text for each in self.globals.scalars]
        everything += [f"{each.text}[{k}]" for each in self.globals.regions for k in (0, 3)]
        body.line("u64 state = " + " + 3 * ".join(f"(u64){each}" for each in everything) + ";")
        body.line("mine = MIX(mine, state);")
        body.line("MPI_Reduce(&mine, &total, 1, MPI_UNSIGNED_LONG, MPI_BXOR, 0, MPI_COMM_WORLD);")
        body.line('if (rank == 0) printf("end %lu %lu\\n", mine, total);')
        for handle in self.handles.values():
            body.line(f"MPI_File_close(&{handle});")
        body.line("MPI_Type_free(&pairType);")
        body.line(f"int status = (int)({body.value(True, 2)} % 4ul);")
        body.line("MPI_Finalize();")
        body.line("return status;")
        function.lines = body.lines
        return function

    def sources(self):
        """The program's files: name to text."""
        functions = self.functions + self.entries
        header = HEADER + "".join(f"{each.definition()}\n" for each in self.types)
        header += "\n".join(self.declarations) + "\n"
        header += "".join(f"{each.declared()};\n" for each in self.functions if not each.static)
        found = {"program.h": header + "#endif\n", **writing.FILES}
        for unit in range(self.units):
            text = f'/* SPDX-License-Identifier: Apache-2.0 */\n/* Seed {self.seed}. */\n' \
                   '#include "program.h"\n'
            if unit == 0:
                text += HELPERS + "\n".join(self.definitions) + "\n"
            for each in functions:
                if each.unit == unit:
                    text += "\n".join([f"{each.declared()} {{", *each.lines, "}", ""])
            if unit == 0:
                text += "\n".join(["int main(int argc, char **argv) {", *self.main.lines, "}", ""])
            found["main.c" if unit == 0 else f"part{unit}.c"] = text
        return found


def pointer_paths(kind):
    for one, name, detail in kind.members:
        if one == "pointer":
            yield name
        elif one == "struct":
            yield from (f"{name}.{path}" for path in pointer_paths(detail))
