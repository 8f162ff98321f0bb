#!/bin/sh
# What soak/kubernetes.sh runs as process 1 of namespaces of its own: a Kubernetes, Galera in it, and what deploy/kubernetes/galera promises.
set -u
folder=$1 state=$2 results=$3 groups=$4 hold=$5
home=$(cd -- "$(dirname -- "$0")/../.." && pwd -P)
here=$home/soak/kubernetes
PATH=$folder:$PATH
. "$here/node.sh"
began=$(date +%s)
wrong=0

say() { echo "kubernetes: $(($(date +%s) - began)) s: $*"; }

# One step: a name, then a command that must succeed; what it says is kept, and shown when it failed.
step() {
    title=$1
    said=$results/$(echo "$1" | tr -c 'a-zA-Z0-9\n' -).log
    shift
    "$@" >"$said" 2>&1 && say "yes: $title" && return
    wrong=1
    say "NO: $title"
    tail -n 15 "$said" | sed 's/^/    /'
    return 1
}

volume() { # NAME SIZE MODE OWNER FOR: a folder of this machine as a volume
    mkdir -p "$state/volumes/$1"
    chown 1000:1000 "$state/volumes/$1"
    cat <<END_OF_FILE
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: $1}
spec:
  capacity: {storage: $2}
  accessModes: [$3]
  claimRef: {namespace: mariadb, name: $4}
  hostPath: {path: $state/volumes/$1, type: Directory}
END_OF_FILE
}

volumes() {
    {
        volume runs 20Gi ReadWriteMany ycsb-drill-runs
        for i in 0 1 2; do volume "data-$i" 1Gi ReadWriteOnce "storage-mariadb-galera-$i"; done
    } | kubectl apply -f -
}

sql() { kubectl exec "mariadb-galera-$1" -- mariadb --no-defaults --user=root --socket=/run/mysqld/s.sock -N -e "$2"; }

galera() {
    kubectl create namespace mariadb && volumes && kubectl apply -n mariadb -f "$here/galera.yaml" &&
        kubectl rollout status statefulset/mariadb-galera --timeout=5m && [ "$(sql 0 "SHOW STATUS LIKE 'wsrep_cluster_size'" | cut -f 2)" = 3 ]
}

database() {
    password=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
    (umask 077 && printf %s "$password" >"$state/password")
    sql 0 "CREATE DATABASE ycsb; CREATE USER ycsb@'%' IDENTIFIED BY '$password'; GRANT ALL ON ycsb.* TO ycsb@'%'" &&
        kubectl create secret generic ycsb-drill-password --from-file="$state/password"
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
    set -- "$state/volumes/runs"/$1 "$2"
    [ $# -eq 2 ] || return
    ls "$1"
    grep -E '"state"|"reasons"' "$1/run.json"
    grep -q '"state" *: *"complete"' "$1/run.json" && [ "$(ls -d "$1"/client-* 2>/dev/null | wc -l)" = "$2" ] && [ -s "$1/report.html" ]
}

may() { # ANSWER ACCOUNT VERB WHAT
    answer=$(kubectl auth can-i --as "system:serviceaccount:mariadb:$2" "$3" "$4" 2>/dev/null)
    echo "$2 $3 $4: $answer, $1 expected"
    [ "$answer" = "$1" ]
}

rights() {
    for i in 0 1 2; do may yes ycsb-drill get "pods/mariadb-galera-$i" && may yes ycsb-drill delete "pods/mariadb-galera-$i" || return; done
    may no ycsb-drill list pods && may no ycsb-drill delete pods/another && may no ycsb-drill create pods/mariadb-galera-0/exec &&
        may no ycsb-drill get secrets/ycsb-drill-password && may no default get pods/mariadb-galera-0 &&
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
    cat "$state"/volumes/runs/drill-1-*/drill/markers.jsonl
    grep -q fault-effective "$state"/volumes/runs/drill-1-*/drill/markers.jsonl
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

own_places || exit 1
trap 'down; exit 130' INT TERM
say "$("$folder/kubelet" --version), $(containerd --version | cut -d ' ' -f 3), $(runc --version | head -n 1), $(etcd --version | head -n 1)"
step 'an API server' api_server && step 'containers' containers && step 'a node' node &&
    step 'galera: three pods of a stateful set' galera && step 'its database and user' database && {
    step 'kubectl apply -k' kubectl apply -k "$here"
    step 'two clients load and run as an indexed job' job ycsb-clients 900 2
    step 'their load is merged on the volume' complete 'ycsb-clients-*/load' 2
    step 'their run is merged on the volume' complete 'ycsb-clients-*/run' 2
    step 'rights as in the manifests' rights
    step 'a pod deleted and back' deleted
    step 'the drill as a job of the cron job' drilled
    step 'its fault was effective' effective
    inventory
    step 'doctor of an inventory of pods' doctor
    step 'a drill of an inventory of pods' outside
}
cp -r "$state/volumes/runs" "$results/" 2>/dev/null
kubectl get events -n mariadb >"$results/events.txt" 2>&1
cp "$state"/*.log "$results/" 2>/dev/null
[ "$hold" = 0 ] || { say "holding for $hold s: nsenter --target $(cat "$state/outer") --all"; sleep "$hold"; }
down
say 'ended'
exit $wrong
