#!/bin/sh
# What soak/kubernetes.sh runs as process 1 of namespaces of its own: a Kubernetes, Galera and NDB in it, and what deploy/kubernetes promises.
set -u
folder=$1 state=$2 results=$3 groups=$4 hold=$5 engines=$6
home=$(cd -- "$(dirname -- "$0")/../.." && pwd -P)
here=$home/soak/kubernetes
PATH=$folder:$PATH
. "$here/node.sh"
began=$(date +%s)
wrong=0

say() { echo "kubernetes: $(($(date +%s) - began)) s: $*"; }

# One step: a name, then a command that must succeed; what it says is kept, and shown when it failed.
step() {
    title="$engine: $1"
    said=$results/$(echo "$title" | tr -c 'a-zA-Z0-9\n' -).log
    shift
    "$@" >"$said" 2>&1 && say "yes: $title" && return
    wrong=1
    say "NO: $title"
    tail -n 15 "$said" | sed 's/^/    /'
    return 1
}

volume() { # NAME SIZE MODE OWNER FOR: a folder of this machine as a volume
    mkdir -p "$state/volumes/$engine-$1"
    chown 1000:1000 "$state/volumes/$engine-$1"
    cat <<END_OF_FILE
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: $engine-$1}
spec:
  capacity: {storage: $2}
  accessModes: [$3]
  claimRef: {namespace: $namespace, name: $4}
  hostPath: {path: $state/volumes/$engine-$1, type: Directory}
END_OF_FILE
}

