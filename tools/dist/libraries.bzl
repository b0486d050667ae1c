# SPDX-License-Identifier: MIT
"""The libraries as one shared and one static file each, of the objects that everything else is linked from."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

PackedInfo = provider(
    doc = "A library that is linked as one file.",
    fields = {
        "archives": "the names of the distribution's archives that are in this library and in those that it needs",
        "packages": "the top folders whose objects are in this library and in those that it needs",
        "files": "the other static libraries that are in these",
        "shared": "the shared libraries: this one, then those that it needs",
        "versions": "the VERSION files of the same",
    },
)

# In every Linux that has a C++ program: these stay outside.
_LINKED_LATE = ["-ldnnl", "-lgomp", "-ldl", "-lpthread", "-lrt", "-lm"]

# And these are taken in from the distribution's archives; link.sh says what of them a shared library is linked with instead.
_TAKEN_IN = {
    "-l:libprotobuf.a": "libprotobuf.a",
    "-ljpeg": "libjpeg.a",
    "-lpng": "libpng16.a",
    "-lz": "libz.a",
}

def _top(owner):
    """The top folder of one of our targets; None for others."""
    return None if owner.workspace_name else owner.package.split("/")[0]

def _parts(ctx, needs):
    """What ctx.attr.deps are linked with: our objects, other files, names of archives and the options for the linker."""
    outside = {folder: None for need in needs for folder in need.packages}
    there = depset(transitive = [need.files for need in needs]).to_list()
    objects, files, archives, options = [], [], [], []
    seen = {}
    for dep in ctx.attr.deps:
        for linked in dep[CcInfo].linking_context.linker_inputs.to_list():
            top = _top(linked.owner)
            if top in outside or linked in seen:
                continue
            seen[linked] = None
            if top and top != ctx.attr.folder:
                fail("%s: %s is of another library, which is not among those it needs" % (ctx.label, linked.owner))
            for library in linked.libraries:
                own = library.pic_objects or library.objects
                if own:
                    objects += own
                elif library.static_library not in there:
                    files.append(library.static_library)
            for option in linked.user_link_flags:
                if option in _TAKEN_IN:
                    if _TAKEN_IN[option] not in archives:
                        archives.append(_TAKEN_IN[option])
                elif option not in _LINKED_LATE:
                    fail("%s: %s links with %s, which is neither taken in nor linked late" % (ctx.label, linked.owner, option))
                elif option not in options:
                    options.append(option)
    return objects, files, archives, options

def _packed_library_impl(ctx):
    needs = [need[PackedInfo] for need in ctx.attr.needs]
    needed = depset(transitive = [need.shared for need in needs], order = "topological")
    objects, files, archives, options = _parts(ctx, needs)

    shared = ctx.actions.declare_file("lib%s.so" % ctx.attr.folder)
    static = ctx.actions.declare_file("lib%s.a" % ctx.attr.folder)
    list_ = ctx.actions.declare_file(ctx.attr.folder + ".objects")
    arguments = ctx.actions.args()
    arguments.set_param_file_format("multiline")
    arguments.add_all(objects)
    ctx.actions.write(list_, arguments)

    toolchain = find_cpp_toolchain(ctx)
    environment = {
        "AR": toolchain.ar_executable,
        "CC": toolchain.compiler_executable,
        "FILES": " ".join([file.path for file in files]),
        "LIBRARY": ctx.attr.folder,
        "NEEDED": " ".join([file.path for file in needed.to_list()]),
        "OBJECTS": list_.path,
        "OPTIONS": " ".join(options),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "VERSION": ctx.file.version.path,
        "VERSION_CHECK": ctx.file._version_check.path,
    }
    inputs = depset(
        objects + files + [list_, ctx.file.version, ctx.file._version_check] + ctx.files._script,
        transitive = [needed, toolchain.all_files] + [need.versions for need in needs],
    )
    # A shared library hides what it takes in, so each takes it; static ones are linked together.
    archives_there = [archive for need in needs for archive in need.archives]
    archives_of = {
        "shared": archives,
        "static": [archive for archive in archives if archive not in archives_there],
    }
    for output, what in [(shared, "shared"), (static, "static")]:
        environment = dict(environment, ARCHIVES = " ".join(archives_of[what]))
        ctx.actions.run(
            executable = ctx.file._script,
            arguments = [what, output.path],
            inputs = inputs,
            outputs = [output],
            env = environment,
            mnemonic = "PackLibrary",
            progress_message = "Linking %s" % output.short_path,
        )
    return [
        DefaultInfo(files = depset([shared, static])),
        PackedInfo(
            files = depset(files, transitive = [need.files for need in needs]),
            archives = archives + [archive for need in needs for archive in need.archives],
            packages = [ctx.attr.folder] + [folder for need in needs for folder in need.packages],
            shared = depset([shared], transitive = [needed], order = "topological"),
            versions = depset([ctx.file.version], transitive = [need.versions for need in needs]),
        ),
    ]

packed_library = rule(
    implementation = _packed_library_impl,
    attrs = {
        "deps": attr.label_list(doc = "What its users may depend on.", providers = [CcInfo]),
        "folder": attr.string(doc = "The library's folder, which gives it its name.", mandatory = True),
        "needs": attr.label_list(doc = "The packed libraries that it is linked with.", providers = [PackedInfo]),
        "version": attr.label(allow_single_file = True, mandatory = True),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_script": attr.label(allow_single_file = True, default = "//tools/dist:link.sh"),
        "_version_check": attr.label(allow_single_file = True, default = "//tools/dist:version_check.cc"),
    },
    fragments = ["cpp"],
)
