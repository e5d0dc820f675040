#!/usr/bin/env bash
# A cluster of Citus for the tests: one coordinator and two workers on this machine, in a folder of their own, from a
# PostgreSQL that has the extension. Debian has no package of it: https://docs.citusdata.com tells where there is one.
# PG_CONFIG names another PostgreSQL than the first pg_config. As root, the servers run as the account nobody.
#
#   eval "$(scripts/citus.sh start DIR [WORKERS])"   starts it and says where; without workers (0) the coordinator holds
#                                                    the workspaces itself
#   scripts/citus.sh test DIR [WORKERS]              the same, runs on it what the tests have for Citus, and stops it
#   scripts/citus.sh stop DIR
#   scripts/citus.sh there                           whether there is a Citus to start, and why not
set -euo pipefail

# One that every machine has: initdb asks for its name.
ACCOUNT=nobody
# With smaller numbers a node that joins a thousand workspaces runs out of locks, and one that crashed opens each of
# their files when it starts.
SETTINGS=(shared_preload_libraries=citus listen_addresses=127.0.0.1 unix_socket_directories= fsync=off jit=off
  max_connections=300 max_locks_per_transaction=1024 recovery_init_sync_method=syncfs max_prepared_transactions=300
  citus.node_conninfo=sslmode=prefer citus.local_hostname=127.0.0.1)

fail() { echo "$*" >&2; exit 1; }
usage() { fail "usage: $0 start DIR [WORKERS] | test DIR [WORKERS] | stop DIR | there"; }

find_citus() {
  local config=${PG_CONFIG:-}
  [ -n "$config" ] || config=$(command -v pg_config || ls /usr/lib/postgresql/*/bin/pg_config 2> /dev/null | sort -V | tail -n 1) ||
    fail 'no Citus: no pg_config was found; PG_CONFIG names it'
  BIN=$("$config" --bindir)
  [ -e "$("$config" --sharedir)/extension/citus.control" ] ||
    fail "no Citus: PostgreSQL at $BIN has no extension citus (https://docs.citusdata.com/en/stable/installation)"
  [ -x "$BIN/initdb" ] || fail "no Citus: $BIN has no initdb"
}

run() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=$ACCOUNT --regid="$(id -g $ACCOUNT)" --clear-groups env HOME="$ROOT" LC_ALL=C.UTF-8 "$BIN/$1" "${@:2}"
  else
    LC_ALL=C.UTF-8 "$BIN/$1" "${@:2}"
  fi
}

url_of() { echo "postgres://postgres@127.0.0.1:$(cat "$ROOT/$1.port")/postgres"; }
ask() { run psql -X -q -t -A -v ON_ERROR_STOP=1 "$(url_of "$1")" -c "$2"; }

# Starts a node on a port that is free: which one, the server itself tells.
launch() {
  local name=$1 data=$ROOT/$1 port options setting
  if [ ! -e "$data/PG_VERSION" ]; then
    run initdb -D "$data" -A trust -U postgres --no-sync --encoding=UTF8 --locale=C.UTF-8 > /dev/null
    for setting in "${SETTINGS[@]}"; do
      printf "%s = '%s'\n" "${setting%%=*}" "${setting#*=}"
    done >> "$data/postgresql.conf"
  fi
  if ! run pg_ctl -D "$data" status > /dev/null; then
    # A node keeps its port: the others know it by that.
    for _ in $(seq 20); do
      port=$(cat "$ROOT/$name.port" 2> /dev/null || shuf -i 20000-32000 -n 1)
      options="-p $port"
      rm -f "$ROOT/$name.log"
      run pg_ctl -D "$data" -w -t 120 -l "$ROOT/$name.log" -o "$options" start > /dev/null && break
      grep -q 'Address already in use' "$ROOT/$name.log" && [ ! -e "$ROOT/$name.port" ] ||
        { cat "$ROOT/$name.log" >&2; exit 1; }
    done
    echo "$port" > "$ROOT/$name.port"
  fi
  ask "$name" 'create extension if not exists citus' > /dev/null
}

start() {
  local workers=${1:-2} name
  mkdir -p "$ROOT"
  [ "$(id -u)" != 0 ] || chown $ACCOUNT: "$ROOT"
  launch coordinator
  for name in $(seq -f 'worker-%g' 1 "$workers"); do launch "$name"; done
  ask coordinator "select citus_set_coordinator_host('127.0.0.1', $(cat "$ROOT/coordinator.port"))" > /dev/null
  for name in $(seq -f 'worker-%g' 1 "$workers"); do
    ask coordinator "select citus_add_node('127.0.0.1', $(cat "$ROOT/$name.port"))" > /dev/null
  done
  [ "$workers" != 0 ] ||
    ask coordinator "select citus_set_node_property('127.0.0.1', $(cat "$ROOT/coordinator.port"), 'shouldhaveshards', true)" > /dev/null
  ask coordinator 'alter database postgres set citus.enable_schema_based_sharding = off'
  ask coordinator "alter database postgres set citus.propagate_set_commands = 'local'"
  # For searching by meaning; without it those tests say that it is missing.
  ask coordinator 'create extension if not exists vector' > /dev/null 2>&1 || true
  echo "export PRECEDENT_TEST_CITUS=$(url_of coordinator)"
}

stop() {
  local data
  for data in "$ROOT"/coordinator "$ROOT"/worker-*; do
    [ ! -e "$data/postmaster.pid" ] || run pg_ctl -D "$data" -m fast stop > /dev/null
  done
}

[ $# -ge 1 ] || usage
command=$1
find_citus
if [ "$command" = there ]; then
  echo "Citus $(sed -n "s/^default_version = '\(.*\)'/\1/p" "$("${PG_CONFIG:-$BIN/pg_config}" --sharedir)/extension/citus.control") at $BIN"
  exit
fi
[ $# -ge 2 ] || usage
ROOT=$(realpath -m "$2")
case $command in
  start) start "${@:3}" ;;
  test)
    trap stop EXIT
    # On its own, so that a cluster that does not start is no cluster that passes.
    where=$(start "${@:3}")
    eval "$where"
    # One after the other: some tests cut nodes off.
    cd "$(dirname "$0")/.."
    node --test --test-concurrency=1 --test-name-pattern=Citus --disable-warning=ExperimentalWarning \
      test/contract.test.ts test/citus.test.ts test/engines-agree.test.ts test/endurance.test.ts
    ;;
  stop) stop ;;
  *) usage ;;
esac
