# SPDX-License-Identifier: Apache-2.0
"""The body of a function while it is generated: lines, scopes, expressions, and what it may
cost."""
import contextlib

from objects import Region, Scalar, Scope

SLOTS = 1024        # of an input file, 64 bytes each
# At the end of the file: reads that are collective, by a file pointer or through a view avoid these
# blocks. For bytes after the end, MPICH leaves contents of an internal buffer in the program's
# buffer.
TAIL_SLOTS = 128
OWN_SLOTS = 32      # of the output, for each rank
CALL_COST = 20      # of a call of MPI, in assignments


class Body:
    def __init__(self, program, function, uniform, budget):
        self.program, self.function, self.rng = program, function, program.rng
        self.uniform = uniform      # do all ranks reach this place?
        self.budget, self.times = budget, 1
        self.cost = 0
        self.lines, self.depth = [], 1
        self.scopes = [program.globals, Scope()]
        self.loops = 0

    def line(self, text):
        self.lines.append(text if text.startswith("#") else "  " * self.depth + text)

    def fresh(self, stem):
        self.program.names += 1
        return f"{stem}{self.program.names}"

    @property
    def here(self):
        return self.scopes[-1]

    def afford(self, cost):
        """Does the budget suffice for this cost, each time that this place is reached? If so,
        spends it."""
        if self.cost + cost * self.times > self.budget:
            return False
        self.cost += cost * self.times
        return True

    @contextlib.contextmanager
    def block(self, head="{", tail="}", uniform=True, times=1):
        """A block; `uniform` says whether all ranks that reach its head enter it."""
        before = self.uniform, self.times
        self.uniform, self.times = self.uniform and uniform, self.times * times
        self.line(head)
        self.depth += 1
        self.scopes.append(Scope())
        yield
        self.scopes.pop()
        self.depth -= 1
        self.line(tail)
        self.uniform, self.times = before

    # What is visible.

    def scalars(self, uniform):
        """Values to use; if `uniform`, only uniform ones."""
        found = [each for scope in self.scopes for each in scope.scalars]
        if records := self.records():
            found += self.rng.choice(records).scalars()
        return [each for each in found if each.uniform or not uniform]

    def regions(self):
        found = [each for scope in self.scopes for each in scope.regions]
        if records := self.records():
            found += self.rng.choice(records).regions()
        return found

    def records(self):
        return [each for scope in self.scopes for each in scope.records]

    def may_change(self, thing):
        """Whether it may be changed here: a uniform value is changed by all ranks or none."""
        return getattr(thing, "writable", True) and (self.uniform or not thing.uniform)

    def target(self, value_is_uniform):
        """A scalar to which a value of this kind may be assigned here, or None."""
        found = [each for each in self.scalars(False) if self.may_change(each)
                 and (value_is_uniform or not each.uniform)]
        return self.rng.choice(found) if found else None

    def buffer(self, uniform, length=1):
        """A region to which a value of this kind may be written here; a new one if there is
        none."""
        found = [each for each in self.regions() if self.may_change(each)
                 and (uniform or not each.uniform) and each.length >= length]
        if found and self.rng.random() < 0.7:
            return self.rng.choice(found)
        return self.new_array(uniform and self.uniform, max(length, self.rng.choice((2, 4, 8))))

    def new_array(self, uniform, length):
        name = self.fresh("a")
        self.line(f"u64 {name}[{length}] = {{{self.rng.randrange(900)}}};")
        self.here.regions.append(Region(name, length, uniform))
        return self.here.regions[-1]

    def new_scalar(self, uniform, value=None):
        name = self.fresh("x")
        uniform = uniform and self.uniform
        self.line(f"u64 {name} = {value or self.value(uniform)};")
        self.here.scalars.append(Scalar(name, uniform, addressable=True))
        return self.here.scalars[-1]

    # Expressions of type u64.

    def leaf(self, uniform):
        regions = [each for each in self.regions() if each.uniform or not uniform]
        scalars = self.scalars(uniform)
        pick = self.rng.random()
        if pick < 0.3 and regions:
            region = self.rng.choice(regions)
            if region.length == 1 or self.rng.random() < 0.3:
                return f"*{region.text}"
            index = self.rng.randrange(region.length) if self.rng.random() < 0.5 \
                else f"{self.value(uniform, 1)} % {region.length}"
            return f"{region.text}[{index}]"
        if pick < 0.85 and scalars:
            return f"(u64){self.rng.choice(scalars).text}"
        if pick < 0.9 and not uniform:
            return "(u64)rank"
        return f"{self.rng.choice((0, 1, 2, 3, 7, 8, 64, 255, self.rng.randrange(5000)))}ul"

    def value(self, uniform, depth=3):
        if depth == 0 or self.rng.random() < 0.2:
            return self.leaf(uniform)
        one, other = self.value(uniform, depth - 1), self.value(uniform, depth - 1)
        pure = [each for each in self.program.callable(self.function, "pure")
                if self.cost + each.cost * self.times < self.budget]
        forms = [f"({one} + {other})", f"({one} ^ {other})", f"({one} * 3 + {other})",
                 f"({one} - {other})", f"({one} >> {self.rng.randrange(9)})",
                 f"({one} << {self.rng.randrange(5)})", f"({one} % {self.rng.randrange(2, 99)}ul)",
                 f"({one} / {self.rng.randrange(1, 9)}ul)", f"({one} & 0x{'f' * 3}ul)",
                 f"({one} < {other} ? {self.leaf(uniform)} : {self.leaf(uniform)})",
                 f"(u64)({one} == {other})", f"MIX({one}, {other})", f"LOW({one})",
                 f"(u64)({one} && {other})", f"(u64)!({one} % 3)", f"({one} | {other})"]
        if pure:
            called = self.rng.choice(pure)
            self.afford(called.cost)
            forms += [f"{called.name}({one}, {other})"] * 6
        return self.rng.choice(forms)

    def condition(self, uniform):
        one = self.value(uniform, 2)
        forms = [f"{one} % {self.rng.randrange(2, 5)}", f"{one} > {self.leaf(uniform)}",
                 f"({one} & 3) == {self.rng.randrange(4)}",
                 f"{one} % 2 && {self.leaf(uniform)} % 3 != 1"]
        return self.rng.choice(forms)

    def kind(self):
        """A value, uniform or not, as this place allows."""
        return self.uniform and self.rng.random() < 0.6

    def slot(self, uniform, slots=SLOTS):
        """A place in an input file, in bytes."""
        text = f"(MPI_Offset)({self.value(uniform)} % {slots}ul) * 64"
        return text + f" + {8 * self.rng.randrange(8)}" if self.rng.random() < 0.3 else text
