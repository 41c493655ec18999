# SPDX-License-Identifier: GPL-2.0-only
"""What the results of a function depend on, as text: so that kept results are not taken for those of
another function, of other settings or of other files."""

import argparse
import ast
import dis
import enum
import functools
import hashlib
import importlib.machinery
import importlib.util
import inspect
import numbers
import os
import pathlib
import re
import stat
import sys
import sysconfig
import textwrap
import types
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

from ._lossless import DataRate, FlowSizes, Part, Time, settings_in_force
from .congestion import CongestionControl

# What a function may read of its module, or around it, by which its results may differ.
_VALUES: Tuple[type, ...] = (numbers.Number, str, bytes, bytearray, range, slice, tuple, list, dict,
                             set, frozenset, type(None), enum.Enum, pathlib.PurePath,
                             types.SimpleNamespace, argparse.Namespace, functools.partial, Time,
                             DataRate, Part, FlowSizes, CongestionControl)
_CONTAINERS: Tuple[type, ...] = (tuple, list, dict, set, frozenset)
_FOLDERS = 20  # of which names of files may be parts
_SEARCHED = 1 << 20  # bytes of a file that may name others
_CODE = (".py", ".pyc")  # what of it is used is known by its text

_INSTALLED = ("site-packages", "dist-packages")  # names of folders of what others have written
_LIBRARIES = {os.path.abspath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}

Import = Tuple[int, str, Tuple[str, ...]]  # dots, module, what is taken from it
File = Tuple[int, int, int]  # device and number, size, time of the last change


def bare(function: Any) -> Any:
    """The function of a partial, of a method or of an object that can be called."""
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = getattr(type(function), "__call__", function)
    return inspect.unwrap(getattr(function, "__func__", function))


def _is_code(value: Any) -> bool:
    return inspect.isfunction(value) or inspect.isclass(value) or inspect.ismodule(value)


def _is_set(cell: Any) -> bool:
    """Whether a variable of an outer function has a value yet."""
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def _file_of(module: Any) -> Optional[str]:
    """The file of a module; of a package without one, the file that it would have."""
    file = getattr(module, "__file__", None)
    if file:
        return str(file)
    folders = list(getattr(module, "__path__", None) or [])
    return os.path.join(folders[0], "__init__.py") if folders else None


def _is_library(folder: str) -> bool:
    """Whether a folder has what is installed, or the standard library."""
    return os.path.basename(folder) in _INSTALLED or folder in _LIBRARIES


def _roots(home: Any) -> Set[str]:
    """The folders that have the user's modules, by one of them: that of a script, or that of the
    outermost package; in folders below are packages."""
    file = _file_of(home)
    found = set()
    for path in (os.path.abspath(file), os.path.realpath(file)) if file else ():
        folder = os.path.dirname(path)
        for _ in filter(None, (getattr(home, "__package__", None) or "").split(".")):
            if not _is_library(os.path.dirname(folder)):
                folder = os.path.dirname(folder)
        found.add(folder)
    return found


@functools.lru_cache(maxsize=None)
def _is_below(file: str, root: str) -> bool:
    """Whether a file is in a folder or below, but not of a library that is there."""
    folder = os.path.dirname(os.path.abspath(file))
    while folder != root:
        if _is_library(folder) or folder == os.path.dirname(folder):
            return False
        folder = os.path.dirname(folder)
    # Of a study that is installed itself, what is installed beside it is not a part.
    return not _is_library(root) or os.path.dirname(os.path.abspath(file)) == root


def _is_this_package(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] == __name__.split(".", maxsplit=1)[0]


def _digest_of_code(file: str, tree: Optional[ast.AST]) -> str:
    """What tells the contents of a module's file, without comments and spaces."""
    if tree:
        return hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    try:
        return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""  # a package needs no file


def _parsed(file: str) -> Optional[ast.AST]:
    """The contents of a module's file; None: it is compiled, or cannot be read."""
    try:
        return ast.parse(pathlib.Path(file).read_bytes()) if file.endswith(".py") else None
    except (OSError, SyntaxError, ValueError):
        return None


