# Sourced by the install scripts of servers that come as an archive of a built tree; does all the work. Before that they set
#   name      of the script without install-, and of the folder in the cache
#   product   for messages
#   home      the variable that names an installation
#   archives  how the archives' names begin
#   mark      what there is in a tree, relative to it
# and define
#   usage     prints the help
#   problem   of the tree $1: prints what is wrong with it; nothing when it is right
#   version   of the tree $1: prints it; nothing when it is unknown
#   hints     after the installation of $1: says what else is needed

say() { printf '%s\n' "install-$name: $*" >&2; }
die() { say "$*"; exit 1; }
bad_usage() { say "$*"; say "see bin/install-$name --help"; exit 2; }

archive='' prefix='' dry=''
while [ $# -gt 0 ]; do
  case $1 in
    --archive|--prefix)
      [ $# -ge 2 ] && [ -n "$2" ] || bad_usage "$1 needs a value"
      case $1 in --archive) archive=$2;; --prefix) prefix=$2;; esac
      shift;;
    --dry-run) dry=yes;;
    -h|--help) usage; exit 0;;
    *) bad_usage "unknown argument $1";;
  esac
  shift
done
[ -n "$archive" ] || bad_usage "--archive FILE|DIR is needed: nothing is fetched"
default_prefix=${XDG_CACHE_HOME:-${HOME:-}/.cache}/ycsb-drill/$name
[ -n "$prefix" ] || prefix=$default_prefix
case $prefix in /*) ;; *) prefix=$(pwd)/$prefix;; esac

if [ -d "$archive" ] && [ ! -e "$archive/$mark" ]; then
  set --
  for file in "$archive/$archives"*.tar.xz "$archive/$archives"*.tar.gz "$archive/$archives"*.tar; do
    [ ! -f "$file" ] || set -- "$@" "$file"
  done
  [ $# -gt 0 ] || die "folder $archive: neither $mark nor $archives*.tar.xz, .tar.gz or .tar in it: not $product"
  [ $# -eq 1 ] || die "folder $archive has several archives: $*; name one"
  archive=$1
fi
[ -e "$archive" ] || die "archive $archive: no such file"
filter=''
if [ ! -d "$archive" ]; then
  case $archive in
    *.tar.xz|*.txz) filter='xz -dc';;
    *.tar.gz|*.tgz) filter='gzip -dc';;
    *.tar) filter=cat;;
    *) die "archive $archive: expected .tar.xz, .tar.gz or .tar";;
  esac
  command -v "${filter%% *}" >/dev/null || die "${filter%% *} is needed to unpack $archive"
fi
if [ -n "$dry" ]; then
  printf 'put %s below %s\nmove its top folder to %s/<version>\n' "$archive" "$prefix" "$prefix"
  exit 0
fi

mkdir -p "$prefix"
work=$(mktemp -d "$prefix/.unpack.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
if [ -n "$filter" ]; then
  say "unpacking $archive"
  # shellcheck disable=SC2086 # a program and its options
  $filter <"$archive" | tar --no-same-owner -xf - -C "$work" || die "archive $archive cannot be unpacked"
else
  say "copying $archive"
  cp -R "$archive" "$work/$(basename "$archive")" || die "$archive cannot be copied"
fi
tree=$work
set -- "$work"/*
if [ $# -eq 1 ] && [ -d "$1" ]; then tree=$1; fi
wrong=$(problem "$tree")
[ -z "$wrong" ] || die "$archive: $wrong"
version=$(version "$tree")
[ -n "$version" ] || die "$archive: its version is not to be found in it"

if [ -e "$prefix/$version" ]; then
  say "$prefix/$version is there already; it is kept. Remove it to install again."
else
  chmod -R a+rX "$tree" # as root, ycsb-drill may start servers as another user
  mv "$tree" "$prefix/$version" # by one rename, so that no half installation is ever found
fi
say "installed: $prefix/$version"
hints "$prefix/$version"
if [ "$prefix" = "$default_prefix" ]; then
  say "found by ycsb-drill without further settings, unless $home names another"
else
  say "to use it: export $home=$prefix/$version"
fi
