#!/bin/sh
# Makes old/ and new/ beside this file from two releases of dos2unix in Debian; it may be run again. Needs apt and a compiler.
cd "$(dirname "$0")" || exit 1
[ -f old/Makefile ] && [ -f new/Makefile ] && exit 0
mkdir -p apt/lists/partial apt/cache/archives/partial
key=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ')
for suite in bookworm trixie; do echo "deb-src [signed-by=$key] ${mirror:?no Debian mirror is set up} $suite main"; done > apt/sources.list
apt() { apt-get -qq -o Dir::Etc::sourcelist="$PWD/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User=root "$@"; }
apt update || exit 1
get() { # version in Debian, version of the release, folder
  apt source --download-only "dos2unix=$1" 2> /dev/null
  [ -f "dos2unix_$2.orig.tar.gz" ] || exit 1
  mkdir -p "$3" && tar -xzf "dos2unix_$2.orig.tar.gz" -C "$3" --strip-components=1 && rm -rf "$3"/po* "$3/man" "$3/test" "$3"/*.txt "$3"/*.mak || exit 1
}
get 7.4.3-1 7.4.3 old
get 7.5.2-1 7.5.2 new
rm -rf apt dos2unix_*