def text_of(thing: Any) -> str:
    """The text of a function, class or module without comments and spaces; of a lambda what it
    does."""
    code = getattr(thing, "__code__", None)
    if code is None or not code.co_name.startswith("<"):
        try:
            return ast.dump(ast.parse(textwrap.dedent(inspect.getsource(thing))))
        except (OSError, TypeError, SyntaxError):
            pass  # of a program that was typed in
    if inspect.ismodule(thing):  # of an empty file, without one, or compiled
        return f"{thing.__name__} {_digest_of_code(_file_of(thing) or '', None)}"
    if code is None:
        return repr(thing)
    constants = [_code_text(value) if inspect.iscode(value) else repr(value)
                 for value in code.co_consts]
    return code.co_code.hex() + str(constants) + str(code.co_names)


def _code_text(code: types.CodeType) -> str:
    """What a function within a function does."""
    return code.co_code.hex() + str([value for value in code.co_consts if not inspect.iscode(value)])


def _names_in(code: types.CodeType) -> Set[str]:
    """Names of globals and attributes that a function reads, functions within it included."""
    return set(code.co_names).union(*(_names_in(value) for value in code.co_consts
                                      if inspect.iscode(value)))


def _imports_in(code: types.CodeType) -> Iterator[Import]:
    """What a function imports when it is called, functions within it included."""
    before: List[Any] = [0, None]
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME":
            level, parts = before[-2:]
            yield level, step.argval, parts or ()
        if step.opname != "EXTENDED_ARG":
            before.append(step.argval)
    for value in code.co_consts:
        if inspect.iscode(value):
            yield from _imports_in(value)


def _imports_of(tree: ast.AST) -> Iterator[Import]:
    """What a file imports, anywhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield 0, one.name, ()
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", tuple(one.name for one in node.names)


def _names_of(tree: ast.AST) -> Set[str]:
    """Names of globals and attributes that a file reads."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return names.union(*(parts for _, _, parts in _imports_of(tree)))


def _attributes(value: Any) -> Any:
    """The attributes of an object, those of __slots__ included."""
    slots = {}
    for kind in type(value).__mro__:
        for key, member in vars(kind).items() if "__slots__" in vars(kind) else ():
            # One that has no value is left out.
            if inspect.ismemberdescriptor(member) and (held := _held(member, value)):
                slots[f"{kind.__qualname__}.{key}"] = held
    known = getattr(value, "__dict__", None)
    return {"slots": slots, "others": known} if slots else known


def _held(member: Any, value: Any) -> List[Any]:
    """The value of a slot in a list; none if it has not been set."""
    try:
        return [member.__get__(value)]
    except AttributeError:
        return []


def _function_of(member: Any) -> Any:
    """The function of a method, property or function that keeps its results."""
    member = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
    return inspect.unwrap(member) if inspect.isroutine(member) and not _is_code(member) else member


