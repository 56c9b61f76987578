# SPDX-License-Identifier: Apache-2.0
"""Statements that compute: assignments, pointers, control, calls, heap. Each function writes one
to a Body; it may write nothing."""
from objects import Record, Region, Scalar


def assign(body):
    uniform = body.kind()
    value = body.value(uniform)
    target = body.target(uniform)
    if target is None or body.rng.random() < 0.15:
        body.new_scalar(uniform, value)
    elif target.limit:
        body.line(f"{target.text} = ({value}) % {target.limit};")
    else:
        form = body.rng.choice(("{} = {};", "{} += {};", "{} ^= {};", "{0}++;", "{} = 5 * {};"))
        body.line(form.format(target.text, value))


def assign_element(body):
    uniform = body.kind()
    region = body.buffer(uniform)
    # An index that differs between ranks changes what is uniform on some of them only.
    body.line(f"{region.text}[{body.value(region.uniform, 2)} % {region.length}] = "
              f"{body.value(uniform)};")


def pointer(body):
    """A new pointer, made in one of many ways, or a new value for an existing one."""
    objects = [each for each in body.regions() if not each.variable and each.writable]
    objects += [Region(f"(&{each.text})", 1, each.uniform) for scope in body.scopes[1:]
                for each in scope.scalars if each.addressable and each.writable]
    if not objects:
        return
    to = body.rng.choice(objects)
    old = [each for each in body.regions() if each.variable and body.may_change(each)
           and each.uniform == to.uniform and each.length <= to.length]
    old = [each for each in old if to.static or not each.static]
    at = f"{to.text} + {body.value(to.uniform, 1)} % {{}}" if to.length > 1 else to.text
    if old and outlives_all(body, to) and body.rng.random() < 0.5:
        chosen = body.rng.choice(old)
        body.line(f"{chosen.text} = {at.format(to.length - chosen.length + 1)};")
        return
    name, length = body.fresh("q"), body.rng.randrange(1, to.length + 1)
    at = at.format(to.length - length + 1)
    key = body.rng.randrange(1, 99999)
    form = body.rng.choice((
        "u64 *{0} = {1};", "u64 *{0} = {1};", "uintptr_t {0}i = (uintptr_t)({1});\n{0}i += 8;\n"
        "u64 *{0} = (u64 *)({0}i - 8);", "uintptr_t {0}i = (uintptr_t)({1}) ^ {2}ul;\n"
        "u64 *{0} = (u64 *)({0}i ^ {2}ul);", "union {{ u64 *p; uintptr_t i; }} {0}u = {{ {1} }};\n"
        "u64 *{0} = (u64 *){0}u.i;", "void *{0}v = (char *)({1}) + 8;\n"
        "u64 *{0} = (u64 *)((char *){0}v - 8);", "u64 *{0}o = {1}, **{0}p = &{0}o;\n"
        "u64 *{0} = *{0}p;", "u64 *{0};\nsetPointer(&{0}, {1});",
        "u64 *{0}t[2] = {{ {1}, {1} }};\nu64 *{0} = {0}t[{2} % 2];",
        "u64 *{0}s = {1}, *{0};\nmemcpy(&{0}, &{0}s, sizeof {0});"))
    for line in form.format(name, at, key).split("\n"):
        body.line(line)
    body.here.regions.append(Region(name, length, to.uniform, variable=True))


def outlives_all(body, region):
    """Does it live as long as any pointer that this function sees?"""
    return region.static or any(each.text == region.text for each in body.scopes[1].regions)


def record(body):
    """A structure on the stack or on the heap, or a pointer to one."""
    kind = body.rng.choice(body.program.types)
    uniform = body.kind()
    sources = [each for each in body.records() if each.type is kind and each.uniform == uniform]
    if not sources:
        return
    source, name = body.rng.choice(sources), body.fresh("s")
    form = body.rng.random()
    if form < 0.4:
        body.line(f"struct {kind.name} {name} = {source.whole()};")
        body.here.records.append(Record(f"{name}.", kind, uniform))
    elif form < 0.7:
        body.line(f"struct {kind.name} *{name} = keep(malloc(sizeof *{name}));")
        body.line(f"*{name} = {source.whole()};")
        body.here.records.append(Record(f"{name}->", kind, uniform, static=True))
    else:
        body.line(f"struct {kind.name} *{name} = &{source.whole()};")
        body.here.records.append(Record(f"{name}->", kind, uniform))


