# The standard library for WebAssembly. To be sourced after steps.sh.

# Whether the compiler in use can build for the target.
wasm_works() {
    local dir
    dir=$(rustc --print target-libdir --target $TARGET 2>/dev/null) || return 1
    compgen -G "$dir/libstd-*.rlib" >/dev/null || return 1
    echo 'pub fn probe() -> Vec<u8> { vec![1] }' |
        rustc --target $TARGET --crate-type cdylib --crate-name probe -o "$SCRATCH/probe.wasm" - 2>/dev/null
}

# The usual ways: with rustup, or from the distribution whose Rust this is.
install_wasm() {
    local version
    if have rustup; then
        timeout 120 rustup target add $TARGET >"$SCRATCH/wasm.log" 2>&1 </dev/null
    else
        # the package of the compiler's own version, from whichever suite; rust-llvm has the linker
        version=$(dpkg-query -W -f '${Version}' libstd-rust-dev 2>/dev/null) &&
            apt_install "libstd-rust-dev-wasm32=$version" "rust-llvm=$version" >"$SCRATCH/wasm.log" 2>&1
    fi && wasm_works
}

# The archive of Debian that this machine installs from; none where it is no Debian.
debian_mirror() { apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -m1 '/debian/$'; }

# Makes sure that the compiler in use can build for WebAssembly.
setup_wasm() {
    local began=$SECONDS how=
    if wasm_works; then return; fi
    if ! install_wasm; then
        tail -n 5 "$SCRATCH/wasm.log" 2>/dev/null >&2 || true
        # the server of rustup cannot be reached, but one of Debian can
        if have rustup && have dpkg-deb && debian_mirror >/dev/null; then
            say "WebAssembly target: rustup could not add it; building it from Debian's copy of the Rust source"
            source "$PROJECT/scripts/lib/wasm-from-debian.sh"
            setup_wasm_from_debian && how=" from Debian's source"
        fi
        wasm_works ||
            die "rustc cannot build for WebAssembly; with rustup run: rustup target add $TARGET; with Debian's Rust: apt install libstd-rust-dev-wasm32 rust-llvm"
    fi
    say "WebAssembly target of $(rustc -V | cut -d' ' -f1,2): installed$how ($((SECONDS - began)) s)"
    # Cargo does not notice that the library under its earlier builds has changed.
    if [ -d "$PROJECT/target/$TARGET" ]; then (cd "$PROJECT" && quiet cargo clean --target $TARGET); fi
}
