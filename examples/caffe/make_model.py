#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts trained parameters into a network's text, as Caffe's binary file: how fashion.caffemodel was made.

    caffe_evaluate --model=examples/caffe/lenet.prototxt --epochs=6 --save=lenet.npz
    examples/caffe/make_model.py examples/caffe/lenet.prototxt lenet.npz fashion.caffemodel
"""
import ast
import re
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

PROTO = Path(__file__).resolve().parents[2] / 'chainerxx/functions/caffe/caffe.proto'


def read_npy(data):
    """Shape and elements of an array of float32."""
    length = struct.unpack_from('<H', data, 8)[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    assert header['descr'] == '<f4' and not header['fortran_order'], header
    return header['shape'], struct.unpack(f'<{(len(data) - 10 - length) // 4}f', data[10 + length:])


def blob(archive, name):
    shape, elements = read_npy(archive.read(name + '.npy'))
    return ('blobs { shape { ' + ' '.join(f'dim: {n}' for n in shape) + ' } ' +
            ' '.join(f'data: {x:.9g}' for x in elements) + ' }\n')


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    network = Path(sys.argv[1]).read_text()
    with zipfile.ZipFile(sys.argv[2]) as archive:
        layers = {name.split('/')[0] for name in archive.namelist()}

        def with_blobs(match):
            layer = match.group(1)
            blobs = blob(archive, layer + '/W') + blob(archive, layer + '/b') if layer in layers else ''
            return f'{match.group()}\n{blobs}'

        text = re.sub(r'name: "(\w+)"(?= type:)', with_blobs, network)
    text = re.sub(r'weight_filler \{[^}]*\}', '', re.sub('#.*', '', text))
    binary = subprocess.run(['protoc', f'--proto_path={PROTO.parent}', '--encode=chainerxx.caffe_files.Network', PROTO.name], input=text.encode(),
                            stdout=subprocess.PIPE, check=True).stdout
    Path(sys.argv[3]).write_bytes(binary)


if __name__ == '__main__':
    main()
