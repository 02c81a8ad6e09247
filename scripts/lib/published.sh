# What belongs to a published version: where it is to be had, its DOI, its digests. To be sourced after steps.sh.

# same_version VERSION: fails where files name another version, or where the commit's tag is another's.
same_version() {
    local cited tag
    cited=$(sed -n 's/^version: *//p' CITATION.cff)
    [ "$cited" = "$1" ] || die "CITATION.cff is of version $cited, Cargo.toml of $1"
    tag=$(git describe --exact-match --tags 2>/dev/null || true)
    case $tag in
    "$1" | "v$1") ;;
    "") say "no tag is on this commit: a trial of $1" ;;
    *) die "the tag is $tag, the version $1" ;;
    esac
}

# between FILE NAME TEXT: replaces what stands in FILE between <!-- NAME --> and <!-- /NAME -->.
between() {
    grep -q "<!-- $2 -->" "$1" && grep -q "<!-- /$2 -->" "$1" || die "$1 has no place for $2"
    NAME=$2 TEXT=$3 perl -0777 -pi -e 's{<!-- \Q$ENV{NAME}\E -->.*?<!-- /\Q$ENV{NAME}\E -->}{<!-- $ENV{NAME} -->$ENV{TEXT}<!-- /$ENV{NAME} -->}s' "$1"
}

# write_address URL: where the page is, and with it the programs where it is a GitHub page.
write_address() {
    [[ $1 =~ ^https?://[^[:space:]]+$ ]] || die "\"$1\" is no address; it begins with https://"
    local releases=
    [[ $1 =~ ^https://([^./]+)\.github\.io/([^/]+)/?$ ]] &&
        releases=https://github.com/${BASH_REMATCH[1]}/${BASH_REMATCH[2]}/releases/latest
    if grep -q '^homepage = ' Cargo.toml; then
        ADDRESS=$1 perl -pi -e 's{^homepage = .*}{homepage = "$ENV{ADDRESS}"}' Cargo.toml
    else
        ADDRESS=$1 perl -pi -e 's{^(readme = "README.md"\n)}{$1homepage = "$ENV{ADDRESS}"\n}' Cargo.toml
    fi
    between README.md try "**[Try it]($1)** in the browser, with an example or a log of your own."
    [ -z "$releases" ] || between README.md download "[the latest release]($releases)"
    if grep -q '^url: ' CITATION.cff; then
        ADDRESS=$1 perl -pi -e 's{^url: .*}{url: $ENV{ADDRESS}}' CITATION.cff
    else
        ADDRESS=$1 perl -pi -e 's{^(version: .*\n)}{$1url: $ENV{ADDRESS}\n}' CITATION.cff
    fi
    say "written: Cargo.toml, README.md, CITATION.cff"
}

# write_doi DOI: how the version is cited.
write_doi() {
    [[ $1 =~ ^10\.[0-9]{4,}/[^[:space:]]+$ ]] || die "\"$1\" is no DOI; it begins with 10."
    if grep -q '^doi: ' CITATION.cff; then
        DOI=$1 perl -pi -e 's{^doi: .*}{doi: $ENV{DOI}}' CITATION.cff
    else
        DOI=$1 perl -pi -e 's{^(version: .*\n)}{$1doi: $ENV{DOI}\n}' CITATION.cff
    fi
    between README.md doi " DOI: [$1](https://doi.org/$1)."
    say "written: CITATION.cff, README.md"
}

# python_of FOLDER: the interpreter of a virtual environment.
python_of() { if [ -x "$1/bin/python" ]; then echo "$1/bin/python"; else echo "$1/Scripts/python.exe"; fi; }

# digests FOLDER COMMAND...: what the command, as packfair, makes of a study: the digests of its results and of every start.
digests() {
    local folder=$1 name sums=sha256sum
    shift
    have sha256sum || sums="shasum -a 256"
    mkdir -p "$folder"
    "$@" generate lublin --jobs 2000 --procs 128 --seed 1 >"$folder/log.swf"
    "$@" run "$folder/log.swf" -s fcfs easy easy-sjbf saf-justbf conservative pc dc dynp fcfs-ci -e actual requested cvh \
        --baseline easy --format json --starts "$folder/starts" >"$folder/results.json" 2>"$folder/said.txt" ||
        die "it cannot compute the study: $(tail -n 3 "$folder/said.txt")"
    (
        cd "$folder"
        # of the results all but the time that they took
        grep -v '"wall_s"' results.json >results.txt
        find log.swf results.txt starts -type f | LC_ALL=C sort | while read -r name; do
            echo "$($sums <"$name" | cut -d' ' -f1) $name"
        done
    ) >"$folder.digests"
    say "$(wc -l <"$folder.digests") digests of $folder"
}

# same_digests FOLDER VERSION HOST: fails where program, wheel and page of a release differ in a bit of what they compute.
same_digests() {
    local unpacked=$SCRATCH/program environment=$SCRATCH/installed name=packfair compared=()
    case $3 in *windows*) name=packfair.exe ;; esac
    if [ -f "$1/packfair-$2-$3.tar.gz" ]; then
        mkdir "$unpacked" && tar -xzf "$1/packfair-$2-$3.tar.gz" -C "$unpacked"
        digests "$SCRATCH/of-program" "$unpacked/$name"
        compared+=("$SCRATCH/of-program.digests")
    fi
    if ls "$1"/packfair-*.whl >/dev/null 2>&1; then
        python3 -m venv "$environment"
        quiet "$(python_of "$environment")" -m pip install --disable-pip-version-check "$1"/packfair-*.whl
        digests "$SCRATCH/of-wheel" "$(python_of "$environment")" -m packfair
        compared+=("$SCRATCH/of-wheel.digests")
    fi
    if [ ${#compared[@]} = 2 ]; then
        diff "${compared[@]}" >&2 || die "program and wheel do not compute the same"
        say "program and wheel compute the same, bit for bit"
    fi
    # with which the workflow compares those of other systems
    if [ ${#compared[@]} -gt 0 ]; then cp "${compared[0]}" "$1/$3.digests"; fi
    if [ -f "$1/packfair-$2-page.tar.gz" ]; then
        # a browser compares the page's numbers with those of the engine outside it
        rm -rf dist && mkdir dist && tar -xzf "$1/packfair-$2-page.tar.gz" -C dist
        cargo test --locked --test browser -- main_path::with_a_made_log comparison::
        say "the page computes the same, bit for bit"
    fi
}