class Fingerprint:
    """What tells a function from others: its name and text, what it is bound to, its defaults, and the
    functions, classes, modules and values of its folder and around it that it uses. `names` has the
    text that it reads, which may name files."""

    def __init__(self, function: Any):
        self.texts: Dict[str, List[str]] = {}
        self.names: Set[str] = set()
        self.function = bare(function)
        self._home = sys.modules.get(getattr(self.function, "__module__", None) or "")
        self._roots = _roots(self._home)
        self._seen: Set[int] = set()
        self._imported: Set[str] = set()
        self._kept: List[Any] = []  # so that no other object gets the number of one that was seen
        self._waiting: List[Tuple[str, Any]] = []
        self._add_bound(function)
        self._walk()

    @property
    def identity(self) -> List[Any]:
        """As lists, dictionaries and text."""
        return [getattr(self.function, "__module__", ""), self.texts]

    @property
    def folder(self) -> Optional[str]:
        """Where the function is written."""
        file = getattr(self._home, "__file__", None)
        return os.path.dirname(os.path.abspath(file)) if file else None

    def add(self, name: str, value: Any) -> None:
        """Something else that results depend on."""
        self._waiting.append((name, value))
        self._walk()

    def _add_bound(self, function: Any) -> None:
        """A function with what it is bound to."""
        depth = 0
        while isinstance(function, functools.partial):
            self._waiting.append((f"partial {depth}", (function.args, function.keywords)))
            function = function.func
            depth += 1
        owner = getattr(function, "__self__", None if inspect.isroutine(function) else function)
        name = getattr(function, "__qualname__", type(function).__qualname__)
        if owner is not None and not inspect.ismodule(owner) and not inspect.isclass(owner):
            if id(owner) not in self._seen:  # it may hold itself
                self._seen.add(id(owner))
                self._kept.append(owner)
                self._waiting.append(("self", _attributes(owner)))
            self._waiting.append((f"class of {name}", type(owner)))
        elif inspect.isclass(owner):
            self._waiting.append((f"class of {name}", owner))
        self._waiting.append((name, bare(function)))

    def _walk(self) -> None:
        while self._waiting:
            name, thing = self._waiting.pop()
            if not _is_code(thing):
                self._note(name, self._value_text(thing))
                continue
            if id(thing) in self._seen:
                continue
            self._seen.add(id(thing))
            self._kept.append(thing)
            self._note(name, text_of(thing))
            if inspect.isclass(thing):
                self._add_class(name, thing)
            elif inspect.isfunction(thing):
                self._add_function(name, thing)

    def _note(self, name: str, text: str) -> None:
        """Keep the text of something, beside that of others of its name."""
        texts = self.texts.setdefault(name, [])
        if text not in texts:
            texts.append(text)

    def _is_own(self, thing: Any) -> bool:
        """Whether code is the user's."""
        if inspect.ismodule(thing):
            return self._is_beside(thing.__name__, _file_of(thing))
        name = getattr(thing, "__module__", None)
        return name == getattr(self.function, "__module__", "") or \
            self._is_beside(str(name), _file_of(sys.modules.get(name or "")))

    def _is_beside(self, name: str, file: Optional[str]) -> bool:
        """Whether a module is in the folder of the function or in a package there."""
        if not file or not self._home:
            return False
        if _is_this_package(name) and not _is_this_package(self._home.__name__):
            return False
        return any(_is_below(file, root) for root in self._roots)

    def _is_read(self, value: Any) -> bool:
        """Whether something that code reads tells it from others."""
        if isinstance(value, _VALUES):
            return True
        function = _function_of(value)
        return self._is_own(function if _is_code(function) else type(value)) or \
            hasattr(type(value), "tobytes") or hasattr(type(value), "to_csv")

    def _add_class(self, name: str, thing: Any) -> None:
        """Attributes of a class in force, and what its methods use."""
        for key, member in list(vars(thing).items()):
            function = _function_of(member)
            if inspect.isfunction(function):
                self._waiting.append((f"{name}.{key}", function))
            elif not key.startswith("__") and not inspect.isroutine(member) and \
                    self._is_read(member):
                self._waiting.append((f"{name}.{key}", member))
        for base in thing.__bases__:
            if self._is_own(base):
                self._waiting.append((f"{name} < {base.__qualname__}", base))
        if self._is_own(type(thing)):
            self._waiting.append((f"{name} of {type(thing).__qualname__}", type(thing)))

    def _add_function(self, name: str, thing: Any) -> None:
        """What a function reads."""
        code = thing.__code__
        self._note_constants(code)
        self._note(name, self._value_text((thing.__defaults__, thing.__kwdefaults__)))
        inner = inspect.unwrap(thing)
        if inner is not thing:
            self._waiting.append((f"{name} around", inner))
        around = {key: cell.cell_contents for key, cell in
                  zip(code.co_freevars, thing.__closure__ or ()) if _is_set(cell)}
        known = {**thing.__globals__, **around}
        names = sorted(_names_in(code) | set(around))
        for used in names:
            value = known.get(used)
            if used not in known or not self._is_read(value):
                continue
            # The same name may be something else in another module or around another function.
            place = f"{thing.__module__}.{used}" if used not in around else f"{name}:{used}"
            self._add_read(place, value)
            if inspect.ismodule(value):
                self._add_members(value, names, set())
        package = thing.__globals__.get("__package__") or ""
        self._add_imports(_imports_in(code), package, names)

    def _add_members(self, module: Any, names: List[str], seen: Set[int]) -> None:
        """What code reads of a module, and of modules within that."""
        seen.add(id(module))
        for name in names:
            member = vars(module).get(name)
            if name not in vars(module) or not self._is_read(member):
                continue
            self._add_read(f"{module.__name__}.{name}", member)
            if inspect.ismodule(member) and id(member) not in seen:
                self._add_members(member, names, seen)

    def _add_imports(self, imports: Iterator[Import], package: str, names: List[str]) -> None:
        """The modules that code of a package imports, which reads these names."""
        for level, name, parts in imports:
            try:
                full = importlib.util.resolve_name("." * level + name, package)
            except (ImportError, ValueError):
                continue  # it would fail as well
            words = full.split(".")
            for count in range(len(words)):  # packages around a module are imported before it
                self._add_import(".".join(words[:count + 1]), names)
            for part in parts:
                self._add_import(f"{full}.{part}", names)

    def _add_import(self, name: str, names: List[str]) -> None:
        """A module of the user, if there is one of the name, which need not be imported yet."""
        module = sys.modules.get(name)
        file = _file_of(module) if module else self._found(name)
        if not file or not self._is_beside(name, file):
            return
        if inspect.ismodule(module):  # its attributes may have been set
            self._add_members(module, names, set())
        if name in self._imported:
            return
        self._imported.add(name)
        tree = _parsed(file)
        self._note(f"import {name}", _digest_of_code(file, tree))
        if tree:
            self.names.update(node.value for node in ast.walk(tree)
                              if isinstance(node, ast.Constant) and isinstance(node.value, str))
            package = name if os.path.basename(file) == "__init__.py" else name.rpartition(".")[0]
            self._add_imports(_imports_of(tree), package, sorted(_names_of(tree)))

    def _found(self, name: str) -> Optional[str]:
        """The file of a module by name, without the packages around it being imported."""
        folders = [*sys.path, *sorted(self._roots), *filter(None, [self.folder])]
        file = None
        for word in name.split("."):
            spec = importlib.machinery.PathFinder.find_spec(word, folders)
            if not spec:
                return None
            folders = list(spec.submodule_search_locations or [])
            file = spec.origin if spec.has_location else \
                os.path.join(folders[0], "__init__.py") if folders else None
        return file

    def _add_read(self, name: str, value: Any) -> None:
        """What a function reads by a name."""
        if inspect.ismethod(value):
            self._add_bound(value)
            return
        function = _function_of(value)
        self._waiting.append((name, function if inspect.isfunction(function) else value))

    def _note_constants(self, value: Any) -> None:
        """Text in the constants of a function."""
        if isinstance(value, str):
            self.names.add(value)
        elif inspect.iscode(value):
            self._note_constants(value.co_consts)
        elif isinstance(value, (tuple, frozenset)):
            for one in value:
                self._note_constants(one)

    def _value_text(self, value: Any, outer: Tuple[int, ...] = ()) -> str:
        """A value as text that is the same in another process, whatever order sets have there."""
        if id(value) in outer:
            return "itself"
        return self._contents_text(value, (*outer, id(value))) + self._kind_text(value, outer)

    def _kind_text(self, value: Any, outer: Tuple[int, ...]) -> str:
        """What a container of a class that derives from a plain one has beside its contents."""
        kind = type(value)
        if kind in _CONTAINERS or not isinstance(value, _CONTAINERS):
            return ""
        if self._is_own(kind):
            self._waiting.append((kind.__qualname__, kind))
        held = [_attributes(value), getattr(value, "default_factory", None)]  # of a defaultdict
        return self._value_text(held, (*outer, id(value))) if any(held) else ""

    def _contents_text(self, value: Any, outer: Tuple[int, ...]) -> str:
        """As _value_text(), of a container what is in it."""
        if isinstance(value, (str, os.PathLike)):
            self.names.add(os.fsdecode(value))
        if isinstance(value, (set, frozenset)):
            return f"{type(value).__name__}{sorted(self._value_text(one, outer) for one in value)}"
        if isinstance(value, dict):
            return str([(self._value_text(key, outer), self._value_text(one, outer))
                        for key, one in value.items()])
        if isinstance(value, (list, tuple)):
            return type(value).__name__ + str([self._value_text(one, outer) for one in value])
        if isinstance(value, FlowSizes):
            return f"FlowSizes{value.points}{value.__reduce_ex__(2)[2:]}"
        if hasattr(type(value), "to_csv"):  # of pandas
            return f"{type(value)}{value.to_csv()}"
        if getattr(value, "dtype", None) == object:  # of NumPy: its bytes are addresses
            return f"{type(value)}{value.shape}{self._value_text(value.tolist(), outer)}"
        if hasattr(type(value), "tobytes"):  # of NumPy, or the standard library's array
            kind = f"{type(value)}{getattr(value, 'dtype', '')}{getattr(value, 'shape', '')}"
            return kind + hashlib.sha256(value.tobytes()).hexdigest()
        if _is_code(value) or (callable(value) and self._is_own(value)):
            return str(self._inner(value))
        # The address of an object is another one in each process; what the object holds tells it.
        text = repr(value)
        text = str(type(value)) if " at 0x" in text else text
        if self._is_own(type(value)) and not isinstance(value, type(None)):
            text += self._value_text(_attributes(value), outer)
            self._waiting.append((type(value).__qualname__, type(value)))
        elif isinstance(value, functools.partial):
            text = "partial" + self._value_text((value.func, value.args, value.keywords), outer)
        elif hasattr(value, "__dict__") and not isinstance(value, enum.Enum):
            text += self._value_text(vars(value), outer)
        return text

    def _inner(self, value: Any) -> Any:
        """Code within a value."""
        if self._is_own(value):
            self._add_bound(value)
        return [getattr(value, "__module__", ""), getattr(value, "__qualname__", type(value))]


