# Trunk, wasm-bindgen and wasm-opt. To be sourced after steps.sh.

# The last release that Rust 1.95 can build.
TRUNK_VERSION=0.21.14
# Debian's wasm-opt (108) fails on what today's rustc makes.
BINARYEN_VERSION=132.0.0
BINARYEN_OLDEST=118

# have_all [--bin NAME]...: whether all of them are installed.
have_all() {
    local word
    for word in "$@"; do
        [ "$word" = --bin ] || have "$word" || return 1
    done
}

# is_installed BINARY VERSION [--bin NAME]...: whether the tool is of this version, with all of its binaries.
is_installed() {
    local binary=$1 version=$2
    shift 2
    [ "$("$binary" --version 2>/dev/null | awk 'NR == 1 {print $2}')" = "$version" ] && have_all "$@"
}

# link_kept FOLDER: puts the tools of a folder of KEPT_TOOLS into .tools/.
link_kept() {
    mkdir -p "$TOOLS/bin"
    compgen -G "$1/bin/*" >/dev/null && ln -sf "$1"/bin/* "$TOOLS/bin/"
}

# Where tools are kept that were built once, for all clones of this user.
KEPT_TOOLS=${XDG_CACHE_HOME:-$HOME/.cache}/packfair

# cargo_tool CRATE VERSION BINARY [OPTION...]: installs a tool into .tools/ unless it is installed.
cargo_tool() {
    local crate=$1 version=$2 binary=$3 began=$SECONDS
    shift 3
    local kept=$KEPT_TOOLS/$crate-$version
    if is_installed "$binary" "$version" "$@"; then return; fi
    if link_kept "$kept" && is_installed "$binary" "$version" "$@"; then return; fi
    say "$crate $version: building, a few minutes"
    # Without optimisation the tools are built in a third of the time and do our work as well.
    # Default features would fetch over TLS, which neither tool does here.
    local options=("$crate" --version "=$version" --root "$kept" --target-dir "$SCRATCH/$crate" --no-default-features --debug "$@")
    (
        # outside the project, whose cargo configuration is not for the tools
        cd "$SCRATCH"
        unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_TARGET_DIR
        export CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_STRIP=true CARGO_INCREMENTAL=0
        # A registry mirror may lack a version that the tool's own lock file asks for.
        quiet cargo install --locked --force "${options[@]}" || quiet cargo install --force "${options[@]}"
    ) || die "cargo install $crate --version $version failed (see above)"
    rm -rf "${SCRATCH:?}/$crate"
    link_kept "$kept"
    say "$crate $version: installed ($((SECONDS - began)) s)"
}

wasm_opt_works() {
    local version
    version=$(wasm-opt --version 2>/dev/null | awk 'NR == 1 {print $3}')
    [ -n "$version" ] && [ "$version" -ge $BINARYEN_OLDEST ]
}

# wasm-opt, which scripts/hooks/finish-build calls.
setup_wasm_opt() {
    if wasm_opt_works; then return; fi
    local began=$SECONDS
    have npm || apt_install npm || true
    have npm || die "wasm-opt is missing: install Binaryen $BINARYEN_OLDEST or newer, or npm, with which this script installs it"
    mkdir -p "$TOOLS/npm" "$TOOLS/bin"
    quiet npm install --prefix "$TOOLS/npm" --no-save --no-audit --no-fund "binaryen@$BINARYEN_VERSION" ||
        die "npm install binaryen failed (see above)"
    ln -sf ../npm/node_modules/.bin/wasm-opt "$TOOLS/bin/wasm-opt"
    wasm_opt_works || die "wasm-opt of npm's binaryen $BINARYEN_VERSION does not run"
    say "wasm-opt $BINARYEN_VERSION: installed ($((SECONDS - began)) s)"
}

# The version of wasm-bindgen must be that of the library in Cargo.lock, to the last digit.
setup_bindgen() {
    local bindgen
    bindgen=$(locked_version wasm-bindgen)
    [ -n "$bindgen" ] || die "no wasm-bindgen in Cargo.lock; restore it with: git checkout Cargo.lock"
    cargo_tool wasm-bindgen-cli "$bindgen" wasm-bindgen --bin wasm-bindgen --bin wasm-bindgen-test-runner
}

# The other tools that build the page, after wasm-bindgen.
setup_trunk() {
    cargo_tool trunk "$TRUNK_VERSION" trunk
    setup_wasm_opt
}
