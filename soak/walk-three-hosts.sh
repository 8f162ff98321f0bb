#!/bin/sh
# The walk of README's "On other hosts", as somebody new takes it: three hosts with sshd and a cluster that nobody of ours has started; init,
# doctor, dry run, drill, report. The commands are read from README, what is typed into the files is what the files themselves ask for, and
# the report must have the answer: seconds without writes, and writes lost. Each step is printed with its seconds; exit code 1 when one fails.
#
#   soak/walk-three-hosts.sh galera|patroni [DIR]
#
# DIR gets the files and the report; else nothing is left. It needs root, overlayfs, an OpenSSH server, and an installation, GALERA_HOME or
# PATRONI_HOME. A host is a root directory, a process namespace and an address of loopback; all of it is in namespaces that end with this
# script, so that nothing of this machine is touched. Lacking systemd, a host has a systemctl that starts what the package's unit starts.
set -u
engine=${1:-}
home=$(cd -- "$(dirname -- "$0")/.." && pwd -P)

fail() {
    echo "walk-three-hosts: $1" >&2
    exit "${2:-1}"
}

case $engine in
    galera) installed=${GALERA_HOME:-} ;;
    patroni) installed=${PATRONI_HOME:-} ;;
    *) fail "usage: soak/walk-three-hosts.sh galera|patroni [DIR]" 2 ;;
esac

# --- Outside: the namespaces, and their end -----------------------------------------------------------------------------
if [ -z "${WALK_INSIDE:-}" ]; then
    [ "$(id -u)" = 0 ] || fail "it needs root, to make hosts" 2
    [ -d "$installed/usr" ] || fail "set GALERA_HOME or PATRONI_HOME to what bin/install-$engine has made" 2
    [ -x /usr/sbin/sshd ] || fail "no /usr/sbin/sshd: install openssh-server" 2
    [ -z "${2:-}" ] || mkdir -p "$2" || exit 2
    "$home/bin/ycsb" --version || fail "bin/ycsb does not run" 2 # builds it, with the network that the hosts do not have
    WALK_INSIDE=$(mktemp -d /tmp/walk.XXXXXX) || exit 2
    export WALK_INSIDE
    unshare --mount --net --pid --uts --fork --kill-child --mount-proc --propagation private "$0" "$@" </dev/null &
    inside=$!
    trap 'kill -9 $inside 2>/dev/null; wait; rmdir "$WALK_INSIDE"' EXIT
    trap 'exit 130' INT TERM
    wait "$inside"
    exit
fi

# --- Inside: this is the machine of whoever walks -----------------------------------------------------------------------
work=$WALK_INSIDE
log=$work/log
mount -t tmpfs -o mode=755 tmpfs "$work" || exit 1
: >"$log"
ip link set lo up

seconds() { cut -d . -f 1 /proc/uptime; }
begun=$(seconds)

# step NAME COMMAND...: runs it in the folder of whoever walks, and says how long it took; what it says is shown when it fails.
step() {
    name=$1
    shift
    at=$(seconds)
    if (cd "$work/me" && "$@") >"$work/said" 2>&1; then
        cat "$work/said" >>"$log"
        printf '%4d s  %s\n' $(($(seconds) - at)) "$name"
    else
        code=$?
        cat "$work/said" >&2
        fail "$name: exit code $code after $(($(seconds) - at)) s"
    fi
}

# The files and the report of the walk, whatever becomes of it.
keep() {
    [ -n "$1" ] || return 0
    cp -r "$work/me/." "$log" "$1"
    for n in 1 2 3; do
        mkdir -p "$1/db$n" && cp "$work/db$n/upper/var/log/"*.log "$1/db$n" 2>/dev/null
    done
}
trap 'keep "${2:-}"' EXIT

# A command of README, by how it begins and the words it has; without its comment.
readme() {
    found=$(sed -n '/^\*\*On other hosts\*\*/,/^## /p' "$home/README.md" | grep "^\./bin/ycsb $1" | grep -e "$2" | sed 's/ *#.*//' | head -n 1)
    [ -n "$found" ] || fail "README has no command \"./bin/ycsb $1\" with $2"
    echo "$found"
}

# --- The hosts ----------------------------------------------------------------------------------------------------------
address() { echo "127.0.0.1$1"; }

keys() {
    mkdir "$work/ssh" && chmod 700 "$work/ssh" || return 1
    for name in user db1 db2 db3; do
        ssh-keygen -q -t ed25519 -N '' -C "$name" -f "$work/ssh/$name" || return 1
    done
}

# Whoever walks has a key, knows the hosts, and finds them by name.
me() {
    mkdir -p "$work/me/bin" "$work/home/upper" "$work/home/work"
    ln -s "$home/bin/ycsb" "$work/me/bin/ycsb"
    mount -t overlay -o "lowerdir=$HOME,upperdir=$work/home/upper,workdir=$work/home/work" overlay "$HOME" &&
        mkdir -p "$HOME/.ssh" && mount -t tmpfs -o mode=700 tmpfs "$HOME/.ssh" &&
        cp "$work/ssh/user" "$HOME/.ssh/id_ed25519" || return 1
    cp /etc/hosts "$work/hosts"
    for n in 1 2 3; do
        echo "$(address $n) db$n" >>"$work/hosts"
        echo "db$n,$(address $n) $(cat "$work/ssh/db$n.pub")" >>"$HOME/.ssh/known_hosts"
    done
    mount --bind "$work/hosts" /etc/hosts
}

