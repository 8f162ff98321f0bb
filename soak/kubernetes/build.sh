#!/bin/sh
# Builds the programs of a Kubernetes from their Go modules, at the lowest priority; what is there already stays. GOPROXY says from where.
#
#   soak/kubernetes/build.sh FOLDER
#
# Some 15 minutes on two cores the first time, 2.5 GB of Go's caches.
set -eu
# Kubernetes 1.35 and newer refuse control groups of version 1; 1.34 takes both.
kubernetes=1.34.4
coredns=1.12.4
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
command -v go >/dev/null || { echo "kubernetes: no go; install Go 1.24 or newer" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd -- "$1" && pwd -P)
export CGO_ENABLED=0 GOFLAGS='-mod=mod -buildvcs=false -trimpath'

low() { chrt -i 0 nice -n 19 "$@"; }

# The name of a folder, which is a module of its own, then what is built in it and the flags for the linker.
build() {
    (
        cd "$folder/$1"
        [ -f go.sum ] || low go mod tidy
        # shellcheck disable=SC2086
        low go build -ldflags "-s -w $3" -o "$folder/" $2
    )
}

# One module of blank imports, as a program of another module is built with the replacements of one's own only.
if [ ! -x "$folder/kubectl" ]; then
    mkdir -p "$folder/kubernetes"
    minor=${kubernetes#1.}
    programs='kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl'
    {
        printf 'module programs\n\ngo 1.24.0\n\nrequire k8s.io/kubernetes v%s\n\nreplace (\n' "$kubernetes"
        for staged in api apiextensions-apiserver apimachinery apiserver cli-runtime client-go cloud-provider cluster-bootstrap code-generator \
            component-base component-helpers controller-manager cri-api cri-client csi-translation-lib dynamic-resource-allocation endpointslice \
            externaljwt kms kube-aggregator kube-controller-manager kube-proxy kube-scheduler kubectl kubelet metrics mount-utils \
            pod-security-admission sample-apiserver; do
            printf '\tk8s.io/%s => k8s.io/%s v0.%s\n' "$staged" "$staged" "$minor"
        done
        printf ')\n'
    } >"$folder/kubernetes/go.mod"
    {
        printf '//go:build tools\n\npackage programs\n\nimport (\n'
        for program in $programs; do printf '\t_ "k8s.io/kubernetes/cmd/%s"\n' "$program"; done
        printf ')\n'
    } >"$folder/kubernetes/tools.go"
    version=k8s.io/component-base/version
    for program in $programs; do
        [ -x "$folder/$program" ] || build kubernetes "k8s.io/kubernetes/cmd/$program" \
            "-X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=${minor%%.*} -X $version.gitTreeState=clean"
    done
fi

if [ ! -x "$folder/coredns" ]; then
    mkdir -p "$folder/dns"
    printf 'module dns\n\ngo 1.24.0\n\nrequire github.com/coredns/coredns v%s\n' "$coredns" >"$folder/dns/go.mod"
    printf '//go:build tools\n\npackage dns\n\nimport _ "github.com/coredns/coredns"\n' >"$folder/dns/tools.go"
    build dns github.com/coredns/coredns ''
fi
# What holds the network of a pod.
if [ ! -x "$folder/pause" ]; then
    mkdir -p "$folder/holder"
    printf 'module pause\n\ngo 1.24.0\n' >"$folder/holder/go.mod"
    cat >"$folder/holder/main.go" <<'END_OF_PAUSE'
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGINT, syscall.SIGTERM)
	<-ended
}
END_OF_PAUSE
    low go build -C "$folder/holder" -o "$folder/pause"
fi
echo "Kubernetes $kubernetes and CoreDNS $coredns are in $folder."
