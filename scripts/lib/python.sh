# Python, of which the package is tested. To be sourced after steps.sh.

# Makes sure that there is a Python that can make virtual environments.
setup_python() {
    local began=$SECONDS
    if python_works; then return; fi
    apt_install python3 python3-venv || true
    python_works || die "install Python 3.10 or later, with its module venv, as python3 on PATH"
    say "Python: installed ($((SECONDS - began)) s)"
}

python_works() { python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

# python_environment FOLDER REQUIREMENTS: a fresh virtual environment with these packages. Python compiles what of them is used.
python_environment() {
    python3 -m venv "$1"
    quiet "$1/bin/python" -m pip install --disable-pip-version-check --no-compile --requirement "$2" || die "pip cannot install what the tests need"
}
