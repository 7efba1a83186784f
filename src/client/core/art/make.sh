#!/bin/sh
# Makes the pictures of ../../public from the drawings here. Run by hand after a drawing has changed; the results are
# committed. Needs rsvg-convert and cwebp (Debian: apt-get install librsvg2-bin webp).
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

for name in female male default; do
  # Three pixels for each of the largest place, as a phone has them (tests/repository/default-avatars.test.ts).
  rsvg-convert --width 288 --height 288 "avatar-$name.svg" --output "$scratch/$name.png"
  cwebp -quiet -q 82 -alpha_q 100 -m 6 -sharp_yuv "$scratch/$name.png" -o "../../public/staticImages/$name.webp"
done

mkdir -p ../../public/drawings/gifts
for name in quiet lost dark; do
  sed '/<!--.*-->/d' "$name.svg" > "../../public/drawings/$name.svg"
done
for drawing in gifts/*.svg; do
  sed '/<!--.*-->/d' "$drawing" > "../../public/drawings/$drawing"
done

sed '/<!--.*-->/d' icon.svg > ../../public/icon.svg
for size in 192 512; do
  rsvg-convert --width "$size" icon.svg --output "../../public/icon-$size.png"
done
rsvg-convert --width 512 icon-maskable.svg --output ../../public/icon-maskable-512.png
rsvg-convert --width 180 icon-maskable.svg --output ../../public/apple-touch-icon.png
