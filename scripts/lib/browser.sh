# Browsers that tests can drive. To be sourced after steps.sh and tools.sh.

# Debian has Firefox, but no geckodriver.
GECKODRIVER_VERSION=0.37.1

browser_command() {
    local name
    for name in google-chrome google-chrome-stable chromium chromium-browser; do
        if have $name; then
            echo $name
            return
        fi
    done
    return 1
}

# major COMMAND: the first number of its version.
major() { "$1" --version 2>/dev/null | grep -oE '[0-9]+' | head -n1; }

# Makes sure that there is a Chromium or Chrome, and the matching chromedriver. Where the system has Chromium's shell without
# windows, scenarios take that one: it shows the same page for a third of the processor's time.
setup_browser() {
    local browser began=$SECONDS
    if ! { have chromedriver && browser_command >/dev/null; }; then
        apt_install chromium chromium-driver ||
            die "install Chromium (or Chrome) and the chromedriver of the same version, with both on PATH"
        say "Chromium and chromedriver: installed ($((SECONDS - began)) s)"
    fi
    browser=$(browser_command) || die "chromedriver is there, but neither Chromium nor Chrome is on PATH"
    [ "$(major "$browser")" = "$(major chromedriver)" ] ||
        die "$browser is version $(major "$browser") but chromedriver $(major chromedriver); install the chromedriver of the browser's version"
    if ! have chromium-headless-shell && [ "${browser#chromium}" != "$browser" ]; then
        apt_install chromium-headless-shell && say "chromium-headless-shell: installed ($((SECONDS - began)) s)" || true
    fi
}

# Makes sure that there is a Firefox.
setup_firefox() {
    local began=$SECONDS
    if have firefox; then return; fi
    apt_install firefox-esr || die "install Firefox, with firefox on PATH"
    say "Firefox: installed ($((SECONDS - began)) s)"
}

# Makes sure that there is a geckodriver that can read the console of Firefox itself, as tests need (0.36 and later).
setup_geckodriver() {
    case $(geckodriver --help 2>/dev/null) in *--allow-system-access*) return ;; esac
    cargo_tool geckodriver "$GECKODRIVER_VERSION" geckodriver
}
