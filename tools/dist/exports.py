#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the installed headers declare and do not define must be exported by the installed libraries.

    tools/dist/exports.py PREFIX      the unpacked archive; needs python3-clang-14

Functions, methods, static and external variables. What templates
reach shows when they are instantiated, so programs are linked, too (check.sh).
"""
import glob
import os
import subprocess
import sys

try:
    from clang import cindex
except ImportError:
    sys.exit("exports.py: python3-clang-14 is missing: apt-get install python3-clang-14")

FUNCTIONS = {
    cindex.CursorKind.FUNCTION_DECL,
    cindex.CursorKind.CXX_METHOD,
    cindex.CursorKind.CONSTRUCTOR,
    cindex.CursorKind.DESTRUCTOR,
    cindex.CursorKind.CONVERSION_FUNCTION,
}
SCOPES = {
    cindex.CursorKind.NAMESPACE,
    cindex.CursorKind.CLASS_DECL,
    cindex.CursorKind.STRUCT_DECL,
    cindex.CursorKind.LINKAGE_SPEC,
    cindex.CursorKind.UNEXPOSED_DECL,
}


class Declarations:
    def __init__(self, prefix):
        self.prefix = prefix
        self.declared, self.defined = {}, set()

    def is_ours(self, cursor):
        file = cursor.location.file
        return file is not None and file.name.startswith(self.prefix)

    def add_function(self, cursor):
        deleted = cursor.availability == cindex.AvailabilityKind.NOT_AVAILABLE
        if deleted or cursor.is_definition() or cursor.is_default_method() or cursor.is_pure_virtual_method():
            self.defined.add(cursor.mangled_name)
        else:
            self.declared[cursor.mangled_name] = cursor

    def add_variable(self, cursor, in_class):
        if cursor.storage_class == cindex.StorageClass.EXTERN or in_class and not cursor.is_definition():
            self.declared[cursor.mangled_name] = cursor

    def walk(self, parent):
        in_class = parent.kind in (cindex.CursorKind.CLASS_DECL, cindex.CursorKind.STRUCT_DECL)
        for cursor in parent.get_children():
            if parent.kind == cindex.CursorKind.TRANSLATION_UNIT and not self.is_ours(cursor):
                continue
            if cursor.kind in SCOPES:
                self.walk(cursor)
            elif cursor.kind in FUNCTIONS:
                self.add_function(cursor)
            elif cursor.kind == cindex.CursorKind.VAR_DECL:
                self.add_variable(cursor, in_class)

    def outside(self):
        return {name: cursor for name, cursor in self.declared.items() if name not in self.defined}


def main():
    prefix = os.path.realpath(sys.argv[1])
    include = os.path.join(prefix, "include")
    headers = sorted(glob.glob(os.path.join(glob.escape(include), "**", "*.h"), recursive=True))
    text = "".join('#include "%s"\n' % os.path.relpath(header, include) for header in headers)
    resources = subprocess.run(["clang-14", "-print-resource-dir"], check=True, capture_output=True, text=True).stdout.strip()

    # In their folder, since quoted names are looked for beside the source first.
    source = os.path.join(include, "headers.cc")
    cindex.Config.set_library_file("libclang-14.so.1")
    unit = cindex.Index.create().parse(
        source,
        args=["-std=c++20", "-I" + include, "-resource-dir", resources],
        unsaved_files=[(source, text)])
    errors = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if errors:
        sys.exit("\n".join(errors[:10]))

    declarations = Declarations(include)
    declarations.walk(unit.cursor)
    exported = set()
    for library in glob.glob(os.path.join(glob.escape(prefix), "lib", "lib*.so.?")):
        names = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
        exported.update(line.split()[-1].split("@")[0] for line in names.splitlines())

    outside = declarations.outside()
    missing = [cursor for name, cursor in outside.items() if name not in exported]
    for cursor in missing:
        print("%s:%d: %s is not exported" % (
            os.path.relpath(cursor.location.file.name, include), cursor.location.line, cursor.displayname))
    print("%d headers, %d declarations defined in the libraries, %d of them not exported" % (
        len(headers), len(outside), len(missing)))
    return 1 if missing else 0


sys.exit(main())
