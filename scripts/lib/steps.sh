# What all scripts share: where the project is, messages with the time, quiet commands. To be sourced.

set -euo pipefail

PROJECT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
TARGET=wasm32-unknown-unknown
TOOLS=$PROJECT/.tools

# The project's own tools come first on PATH, so that the versions that it needs are used.
export PATH=$TOOLS/bin:$PATH
# No user is there to answer prompts.
export DEBIAN_FRONTEND=noninteractive CARGO_TERM_PROGRESS_WHEN=${CARGO_TERM_PROGRESS_WHEN:-never}
# Once rustup has been given a compiler of last resort (see wasm-from-debian.sh), it stays in use.
if [ -f "$TOOLS/toolchain" ]; then RUSTUP_TOOLCHAIN=$(cat "$TOOLS/toolchain") && export RUSTUP_TOOLCHAIN; fi

SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# say MESSAGE: prints it with the seconds since the script began.
say() { printf '[%4ds] %s\n' "$SECONDS" "$*"; }

# die MESSAGE: says what is wrong and what to do, and ends.
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# quiet COMMAND...: shows what the command said only when it fails.
quiet() {
    local log code=0
    log=$(mktemp "$SCRATCH/log.XXXXXX")
    "$@" >"$log" 2>&1 </dev/null || code=$?
    [ $code = 0 ] || tail -n 40 "$log" >&2
    return $code
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif have sudo; then
        sudo -E "$@"
    else
        die "this needs root: $*"
    fi
}

# apt_install PACKAGE...: waits for another apt that may be running.
apt_install() {
    have apt-get || return 1
    quiet as_root apt-get -o DPkg::Lock::Timeout=300 -qq update || say "apt-get update failed; going on with the lists at hand"
    quiet as_root apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@"
}

# locked_version CRATE: its version in Cargo.lock.
locked_version() { sed -n "/^name = \"$1\"\$/{n;s/^version = \"\(.*\)\"\$/\1/p}" "$PROJECT/Cargo.lock"; }

# brotli_of FILE: the file compressed with brotli, by Node.
brotli_of() { node -e 'process.stdout.write(require("zlib").brotliCompressSync(require("fs").readFileSync(process.argv[1])))' "$1"; }
