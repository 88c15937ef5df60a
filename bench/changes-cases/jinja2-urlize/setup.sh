#!/bin/sh
# Makes old/ and new/ beside this file from two releases of Jinja in Debian; it may be run again. Needs apt and python3.
cd "$(dirname "$0")" || exit 1
[ -d old/src ] && [ -d new/src ] && exit 0
mkdir -p apt/lists/partial apt/cache/archives/partial
key=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ')
for suite in bullseye bookworm; do echo "deb-src [signed-by=$key] ${mirror:?no Debian mirror is set up} $suite main"; done > apt/sources.list
apt() { apt-get -qq -o Dir::Etc::sourcelist="$PWD/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User=root "$@"; }
apt update || exit 1
get() { # package, version in Debian, version of the release, folder
  apt source --download-only "$1=$2" 2> /dev/null
  [ -f "$1_$3.orig.tar.gz" ] || exit 1
  mkdir -p "$4" && tar -xzf "$1_$3.orig.tar.gz" -C "$4" --strip-components=1 || exit 1
}
get jinja2 2.11.3-1 2.11.3 old
get jinja2 3.1.2-1+deb12u3 3.1.2 new
get markupsafe 2.1.2-1 2.1.2 markupsafe
rm -rf old/docs old/tests old/artwork old/examples new/docs new/tests new/artwork new/examples
# What both releases import.
mkdir -p lib && rm -rf lib/markupsafe && mv markupsafe/src/markupsafe lib/
rm -rf apt markupsafe jinja2_* markupsafe_*