user_of() { case $engine in galera) echo mysql ;; patroni) echo postgres ;; esac }

# What the units of the packages start, on the hosts of this walk.
systemctl() {
    cat <<'END'
#!/bin/sh
[ "$1" = start ] || exit 1
cd /
background() { setsid "$@" </dev/null >>/var/log/$unit.log 2>&1 & }
unit=$2
case $unit in
    mariadb)
        install -d -o mysql -g mysql /run/mysqld
        position=$(galera_recovery) || exit 1
        # shellcheck disable=SC2086
        background mariadbd ${3:-} $position
        tries=0
        until mariadb-admin --silent ping >/dev/null 2>&1; do
            tries=$((tries + 1))
            [ $tries -lt 600 ] || exit 1
            sleep 0.1
        done
        ;;
    patroni)
        install -d -o postgres -g postgres /run/postgresql
        background setpriv --reuid=postgres --regid=postgres --init-groups env -i PATH=/usr/bin:/bin PYTHONUNBUFFERED=1 \
            /usr/bin/patroni /etc/patroni/config.yml
        ;;
    *) exit 1 ;;
esac
END
}

# A host: this machine's files with the packages of the installation, and everything written kept apart.
host() {
    root=$work/db$1/root
    user=$(user_of)
    mkdir -p "$work/db$1/upper" "$work/db$1/work" "$root" "$work/packages/local/bin"
    systemctl >"$work/packages/local/bin/systemctl"
    chmod +x "$work/packages/local/bin/systemctl"
    mount -t overlay -o "lowerdir=/,upperdir=$work/db$1/upper,workdir=$work/db$1/work" overlay "$root" &&
        mount -t overlay -o "lowerdir=$work/packages:$installed/usr:/usr" overlay "$root/usr" &&
        mount -t tmpfs -o mode=755 tmpfs "$root/run" && mount -t tmpfs -o mode=1777 tmpfs "$root/tmp" &&
        mount --rbind /dev "$root/dev" || return 1
    mkdir -p "$root/run/sshd" "$root/root/.ssh"
    cp "$work/hosts" "$root/etc/hosts"
    grep -q "^$user:" "$root/etc/group" || echo "$user:x:990:" >>"$root/etc/group"
    grep -q "^$user:" "$root/etc/passwd" || echo "$user:x:990:990::/nonexistent:/bin/sh" >>"$root/etc/passwd"
    cp "$work/ssh/user.pub" "$root/root/.ssh/authorized_keys"
    chmod -R go= "$root/root/.ssh"
    cp "$work/ssh/db$1" "$root/etc/ssh/walk_key"
    printf '%s\n' "ListenAddress $(address "$1")" 'HostKey /etc/ssh/walk_key' 'PidFile none' 'UsePAM no' \
        'PasswordAuthentication no' 'StrictModes no' >"$root/etc/ssh/sshd_config"
    "configure_$engine" "$1" "$root" || return 1
    # shellcheck disable=SC2016
    unshare --mount --pid --uts --fork --kill-child --mount-proc --root="$root" /bin/sh -c 'hostname "$1"; exec /usr/sbin/sshd -D -e' \
        sh "db$1" </dev/null >"$work/db$1/sshd.log" 2>&1 &
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        ! ssh -o BatchMode=yes "db$1" true 2>/dev/null || return 0
        sleep 0.5
    done
    cat "$work/db$1/sshd.log"
    return 1
}

on() { ssh -o BatchMode=yes "$@"; }

# A directory that has nothing of this machine's in it.
empty() { mkdir -p "$1" && mount -t tmpfs -o mode=755 tmpfs "$1"; }

# --- Their clusters, as the engines' own pages set them up ---------------------------------------------------------------
configure_galera() {
    empty "$2/etc/mysql" && empty "$2/var/lib/mysql" || return 1
    cat >"$2/etc/mysql/my.cnf" <<END
[client-server]
socket=/run/mysqld/mysqld.sock
[mariadbd]
user=mysql
datadir=/var/lib/mysql
pid-file=/run/mysqld/mysqld.pid
bind-address=$(address "$1")
binlog_format=ROW
innodb_autoinc_lock_mode=2
wsrep_on=ON
wsrep_provider=/usr/lib/galera/libgalera_smm.so
wsrep_cluster_name=walk
wsrep_cluster_address=gcomm://db1,db2,db3
wsrep_node_address=$(address "$1")
wsrep_provider_options="gmcast.listen_addr=tcp://$(address "$1"):4567"
wsrep_sst_method=rsync
END
    chroot "$2" mariadb-install-db --user=mysql --skip-test-db >/dev/null
}

