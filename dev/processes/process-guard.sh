#!/usr/bin/env bash
# Runs a server and ends it when standard input closes, which happens when the parent ends in any way.
# The server's process id goes to file descriptor 3.
exec 4<&0
"$@" </dev/null 3>&- 4<&- &
server=$!
echo "$server" >&3
exec 3>&-
(
  cat <&4 >/dev/null
  kill -CONT "$server" 2>/dev/null
  kill -TERM "$server" 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "$server" 2>/dev/null || exit 0
    sleep 0.3
  done
  kill -KILL "$server" 2>/dev/null
) >/dev/null 2>&1 &
watcher=$!
exec 4<&-
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
pkill -P "$watcher" 2>/dev/null
exit "$code"
