#!/bin/sh
# Makes old/ and new/ beside this file; it may be run again.
cd "$(dirname "$0")" || exit 1
get() { # package version folder
  [ -f "$3/package.json" ] && return 0
  f=$(npm pack --silent "$1@$2" | tail -1) || exit 1
  mkdir -p "$3" && tar --warning=no-unknown-keyword -xzf "$f" -C "$3" --strip-components=1 --no-same-owner && rm -f "$f"
  chmod -R u+rwX "$3"
}
get marked 0.8.0 old
get marked 1.0.0 new
[ -f old/package.json ] && [ -f new/package.json ]
