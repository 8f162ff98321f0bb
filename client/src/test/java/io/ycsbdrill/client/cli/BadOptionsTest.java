package io.ycsbdrill.client.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is typed wrong. In each table: the line, the exit code where it differs, and what must be said. */
@Timeout(120)
class BadOptionsTest {
    private static final String GOOD = "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=10\noperationcount=10\n";

    @TempDir
    private Path root;

    private BadInput input;

    @BeforeEach
    void world() {
        input = new BadInput(root);
        input.world()
                .file("w", GOOD)
                .file("full/x", "x")
                .file("file", "x")
                .file("noworkload", "recordcount=5\n")
                .file("hosts", "{engine: ndb, clients: [{id: a, transport: local}]}\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            rum native -P w                             | unknown command "rum";; did you mean "run"?;; see: ycsb --help
            --frobnicate                                | unknown option "--frobnicate";; see: ycsb --help
            run --hlep                                  | unknown option "--hlep";; did you mean "--help"?
            run '' -P w                                 | no binding given;; native, jdbc, rest, basic
            run Native -P w                             | unknown binding "Native";; did you mean "native"?
            run native native -P w                      | unexpected argument "native";; see: ycsb run --help
            run site.ycsb.BasicDB2 -P w                 | site.ycsb.BasicDB2 is not on the class path;; -cp
            run site.ycsb.DB -P w                       | site.ycsb.DB is abstract;; name a class that extends it
            run io.ycsbdrill.client.run.call.RetryingDb -P w | RetryingDb has no public constructor without arguments
            run native -db java.util.List -P w          | java.util.List does not extend site.ycsb.DB
            run -db -P w                                | Expected parameter for option '-db' but found '-P'
            run native -P w -P w2                       | -P w2: no such file;; did you mean "w"?
            run native -P full                          | -P full: is a directory;; give a file in it
            run native -P ''                            | -P : no such file;; looked in ROOT/cwd
            run native -P                               | Missing required parameter for option '-P'
            run native -P noworkload                    | no workload;; -P workloads/workloadb;; operationcount is not set
            run native -P w -p                          | Missing required parameter for option '-p' (KEY=VALUE)
            run native -P w -p =3                       | -p "=3" is not KEY=VALUE
            run native -P w -threads                    | Missing required parameter for option '-threads'
            run native -P w -threads ''                 | threadcount= is not a whole number from 1 to 10000
            run native -P w -threads 1.5                | threadcount=1.5 is not a whole number from 1 to 10000
            run native -P w -threads 4294967297         | threadcount=4294967297;; from 1 to 10000
            run native -P w -threads 8k                 | threadcount=8k;; from 1 to 10000
            run native -P w -threads -3                 | threadcount=-3;; from 1 to 10000
            run native -P w -target ten                 | target=ten is not a number of at least 0
            run native -P w -target 1e999               | target=1e999;; at most 1000000000000
            run native -P w -target NaN                 | target=NaN is not a number
            run native -P w -target 1,000               | target=1,000 is not a number
            run native -P w -target -5                  | target=-5;; of at least 0
            run native -P w --duration                  | Missing required parameter for option '--duration' (TIME)
            run native -P w --duration 60               | --duration: "60" has no unit; expected a number with a unit: 200ms, 0.5s, 10m or 2h
            run native -P w --duration '60 s'           | --duration: "60 s"; expected
            run native -P w --duration -5s              | --duration: "-5s"; expected
            run native -P w --duration 1h30m            | --duration: "1h30m"; expected a number with a unit
            run native -P w --duration 0ms              | --duration 0ms is not longer than 0
            run native -P w --duration 99999999999h     | --duration: "99999999999h" is out of range
            run native -P w --duration 999999999h       | --duration: "999999999h" is out of range
            run native -P w --duration 10s --warmup 8s --cooldown 3s | --warmup 8s and --cooldown 3s leave nothing of the duration (10s)
            run native -P w --warmup 1x                 | --warmup: "1x"; expected a number with a unit
            run native -P w --cooldown 3                | --cooldown: "3" has no unit; expected a number with a unit
            run native -P w --window 0s                 | --window 0s is not a multiple of 100ms from 100ms to 60s
            run native -P w --window 50ms               | --window 50ms;; from 100ms to 60s
            run native -P w --window 2m                 | --window 2m;; from 100ms to 60s
            run native -P w --window 1.05s              | --window 1.05s is not a multiple of 100ms
            run native -P w --window ''                 | --window: ""; expected a number with a unit
            run native -P w --rate 100@5                | --rate: "100@5" is not one of steps RATE@START and ramps
            run native -P w --rate 10@5s                | --rate: "10@5s" does not give the rate from 0s on
            run native -P w --rate 0                    | --rate: "0" never sends anything
            run native -P w --rate 100..0@0s-10s        | ends with the rate 0, so the run would never end
            run native -P w --rate 100@0s,50@10s,70@5s  | overlap or are not in order of time
            run native -P w --rate 1..2@5s-1s           | the ramp "1..2@5s-1s" ends before it starts
            run native -P w --rate 10/s                 | --rate: "10/s" is not one of;; 1000@0s,5000@60s
            run native -P w --rate 10 -target 5         | --rate 10 and the target 5.0 exclude each other
            run native -P w --after-stall skipp --rate 5 | --after-stall skipp;; did you mean "skip"?
            run native -P w --after-stall cap:x --rate 5 | --after-stall cap:;; x is not a whole number of at least 1
            run native -P w --after-stall cap: --rate 5 | --after-stall cap:;; is not a whole number of at least 1
            run native -P w --seed 1.5                  | --seed=1.5 is not a whole number of 64 bits
            load native -P w --insert-retries -1        | --insert-retries=-1;; from 0 to 1000
            load native -P w --insert-retries 1001      | --insert-retries=1001;; from 0 to 1000
            run native -P w --live 70000                | --live 70000 is not [HOST:]PORT with a port from 0
            run native -P w --live localhost:http       | --live localhost:http is not [HOST:]PORT
            run native -P w --live 127.0.0.1:-1         | --live 127.0.0.1:-1 is not [HOST:]PORT
            run native -P w --live 198.51.100.1:8080    | --live 198.51.100.1:8080: cannot listen there;; give another port
            run native -P w --clients                   | Missing required parameter for option '--clients' (N)
            run native -P w --clients two               | --clients=two is not a whole number from 1 to 256
            run native -P w --clients -2                | --clients=-2;; from 1 to 256
            run native -P w --clients 257               | --clients=257;; from 1 to 256
            run native -P w --clients 1.5               | --clients=1.5 is not a whole number
            run native -P w --clients 2 --client 1/2    | --clients 2 and --client 1/2 exclude each other
            run native -P w --clients 1 --client 1/2    | --clients 1 and --client 1/2 exclude each other
            run native -P w --client 1/3 --audit        | --audit and --client 1/3 exclude each other;; use --clients, or audit a run of one client
            run native -P w --audit -p workload=io.ycsbdrill.client.session.WorkloadKeysTest$Elsewhere | the workload writes to table elsewhere;; set -p table=elsewhere, or leave --audit out
            run native -P w --clients 11                | --clients 11: operationcount=10 is too small for 11 clients
            load native -P w --clients 2 -p insertcount=5 | --clients 2 and insertcount=5 exclude each other;; leave out insertcount
            load native -P w --clients 2 --resume full  | --resume and --clients exclude each other
            load native -P w --on hosts --resume full   | --resume and clients on other hosts exclude each other;; give --clients 1
            run native -P w --out file                  | --out ROOT/cwd/file exists and is not an empty directory;; give a new one
            run native -P w --out full                  | --out ROOT/cwd/full exists and is not an empty directory
            run native -P w --out file/below            | --out ROOT/cwd/file/below cannot be made;; name another directory
            run native -P w --out /proc/ycsb/x          | --out /proc/ycsb/x cannot be made or written;; name another directory
            run native -P w --engine galera             | --engine galera is not one of ndb, embedded
            run native -P w --engine ndb                | ndb.connectstring is not set;; -p ndb.connectstring=HOST:1186;; ycsb cluster up ndb
            run jdbc -P w --engine ndb                  | --engine goes with the binding native only, not with jdbc
            run native -P w --no-laod                   | unknown option "--no-laod";; did you mean "--no-load"?
            run native -P w --resume full               | unknown option "--resume"
            run native -P w --audit -p fieldlength=10   | --audit: fieldlength=10 is too short;; at least 20 bytes
            run native -P w --audit --clients 256 -threads 2000 -p operationcount=1000 | --audit: threadcount=2000 of each of 256 clients is not from 1 to 1024;; give fewer -threads or --clients
            run native -P w --audit -p record.ttl=60s   | --audit and record.ttl exclude each other
            run native -P w --audit=yes                 | Invalid value for option '--audit': 'yes' is not a boolean
            run native -P w --quiet                     | unknown option "--quiet";; see: ycsb run --help
            load native -P w --resume nothing           | --resume ROOT/cwd/nothing;; summary.json cannot be read;; must be done again
            load native -P w --resume file              | --resume ROOT/cwd/file
            drill                                       | no drill given: -D NAME or FILE;; workloads/drills/node-restart.yaml
            drill native -P w -D nofile                 | drill file nofile is not there;; did you mean "file"?
            drill native -P w -D full                   | drill file full cannot be read: it is a directory
            drill --check nofile                        | drill file nofile is not there
            run native -P w -p recordcuont=9 -threads x | threadcount=x is not a whole number;; did you mean "recordcount"?
            drill --check full                          | drill file full cannot be read: it is a directory
            drill --check                               | Missing required parameter for option '--check' (DRILL)
            drill --check file extra more               | unexpected argument "more"
            """)
    void onTheCommandLineOfARunIsRefused(String typed, String parts) {
        input.refused(typed, 2, parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cluster up mysql                    | 2 | unknown engine "mysql": this build has cratedb, embedded
            cluster up RonDB                    | 2 | unknown engine "RonDB";; did you mean "ndb"?
            cluster up postgres                 | 2 | unknown engine "postgres";; did you mean "patroni"?
            run native -P w --engine rondb      | 2 | --engine rondb is not one of ndb, embedded; did you mean "ndb"?
            cluster up galerra                  | 2 | unknown engine "galerra";; did you mean "galera"?
            sweep native -P w --axis thread=1,2 | 2 | error: sweep: axes.thread: is neither a setting;; did you mean "threads"?
            cluster up embedded ndb             | 2 | unexpected argument "ndb"
            cluster up --data-nodes             | 2 | Missing required parameter for option '--data-nodes'
            cluster up --data-nodes 99          | 2 | cluster up embedded: data-nodes=99 is not from 1 to 9
            cluster down nosuch                 | 2 | unknown engine "nosuch"
            cluster status nosuch               | 2 | unknown engine "nosuch"
            cluster status                      | 1 | no cluster is up; start one: ycsb cluster up
            cluster kill                        | 2 | Missing required parameter: 'NODE'
            cluster kill node1                  | 2 | no cluster is up;; -p ndb.connectstring=HOST:1186
            cluster kil node1                   | 2 | unknown command "kil";; did you mean "kill"?
            cluster kill node1 node1            | 2 | a node is named twice in node1 node1
            cluster kill node1 --engine nosuch  | 2 | unknown engine "nosuch"
            cluster kill node1 --timeout 5      | 2 | --timeout: "5" has no unit; expected a number with a unit
            cluster kill node1 --timeout 0s     | 2 | --timeout 0s must be longer than 0
            cluster stop node1 --mode softly    | 2 | --mode softly is not one of graceful, abort
            cluster restart node1 --mode slow   | 2 | --mode slow is not one of graceful, abort, kill
            cluster initialise node1 --down x   | 2 | --down: "x"; expected a number with a unit
            cluster pause node1 --for 1         | 2 | --for: "1" has no unit; expected a number with a unit
            cluster heal extra                  | 2 | unknown engine "extra"
            cluster heal                        | 2 | no cluster is up; start one
            cluster status -p ndb.connectstring=mgm1:x | 2 | ndb.connectstring "mgm1:x": port in "mgm1:x" is not in 1..65535
            cluster status -p foo=bar           | 2 | -p foo is not supported by this command; only ndb.connectstring is
            shell                               | 2 | no binding given
            shell natve                         | 2 | unknown binding "natve";; did you mean "native"?
            shell native -P nofile              | 2 | -P nofile: no such file
            shell native -p x                   | 2 | -p "x" is not KEY=VALUE
            shell native --windwo 1s            | 2 | unknown option "--windwo"
            shell jdbc                          | 2 | db.url is missing;; jdbc:mysql://host:3306/ycsb
            shell rest -p rest.endpoints=foo    | 2 | rest.endpoints=foo: expected the servers' addresses
            report                              | 2 | Missing required parameter: 'DIR'
            report nothing                      | 2 | ROOT/cwd/nothing is not there; name the directory of a run
            report file                         | 2 | ROOT/cwd/file is not a run directory
            report --junit x.xml full full      | 2 | --junit takes one run directory, but 2 were given
            compare full                        | 2 | Missing required parameter: 'B'
            compare full nothing                | 2 | ROOT/cwd/full is not a run directory
            compare full full extra             | 2 | unexpected argument "extra"
            audit nothing                       | 2 | ROOT/cwd/nothing is not there; name the directory of a run
            audit full                          | 2 | ROOT/cwd/full is not a run directory: it has no run.json
            history                             | 2 | Missing required parameter: 'DIR'
            history file                        | 2 | ROOT/cwd/file is not a directory;; for example results
            history full                        | 1 | no run under ROOT/cwd/full
            merge                               | 2 | Missing required options and parameters: '--out=DIR', 'RUN-DIR'
            merge full                          | 2 | Missing required option: '--out=DIR'
            merge full --out x                  | 2 | merge needs at least two run directories; give those of all clients
            merge full nothing --out x          | 2 | ROOT/cwd/full is not a run directory;; nothing was merged
            merge full nothing --out file       | 2 | ROOT/cwd/file exists and is not a directory;; --out
            client-process                      | 2 | client-process is started by --clients, not by hand
            doctor extra                        | 2 | unexpected argument "extra"
            """)
    void ofTheOtherCommandsIsRefused(String typed, int exitCode, String parts) {
        input.refused(typed, exitCode, parts);
    }
}
