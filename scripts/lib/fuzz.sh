# The fuzzer: libFuzzer over the targets of fuzz/, built with the same stable Rust as all else. To be sourced.

FUZZ_BUILT=$PROJECT/fuzz/target/fuzzed

# The targets: those that fuzz/Cargo.toml builds.
fuzz_targets() { sed -n 's/^name = "\(.*\)"$/\1/p' fuzz/Cargo.toml | grep -vx packfair-fuzz; }

# Code that the compiler adds tells the fuzzer which branches an input takes. Comparisons are not traced: that takes half of
# the time, and the known inputs were found while they were, so they have the words that inputs are compared with. There is no
# unsafe code, so no sanitizer is used. The fuzzer looks for panics, overflows and failed checks of debug builds.
fuzz_build() {
    local flag flags=(-Cpasses=sancov-module -Cdebug-assertions -Ccodegen-units=1)
    for flag in level=4 inline-8bit-counters pc-table; do flags+=("-Cllvm-args=-sanitizer-coverage-$flag"); done
    local host
    host=$(rustc -vV | sed -n 's/^host: //p')
    # with a named target, code that only builds (macros, scripts) is not instrumented
    RUSTFLAGS="--cfg fuzzing ${flags[*]}" CARGO_INCREMENTAL=0 CARGO_TARGET_DIR=$PROJECT/fuzz/target \
        cargo build --release --manifest-path fuzz/Cargo.toml --target "$host"
    rm -rf "$FUZZ_BUILT"
    ln -s "$host/release" "$FUZZ_BUILT"
}

# fuzz_target NAME SECONDS: fuzzes a target from its known inputs, keeps those that reach further branches.
# Inputs that fail are in fuzz/artifacts.
fuzz_target() {
    local name=$1 seconds=$2 corpus=fuzz/corpus/$1 log=$SCRATCH/fuzz.$1 kept=$SCRATCH/kept.$1 code=0 executions
    local words=()
    if [ -f "fuzz/dictionaries/$name" ]; then words=("-dict=fuzz/dictionaries/$name"); fi
    mkdir -p "$corpus" fuzz/artifacts "$kept"
    "$FUZZ_BUILT/$name" "$corpus" "fuzz/seeds/$name" "${words[@]}" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 \
        -artifact_prefix="fuzz/artifacts/$name-" -print_final_stats=1 >"$log" 2>&1 || code=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ $code != 0 ]; then
        tail -n 40 "$log"
        return $code
    fi
    "$FUZZ_BUILT/$name" -merge=1 -set_cover_merge=1 "$kept" "fuzz/seeds/$name" "$corpus" >"$log.merge" 2>&1
    rm -rf "$corpus"
    mv "$kept" "$corpus"
    say "$name: $executions executions, $(find "$corpus" -type f | wc -l) inputs kept"
}

# The learnt inputs are kept in the project, in one file; fuzz/corpus is the working copy.
fuzz_unpack() { if [ -f fuzz/corpus.tar.gz ] && [ ! -d fuzz/corpus ]; then tar -xzf fuzz/corpus.tar.gz -C fuzz; fi; }
fuzz_pack() { tar --sort=name --owner=0 --group=0 --mtime=@0 -C fuzz -cf - corpus | gzip -9n >fuzz/corpus.tar.gz; }
