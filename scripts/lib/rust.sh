# Rust itself, and those of its tools that not every installation has. To be sourced after steps.sh.

# Makes sure that Rust is installed, and new enough.
setup_rust() {
    local oldest present
    have cargo || die "Rust is not installed; see https://rustup.rs"
    oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$PROJECT/Cargo.toml")
    present=$(rustc -vV | sed -n 's/^release: //p')
    printf '%s\n' "$oldest" "$present" | sort -C -V ||
        die "Rust $oldest or later is needed, this is $present; run: rustup update stable"
}

# setup_component COMMAND COMPONENT PACKAGE: makes sure that there is `cargo COMMAND`, from rustup or from Debian.
setup_component() {
    local command=$1 component=$2 package=$3
    if cargo "$command" --version >/dev/null 2>&1; then return; fi
    if have rustup; then
        quiet rustup component add "$component" || true
    else
        apt_install "$package" || true
    fi
    cargo "$command" --version >/dev/null 2>&1 ||
        die "there is no cargo $command; with rustup run: rustup component add $component; with Debian's Rust: apt install $package"
    say "$component: installed"
}
