# SPDX-License-Identifier: Apache-2.0
"""Statements that call MPI: reads, writes, messages. Each function writes one to a Body."""
from body import CALL_COST, OWN_SLOTS, SLOTS, TAIL_SLOTS
from objects import Region


def handle_here(body, uniform):
    """An input file whose individual pointer is uniform, or one whose pointer differs between
    ranks."""
    if body.function.name != "main" and not uniform and "file" in body.function.parameters \
            and body.function.kind == "local" and body.rng.random() < 0.6:
        return f"p{body.function.parameters.index('file')}"
    return body.program.handle("all" if uniform else "own")


def into(body, region, uniform, most=99):
    """Buffer, count and type of a read. An array that is named as a whole is filled as a whole: the
    slicer assumes that what is used of it was read."""
    length = min(region.length, most)
    if length == region.length and body.rng.random() < 0.4:
        return f"{region.text}, {length}, MPI_UNSIGNED_LONG"
    part = f"&{region.text}[0]" if body.rng.random() < 0.5 else f"{region.text} + 0"
    if body.rng.random() < 0.5:
        count = str(body.rng.randrange(1, length + 1))
    else:
        count = f"1 + (int)({body.value(uniform, 2)} % {length})"
    if body.rng.random() < 0.2:
        return f"{part}, ({count}) * 8, MPI_BYTE"
    if body.rng.random() < 0.2 and length >= 2:
        return f"{part}, {body.rng.randrange(1, length // 2 + 1)}, pairType"
    return f"{part}, {count}, MPI_UNSIGNED_LONG"


def pause(body):
    """Lets the pre-execution thread get ahead, if it can."""
    if body.rng.random() < 0.4 and body.afford(CALL_COST):
        body.line("pause_();")


def fold(body, region):
    """Uses what was read, so that it may determine what follows."""
    if body.rng.random() < 0.6:
        body.new_scalar(region.uniform, f"{region.text}[0] + "
                        f"{region.text}[{body.rng.randrange(region.length)}]")


def read_at(body):
    if not body.afford(CALL_COST):
        return
    pause(body)
    uniform = body.kind()
    region = body.buffer(uniform)
    together = body.uniform and body.rng.random() < 0.4
    handle = handle_here(body, body.rng.random() < 0.5)
    where = body.slot(uniform, SLOTS - TAIL_SLOTS if together else SLOTS)
    what = into(body, region, uniform)
    if together:
        body.line(f"MPI_File_read_at_all({handle}, {where}, {what}, "
                  "MPI_STATUS_IGNORE);")
    elif body.rng.random() < 0.3 and "MPI_UNSIGNED_LONG" in what:
        what = what.removesuffix(", MPI_UNSIGNED_LONG")
        body.line(f"READ({handle}, {where}, {what});")
    elif body.rng.random() < 0.3:
        status = body.fresh("status")
        body.line(f"MPI_Status {status}; int {status}n;")
        body.line(f"MPI_File_read_at({handle}, {where}, {what}, &{status});")
        body.line(f"MPI_Get_count(&{status}, MPI_BYTE, &{status}n);")
        body.new_scalar(uniform and region.uniform, f"(u64){status}n")
    else:
        body.line(f"MPI_File_read_at({handle}, {where}, {what}, "
                  "MPI_STATUS_IGNORE);")
    fold(body, region)


def sequential(body):
    """Reads at the individual file pointer, which is where the last such call left it."""
    if not body.afford(3 * CALL_COST):
        return
    pause(body)
    uniform = body.uniform and body.rng.random() < 0.5
    # A uniform pointer moves equally on all ranks.
    handle = body.program.handle("all") if uniform else body.program.handle("own")
    body.line(f"MPI_File_seek({handle}, {body.slot(uniform, SLOTS - TAIL_SLOTS)}, MPI_SEEK_SET);")
    for _ in range(body.rng.randrange(1, 3)):
        region = body.buffer(uniform)
        together = "_all" if body.uniform and body.rng.random() < 0.3 else ""
        body.line(f"MPI_File_read{together}({handle}, "
                  f"{into(body, region, uniform)}, MPI_STATUS_IGNORE);")
        if body.rng.random() < 0.4:
            body.line(f"MPI_File_seek({handle}, {8 * body.rng.randrange(1, 99)}, MPI_SEEK_CUR);")
        fold(body, region)
    if body.rng.random() < 0.3:
        name = body.fresh("at")
        body.line(f"MPI_Offset {name};")
        body.line(f"MPI_File_get_position({handle}, &{name});")
        body.new_scalar(uniform, f"(u64){name}")


