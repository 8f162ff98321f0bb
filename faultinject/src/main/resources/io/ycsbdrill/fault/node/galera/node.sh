#!/bin/sh
# Starts one node, and becomes its server: node.sh DIRECTORY NUMBER NUMBERS MODE
# NUMBERS are those of all nodes that belong to the cluster, with blanks between.
#   first    the first node of a new cluster
#   initial  without data: it copies everything (SST)
#   again    with its data: it recovers them, finds out where they stand, and takes the rest (IST). When no node serves
#            any more, it waits until each has found out where it stands; the most advanced one bootstraps the cluster.
# It is one process from beginning to end, so that it goes on whatever becomes of the one that started it.
set -u
dir=$1 number=$2 nodes=$3 mode=$4
me=node$number
log=$dir/$me/error.log

serve() {
  rm -f "$dir/$me/status.json" "$dir/run/$me.position"
  exec mariadbd --defaults-file="$dir/$me.cnf" "$@"
}

# Whether the node has a server, and not only this script.
serves() {
  read -r pid _ <"$dir/run/$1.pid" || return 1 # and when it was started
  words=$(tr '\0' ' ' <"/proc/$pid/cmdline") || return 1
  case $words in *mariadbd\ --defaults-file="$dir/$1.cnf"*) ;; *) return 1;; esac
  case $words in *--wsrep-recover*) return 1;; esac
}

# Prints the number of the node whose data is farthest, the lowest of several; fails when a node has not said yet.
farthest() {
  best=0 most=-2
  for i in $nodes; do
    read -r at <"$dir/run/node$i.position" || return 1
    if [ "${at##*:}" -gt "$most" ]; then best=$i most=${at##*:}; fi
  done
  echo "$best"
}

case $mode in
  first) serve --wsrep-new-cluster;;
  initial) serve;;
esac

rm -f "$dir/$me/status.json" "$dir/run/$me.position"
position=00000000-0000-0000-0000-000000000000:-1
# A copy that was cut off, or never began, is no state to recover.
if [ -f "$dir/$me/data/grastate.dat" ] && [ ! -f "$dir/$me/data/sst_in_progress" ]; then
  mariadbd --defaults-file="$dir/$me.cnf" --skip-networking --socket="$dir/$me/recover.sock" \
    --pid-file="$dir/$me/recover.pid" --wsrep-status-file= --wsrep-recover || exit 1
  rm -f "$dir/$me/recover.sock" # which it leaves
  position=$(tail -n 200 "$log" | sed -n 's/.*WSREP: Recovered position:* *\([^ ,]*\).*/\1/p' | tail -n 1)
  [ -n "$position" ] || { echo "no recovered position in $log"; exit 1; }
fi

echo "$position" >"$dir/run/$me.position.new" && mv "$dir/run/$me.position.new" "$dir/run/$me.position"
while :; do
  for i in $nodes; do
    if [ "$i" != "$number" ] && serves "node$i" 2>/dev/null; then serve --wsrep-start-position="$position"; fi
  done
  if [ "$(farthest 2>/dev/null)" = "$number" ]; then
    sed -i 's/^safe_to_bootstrap: 0/safe_to_bootstrap: 1/' "$dir/$me/data/grastate.dat"
    serve --wsrep-new-cluster --wsrep-start-position="$position"
  fi
  sleep 0.1
done
