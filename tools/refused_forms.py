#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds that forms which mean something else here do not compile, and that the compiler says what to write.

    tools/refused_forms.py LIST... -- HEADER...

A list is C++ up to its first empty line: includes and declarations. After it each form stands on a line of its own, with
what the compiler must say indented below; ` | 14` behind the form allows that many lines instead of twelve. All forms of a
list are compiled at once, each in a function of its own. The words of every static_assert that refuses (`kNever`) in the
headers given must be said for some form.
"""
import os
import re
import subprocess
import sys
import tempfile

LINES = 12
FLAGS = ["-std=c++20", "-fsyntax-only", "-I."]


class Form:
    def __init__(self, line):
        code, _, lines = line.partition(" | ")
        self.code = code.strip()
        self.lines = int(lines) if lines else LINES
        self.words = []
        self.said = []


def read(path):
    """What stands in front of the forms, and these."""
    with open(path, encoding="utf-8") as file:
        prelude, _, rest = file.read().partition("\n\n")
    forms = []
    for line in rest.splitlines():
        if line.startswith(" "):
            forms[-1].words.append(line.strip())
        elif line and not line.startswith("#"):
            forms.append(Form(line))
    return prelude, forms


def diagnostics(prelude, forms):
    """The compiler's lines, form by form."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "forms.cc")
        with open(source, "w", encoding="utf-8") as file:
            file.write(prelude + "\n")
            first = prelude.count("\n") + 2
            for number, form in enumerate(forms):
                file.write(f"void form_{number}() {{ {form.code}; }}\n")
        log = subprocess.run(["g++", *FLAGS, source], capture_output=True, text=True, check=False).stderr
    place = re.compile(r"forms\.cc:(\d+):")
    said = [[] for _ in forms]
    block, at, last = [], None, None

    def close():
        """Returns whose the block was; notes that name no form follow their error."""
        form = last if at is None else at
        if block and form is None:
            sys.exit("refused_forms: a message of no form:\n" + "\n".join(block))
        if block:
            said[form].extend(block)
        return form

    # A block begins with the function, the header or the template that messages are about.
    begins = re.compile(r"^(In file included from|[^ ].*: In (instantiation|substitution|function|member|constructor|lambda|static))")
    chain = re.compile(r"^(In file included |\s+)from ")
    for line in log.splitlines():
        if begins.match(line) and not (block and all(chain.match(part) for part in block)):
            last = close()
            block, at = [], None
        found = place.search(line)
        number = int(found.group(1)) - first if found else -1
        if number >= 0 and at is None:
            at = number
        elif number >= 0 and number != at and "error:" in line:
            last = close()
            block, at = [], number
        block.append(line)
    close()
    return said


def plain(text):
    """Words without the breaks of lines and the quotes' signs."""
    return re.sub(r"\s+", " ", text.replace('\\"', '"'))


def refusals(headers):
    """Words that refuse, and where they stand: of static_asserts that hold for nothing, and of deleted functions."""
    for header in headers:
        with open(header, encoding="utf-8") as file:
            text = file.read()
        for found in re.finditer(r"static_assert\(\s*(?:(?:internal::|chainerxx::internal::)?kNever<.*?>|sizeof\(\w+\) == 0),\s*((?:\"(?:\\.|[^\"\\])*\"\s*)+)", text, re.S):
            pieces = re.findall(r'"((?:\\.|[^"\\])*)"', found.group(1))
            yield header, "".join(pieces)
        for found in re.finditer(r"[;{}]([^;{}]*)=\s*delete\s*;", text):
            for name in re.findall(r"\b[a-z]+(?:_[a-z0-9]+){2,}(?=[,)]| =)", re.sub(r"//[^\n]*", "", found.group(1))):
                yield header, name


def complaint(form):
    """What is wrong with what the compiler says."""
    text = plain("\n".join(form.said))
    if not form.said:
        return "compiles"
    for words in form.words:
        if words not in text:
            return f"does not say: {words}\n" + "\n".join("    " + line for line in form.said[:30])
    if len(form.said) > form.lines:
        return f"takes {len(form.said)} lines, {form.lines} are allowed"
    return None


def main(arguments):
    at = arguments.index("--")
    complaints, everything, tried = [], "", 0
    for path in arguments[:at]:
        prelude, forms = read(path)
        for form, lines in zip(forms, diagnostics(prelude, forms)):
            # A template that has said so for another form does not say it again.
            form.said = lines or diagnostics(prelude, [form])[0]
            wrong = complaint(form)
            if wrong:
                complaints.append(f"{path}: {form.code}\n  {wrong}")
            everything += plain("\n".join(form.said))
        tried += len(forms)
    for header, words in sorted(set(refusals(arguments[at + 1:]))):
        if plain(words) not in everything:
            complaints.append(f"{header}: no form is refused with: {plain(words)}")
    print("\n".join(complaints), end="\n" if complaints else "")
    print(f"{tried} forms refused in words, {len(complaints)} complaints")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