# The namespace of an engine, with a volume for run directories and one for each pod of a stateful set, and its servers.
cluster() { # NAMESPACE POD...
    namespace=$1 runs=$state/volumes/$engine-runs
    shift
    kubectl create namespace "$namespace" && kubectl config set-context --current --namespace="$namespace" || return
    {
        volume runs 20Gi ReadWriteMany ycsb-drill-runs
        for pod in "$@"; do volume "$pod" 2Gi ReadWriteOnce "storage-$pod"; done
    } | kubectl apply -f - && { [ $# -eq 0 ] || kubectl apply -n "$namespace" -f "$here/$engine/cluster.yaml"; }
}

# The manifests want one, also where the database has none.
no_password() { kubectl create secret generic ycsb-drill-password --from-literal=password=none; }

sql() { kubectl exec "mariadb-galera-$1" -- mariadb --no-defaults --user=root --socket=/run/mysqld/s.sock -N -e "$2"; }

galera() {
    cluster mariadb mariadb-galera-0 mariadb-galera-1 mariadb-galera-2 &&
        kubectl rollout status statefulset/mariadb-galera --timeout=5m && [ "$(sql 0 "SHOW STATUS LIKE 'wsrep_cluster_size'" | cut -f 2)" = 3 ]
}

database() {
    password=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
    (umask 077 && printf %s "$password" >"$state/password")
    sql 0 "CREATE DATABASE ycsb; CREATE USER ycsb@'%' IDENTIFIED BY '$password'; GRANT ALL ON ycsb.* TO ycsb@'%'" &&
        kubectl create secret generic ycsb-drill-password --from-file="$state/password"
}

# The data nodes hold data when all are started: that the management server knows.
ndb() {
    cluster rondb node-group-0-0 node-group-0-1 && kubectl rollout status statefulset/mgmds --timeout=3m &&
        kubectl rollout status statefulset/node-group-0 --timeout=3m &&
        await 180 'data nodes that are started' kubectl exec mgmds-0 -- ndb_waiter --ndb-connectstring=127.0.0.1 --timeout=5 &&
        kubectl exec mgmds-0 -- ndb_mgm --ndb-connectstring=127.0.0.1 -e show &&
        no_password
}

# Waits for the end of a Job, and shows what its pods said.
job() {
    await "$2" "the end of $1" sh -c "kubectl get job $1 -o 'jsonpath={.status.conditions[*].type}' | grep -q -E 'Complete|Failed'"
    kubectl describe job "$1"
    for pod in $(kubectl get pods -l "batch.kubernetes.io/job-name=$1" -o name); do
        echo "== $pod"
        kubectl logs "$pod"
    done
    [ "$(kubectl get job "$1" -o 'jsonpath={.status.succeeded}')" = "$3" ]
}

# The one run directory that matches: its state, and the number of its clients.
complete() {
    set -- "$runs"/$1 "$2"
    [ $# -eq 2 ] || return
    ls "$1"
    grep -E '"state"|"reasons"' "$1/run.json"
    grep -q '"state" *: *"complete"' "$1/run.json" && [ "$(ls -d "$1"/client-* 2>/dev/null | wc -l)" = "$2" ] && [ -s "$1/report.html" ]
}

may() { # ANSWER ACCOUNT VERB WHAT
    answer=$(kubectl auth can-i --as "system:serviceaccount:$namespace:$2" "$3" "$4" 2>/dev/null)
    echo "$2 $3 $4: $answer, $1 expected"
    [ "$answer" = "$1" ]
}

rights() { # POD...
    for pod in "$@"; do may yes ycsb-drill get "pods/$pod" && may yes ycsb-drill delete "pods/$pod" || return; done
    may no ycsb-drill list pods && may no ycsb-drill delete pods/another && may no ycsb-drill create "pods/$1/exec" &&
        may no ycsb-drill get secrets/ycsb-drill-password && may no default get "pods/$1" &&
        ! kubectl get pods -l app.kubernetes.io/component=clients -o yaml | grep serviceAccountToken
}

# A pod by hand: its process gone, another pod with the same name and volume, synchronised again. What its server said at its end, and at
# which signal, is what docs/kubernetes.md says.
deleted() {
    kubectl logs -f --tail=0 mariadb-galera-2 &
    before=$(kubectl get pod mariadb-galera-2 -o 'jsonpath={.metadata.uid} {.status.podIP}')
    kubectl delete pod mariadb-galera-2 --grace-period=0 --force --wait=false
    await 180 'mariadb-galera-2 back' sh -c '
        now=$(kubectl get pod mariadb-galera-2 -o "jsonpath={.metadata.uid} {.status.podIP}") && [ "$now" != "$0" ] &&
        [ "$(kubectl get pod mariadb-galera-2 -o "jsonpath={.status.conditions[?(@.type==\"Ready\")].status}")" = True ]' "$before" || return
    echo "before: $before; after: $(kubectl get pod mariadb-galera-2 -o 'jsonpath={.metadata.uid} {.status.podIP}')"
    grep -q 'Normal shutdown' "$said" && grep 'StopContainer.* with timeout 2 (s)' "$state/containerd.log" &&
        [ "$(sql 2 "SHOW STATUS LIKE 'wsrep_cluster_size'" | cut -f 2)" = 3 ]
}

# How the service is judged depends on what else the machine does; that there is a verdict, and the rest, does not.
drilled() {
    kubectl create job drill-1 --from=cronjob/ycsb-drill || return
    job drill-1 900 1
    kubectl logs job/drill-1 | grep -E '^Verdict: (PASS|FAIL|UNDECIDED)' && complete 'drill-1-*/drill' 0
}

effective() {
    cat "$runs"/drill-1-*/drill/markers.jsonl
    grep -q fault-effective "$runs"/drill-1-*/drill/markers.jsonl
}

# By the management server, which the drill has watched: the pod's successor got what it had missed from the other data node.
synchronised() {
    cat "$runs"/drill-1-*/drill/phases.csv
    grep -q ',synchronise,' "$runs"/drill-1-*/drill/phases.csv
}

# From outside of the pods, by what an inventory says of them.
inventory() {
    mkdir -p "$results/outside"
    {
        cat <<'END_OF_FILE'
engine: galera
properties:
  galera.client: mariadb --no-defaults --user=root --socket=/run/mysqld/s.sock
defaults: {transport: kubectl, namespace: mariadb}
data_nodes:
END_OF_FILE
        for i in 0 1 2; do echo "  - {id: mariadb-galera-$i, host: mariadb-galera-$i}"; done
    } >"$results/outside/inventory.yaml"
    cat >"$results/outside/drill.yaml" <<'END_OF_FILE'
name: pods
load: 100/s
steady: off
cooldown: 4s
recovery_timeout: 3m
limits: {service_restored: any}
steps:
  - {step: kill, fault: restart, mode: kill, node: mariadb-galera-1, at: 4s}
  - {step: stop, fault: restart, mode: graceful, node: mariadb-galera-2, at: 60s}
END_OF_FILE
}

ycsb() { YCSB_DRILL_STATE=$state/tool "$home/bin/ycsb" "$@"; }

doctor() {
    ycsb doctor --inventory "$results/outside/inventory.yaml" &&
        [ "$(grep -c 'a kill deletes the pod, which is SIGTERM' "$said")" = 3 ]
}

outside() {
    rm -rf "$results/outside/run"
    ycsb drill jdbc -P "$home/workloads/workloadb" -P "$home/deploy/kubernetes/galera/database.properties" -p "db.passwd.file=$state/password" \
        -p recordcount=1000 -p table=outside -threads 3 -D "$results/outside/drill.yaml" --on "$results/outside/inventory.yaml" --out "$results/outside/run"
}

# A deletion is all that Kubernetes has; docs/inventory.md says so.
not_paused() {
    ! ycsb cluster pause mariadb-galera-0 --inventory "$results/outside/inventory.yaml" && grep -q 'is not stopped 5 s after SIGSTOP' "$said"
}

# The operations of the merged run: 500/s for 60 s.
asked() {
    done_=$(sed -n 's/^ *"ok" *: *\([0-9]*\).*/\1/p' "$runs"/ycsb-clients-*/run/summary.json | awk '{ sum += $1 } END { print sum }')
    echo "$done_ operations"
    [ "$done_" = 30000 ]
}

# What is the same for all; the pods are those that the drill may delete.
promised() { # POD...
    step 'kubectl apply -k' kubectl apply -k "$here/$engine"
    step 'two clients load and run as an indexed job' job ycsb-clients 900 2
    step 'their load is merged on the volume' complete 'ycsb-clients-*/load' 2
    step 'their run is merged on the volume' complete 'ycsb-clients-*/run' 2
    step 'rights as in the manifests' rights "$@"
}

cron_job() {
    step 'the drill as a job of the cron job' drilled
    step 'its fault was effective' effective
}

# Its servers leave the processors to the next engine; what has been said stays.
ended() {
    mv "$results/${runs##*/}" "$results/${runs##*/}-before-$(date +%s)" 2>/dev/null
    cp -r "$runs" "$results/"
    kubectl get events >"$results/$engine-events.txt" 2>&1
    for pod in $(kubectl get pods -o name); do kubectl logs "$pod" --prefix --timestamps --tail=200; done >"$results/$engine-pods.txt" 2>&1
    kubectl delete statefulsets --all --timeout=2m >/dev/null && kubectl wait --for=delete pods -l apps.kubernetes.io/pod-index --timeout=2m
}

of_galera() {
    step 'three pods of a stateful set' galera && step 'its database and user' database && {
        promised mariadb-galera-0 mariadb-galera-1 mariadb-galera-2
        step 'a pod deleted and back' deleted
        cron_job
        inventory
        step 'doctor of an inventory of pods' doctor
        step 'a drill of an inventory of pods' outside
        step 'a server is process 1 of its pod, which nothing in there can pause' not_paused
    }
}

of_ndb() {
    step 'a management server and two data nodes in pods' ndb && {
        promised node-group-0-0 node-group-0-1
        cron_job
        step 'its data node has synchronised' synchronised
    }
}

of_fleet() {
    step 'a namespace and a volume' cluster fleet && step 'a secret' no_password && step 'kubectl apply -k' kubectl apply -k "$here/fleet" && {
        step 'eight clients run as an indexed job' job ycsb-clients 900 8
        step 'their run is merged on the volume' complete 'ycsb-clients-*/run' 8
        step 'all that was asked has been done' asked
    }
}

own_places || exit 1
trap 'down; exit 130' INT TERM
say "$("$folder/kubelet" --version), $(containerd --version | cut -d ' ' -f 3), $(runc --version | head -n 1), $(etcd --version | head -n 1)"
engine=kubernetes
if step 'an API server' api_server && step 'containers' containers && step 'a node' node; then
    for engine in $engines; do
        "of_$engine"
        [ "$hold" = 0 ] || { say "holding for $hold s: nsenter --target $(cat "$state/outer") --all"; sleep "$hold"; }
        step 'its servers end' ended
    done
fi
cp "$state"/*.log "$results/" 2>/dev/null
down
say 'ended'
exit $wrong
