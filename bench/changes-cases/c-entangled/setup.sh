#!/bin/sh
# Makes old/ and new/ beside this file: two versions of a generated C program, about 1,370 hunks apart. It may be run again.
cd "$(dirname "$0")" || exit 1
[ -f old/Makefile ] && [ -f new/Makefile ] || node generate.cjs . 20 12