def non_blocking(body):
    """Several reads at a time; their buffers are new, so that nothing else uses them meanwhile."""
    count = body.rng.randrange(1, 4)
    if not body.afford((count + 1) * CALL_COST):
        return
    uniform, name = body.kind(), body.fresh("r")
    regions = [Region(body.fresh("b"), body.rng.choice((1, 2, 4)), uniform) for _ in range(count)]
    for region in regions:
        body.line(f"u64 {region.text}[{region.length}] = {{{body.rng.randrange(99)}}};")
    body.line(f"MPI_Request {name}[{count}];")
    for k, region in enumerate(regions):
        body.line(f"MPI_File_iread_at({handle_here(body, uniform)}, {body.slot(uniform)}, "
                  f"{into(body, region, uniform)}, &{name}[{k}]);")
    if body.rng.random() < 0.6:
        body.line(f"MPI_Waitall({count}, {name}, MPI_STATUSES_IGNORE);")
    else:
        body.line(f"for (int i = 0; i < {count}; i++) MPI_Wait(&{name}[i], MPI_STATUS_IGNORE);")
    body.here.regions += regions
    fold(body, regions[0])


def read_record(body):
    """Fills a structure from the file."""
    found = [each for each in body.records() if not each.type.has_pointers()
             and body.may_change(each)]
    if not found or not body.afford(CALL_COST):
        return
    record = body.rng.choice(found)
    body.line(f"MPI_File_read_at({handle_here(body, True)}, {body.slot(record.uniform)}, "
              f"&{record.whole()}, (int)sizeof({record.whole()}), MPI_BYTE, MPI_STATUS_IGNORE);")


def own_slot(body):
    return f"(MPI_Offset)((u64)rank * {OWN_SLOTS} + {body.value(False, 2)} % {OWN_SLOTS}) * 64"


def write(body):
    """Each rank writes to its own part of the output."""
    regions = [each for each in body.regions() if each.length <= 8]
    if not regions or not body.afford(CALL_COST):
        return
    together = "_all" if body.uniform and body.rng.random() < 0.4 else ""
    region = body.rng.choice(regions)
    body.line(f"MPI_File_write_at{together}({body.program.handle('out')}, {own_slot(body)}, "
              f"{region.text}, {body.rng.randrange(1, region.length + 1)}, MPI_UNSIGNED_LONG, "
              "MPI_STATUS_IGNORE);")


def read_own(body):
    """What this rank may have written."""
    if body.afford(CALL_COST):
        region = body.buffer(False)
        body.line(f"MPI_File_read_at({body.program.handle('out')}, {own_slot(body)}, "
                  f"{into(body, region, False, 8)}, MPI_STATUS_IGNORE);")
        fold(body, region)


def read_others(body):
    """What all ranks have written, between two synchronisations."""
    if not body.uniform or not body.afford(8 * CALL_COST):
        return
    region = body.buffer(True)
    handle = body.program.handle("out")
    fence = f"MPI_File_sync({handle}); MPI_Barrier(MPI_COMM_WORLD); MPI_File_sync({handle});"
    body.line(fence)
    body.line(f"MPI_File_read_at({handle}, (MPI_Offset)({body.value(True)} % "
              f"({OWN_SLOTS} * (u64)ranks)) * 64, {into(body, region, True, 8)}, "
              "MPI_STATUS_IGNORE);")
    body.line(fence)
    fold(body, region)


def view(body):
    """A view of every n-th block of the input, from some block on."""
    if not body.uniform or not body.afford(4 * CALL_COST):
        return
    name, handle = body.fresh("type"), body.program.handle("view")
    region = body.buffer(False)
    if body.rng.random() < 0.7:
        body.line(f"MPI_Datatype {name};")
        body.line(f"MPI_Type_vector({body.rng.randrange(2, 9)}, {body.rng.randrange(1, 4)}, "
                  f"4 + (int)({body.value(False, 1)} % 5), MPI_UNSIGNED_LONG, &{name});")
        body.line(f"MPI_Type_commit(&{name});")
        begin = body.slot(False, SLOTS - TAIL_SLOTS)
        body.line(f"MPI_File_set_view({handle}, {begin}, MPI_UNSIGNED_LONG, {name}, "
                  '"native", MPI_INFO_NULL);')
        body.line(f"MPI_Type_free(&{name});")
    together = body.rng.choice(("", "_all"))
    where = f"(MPI_Offset)({body.value(False, 2)} % 99)"
    body.line(f"MPI_File_read_at{together}({handle}, {where}, {into(body, region, False)}, "
              "MPI_STATUS_IGNORE);")
    fold(body, region)


