#!/bin/sh
# Makes the role that rules run as: it can read the tables of one schema, and nothing else. Its rights are the boundary
# of what CUSTOM_SQL can read.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$READER_PASSWORD" <<'SQL'
CREATE ROLE reader LOGIN PASSWORD :'password';
ALTER ROLE reader SET default_transaction_read_only = on;
GRANT USAGE ON SCHEMA public TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO reader;
SQL
