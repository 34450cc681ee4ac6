#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A minute of fuzzing in half of one: damaged programs through the engine, and beside that damaged
# configurations, rules, models, logs and messages through their readers, the corpus first. EACH is
# the seconds for each of the two, SEED what both begin with.
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
cd "$top" || exit 2

each=${EACH:-30}
seed=${SEED:-1}
"$build/tests/fuzz_readers" --seconds "$each" --seed "$seed" --save "$build/fuzz" \
    --corpus tests/fuzz/corpus >"$out" 2>&1 &
readers=$!
"$build/tests/fuzz_port" --seconds "$each" --seed "$seed" --save "$build/fuzz" tests/fixtures
programs=$?
wait "$readers" || programs=1
cat "$out"
exit "$programs"