def copy_record(body):
    pairs = [(one, other) for one in body.records() for other in body.records()
             if one is not other and one.type is other.type and one.uniform == other.uniform
             and body.may_change(one)]
    if pairs:
        one, other = body.rng.choice(pairs)
        body.line(f"{one.whole()} = {other.whole()};")


def heap(body):
    """A block that is used and freed, and perhaps grown in between."""
    uniform, name = body.kind(), body.fresh("h")
    length = body.rng.choice((2, 4, 8))
    form = body.rng.choice(("malloc({} * sizeof(u64))", "calloc({}, sizeof(u64))"))
    with body.block():
        body.line(f"u64 *{name} = {form.format(length)};")
        body.line(f"for (int i = 0; i < {length}; i++) {name}[i] = "
                  f"{body.value(uniform, 2)} + (u64)i;")
        region = Region(name, length, uniform)
        body.here.regions.append(region)
        body.statements(2)
        if body.rng.random() < 0.5:
            body.line(f"{name} = realloc({name}, {2 * length} * sizeof(u64));")
            body.line(f"memset({name} + {length}, {body.rng.randrange(9)}, "
                      f"{length} * sizeof(u64));")
            # Pointers into the old block must no longer be used.
            body.here.regions = [Region(name, 2 * length, uniform)]
            body.here.records = []
            body.statements(2)
        body.line(f"free({name});")


def copying(body):
    uniform = body.kind()
    to = body.buffer(uniform)
    sources = [each for each in body.regions() if each.uniform or not to.uniform]
    if not sources:
        return
    source = body.rng.choice(sources)
    count = body.rng.randrange(1, min(source.length, to.length) + 1)
    body.line(f"memmove({to.text}, {source.text}, {count} * sizeof(u64));")


def branch(body):
    uniform = body.kind()
    if body.rng.random() < 0.7:
        with body.block(f"if ({body.condition(uniform)}) {{", uniform=uniform):
            body.statements(2)
        if body.rng.random() < 0.5:
            with body.block("else {", uniform=uniform):
                body.statements(2)
        return
    cases = body.rng.randrange(2, 5)
    with body.block(f"switch ({body.value(uniform, 2)} % {cases + 1}) {{", uniform=uniform):
        for case in range(cases):
            with body.block(f"case {case}: {{"):
                body.statements(1)
            if body.rng.random() < 0.7:
                body.line("break;")
        with body.block("default: {"):
            body.statements(1)


def loop(body):
    if body.loops >= 3:
        return
    uniform, name = body.kind(), body.fresh("i")
    times = body.rng.randrange(2, 7)
    bound = str(times) if body.rng.random() < 0.5 else \
        f"(int)({body.value(uniform, 2)} % {times + 1}ul)"
    if bound == str(times):
        uniform = body.uniform
    if not body.afford(times):
        return
    heads = {"for": (f"for (int {name} = 0; {name} < {bound}; {name}++) {{", "}"),
             "while": (f"int {name} = 0;", f"while ({name}++ < {bound}) {{", "}"),
             "do": (f"int {name} = 0;", "do {", f"}} while (++{name} < {bound});"),
             "goto": (f"int {name} = 0;", f"again{name}: {{",
                      f"}} if (++{name} < {bound}) goto again{name};")}
    *before, head, tail = heads[body.rng.choice(list(heads))]
    # The bound is recomputed in each round: changes must not make it grow for ever.
    for line in before:
        body.line(line)
    body.loops += 1
    with body.block(head, tail, uniform=uniform, times=times):
        body.here.scalars.append(Scalar(name, uniform, writable=False))
        body.statements(3)
        if not head.startswith("again") and body.rng.random() < 0.3:
            word = body.rng.choice(("break", "continue"))
            if word == "break" or head.startswith(("for", "while")):
                # A rank that leaves alone must not miss collective calls of the others.
                body.line(f"if ({body.condition(uniform)}) {word};")
                body.line(f"touch((u64){name});")
    body.loops -= 1


def call(body):
    """A call of a function of the program; its result is stored."""
    program = body.program
    kind = "all" if body.uniform and body.rng.random() < 0.7 else "local"
    found = [each for each in program.callable(body.function, kind)
             if body.cost + each.cost * body.times < body.budget]
    if not found:
        return
    called = body.rng.choice(found)
    if (arguments := arguments_of(body, called)) is None:
        return
    body.afford(called.cost + 1)
    body.new_scalar(kind == "all", f"{called.name}({', '.join(arguments)})")


