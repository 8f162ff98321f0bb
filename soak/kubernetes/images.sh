#!/bin/sh
# Makes the images of the pods without a registry, on a base of Debian's packages: this checkout's own, MariaDB with Galera from GALERA_HOME,
# NDB Cluster from NDB_HOME, and the one that holds a pod's network. What is newer than its sources stays.
#
#   soak/kubernetes/images.sh FOLDER 'galera ndb'
set -eu
[ $# -eq 2 ] || { echo "usage: $0 FOLDER ENGINES" >&2; exit 2; }
home=$(cd -- "$(dirname -- "$0")/../.." && pwd -P)
folder=$(cd -- "$1" && pwd -P)
archive=$(ls "$home"/distribution/target/ycsb-drill-*.tar.gz)
work=$(mktemp -d "$folder/work.XXXXXX")
trap 'podman --root "$work/storage" --runroot "$work/run" rmi --all --force >/dev/null 2>&1; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

engine() { podman --runtime runc --cgroup-manager cgroupfs --root "$work/storage" --runroot "$work/run" "$@"; }
build() { engine build --quiet --network host --ulimit nofile=4096:8192 --ulimit nproc=4000:4000 --build-arg BASE=localhost/base:soak "$@"; }
save() {
    engine save --quiet --format docker-archive --output "$work/image.tar" "$1"
    mv "$work/image.tar" "$2"
}

# Whether an image of an engine is wanted, and not there.
lacks() {
    case " $2 " in *" $1 "*) [ ! -f "$folder/$1.tar" ] ;; *) false ;; esac
}

base() { engine image exists localhost/base:soak || engine import "$folder/base.tar" localhost/base:soak >/dev/null; }

# A base as small as Debian's own slim one.
if [ ! -f "$folder/base.tar" ]; then
    mmdebstrap --quiet --variant=minbase --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' trixie "$work/base.tar"
    mv "$work/base.tar" "$folder/base.tar"
fi

if [ ! -f "$folder/pause.tar" ]; then
    mkdir "$work/pause"
    cp "$folder/pause" "$work/pause/"
    tar -C "$work/pause" -c . | engine import --change 'ENTRYPOINT ["/pause"]' - localhost/pause:1
    save localhost/pause:1 "$folder/pause.tar"
fi

if lacks galera "$2"; then
    galera=$(cd -- "$GALERA_HOME" && pwd -P)
    mkdir -p "$work/galera/libraries"
    cp -a "$galera/usr" "$work/galera/"
    libs=$(find "$galera/usr/lib" -maxdepth 1 -name '*-linux-gnu*' | tr '\n' ':')
    # What its programs use of this system. The base has most of them, in its own version.
    LD_LIBRARY_PATH=$libs ldd "$galera"/usr/sbin/mariadbd "$galera"/usr/bin/mariadb "$galera"/usr/bin/rsync "$galera"/usr/lib/libgalera_smm.so |
        awk '$3 ~ /^\// { print $3 }' | grep -v "^$galera/" | sort -u | xargs cp -L -t "$work/galera/libraries"
    cat >"$work/galera/Containerfile" <<'END_OF_FILE'
ARG BASE
FROM ${BASE}
# State transfers look for their processes and ports.
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends iproute2 procps && \
    rm -rf /var/lib/apt/lists/*
COPY libraries/ /opt/libraries/
COPY usr/ /usr/
RUN for each in /opt/libraries/*; do ldconfig -p | grep -q -F " => /lib/$(uname -m)-linux-gnu/${each##*/}" || mv "$each" /usr/lib/; done && \
    ldconfig && rm -rf /opt/libraries
USER 1000:1000
END_OF_FILE
    base
    build --tag localhost/galera:soak --file "$work/galera/Containerfile" "$work/galera"
    save localhost/galera:soak "$folder/galera.tar"
fi

if lacks ndb "$2"; then
    mkdir -p "$work/ndb/tree/bin"
    for program in ndb_mgmd ndbmtd ndb_mgm ndb_waiter; do cp "$NDB_HOME/bin/$program" "$work/ndb/tree/bin/"; done
    (cd -- "$NDB_HOME" && cp -a --parents lib share/java "$work/ndb/tree/")
    cat >"$work/ndb/Containerfile" <<'END_OF_FILE'
ARG BASE
FROM ${BASE}
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libssl3t64 libstdc++6 libtinfo6 && \
    rm -rf /var/lib/apt/lists/*
COPY tree/ /opt/ndb/
ENV PATH=/opt/ndb/bin:/usr/sbin:/usr/bin
USER 1000:1000
END_OF_FILE
    base
    build --tag localhost/ndb:soak --file "$work/ndb/Containerfile" "$work/ndb"
    save localhost/ndb:soak "$folder/ndb.tar"
fi

if [ ! -f "$folder/ycsb-drill.tar" ] || [ "$archive" -nt "$folder/ycsb-drill.tar" ] || [ "$home/Containerfile" -nt "$folder/ycsb-drill.tar" ]; then
    base
    build --target kubectl --tag localhost/ycsb-drill:soak --file "$home/Containerfile" "$home"
    save localhost/ycsb-drill:soak "$folder/ycsb-drill.tar"
fi
