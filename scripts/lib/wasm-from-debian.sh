# The standard library for WebAssembly, built from Debian's copy of the Rust source. Sourced only by wasm.sh: only a
# machine that reaches a Debian mirror, but not the server of rustup, needs this.
#
# It is built with the compiler in use and the source of exactly its version. If Debian does not have that source,
# Debian's own compiler is used, which rustup then knows as `debian-web`.

# build_wasm_std LIBRARY RUSTC CARGO: builds the `library` folder of a Rust source; rlibs go to $SCRATCH/std.
build_wasm_std() {
    local library=$1 rustc=$2 cargo=$3
    # Paths are mapped so that every machine makes the same files: with another build of the same
    # library, what cargo has built before fails with "can't find crate" (E0463).
    local remap="--remap-path-prefix=$library=/rustc/library --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    (
        cd "$library"
        unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET
        export RUSTC=$rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$SCRATCH/std-target __CARGO_DEFAULT_LIB_METADATA=wasmstd
        export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Zforce-unstable-if-unmarked -Cembed-bitcode=yes $remap"
        quiet "$cargo" build --locked --release --manifest-path sysroot/Cargo.toml --target $TARGET \
            --features panic-unwind,compiler-builtins-mem
    ) || return 1
    mkdir -p "$SCRATCH/std"
    cp "$SCRATCH/std-target/$TARGET/release/deps/"*.rlib "$SCRATCH/std/"
}

# Puts the library into rustup's toolchain and tells rustup, so that `rustup target list` and
# `rustup target remove` know of it.
install_wasm_std() {
    local sysroot=$1 rustlib=$1/lib/rustlib
    rm -rf "${rustlib:?}/$TARGET"
    mkdir -p "$rustlib/$TARGET/lib"
    cp "$SCRATCH/std/"*.rlib "$rustlib/$TARGET/lib/"
    [ -f "$rustlib/components" ] && [ -f "$rustlib/multirust-config.toml" ] || return 0
    (cd "$sysroot" && printf 'file:%s\n' lib/rustlib/$TARGET/lib/*) >"$rustlib/manifest-rust-std-$TARGET"
    grep -qx "rust-std-$TARGET" "$rustlib/components" || echo "rust-std-$TARGET" >>"$rustlib/components"
    grep -q "target = \"$TARGET\"" "$rustlib/multirust-config.toml" ||
        printf '\n[[components]]\npkg = "rust-std"\ntarget = "%s"\nis_extension = false\n' $TARGET \
            >>"$rustlib/multirust-config.toml"
}

# private_apt COMMAND...: apt with package lists of its own, for suites this machine does not install from.
private_apt() {
    "$1" -o Dir::Etc::sourcelist="$SCRATCH/apt/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::Etc::preferencesparts=- -o Dir::State::lists="$SCRATCH/apt/lists" -o Dir::Cache="$SCRATCH/apt/cache" \
        -o APT::Sandbox::User=root -o Acquire::Languages=none "${@:2}"
}

wasm_std_from_source() {
    local mirror release sysroot suite version
    mirror=$(debian_mirror) || return 1
    release=$(rustc -vV | sed -n 's/^release: //p')
    sysroot=$(rustc --print sysroot)
    [ -w "$sysroot/lib/rustlib" ] || return 1
    for suite in trixie-backports sid forky experimental trixie; do
        rm -rf "$SCRATCH/apt"
        mkdir -p "$SCRATCH/apt/lists/partial" "$SCRATCH/apt/cache/archives/partial"
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$SCRATCH/apt/sources.list"
        private_apt apt-get update >/dev/null 2>&1 || continue
        version=$(private_apt apt-cache madison rust-src 2>/dev/null | awk '{print $3}' | grep -m1 "^${release//./\\.}[+~-]") || continue
        say "    Rust source $version from Debian $suite"
        (cd "$SCRATCH" && quiet private_apt apt-get download "rust-src=$version") || continue
        dpkg-deb --fsys-tarfile "$SCRATCH"/rust-src_*.deb | tar -x -C "$SCRATCH" --wildcards './usr/src/rustc-*/library' || continue
        build_wasm_std "$(echo "$SCRATCH"/usr/src/rustc-*/library)" "$(command -v rustc)" "$(command -v cargo)" || return 1
        install_wasm_std "$sysroot"
        wasm_works
        return
    done
    return 1
}

wasm_std_from_debian() {
    apt_install rustc-web cargo-web rust-web-src || return 1
    local llvm host
    llvm=$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    host=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
    apt_install "lld-$llvm" || return 1
    cp -r "$(printf '%s\n' /usr/src/rustc-*/library | tail -n1)" "$SCRATCH/library"
    build_wasm_std "$SCRATCH/library" /usr/bin/rustc /usr/bin/cargo || return 1
    # Debian has no rust-lld, which is the linker that rustc looks for on this target.
    as_root mkdir -p "/usr/lib/rustlib/$host/bin" "/usr/lib/rustlib/$TARGET/lib"
    as_root ln -sf "/usr/lib/llvm-$llvm/bin/lld" "/usr/lib/rustlib/$host/bin/rust-lld"
    as_root sh -c "rm -f /usr/lib/rustlib/$TARGET/lib/*.rlib; cp '$SCRATCH'/std/*.rlib /usr/lib/rustlib/$TARGET/lib/"
    quiet rustup toolchain link debian-web /usr || return 1
    export RUSTUP_TOOLCHAIN=debian-web
    wasm_works || return 1
    echo debian-web >"$TOOLS/toolchain"
    say "    outside these scripts, set RUSTUP_TOOLCHAIN=debian-web"
}

# Makes sure that the compiler in use can build for WebAssembly.
setup_wasm_from_debian() {
    local way
    for way in source debian; do
        if "wasm_std_from_$way"; then return; fi
        say "    WebAssembly target: not to be had from Debian's ${way/debian/compiler}"
    done
    return 1
}