def settings(with_seed: bool = True) -> Dict[str, str]:
    """Seed, run number, global values and defaults in force."""
    return {name: text for name, text in settings_in_force().items()
            if with_seed or name not in ("RngSeed", "RngRun")}


class Files:
    """The files whose names a function reads: text that names a file, from here, from the folder of
    the function or from a folder that it reads as well; and files that those name in turn, as the
    configurations of the HPCC simulator do."""

    _kept: Dict[str, Tuple[File, str]] = {}  # digests of files that have not changed since

    def __init__(self, fingerprint: Optional[Fingerprint] = None, without: Any = None):
        self.names = set(fingerprint.names) if fingerprint else set()
        self.folder = fingerprint.folder if fingerprint else None
        self.without = os.path.realpath(without) if without else None

    def stamps(self, point: Any) -> Dict[str, File]:
        """The files by path, as they are now. point: what else the function is called with."""
        names = _possible(self.names | _texts_in(point))
        folders = [self.folder] if self.folder else []
        folders += [name for name in sorted(names)
                    if name.strip("./") and os.path.isdir(name)][:_FOLDERS]
        found = self._existing(names, folders)
        for path in list(found):
            if found[path][1] <= _SEARCHED:
                found.update(self._existing(_possible(_words_of(path)),
                                            [os.path.dirname(path), *folders]))
        return found

    def _existing(self, names: Set[str], folders: List[str]) -> Dict[str, File]:
        """Those of names that are files."""
        found = {}
        for name in sorted(names):
            for path in [name] + [os.path.join(folder, name) for folder in folders]:
                stamp = self._stamp(path)
                if stamp:
                    found[path] = stamp
        return found

    def _stamp(self, path: str) -> Optional[File]:
        try:
            info = os.stat(path)
        except (OSError, ValueError):
            return None
        if not stat.S_ISREG(info.st_mode) or path.endswith(_CODE) or \
                os.path.realpath(path) == self.without:
            return None
        return info.st_ino, info.st_size, info.st_mtime_ns

    def digests(self, stamps: Dict[str, File]) -> Dict[str, str]:
        """What is in files, by path; of those that have not changed since their stamps."""
        return {path: self.digest(path) for path, stamp in stamps.items()
                if self._stamp(path) == stamp}

    def digest(self, path: str) -> str:
        """What is in a file; empty: there is none."""
        stamp = self._stamp(path)
        if not stamp:
            return ""
        kept = self._kept.get(path)
        if not kept or kept[0] != stamp:
            total = hashlib.sha256()
            with open(path, "rb") as file:
                for part in iter(lambda: file.read(1 << 20), b""):
                    total.update(part)
            kept = self._kept[path] = (stamp, total.hexdigest())
        return kept[1]


def _possible(names: Set[str]) -> Set[str]:
    """Those that may be names of files."""
    return {name for name in names if 0 < len(name) < 1024 and "\0" not in name}


def _texts_in(value: Any) -> Set[str]:
    """Text and paths within plain values."""
    if isinstance(value, (str, os.PathLike)):
        return {os.fsdecode(value)}
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return set().union(*map(_texts_in, value))
    return set()


def _words_of(path: str) -> Set[str]:
    """Words of a text file that may name other files."""
    try:
        with open(path, encoding="utf-8") as file:
            words = re.findall(r"[^\s\"'=,;\[\](){}]+", file.read())
    except (OSError, ValueError):
        return set()
    # Most words of such files are numbers.
    return {word for word in words if ("." in word or "/" in word) and not word[-1].isdigit()}
