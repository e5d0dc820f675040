#!/usr/bin/env bash
# A real PostgreSQL 17 with pgvector for the tests, out of Debian's packages, in a folder of its own: nothing is
# installed on the machine, and deleting the folder is all there is to remove. Debian 12 or newer, as root.
#
#   eval "$(scripts/postgres.sh start DIR [PORT [-c SETTING=VALUE ...]])"   fetches it if need be, starts it, says where;
#                                                    without PORT, or with 0, on one that is free
#   scripts/postgres.sh run DIR PROGRAM ...          runs initdb, pg_ctl, psql ... in there
#   scripts/postgres.sh stop DIR
set -euo pipefail

SUITE=trixie
BIN=/usr/lib/postgresql/17/bin
DATA=/srv/postgres/data
# A number that no account of the machine has: PostgreSQL refuses to run as root.
ACCOUNT=54321

fail() { echo "$*" >&2; exit 1; }
usage() { fail "usage: $0 start DIR [PORT [-c SETTING=VALUE ...]] | run DIR PROGRAM ... | stop DIR"; }

run() {
  chroot --userspec=$ACCOUNT:$ACCOUNT "$ROOT" /usr/bin/env -i -C /srv/postgres HOME=/srv/postgres LC_ALL=C.UTF-8 "PATH=$BIN:/usr/bin" "$@"
}

# Packages that a server needs only for JIT, for other languages or to be configured by hand.
UNNEEDED='^(libllvm.*|libz3-4|perl.*|libperl.*|lib.*-perl|postgresql-common.*|postgresql-client-common|ssl-cert|debconf.*|dpkg|ucf|sensible-utils|sysvinit-utils|init-system-helpers|openssl.*|mawk|adduser|passwd|login.*|libc-l10n|locales.*|libsystemd-shared|systemd.*|procps|netbase|tar)$'

fetch() {
  local apt=$ROOT.apt mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | grep -m1 '/debian/\?$') ||
    fail 'Expected a Debian mirror among the sources of apt, found none.'
  mkdir -p "$apt"/{lists/partial,cache/archives/partial,none,packages}
  : > "$apt/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $SUITE main" > "$apt/sources.list"
  # An apt of its own, that knows of no package being there, and of no source but this one.
  local options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o "Dir::Etc::sourceparts=$apt/none"
    -o "Dir::Etc::preferencesparts=$apt/none" -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status"
    -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root -o APT::Install-Recommends=false
    -o Acquire::Languages=none -o Acquire::Retries=3)
  apt-get "${options[@]}" update >&2
  apt-get "${options[@]}" -y --print-uris install postgresql-17-pgvector base-files dash coreutils |
    awk '{ print $2 }' | sed 's/_.*//' | grep -vE "$UNNEEDED" > "$apt/wanted"
  (cd "$apt/packages" && xargs apt-get "${options[@]}" download < "$apt/wanted" >&2)
  mkdir -p "$ROOT"
  # First the package that says which folders are links into /usr.
  dpkg-deb -x "$apt"/packages/base-files_*.deb "$ROOT"
  for package in "$apt"/packages/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -x -C "$ROOT" --exclude='./usr/share/doc*' --exclude='./usr/share/man*' --exclude='./usr/share/locale*' --exclude='*/bitcode/*'
  done
  mkdir -p "$ROOT"/dev/shm "$ROOT"/srv/postgres
  mknod -m 666 "$ROOT/dev/null" c 1 3
  mknod -m 666 "$ROOT/dev/urandom" c 1 9
  chmod 1777 "$ROOT/tmp" "$ROOT/dev/shm"
  echo "postgres:x:$ACCOUNT:$ACCOUNT::/srv/postgres:/bin/sh" >> "$ROOT/etc/passwd"
  echo "postgres:x:$ACCOUNT:" >> "$ROOT/etc/group"
  chown $ACCOUNT:$ACCOUNT "$ROOT/srv/postgres"
  rm -rf "$apt"
  touch "$ROOT/complete"
}

# Starts the server on this port. Fails with a log in which the server says why.
launch() {
  rm -f "$ROOT/srv/postgres/log"
  # No sync: what the tests save need not outlive the machine. No vacuum of its own: it would go through all the
  # databases of tests again and again, and plans would depend on when it did. A plan for each statement of a connection, as
  # one that lasts has it after five runs: to plan each of those five is a fifth of what the tests' server takes.
  run pg_ctl -D $DATA -w -t 600 -l /srv/postgres/log -o "-p $1 -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories=/tmp -c fsync=off -c full_page_writes=off -c autovacuum=off -c jit=off \
    -c plan_cache_mode=force_generic_plan -c max_connections=200 ${*:2}" start > /dev/null
}

start() {
  local port=${1:-0} url
  [ $# -eq 0 ] || shift
  [ "$(id -u)" = 0 ] || fail 'Expected to run as root: PostgreSQL gets a root folder of its own.'
  [ -e "$ROOT/complete" ] || fetch
  [ -e "$ROOT$DATA" ] || run initdb -D $DATA -A trust -U postgres --no-sync --locale=C.UTF-8 > /dev/null
  if ! run pg_ctl -D $DATA status > /dev/null; then
    if [ "$port" != 0 ]; then
      launch "$port" "$@" || { cat "$ROOT/srv/postgres/log" >&2; exit 1; }
    else
      # Below the ports that connections get; one that is taken is said to be by the server itself.
      until launch "$(shuf -i 20000-32000 -n 1)" "$@"; do
        grep -q 'Address already in use' "$ROOT/srv/postgres/log" || { cat "$ROOT/srv/postgres/log" >&2; exit 1; }
      done
    fi
  fi
  port=$(sed -n 4p "$ROOT$DATA/postmaster.pid")
  url=postgres://postgres@127.0.0.1:$port/postgres
  run psql -X -q "$url" -c 'set client_min_messages = warning' -c 'create extension if not exists vector'
  echo "export PRECEDENT_TEST_POSTGRES=$url"
  echo "export PRECEDENT_TEST_POSTGRES_RUN='$(realpath "$0") run $ROOT'"
}

[ $# -ge 2 ] || usage
command=$1
ROOT=$(realpath -m "$2")
shift 2
case $command in
  start) start "$@" ;;
  run) run "$@" ;;
  stop) run pg_ctl -D $DATA -m fast stop > /dev/null ;;
  *) usage ;;
esac
