#!/bin/sh
# Makes old/ and new/ beside this file; it may be run again.
cd "$(dirname "$0")" || exit 1
get() { # package version folder files…
  p=$1 v=$2 d=$3; shift 3
  [ -f "$d/$(basename "$1")" ] && return 0
  f=$(npm pack --silent "$p@$v" | tail -1) || exit 1
  mkdir -p "$d" && tar --warning=no-unknown-keyword -xzf "$f" -C "$d" --strip-components=1 --no-same-owner "package/$1" && rm -f "$f"
  chmod -R u+rwX "$d"
}
get lodash 4.17.15 old lodash.min.js
get lodash 4.17.20 new lodash.min.js
[ -f old/lodash.min.js ] && [ -f new/lodash.min.js ]