def arguments_of(body, called):
    arguments = []
    for parameter in called.parameters:
        if parameter == "u64":
            arguments.append(body.value(called.kind == "all", 2))
        elif parameter == "region":
            arguments.append(body.buffer(called.kind == "all" and body.uniform, 2).text
                             if called.kind == "local" else uniform_region(body).text)
        elif parameter == "file":
            arguments.append(body.program.handle("all" if called.kind == "all" else "own"))
        elif parameter == "callback":
            names = [each.name for each in body.program.callable(body.function, "pure")]
            arguments.append(body.rng.choice(names or ["mixed"]))
        else:
            name = parameter.split(":")[1]
            found = [each for each in body.records() if each.type.name == name
                     and each.uniform == (called.kind == "all")]
            if not found:
                return None
            arguments.append(f"&{body.rng.choice(found).whole()}")
    return arguments


def uniform_region(body):
    found = [each for each in body.regions() if each.uniform and each.length >= 2
             and each.writable]
    return body.rng.choice(found) if found else body.new_array(True, 4)


def table_call(body):
    tables = [each for each in body.program.tables if body.uniform or each.kind == "local"]
    tables = [each for each in tables
              if body.program.may_call(body.function, each.rank)
              and body.cost + each.cost * body.times < body.budget]
    if not tables:
        return
    table = body.rng.choice(tables)
    uniform = table.kind == "all"
    region = uniform_region(body) if uniform else body.buffer(False, 2)
    body.afford(table.cost + 1)
    index = f"{body.value(uniform, 2)} % {table.length}"
    body.new_scalar(uniform, f"{table.name}[{index}]({body.value(uniform, 2)}, {region.text})")


def static_counter(body):
    uniform, name = body.function.kind == "all" and body.uniform, body.fresh("c")
    body.line(f"static u64 {name} = {body.rng.randrange(9)};")
    body.line(f"{name} += {body.value(uniform, 1)};")
    body.here.scalars.append(Scalar(name, uniform))


def text(body):
    """A number that passes through a string."""
    uniform, name = body.kind(), body.fresh("t")
    body.line(f"char {name}[32];")
    value = f"{body.value(uniform, 2)} % 100000"
    form = body.rng.choice(("strtoul({0}, NULL, 10)", "(u64)atol({0})", "strlen({0})",
                            "parsed({0})"))
    body.line(f'snprintf({name}, sizeof {name}, "%lu", {value});')
    body.new_scalar(uniform, form.format(name))


def sorting(body):
    uniform = body.kind()
    region = body.buffer(uniform, 2)
    body.line(f"qsort({region.text}, {region.length}, sizeof(u64), ascending);")


def many(body):
    """A function with a variable number of arguments."""
    uniform = body.kind()
    values = [body.value(uniform, 1) for _ in range(body.rng.randrange(1, 4))]
    body.new_scalar(uniform, f"sumOf({len(values)}, {', '.join(f'(u64)({v})' for v in values)})")


def node_list(body):
    """A linked list, made and walked."""
    uniform, name = body.kind(), body.fresh("n")
    count = body.rng.randrange(2, 6)
    if not body.afford(2 * count):
        return
    with body.block():
        body.line(f"struct Node *{name} = NULL;")
        body.line(f"for (int i = 0; i < {count}; i++) {name} = pushed({name}, "
                  f"{body.value(uniform, 2)} + (u64)i * 17);")
        head = f"for (struct Node *at = {name}; at; at = at->next) {{"
        with body.block(head, times=count):
            body.here.scalars.append(Scalar("at->value", uniform))
            body.statements(2)
        body.line(f"while ({name}) {{ struct Node *next = {name}->next; free({name}); "
                  f"{name} = next; }}")


def pseudo_random(body):
    if body.uniform:
        body.line(f"srand((unsigned)({body.value(True, 2)} % 1000));")
        body.new_scalar(True, "(u64)rand()")


def early_return(body):
    """Only under a condition; ranks that still have collective calls to make return together."""
    if body.function.name == "main" or len(body.scopes) > 3:
        return
    uniform = body.function.kind == "all"
    if uniform and not body.uniform:
        return
    body.line(f"if ({body.condition(uniform)}) return {body.value(uniform, 2)};")


ALL = [(8, assign), (6, assign_element), (6, pointer), (3, record), (2, copy_record), (2, heap),
       (2, copying), (5, branch), (5, loop), (6, call), (3, table_call), (1, static_counter),
       (1, text), (1, sorting), (1, many), (1, node_list), (1, pseudo_random), (1, early_return)]
