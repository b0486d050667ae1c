#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Texts of errors are joined by message() of cupyxx/message.h: no `throw` joins literals with `+`.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

places=$(repository_files '*.h' '*.cc' | grep -vE '_test\.cc$|/testing/|/fuzz/' | xargs -r -d '\n' perl -0777 -ne '
  while (/\bthrow\s+[\w:]+\s*[({]/g) {
    my $line = 1 + (substr($_, 0, $-[0]) =~ tr/\n//);
    /\G((?:"(?:\\.|[^"\\])*"|[^;])*);/gc or next;
    (my $text = $1) =~ s/"(?:\\.|[^"\\])*"/""/g;
    print "$ARGV:$line: joined with +\n" if $text =~ /"\s*\+|\+\s*"|\+\s*std::(?:to_)?string\(/;
  }')

[[ -z $places ]] || printf '%s\n' "$places"
bad=$(grep -c . <<<"$places" || true)
echo "$bad texts of errors joined by hand"
((bad == 0))
