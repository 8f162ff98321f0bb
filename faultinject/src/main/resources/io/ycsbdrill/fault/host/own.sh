# What the scripts for hosts share; it stands before each of them. POSIX shell with /proc.
set -u

fail() {
    echo "$1" >&2
    exit "${2:-1}"
}

# Whether accounts other than this one and root could put something in the place of what is in directory $1, or in it.
# Write access is no danger in a directory with the sticky bit, unless $2 is strict, nor for root's own group or the user's.
exposed() {
    # shellcheck disable=SC2046
    set -- "$2" $(ls -ldn "$1")
    [ $# -ge 5 ] || return 0
    [ "$4" = 0 ] || [ "$4" = "$(id -u)" ] || return 0
    if [ "$1" != strict ]; then
        case $2 in
            d????????[tT]*) return 1 ;;
        esac
    fi
    case $2 in
        d???????w*) return 0 ;;
        d????w*)
            [ "$5" != 0 ] || return 1
            [ "$5" != "$(id -g)" ] || [ "$(id -gn)" != "$(id -un)" ]
            ;;
        *) return 1 ;;
    esac
}

# Sets here: where directory $1 is, without links; $2 is the key of an inventory that names another one. Fails when it is
# not there, is not ours, or could become that of another account.
find_own() {
    [ ! -h "$1" ] || fail "$1 is a link; it must be a directory of $(id -un) itself: remove the link, or name another one: $2"
    [ -d "$1" ] || fail "$1 is not a directory; name another one: $2"
    [ -O "$1" ] || fail "directory $1 does not belong to $(id -un), so what is in it is not trusted; remove it, or name another one: $2"
    ! exposed "$1" strict || fail "directory $1 can be written by other accounts, so what is in it is not trusted; remove it, or name another one: $2"
    here=$(cd -P "$1" && pwd -P) || exit 1
    above=${here%/*}
    while [ -n "$above" ]; do
        ! exposed "$above" sticky || fail "directory $1 is not safe, as other accounts may rename what is in $above; name another one: $2"
        above=${above%/*}
    done
}

# The same of a directory that is made when it is not there, closed to others.
own() {
    if [ ! -e "$1" ] && [ ! -h "$1" ]; then
        (umask 077 && mkdir -p "${1%/*}/" && { mkdir "$1" 2>/dev/null || [ -d "$1" ]; }) || fail "directory $1 cannot be made by $(id -un); name another one: $2"
    fi
    find_own "$1" "$2"
}
