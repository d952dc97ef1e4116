#!/bin/sh
# Builds a dbt project and lets the step after it run only if the data passes the gate: `./build-and-gate.sh && publish`.
#
# dbt's own `on-run-end` hooks are SQL that runs inside the warehouse, and cannot start a program. So the gate is the
# step after dbt, wherever dbt runs: in this script, or as the next step of a job.
#
# Needs DATA_QUALITY_BASE_URL, DATA_QUALITY_API_KEY and DATA_QUALITY_ASSET. Arguments go to `dbt build`.
set -eu

dbt build "$@"

# The tests of the project as rules and the freshness of its sources, for those who do not run dbt.
dq rules import-dbt target/manifest.json --output target/rules.yaml
dq rules apply target/rules.yaml
dq lineage upload target/manifest.json

dq gate --definition target/rules.yaml
