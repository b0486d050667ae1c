# SPDX-License-Identifier: MIT
"""Reads declarations in the public headers, for the lists that are made from them."""
import re


def stripped(text):
    """Without comments, directives and the contents of default lists."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^#[^\n]*", "", text, flags=re.M)
    return re.sub(r"=\s*[\w:]*\{[^{}]*\}", "= DEFAULT", text)


def segments(text):
    """(namespace, text) of what stands directly in namespaces; bodies are left out."""
    found, stack, last = [], [], 0
    for brace in re.finditer(r"namespace\s+([\w:]+)\s*\{|\{|\}", text):
        outside = all(name is not None for name in stack)
        if brace.group(0) == "}":
            if outside:
                found.append(("::".join(stack), text[last:brace.start()]))
            if stack:
                stack.pop()
        else:
            if outside:
                found.append(("::".join(stack), text[last:brace.start()]))
            stack.append(brace.group(1))
        if all(name is not None for name in stack):
            last = brace.end()
    return found


def class_body(text, name):
    begin = text.index("{", text.index("class CUPYXX_API " + name + " {")) + 1
    depth, end, body = 1, begin, ""
    while depth:
        if text[end] == "{":
            depth += 1
        if text[end] == "}":
            depth -= 1
        # Bodies of methods end a declaration.
        if depth == 1:
            body += ";" if text[end] == "}" else text[end]
        end += 1
    return body


def parameters(text):
    parts, depth, part = [], 0, ""
    for c in text:
        depth += c in "(<{["
        depth -= c in ")>}]"
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + [part.strip()] if part.strip() else parts


DECLARATION = re.compile(
    r"^(?:template <(.*?)> (?=CUPYXX_API|inline|[\w:]+(?:<[\w:<>, ]+>)? \w+\(|requires))?(?:requires\(?.*?\)? )?"
    r"(?:CUPYXX_API |inline |constexpr |static )*([\w:]+(?:<[\w:<>, ]+>)?) (\w+)\((.*)\)(?: const(?:&&?)?)?$")


def declarations(text):
    """(returned type, name, parameters, head of the template) of each routine."""
    for declaration in text.split(";"):
        match = DECLARATION.match(" ".join(re.sub(r"\b(public|private):", "", declaration).split()))
        if match and match.group(2) not in ("return", "else", "explicit") and not match.group(3)[0].isupper():
            yield match.group(2), match.group(3), parameters(match.group(4)), match.group(1) or ""
