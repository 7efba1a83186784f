#!/bin/sh
# Makes inter-turkish.woff2: the letters that Turkish needs beside the latin subset of Inter, so that no page waits for the
# 85 KB of latin-ext. Run by hand after an update of Inter; the result is committed. Needs pyftsubset
# (`pip install fonttools brotli`).
set -eu
cd "$(dirname "$0")"

pyftsubset ../../../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2 \
  --unicodes=U+011E-011F,U+0130,U+015E-015F,U+20BA \
  --layout-features='*' --flavor=woff2 --output-file=inter-turkish.woff2
