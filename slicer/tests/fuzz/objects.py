# SPDX-License-Identifier: Apache-2.0
"""What a generated program consists of, as far as its statements need to know.

Everything is either uniform (the same on all ranks) or not. Only uniform values decide whether a
collective call is made, and a uniform variable is assigned only uniform values, in places that all
ranks reach. So every program is a valid MPI program by construction."""
import dataclasses


@dataclasses.dataclass
class Scalar:
    """An integer variable or member. Only values below `limit` are assigned, if there is one."""

    text: str
    uniform: bool
    limit: int = 0
    writable: bool = True
    addressable: bool = False


@dataclasses.dataclass
class Region:
    """An expression of type `u64 *` that points to `length` elements."""

    text: str
    length: int
    uniform: bool
    static: bool = False  # it exists until the program ends
    variable: bool = False  # it is a pointer that may be assigned
    writable: bool = True


@dataclasses.dataclass
class StructType:
    name: str
    members: list  # of (kind, name, detail)

    def has_pointers(self):
        return any(kind == "pointer" or kind == "struct" and detail.has_pointers()
                   for kind, _, detail in self.members)

    def definition(self):
        forms = {"u64": "u64 {};", "int": "int {};", "short": "unsigned short {};",
                 "byte": "unsigned char {};", "bits": "unsigned {} : 9;",
                 "array": "u64 {}[{}];", "pointer": "u64 *{};", "struct": "struct {1} {0};",
                 "union": "union {{ u64 whole; struct {{ unsigned low, high; }} half;"
                          " unsigned char bytes[8]; }} {};"}
        lines = [forms[kind].format(name, detail.name if kind == "struct" else detail)
                 for kind, name, detail in self.members]
        return "\n".join([f"struct {self.name} {{", *("  " + line for line in lines), "};"])


LIMITS = {"u64": 0, "int": 1000, "short": 60000, "byte": 250, "bits": 500}


@dataclasses.dataclass
class Record:
    """A structure; `text` ends in `.` or `->`."""

    text: str
    type: StructType
    uniform: bool
    static: bool = False

    def whole(self):
        return self.text[:-1] if self.text.endswith(".") else f"*{self.text[:-2]}"

    def scalars(self):
        for kind, name, detail in self.members():
            if kind in LIMITS:
                yield Scalar(name, self.uniform, LIMITS[kind], addressable=kind == "u64")
            elif kind == "union":
                yield Scalar(name + ".whole", self.uniform)
                yield Scalar(name + ".half.low", self.uniform, 1 << 31)
                yield Scalar(f"{name}.bytes[{len(name) % 8}]", self.uniform, 250)

    def regions(self):
        for kind, name, detail in self.members():
            if kind == "array":
                yield Region(name, detail, self.uniform, self.static)
            elif kind == "pointer":
                yield Region(name, 4, self.uniform, static=True, variable=True)

    def members(self):
        """Including those of nested structures."""
        for kind, name, detail in self.type.members:
            if kind == "struct":
                yield from Record(f"{self.text}{name}.", detail, self.uniform).members()
            else:
                yield kind, self.text + name, detail


@dataclasses.dataclass
class Function:
    """A function of the program. Kinds: `pure` (its arguments determine its result, which is
    uniform if they are), `local` (one rank may call it alone), `all` (all ranks call it, with
    uniform scalars, and its result is uniform)."""

    name: str
    kind: str
    parameters: list  # of "u64", "region", "record:NAME", "file", "callback"
    unit: int
    cost: int = 0
    static: bool = False
    lines: list = dataclasses.field(default_factory=list)

    def declared(self, names=None):
        forms = {"u64": "u64 {}", "region": "u64 *{}", "file": "MPI_File {}",
                 "callback": "u64 (*{})(u64, u64)"}
        names = names or [f"p{k}" for k in range(len(self.parameters))]
        texts = [forms[each].format(name) if each in forms
                 else f"struct {each.split(':')[1]} *{name}"
                 for each, name in zip(self.parameters, names)]
        return f"{'static ' if self.static else ''}u64 {self.name}({', '.join(texts) or 'void'})"


class Scope:
    """What is declared in a block."""

    def __init__(self):
        self.scalars, self.regions, self.records = [], [], []
