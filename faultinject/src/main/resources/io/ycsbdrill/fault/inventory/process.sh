# Which program a process runs, and since when. POSIX shell with /proc.

state_of() {
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    rest=${line##*) }
    echo "${rest%% *}"
}

# The name that process $1 was called by, or has given itself as its title: the first word of its command line.
program_of() {
    word=$(tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | head -n 1)
    word=${word%% *}
    printf '%s\n' "${word##*/}"
}

# Whether process $1 runs one of the programs of $2 (a|b): by its executable, by the first word of its command line, or, when that
# is an interpreter, by the script; the main class of Java is a word of its own. One with ! before it is what it must not be called by:
# one file can be several programs.
runs() {
    case $(state_of "$1") in
        '' | Z | X) return 1 ;;
    esac
    case $2 in
        *!*) case "|$2|" in *"|!$(program_of "$1")|"*) return 1 ;; esac ;;
    esac
    exe=$(readlink "/proc/$1/exe" 2>/dev/null)
    exe=${exe% (deleted)}
    case "|$2|" in
        *"|${exe##*/}|"*) [ -z "$exe" ] || return 0 ;;
    esac
    called=$(program_of "$1")
    case "|$2|" in
        *"|$called|"*) [ -z "$called" ] || return 0 ;;
    esac
    tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | awk -v names="$2" -v exe="${exe##*/}" '
        function known(word) { sub(/.*\//, "", word); return word != "" && index("|" names "|", "|" word "|") }
        NR == 1 { shell = exe == "" ? $0 : exe; sub(/.*\//, "", shell); if (known($0)) { found = 1; exit }; next }
        shell == "java" { if (index("|" names "|", "|" $0 "|") && $0 != "") { found = 1; exit }; next }
        shell !~ /^(node|sh|bash|dash|busybox|python[0-9.]*|perl|ruby)$/ { exit }
        /^-/ { next }
        { word = $0; found = known(word); exit }
        END { exit !found }'
}

# When process $1 was started, in ticks since this host was: with its number it is this process and no later one.
start_of() {
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    # shellcheck disable=SC2086
    set -- ${line##*) }
    echo "${20}"
}

# Whether process $1 is not younger than its pid file $2, with five seconds for the clocks: else the file is of an earlier one.
as_old_as() {
    ticks=$(start_of "$1") || return 1
    written=$(stat -L -c %Y "$2" 2>/dev/null) || return 1
    booted=$(sed -n 's/^btime //p' /proc/stat)
    [ $((booted + ticks / $(getconf CLK_TCK 2>/dev/null || echo 100))) -le $((written + 5)) ]
}
