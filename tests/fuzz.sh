#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Damaged programs through the engine, and beside that damaged configurations, rules, models, logs
# and messages through their readers, the corpus first; half a minute where nothing else is at
# work. PORTS and READS are how many, SEED what both begin with: by number and not by time, so that
# a machine that is faster finds nothing that another could not.
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
cd "$top" || exit 2

seed=${SEED:-1}
"$build/tests/fuzz_readers" --runs "${READS:-600000}" --seed "$seed" --save "$build/fuzz" \
    --corpus tests/fuzz/corpus >"$out" 2>&1 &
readers=$!
"$build/tests/fuzz_port" --runs "${PORTS:-40000}" --seed "$seed" --save "$build/fuzz" tests/fixtures
programs=$?
wait "$readers" || programs=1
cat "$out"
exit "$programs"
