#!/bin/sh
# Ends the servers of a process that is gone, and removes their folders. Reads one order a line: `start PID`,
# `ended PID`, `folder PATH`. End of input means that the process which holds the other end has ended in some way.
trap '' INT TERM HUP
pids=' '
folders=''
while read -r order value; do
  case $order in
    start) pids="$pids$value " ;;
    ended)
      case $pids in
        *" $value "*) pids="${pids%%" $value "*} ${pids#*" $value "}" ;;
      esac
      ;;
    folder)
      folders="$folders
$value"
      ;;
  esac
done
# Each server leads a process group of its own.
for pid in $pids; do kill -KILL "-$pid" 2>/dev/null; done
printf '%s\n' "$folders" | while read -r folder; do
  if [ -n "$folder" ]; then rm -rf "$folder"; fi
done
exit 0
