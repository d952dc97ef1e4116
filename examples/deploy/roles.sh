#!/bin/sh
# Makes the two roles of the services, and the database of their state.
#
# `reader` runs the rules: it can read the tables of one schema, and nothing else. Its rights are the boundary of what
# CUSTOM_SQL can read. `dq` owns the database of the state, where the services make their tables, and nothing else.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set reader="$READER_PASSWORD" --set state="$STATE_PASSWORD" <<'SQL'
CREATE ROLE reader LOGIN PASSWORD :'reader';
ALTER ROLE reader SET default_transaction_read_only = on;
GRANT USAGE ON SCHEMA public TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO reader;
CREATE ROLE dq LOGIN PASSWORD :'state';
CREATE DATABASE dq OWNER dq;
REVOKE CONNECT ON DATABASE dq FROM PUBLIC;
SQL