def message(body):
    """What other ranks know."""
    if not body.uniform or not body.afford(CALL_COST):
        return
    name = body.fresh("m")
    value = body.value(False, 2)
    body.line(f"u64 {name}s = {value}, {name} = 0;")
    forms = {
        "MPI_Allreduce(&{0}s, &{0}, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);": True,
        "MPI_Allreduce(&{0}s, &{0}, 1, MPI_UNSIGNED_LONG, MPI_MAX, MPI_COMM_WORLD);": True,
        "{0} = {0}s; MPI_Bcast(&{0}, 1, MPI_UNSIGNED_LONG, {1} % ranks, MPI_COMM_WORLD);": True,
        "MPI_Exscan(&{0}s, &{0}, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);"
        " if (rank == 0) {0} = 1;": False,
        "MPI_Scan(&{0}s, &{0}, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);": False,
        "MPI_Reduce(&{0}s, &{0}, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);": False,
        "MPI_Sendrecv(&{0}s, 1, MPI_UNSIGNED_LONG, (rank + 1) % ranks, 7, &{0}, 1, "
        "MPI_UNSIGNED_LONG, (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);":
            False,
        "{{ MPI_Request q[2]; MPI_Irecv(&{0}, 1, MPI_UNSIGNED_LONG, (rank + ranks - 1) % ranks, 8,"
        " MPI_COMM_WORLD, &q[0]); MPI_Isend(&{0}s, 1, MPI_UNSIGNED_LONG, (rank + 1) % ranks, 8,"
        " MPI_COMM_WORLD, &q[1]); MPI_Waitall(2, q, MPI_STATUSES_IGNORE); }}": False,
        "if (rank == 0 && ranks > 1) MPI_Send(&{0}s, 1, MPI_UNSIGNED_LONG, 1, 9, MPI_COMM_WORLD);"
        " else if (rank == 1) MPI_Recv(&{0}, 1, MPI_UNSIGNED_LONG, 0, 9, MPI_COMM_WORLD, "
        "MPI_STATUS_IGNORE);": False,
        "{{ u64 all[4] = {{0}}; MPI_Allgather(&{0}s, 1, MPI_UNSIGNED_LONG, all, 1, "
        "MPI_UNSIGNED_LONG, MPI_COMM_WORLD); {0} = all[0] + 3 * all[ranks - 1]; }}": True}
    form = body.rng.choice(list(forms))
    body.line(form.format(name, body.rng.randrange(4)))
    body.new_scalar(forms[form], name)


def standard_input(body):
    if body.uniform and body.afford(CALL_COST):
        name = body.fresh("in")
        body.line(f"u64 {name} = 0;")
        body.line(f'if (rank == 0 && scanf("%lu", &{name}) != 1) {name} = 5;')
        body.line(f"MPI_Bcast(&{name}, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);")
        body.new_scalar(True, name)


def other_file(body):
    """Opened, read and closed in one place."""
    if not body.uniform or not body.afford(6 * CALL_COST):
        return
    name = body.fresh("f")
    uniform = body.kind()
    region = body.buffer(uniform)
    world = body.rng.choice(("MPI_COMM_WORLD", "MPI_COMM_SELF"))
    body.line(f"MPI_File {name};")
    body.line(f'MPI_File_open({world}, {body.value(True, 1)} % 2 ? "a.dat" : "b.dat", '
              f"MPI_MODE_RDONLY, MPI_INFO_NULL, &{name});")
    with body.block(f"for (int i = 0; i < {body.rng.randrange(1, 4)}; i++) {{"):
        body.line(f"MPI_File_read_at({name}, ({body.slot(uniform)} + i * 640) % {SLOTS * 64}, "
                  f"{into(body, region, uniform)}, MPI_STATUS_IGNORE);")
    if body.rng.random() < 0.4:
        size = body.fresh("size")
        body.line(f"MPI_Offset {size}; MPI_File_get_size({name}, &{size});")
        body.new_scalar(True, f"(u64){size}")
    body.line(f"MPI_File_close(&{name});")


def show(body):
    if body.afford(1):
        body.line(f'if (rank == 0) printf("{body.fresh("v")} %lu\\n", {body.value(False, 2)});')


ALL = [(12, read_at), (5, sequential), (4, non_blocking), (2, read_record), (3, write),
       (2, read_own), (1, read_others), (2, view), (4, message), (1, standard_input),
       (1, other_file), (1, show)]
