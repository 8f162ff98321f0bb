# A Kubernetes of one machine in namespaces of its own, which inside.sh, process 1 of them, reads first. It needs folder, with the programs and
# images, state, an empty folder, and engines, whose images the node gets. Nothing is fetched, and there is no way out of its network.
address=10.77.0.1
api=10.77.1.1 # of the service "kubernetes": there is no kube-proxy, so the server itself has it

await() { # SECONDS WHAT COMMAND...
    patience=$1 what=$2
    shift 2
    until_=$(($(date +%s) + patience))
    until "$@" >"$state/awaited" 2>&1; do
        [ "$(date +%s)" -lt "$until_" ] || {
            echo "kubernetes: not within $patience s: $what; the last words were: $(tail -n 3 "$state/awaited")" >&2
            return 1
        }
        sleep 0.5
    done
}

# Starts a program of the cluster in the background, and remembers its id.
serve() {
    "$@" >"$state/$(basename "$1").log" 2>&1 </dev/null &
    echo $! >"$state/$(basename "$1").pid"
}

# Ends one, and waits for it.
end() {
    pid=$(cat "$state/$1.pid" 2>/dev/null) || return 0
    kill "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    rm -f "$state/$1.pid"
}

# Whatever a program writes outside of its folder is written here, and gone with the namespace.
own_places() {
    for place in run var/lib var/log; do
        mkdir -p "$state/places/$place"
        mount --bind "$state/places/$place" "/$place"
    done
    mkdir -p /run/lock /var/lib/cni
    printf 'nameserver %s\nsearch mariadb.svc.cluster.local\n' "$address" >"$state/resolv.conf"
    mount --bind "$state/resolv.conf" /etc/resolv.conf
    # A kubelet sets these of the whole machine's kernel, where they are not as it wants them. Here they are, and are files of ours.
    mkdir "$state/settings"
    for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 \
        kernel/keys/root_maxbytes=25000000; do
        file=$state/settings/$(basename "${setting%=*}")
        echo "${setting#*=}" >"$file"
        mount --bind "$file" "/proc/sys/${setting%=*}" || return
    done
    ip link set lo up
    ip link add node0 type bridge
    ip address add "$address/24" dev node0
    ip address add "$api/32" dev node0
    ip link set node0 up
}

kubeconfig() {
    cat >"$state/kubeconfig" <<END_OF_FILE
apiVersion: v1
kind: Config
clusters: [{name: soak, cluster: {server: "https://$address:443", certificate-authority: $state/certificates/apiserver.crt}}]
users: [{name: admin, user: {token: $1}}]
contexts: [{name: soak, context: {cluster: soak, user: admin, namespace: mariadb}}]
current-context: soak
END_OF_FILE
    chmod 600 "$state/kubeconfig"
    export KUBECONFIG="$state/kubeconfig"
}

api_server() {
    serve etcd --data-dir "$state/etcd" --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
        --listen-peer-urls http://127.0.0.1:2380 --unsafe-no-fsync
    mkdir -p "$state/certificates"
    openssl genrsa -out "$state/certificates/accounts.key" 2048 2>/dev/null
    token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    (umask 077 && echo "$token,admin,admin,system:masters" >"$state/tokens")
    serve "$folder/kube-apiserver" --etcd-servers http://127.0.0.1:2379 --cert-dir "$state/certificates" \
        --bind-address 0.0.0.0 --advertise-address "$address" --secure-port 443 --token-auth-file "$state/tokens" --authorization-mode RBAC \
        --service-cluster-ip-range 10.77.1.0/24 --service-account-issuer https://kubernetes.default.svc \
        --service-account-key-file "$state/certificates/accounts.key" --service-account-signing-key-file "$state/certificates/accounts.key" \
        --kubelet-preferred-address-types InternalIP
    await 60 'a certificate' test -s "$state/certificates/apiserver.crt"
    kubeconfig "$token"
    await 60 'API server' kubectl get --raw /readyz
}

containers() {
    mkdir -p "$state/cni"
    cat >"$state/cni/pods.conflist" <<END_OF_FILE
{"cniVersion": "0.4.0", "name": "pods", "plugins": [{"type": "ptp", "ipMasq": false,
 "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.77.2.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
END_OF_FILE
    cat >"$state/containerd.toml" <<END_OF_FILE
version = 2
root = "$state/containerd"
state = "/run/containerd"
[grpc]
address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "localhost/pause:1"
disable_apparmor = true
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "overlayfs"
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "$state/cni"
END_OF_FILE
    serve containerd --config "$state/containerd.toml"
    await 30 containerd ctr version
    for image in pause $engines ycsb-drill; do
        [ "$image" = fleet ] || ctr -n k8s.io images import "$folder/$image.tar" >/dev/null || return
    done
}

node() {
    cat >"$state/Corefile" <<END_OF_FILE
.:53 {
    bind $address
    errors
    kubernetes cluster.local {
        kubeconfig $state/kubeconfig
    }
}
END_OF_FILE
    serve "$folder/coredns" -conf "$state/Corefile"
    serve "$folder/kube-controller-manager" --kubeconfig "$state/kubeconfig" --controllers '*,-nodeipam,-route' \
        --leader-elect=false --service-account-private-key-file "$state/certificates/accounts.key" \
        --root-ca-file "$state/certificates/apiserver.crt"
    serve "$folder/kube-scheduler" --kubeconfig "$state/kubeconfig" --leader-elect=false
    : >"$state/no-resolv.conf"
    cat >"$state/kubelet.yaml" <<END_OF_FILE
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow} # it listens in its own network only
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /$groups
clusterDNS: [$address]
clusterDomain: cluster.local
resolvConf: $state/no-resolv.conf
failCgroupV1: false
failSwapOn: false
makeIPTablesUtilChains: false
localStorageCapacityIsolation: false
evictionHard: {memory.available: 100Mi}
imageGCHighThresholdPercent: 100
END_OF_FILE
    serve "$folder/kubelet" --config "$state/kubelet.yaml" --kubeconfig "$state/kubeconfig" --root-dir "$state/kubelet" \
        --node-ip "$address" --hostname-override drill-1
    await 60 'a node that is ready' kubectl wait --for=condition=Ready node/drill-1 --timeout=1s
}

# In the reverse order of what needs what; the rest is ended with the namespace.
down() {
    for each in kubelet coredns kube-scheduler kube-controller-manager kube-apiserver; do end "$each"; done
    ctr -n k8s.io tasks list -q 2>/dev/null | while read -r task; do ctr -n k8s.io tasks kill --all --signal KILL "$task" >/dev/null 2>&1; done
    end containerd
    end etcd
}
