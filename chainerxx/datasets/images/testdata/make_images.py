#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Makes the pictures of chainerxx/datasets/images/testdata with the Python Imaging Library, and what it reads from them.
import math
import random
import sys
from PIL import Image
out = sys.argv[1]
random.seed(5)
w, h = 23, 17
pixels = [(int(127 + 120 * math.sin(x / 4)), int(255 * y / h), (x * y * 7 + random.randrange(20)) % 256)
          for y in range(h) for x in range(w)]
rgb = Image.new("RGB", (w, h)); rgb.putdata(pixels)
rgb.save(f"{out}/rgb.jpg", quality=90)
rgb.save(f"{out}/progressive.jpg", quality=80, progressive=True)
rgb.convert("L").save(f"{out}/gray.jpg", quality=90)
rgb.convert("CMYK").save(f"{out}/cmyk.jpg", quality=95)
rgb.save(f"{out}/rgb.png")
pal = rgb.quantize(13)
pal.save(f"{out}/palette.png", bits=4, transparency=3)
rgba = rgb.copy(); rgba.putalpha(Image.linear_gradient("L").resize((w, h))); rgba.save(f"{out}/alpha.png")
rgb.convert("1").save(f"{out}/one_bit.png")
rgb.convert("L").save(f"{out}/gray.png")
for name in ["rgb.jpg", "progressive.jpg", "gray.jpg", "rgb.png", "palette.png", "alpha.png", "one_bit.png", "gray.png", "cmyk.jpg"]:
    im = Image.open(f"{out}/{name}")
    open(f"{out}/{name}.rgb", "wb").write(im.convert("RGB").tobytes())
# Resized: bytes, and floats of the first channel.
for (nw, nh) in [(9, 5), (40, 31), (23, 8), (1, 1)]:
    open(f"{out}/resized_{nh}_{nw}.rgb", "wb").write(rgb.resize((nw, nh), Image.BILINEAR).tobytes())
    f = rgb.getchannel(0).convert("F").resize((nw, nh), Image.BILINEAR)
    open(f"{out}/resized_{nh}_{nw}.f32", "wb").write(f.tobytes())
# What that library does not write: 16 bits, and Adam7.
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def png(name, depth, interlace, raw):
    head = struct.pack(">IIBBBBB", w, h, depth, 2, 0, 0, interlace)
    open(f"{out}/{name}", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 9)) +
                                      chunk(b"IEND", b""))
wide = lambda p: b"".join(bytes((c, (c * 37) % 256)) for c in p)
png("sixteen.png", 16, 0, b"".join(b"\0" + b"".join(wide(pixels[y * w + x]) for x in range(w)) for y in range(h)))
passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
raw = b""
for x0, y0, dx, dy in passes:
    for y in range(y0, h, dy):
        row = b"".join(bytes(pixels[y * w + x]) for x in range(x0, w, dx))
        if row: raw += b"\0" + row
png("interlaced.png", 8, 1, raw)
for name in ["sixteen.png", "interlaced.png"]:
    assert Image.open(f"{out}/{name}").convert("RGB").tobytes() == rgb.tobytes() or name == "sixteen.png"
