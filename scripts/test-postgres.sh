#!/bin/sh
# Starts and stops a throwaway PostgreSQL for the tests: loopback only, trust authentication, disposable data.
#
#   scripts/test-postgres.sh start [folder] [port]   prints the URL for OCTAVO_TEST_DATABASE_URL
#   scripts/test-postgres.sh restart [folder]        kills it, as a crash would, and starts it again
#   scripts/test-postgres.sh halt  [folder]          kills it and leaves the folder, to be started again
#   scripts/test-postgres.sh stop  [folder]          stops the server and removes its folder
#
# A server that is already running in the folder is used as it is. Started as root, it runs as the
# user postgres, because PostgreSQL refuses root.
set -eu

command=${1:-start}
folder=${2:-/tmp/octavo-test-postgres}
port=${3:-54329}

binaries=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
[ -n "$binaries" ] || binaries=$(dirname "$(command -v initdb || echo /missing/initdb)")
[ -x "$binaries/initdb" ] || { echo 'PostgreSQL is not installed: apt-get install postgresql' >&2; exit 1; }

as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

case $command in
  start)
    if [ ! -f "$folder/PG_VERSION" ]; then
      mkdir -p "$folder"
      if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
      as_postgres "$binaries/initdb" --pgdata="$folder" --username=postgres --auth=trust \
        --encoding=UTF8 --locale=C.UTF-8 --no-sync >/dev/null
    fi
    if ! as_postgres "$binaries/pg_ctl" --pgdata="$folder" status >/dev/null; then
      as_postgres "$binaries/pg_ctl" --pgdata="$folder" --log="$folder/log" --wait start >/dev/null --options="\
        -c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=$folder \
        -c max_connections=400 -c shared_buffers=128MB -c fsync=off -c full_page_writes=off \
        -c autovacuum_naptime=10min -c checkpoint_timeout=1h -c max_wal_size=1GB"
    fi
    echo "postgres://postgres@127.0.0.1:$(sed -n 4p "$folder/postmaster.pid")/postgres"
    ;;
  restart)
    as_postgres "$binaries/pg_ctl" --pgdata="$folder" --log="$folder/log" --mode=immediate --wait restart >/dev/null
    ;;
  halt)
    as_postgres "$binaries/pg_ctl" --pgdata="$folder" --mode=immediate --wait stop >/dev/null
    ;;
  stop)
    as_postgres "$binaries/pg_ctl" --pgdata="$folder" --mode=immediate --wait stop >/dev/null || true
    rm -rf "$folder"
    ;;
  *)
    echo "usage: $0 start|restart|halt|stop [folder] [port]" >&2
    exit 2
    ;;
esac