cluster_galera() {
    on db1 systemctl start mariadb --wsrep-new-cluster && on db2 systemctl start mariadb && on db3 systemctl start mariadb
}

configure_patroni() {
    empty "$2/etc/patroni" && empty "$2/var/lib/postgresql" || return 1
    install -d -o postgres -g postgres "$2/var/lib/postgresql" "$2/var/lib/postgresql/15"
    cat >"$2/etc/patroni/config.yml" <<END
scope: walk
name: db$1
restapi: {listen: "$(address "$1"):8008", connect_address: "db$1:8008"}
etcd3: {hosts: ["db1:2379", "db2:2379", "db3:2379"]}
bootstrap:
  dcs: {postgresql: {use_pg_rewind: true}}
  initdb: [{encoding: UTF8}, data-checksums]
  pg_hba:
    - local all all peer
    - host replication replicator 127.0.0.0/8 scram-sha-256
    - host all all 127.0.0.0/8 scram-sha-256
postgresql:
  listen: "$(address "$1"):5432"
  connect_address: "db$1:5432"
  data_dir: /var/lib/postgresql/15/main
  bin_dir: /usr/lib/postgresql/15/bin
  pgpass: /var/lib/postgresql/pgpass
  authentication:
    superuser: {username: postgres, password: secret}
    replication: {username: replicator, password: secret}
  parameters: {unix_socket_directories: /run/postgresql, jit: "off"}
END
}

cluster_patroni() {
    for n in 1 2 3; do
        here=http://$(address $n)
        on db$n "setsid etcd --name=db$n --data-dir=/var/lib/etcd --listen-client-urls=$here:2379 --advertise-client-urls=$here:2379 \
            --listen-peer-urls=$here:2380 --initial-advertise-peer-urls=$here:2380 --logger=zap \
            --initial-cluster=db1=http://$(address 1):2380,db2=http://$(address 2):2380,db3=http://$(address 3):2380 \
            </dev/null >/var/log/etcd.log 2>&1 &" || return 1
    done
    for n in 1 2 3; do
        on db$n systemctl start patroni || return 1
    done
    for _ in $(seq 40); do
        [ "$(on db1 patronictl -c /etc/patroni/config.yml list -f tsv 2>/dev/null | grep -c -e running -e streaming)" != 3 ] || return 0
        sleep 1
    done
    on db1 patronictl -c /etc/patroni/config.yml list
    return 1
}

# The server where an account is made.
writable() {
    case $engine in
        galera) echo db1 ;;
        patroni) on db1 patronictl -c /etc/patroni/config.yml list -f tsv 2>/dev/null </dev/null | awk '/Leader/ { print $2 }' ;;
    esac
}

as_administrator() {
    case $engine in
        galera) on "$(writable)" mariadb ;;
        patroni) on "$(writable)" "setpriv --reuid=postgres --regid=postgres --init-groups psql -v ON_ERROR_STOP=1 -d postgres" ;;
    esac
}

# What the file asks for: the account's statements, and where its password is.
account() {
    echo "walk's password" | tr -d "' " >"$work/me/password"
    sed -n "s/^#   \(CREATE .*;\)/\1/p" workload.properties | sed "s/'\.\.\.'/'$(cat password)'/" >"$work/account.sql"
    [ -s "$work/account.sql" ] || { echo "workload.properties does not say which account is needed"; return 1; }
    as_administrator <"$work/account.sql" &&
        sed -i "s|^# db.passwd.file=.*|db.passwd.file=$work/me/password|" workload.properties
}

# The answer is in the terminal's tables and in the report, whose path is the last line.
answer() {
    report=$(tail -n 1 "$work/drill.txt" | sed 's/.* //')
    grep -E '^(Fault 1:|  Seconds without writes|  Lost  |Verdict:)|^  Service restored|^  Redundancy restored' "$work/drill.txt"
    grep -q '^  Seconds without writes  *[0-9]' "$work/drill.txt" && grep -q '^  Lost  *[0-9]' "$work/drill.txt" &&
        grep -q 'Seconds without writes' "$report" && grep -q 'acknowledged' "$report"
}

drill() {
    sh -c "$(readme 'drill jdbc' --audit)" >"$work/drill.txt" 2>&1
    code=$?
    cat "$work/drill.txt"
    # A limit that is missed is an answer, too.
    [ $code = 0 ] || [ $code = 3 ]
}

mkdir "$work/me"
step 'keys' keys
me || exit 1
for n in 1 2 3; do step "host db$n" host $n; done
step "cluster of $engine" "cluster_$engine"
walk=$(seconds)
step "README: $(readme "init $engine" --hosts)" sh -c "$(readme "init $engine" --hosts)"
step 'the account that workload.properties asks for' account
step "README: $(readme doctor --inventory)" sh -c "$(readme doctor --inventory)"
step "README: $(readme 'drill jdbc' --dry-run)" sh -c "$(readme 'drill jdbc' --dry-run)"
step "README: $(readme 'drill jdbc' --audit)" drill
step 'the answer' answer
cat "$work/said"
echo "from init to the answer: $(($(seconds) - walk)) s; with the hosts: $(($(seconds) - begun)) s"
