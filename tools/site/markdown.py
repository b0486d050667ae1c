# SPDX-License-Identifier: MIT
"""Markdown as this repository writes it, to HTML: headings, paragraphs, lists, tables, code, quotes, links and pictures."""
import html
import re

KEYWORDS = set('''alignas auto bool break case catch char class concept const constexpr continue default delete do double else
enum explicit extern false final float for friend if inline int long mutable namespace new noexcept nullptr operator override
private protected public requires return short signed sizeof static static_assert struct switch template this throw true try
typedef typename union unsigned using virtual void volatile while'''.split())
TOKENS = re.compile(r'''(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')
|(?P<directive>^[ ]*\#[^\n]*)|(?P<word>[A-Za-z_]\w*)|(?P<number>\b\d[\w.']*)''', re.X | re.M | re.S)


def coloured(code):
    """C++ with spans around comments, strings, keywords and numbers."""
    out, at = [], 0
    for token in TOKENS.finditer(code):
        out.append(html.escape(code[at:token.start()], quote=False))
        text, kind = html.escape(token.group(), quote=False), token.lastgroup
        if kind == 'word':
            kind = 'keyword' if token.group() in KEYWORDS else None
        out.append(f'<span class="{kind[0]}">{text}</span>' if kind else text)
        at = token.end()
    return ''.join(out) + html.escape(code[at:], quote=False)


