#!/bin/sh
# Makes old/ and new/ beside this file from two releases of MD4C in Debian; it may be run again. Needs apt and a compiler.
cd "$(dirname "$0")" || exit 1
[ -d old/src ] && [ -d new/src ] && exit 0
mkdir -p apt/lists/partial apt/cache/archives/partial
key=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ')
for suite in bookworm trixie; do echo "deb-src [signed-by=$key] ${mirror:?no Debian mirror is set up} $suite main"; done > apt/sources.list
apt() { apt-get -qq -o Dir::Etc::sourcelist="$PWD/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User=root "$@"; }
apt update || exit 1
get() { # version in Debian, version of the release, folder
  apt source --download-only "md4c=$1" 2> /dev/null
  [ -f "md4c_$2.orig.tar.gz" ] || exit 1
  mkdir -p "$3" && tar -xzf "md4c_$2.orig.tar.gz" -C "$3" --strip-components=1 || exit 1
  rm -rf "$3/test" "$3/scripts" "$3"/.[a-z]*
}
get 0.4.8-1 0.4.8 old
get 0.5.2-2 0.5.2 new
rm -rf apt md4c_*
