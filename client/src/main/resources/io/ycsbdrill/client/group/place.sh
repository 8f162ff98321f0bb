# What ycsb-drill does on the host of a client; read from standard input: sh -s -- VERB DIRECTORY ARGUMENT...
# Nothing that lies there is run unless it has been compared with what was sent; sums prints that: SHA-256 and name of each file.
umask 077
LC_ALL=C
export LC_ALL
verb=$1
own "$2" directory
dir=$here

# Whether folder $1 has the files of sums, of this user's, and nothing else.
holds() {
    [ -d "$1" ] && [ ! -h "$1" ] && [ -O "$1" ] && ! exposed "$1" strict || return 1
    (
        cd "$1" || exit 1
        [ -z "$(find . ! -type d ! -type f)" ] && [ -z "$(find . ! -user "$(id -u)")" ] || exit 1
        [ "$(find . -type f | sort)" = "$(sums | cut -c 67- | sort)" ] || exit 1
        sums | sha256sum -c >/dev/null 2>&1
    )
}

# Removes $1 and all in it: something below our own directory, by a name that only we give.
remove() {
    case $1 in
        "$dir"/sent.?* | "$dir"/runs/?*/client-?*) ;;
        *) fail "$1 is nothing of ours in $dir" ;;
    esac
    case $1 in
        */../* | */..) fail "$1 is not a plain path" ;;
    esac
    [ ! -h "$1" ] && [ -O "$1" ] || fail "$1 does not belong to $(id -un)"
    rm -r -f -- "$1"
}

case $verb in
    find)
        # Prints the directory, and where the program $3 is to be sent, if it is not there; a login may print lines of its own.
        command -v sha256sum >/dev/null || fail "there is no program sha256sum here; install coreutils"
        echo "place: $dir"
        holds "$dir/$3" && exit 0
        # Of a sending that was cut off a day ago or earlier.
        for old in $(find "$dir" -maxdepth 1 -name 'sent.*' -mtime +0); do
            remove "$old"
        done
        sent=$(mktemp -d "$dir/sent.XXXXXX") || exit 1
        echo "place: $sent"
        ;;
    take)
        # Puts what was sent to $4 in its place $3. Another client may have sent the same: whoever is first does.
        case $4 in
            "$dir"/sent.*) ;;
            *) fail "$4 is not in $dir" ;;
        esac
        holds "$4" || fail "what has arrived in $4 is not what was sent"
        if ! holds "$dir/$3"; then
            # What is there else is of ours, but damaged.
            if [ -e "$dir/$3" ] || [ -h "$dir/$3" ]; then
                mv "$dir/$3" "$4/../${4##*/}.damaged" || exit 1
            fi
            mv "$4" "$dir/$3" 2>/dev/null
            holds "$dir/$3" || fail "$dir/$3 is not what was sent"
        fi
        for left in "$4" "$4.damaged"; do
            [ ! -d "$left" ] || [ -h "$left" ] || remove "$left"
        done
        ;;
    runs)
        # The directory of a run, $3, by a name that no other has.
        mkdir -p "$dir/runs" || exit 1
        [ ! -h "$dir/runs" ] && [ -O "$dir/runs" ] && ! exposed "$dir/runs" strict || fail "$dir/runs does not belong to $(id -un) alone"
        mkdir -p "$dir/runs/$3"
        ;;
    clean)
        # Of client $4 of the run.
        remove "$dir/runs/$3/$4"
        rmdir "$dir/runs/$3" 2>/dev/null || :
        ;;
    *)
        fail "unknown verb $verb" 2
        ;;
esac
