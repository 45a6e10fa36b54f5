#!/bin/sh
# Called by Patroni with the address of the new primary as superuser. KELISIM_PASSWORD comes from the environment of Patroni.
exec psql -v ON_ERROR_STOP=1 -v password="$KELISIM_PASSWORD" "$1" <<'SQL'
create role kelisim login password :'password';
create database kelisim owner kelisim;
SQL