def slug(text, taken):
    """The anchor of a heading, as GitHub makes it; `taken` collects them."""
    plain = re.sub(r'[^\w\- ]', '', re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', text).lower())
    name = base = plain.strip().replace(' ', '-')
    number = 0
    while name in taken:
        number += 1
        name = f'{base}-{number}'
    taken.add(name)
    return name


class Page:
    """A page: `body` is HTML, `headings` are (level, anchor, text), `sections` (anchor, heading, plain text)."""

    def __init__(self, text, link):
        """`link` turns the target of a link or a picture into what the site has for it."""
        self.link = link
        self.headings, self.sections, self.taken = [], [['', '', []]], set()
        self.body = self.blocks(text.split('\n'))

    def inline(self, text):
        codes = []

        def keep(match):
            codes.append('<code>' + html.escape(match.group(2).strip() if match.group(1) != '`' else match.group(2), quote=False) +
                         '</code>')
            return f'\0{len(codes) - 1}\0'

        text = re.sub(r'(`+)(.+?)\1', keep, text)
        text = html.escape(text, quote=False).replace('\\|', '|')
        text = re.sub(r'!\[([^\]]*)\]\(([^)\s]+)\)',
                      lambda m: f'<img src="{self.link(m.group(2))}" alt="{html.escape(m.group(1))}" loading="lazy">', text)
        text = re.sub(r'\[([^\]]+)\]\(([^)\s]+)\)', lambda m: f'<a href="{self.link(m.group(2))}">{m.group(1)}</a>', text)
        text = re.sub(r'(?<![\w*])\*\*(\S(?:.*?\S)?)\*\*(?!\w)', r'<strong>\1</strong>', text)
        return re.sub('\0(\\d+)\0', lambda m: codes[int(m.group(1))], text)

    def note(self, text):
        self.sections[-1][2].append(text)

    def blocks(self, lines):
        out, at = [], 0
        while at < len(lines):
            line = lines[at]
            if not line.strip():
                at += 1
            elif line.startswith('```') or line.lstrip().startswith('```'):
                indent = len(line) - len(line.lstrip())
                language, code, at = line.strip().strip('`'), [], at + 1
                while at < len(lines) and not lines[at].strip().startswith('```'):
                    code.append(lines[at][indent:])
                    at += 1
                at += 1
                out.append(self.code('\n'.join(code), language))
            elif line.startswith('    '):
                code = []
                while at < len(lines) and (lines[at].startswith('    ') or not lines[at].strip()):
                    code.append(lines[at][4:])
                    at += 1
                out.append(self.code('\n'.join(code).rstrip(), ''))
            elif match := re.match(r'(#{1,6}) +(.*)', line):
                out.append(self.heading(len(match.group(1)), match.group(2)))
                at += 1
            elif re.match(r'(\* \* \*|---+)\s*$', line):
                out.append('<hr>')
                at += 1
            elif line.startswith('|') and at + 1 < len(lines) and re.match(r'\|[ :|-]+$', lines[at + 1].strip()):
                rows = []
                while at < len(lines) and lines[at].startswith('|'):
                    rows.append(lines[at])
                    at += 1
                out.append(self.table(rows))
            elif re.match(r' {0,3}(\*|-|\d+\.) ', line):
                at = self.list(lines, at, out)
            elif line.startswith('>'):
                quoted = []
                while at < len(lines) and lines[at].startswith('>'):
                    quoted.append(lines[at][1:].removeprefix(' '))
                    at += 1
                out.append(f'<blockquote>{self.blocks(quoted)}</blockquote>')
            else:
                text = [line]
                at += 1
                while at < len(lines) and lines[at].strip() and not re.match(r'(#{1,6} |\||```|    |[*-] )', lines[at]):
                    text.append(lines[at])
                    at += 1
                self.note(' '.join(text))
                out.append(f'<p>{self.inline(" ".join(part.strip() for part in text))}</p>')
        return '\n'.join(out)

    def code(self, code, language):
        self.note(code)
        text = coloured(code) if language in ('cpp', 'c++', 'cc') else html.escape(code, quote=False)
        return f'<pre tabindex="0"><code>{text}</code></pre>'

    def heading(self, level, text):
        anchor = slug(text, self.taken)
        plain = re.sub(r'[`*]|\[([^\]]*)\]\([^)]*\)', lambda m: m.group(1) or '', text)
        self.headings.append((level, anchor, plain))
        self.sections.append([anchor, plain, []])
        return f'<h{level} id="{anchor}">{self.inline(text)}</h{level}>'

    def table(self, rows):
        def cells(row):
            return [cell.strip() for cell in re.split(r'(?<!\\)\|', hide_bars(row.strip().strip('|')))]

        def hide_bars(row):  # a bar in code parts no cells
            return re.sub(r'`[^`]*`', lambda m: m.group().replace('\\|', '|').replace('|', '\\|'), row)

        def shown(cell):
            return self.inline(re.sub(r'`[^`]*`', lambda m: m.group().replace('\\|', '|'), cell))

        self.note(' '.join(rows))
        head = ''.join(f'<th scope="col">{shown(cell)}</th>' for cell in cells(rows[0]))
        body = ''.join('<tr>' + ''.join(f'<td>{shown(cell)}</td>' for cell in cells(row)) + '</tr>\n' for row in rows[2:])
        return f'<div class="table" tabindex="0"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'

    def list(self, lines, at, out):
        """Items until a line that belongs to none; deeper lines are blocks of their item."""
        base = len(lines[at]) - len(lines[at].lstrip())
        kind = 'ol' if lines[at].lstrip()[0].isdigit() else 'ul'
        items = []
        while at < len(lines):
            line = lines[at]
            indent = len(line) - len(line.lstrip())
            match = re.match(r'( *)(\*|-|\d+\.) +(.*)', line)
            if match and indent == base:
                first, at, rest = match.group(3), at + 1, []
                width = base + len(match.group(2)) + 1
                while at < len(lines):
                    deeper = len(lines[at]) - len(lines[at].lstrip())
                    if not lines[at].strip():
                        following = next((l for l in lines[at + 1:] if l.strip()), '')
                        if len(following) - len(following.lstrip()) <= base:
                            break
                        rest.append('')
                    elif deeper <= base:
                        if re.match(r' *(\*|-|\d+\.) ', lines[at]) or deeper < base or rest:
                            break
                        first += ' ' + lines[at].strip()
                    elif not rest and not re.match(r' *(\*|-|\d+\.|```) ?', lines[at]):
                        first += ' ' + lines[at].strip()
                    else:
                        rest.append(lines[at][min(deeper, width):])
                    at += 1
                self.note(first)
                items.append(f'<li>{self.inline(first)}{self.blocks(rest) if rest else ""}</li>')
            elif not line.strip() and at + 1 < len(lines) and re.match(r' {%d}(\*|-|\d+\.) ' % base, lines[at + 1]):
                at += 1
            else:
                break
        out.append(f'<{kind}>\n' + '\n'.join(items) + f'\n</{kind}>')
        return at
