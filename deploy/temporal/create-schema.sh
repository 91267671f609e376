#!/bin/sh
# Creates or upgrades both databases of Temporal. Safe to repeat.
set -eu
schemas=/etc/temporal/schema/postgresql/v12
for database in temporal temporal_visibility; do
  case "$database" in
    temporal) schema="$schemas/temporal/versioned" ;;
    *) schema="$schemas/visibility/versioned" ;;
  esac
  run() { temporal-sql-tool --plugin postgres12 --ep "$SQL_HOST" -p "$SQL_PORT" -u "$SQL_USER" --pw "$SQL_PASSWORD" --db "$database" "$@"; }
  run create || echo "database $database exists"
  run setup-schema -v 0.0 || echo "schema of $database is set up"
  run update-schema -d "$schema"
done
