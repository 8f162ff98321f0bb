package io.ycsbdrill.client.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong properties of workloads and bindings: exit code 2 before a cluster is started or a run directory made. */
@Timeout(120)
class BadPropertiesTest {
    private static final String GOOD = "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=10\noperationcount=10\n";

    @TempDir
    private Path root;

    private BadInput input;

    @BeforeEach
    void world() {
        input = new BadInput(root);
        input.world().file("w", GOOD).file("full/x", "x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            workload=Core                          | workload=Core is not on the class path;; -cp
            workload=java.lang.String              | workload=java.lang.String does not extend site.ycsb.Workload
            workload=site.ycsb.Workload            | workload=site.ycsb.Workload is abstract
            recordcount=                           | recordcount= is not a whole number
            recordcount=-1                         | recordcount=-1 is not a whole number of at least 0
            recordcount=1e6                        | recordcount=1e6 is not a whole number
            recordcount=0                          | recordcount is not set; it must be the number of records in the table
            recordcount=3000000000                 | recordcount = 3000000000: a number from 0 to 2147483647 expected;; 32 bits
            operationcount=9223372036854775808     | operationcount=9223372036854775808 is not a whole number
            operationcount=1M                      | operationcount=1M is not a whole number
            operationcount=0                       | operationcount is not set;; --duration 60s
            maxexecutiontime=60s                   | maxexecutiontime=60s is not a whole number from 0
            insertstart=20                         | insertstart=20;; is more than recordcount=10
            readproportion=x                       | readproportion=x is not a number of at least 0 and at most 1
            updateproportion=-0.5                  | updateproportion=-0.5 is not a number of at least 0
            scanproportion=95                      | scanproportion=95 is not a number;; at most 1
            deleteproportion=x                     | deleteproportion=x is not a number of at least 0 and at most 1
            appendproportion=0.3                   | appendproportion=0.3 is no operation of CoreWorkload;; deleteproportion
            tracefile=trace.txt                    | tracefile=trace.txt;; replays no trace
            requestdistribution=normal             | requestdistribution=normal is not one of uniform, zipfian
            insertorder=random                     | insertorder=random is not one of hashed, ordered
            fieldcount=0                           | fieldcount=0 is not a whole number from 1 to 10000
            fieldcount=ten                         | fieldcount=ten is not a whole number
            fieldlength=-1                         | fieldlength=-1 is not a whole number from 0
            fieldlength=1GB                        | fieldlength=1GB is not a whole number
            minfieldlength=short                   | minfieldlength=short is not a whole number
            fieldlengthdistribution=normal         | fieldlengthdistribution=normal is not one of constant
            fieldlengthdistribution=histogram      | fieldlengthhistogram = hist.txt: no such file
            scanlengthdistribution=latest          | scanlengthdistribution=latest is not one of uniform, zipfian
            minscanlength=2000                     | minscanlength=2000 is more than maxscanlength=1000
            maxscanlength=0                        | maxscanlength=0 is not a whole number from 1
            zeropadding=999                        | zeropadding=999 is not a whole number from 0 to 200
            readallfields=yes                      | readallfields=yes is not one of true, false
            hotspotdatafraction=2                  | hotspotdatafraction=2 is not a number;; at most 1
            hotspotopnfraction=x                   | hotspotopnfraction=x is not a number
            hotspot.period=10s                     | moving-hotspot was removed, and hotspot.period with it; use requestdistribution=hotspot
            requestdistribution=moving-hotspot     | moving-hotspot was removed
            exponential.percentile=x               | exponential.percentile=x is not a number
            exponential.percentile=100             | exponential.percentile=100;; less than 100
            exponential.frac=0                     | exponential.frac=0;; more than 0
            core_workload_insertion_retry_limit=x  | core_workload_insertion_retry_limit=x is not a whole number
            status.interval=0                      | status.interval=0 is not a whole number from 1 to 86400
            retry.temporary=x                      | retry.temporary=x: expected a whole number from 0 to 1000
            retry.temporary=1001                   | retry.temporary=1001;; from 0 to 1000
            retry.backoff=5                        | retry.backoff=5: expected a time from 0s to 10s with its unit
            exporter=foo                           | exporter=foo;; stock YCSB has
            exporter=java.lang.String              | exporter=java.lang.String;; stock YCSB has
            exportfile=full                        | exportfile=full is not a file
            exportfile=                            | exportfile= is not a file
            hdrhistogram.percentiles=50,x          | hdrhistogram.percentiles = 50,x: numbers separated by commas expected
            hdrhistogram.percentiles=50,101        | hdrhistogram.percentiles: 101.0 is not a percentile
            measurement.interval=foo               | measurement.interval = foo: op, intended or both expected
            db.batchsize=x                         | db.batchsize = x: a whole number expected
            db.batchsize=100000                    | db.batchsize = 100000: a number from -1 to 10000 expected
            ndb.connectstring=mgm1:x               | ndb.connectstring;; mgm1:x;; is not in 1..65535
            ndb.home=/nowhere                      | ndb.connectstring is not set;; ndb.home
            """)
    void ofAWorkloadAreRefused(String property, String parts) {
        input.refused("run native -P w -p " + property, 2, parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            load native -P w -p insertcount=-1            | insertcount=-1 is not a whole number
            load native -P w -p insertstart=x             | insertstart=x is not a whole number of at least 0
            load native -P w -p insertstart=10            | insertstart=10 and insertcount=0 leave nothing to load of recordcount=10
            load native -P w -p insertcount=0             | insertcount=0 leave nothing to load
            load native -P w -p recordcount=0             | recordcount is not set, so there is nothing to load
            load basic -P w -p db.batchsize=10            | db.batchsize = 10: the binding site.ycsb.BasicDB inserts row by row
            run native -P w -p readproportion=0 -p updateproportion=0 | the workload does nothing
            run native -P w -p dataintegrity=true -p fieldlengthdistribution=zipfian | needs fieldlengthdistribution=constant, not zipfian
            run native -P w -p dataintegrity=true -p record.ttl=60s | record.ttl and dataintegrity=true exclude each other
            run basic -P w -p record.ttl=60s              | record.ttl is set, and site.ycsb.BasicDB does not say whether it heeds it
            run native -P w -p requestdistribution=hotspot -p hotspotdatafraction=0 | hotspotdatafraction=0 leaves no hot record
            run native -P w -p load.keys=1-5 -p fieldlengthdistribution=histogram -p fieldlengthhistogram=gone | fieldlengthhistogram = gone: no such file
            """)
    void thatContradictEachOtherAreRefused(String typed, String parts) {
        input.refused(typed, 2, parts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            jdbc |                                                | db.url is missing;; for example jdbc:mysql://host:3306/ycsb
            jdbc | db.url=foo                                     | no JDBC driver on the class path accepts foo;; -cp
            jdbc | db.url=jdbc:nosuch://h/x                       | accepts jdbc:nosuch://h/x;; -p db.driver=
            jdbc | db.url=jdbc:mysql://u:hunter2@127.0.0.1:1/x    | db.url=jdbc:mysql://***: expected;; db.passwd.env
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.driver=com.example.No | db.driver=com.example.No is not on the class path;; -cp
            jdbc | db.hosts=127.0.0.1:1                           | 2 invalid properties;; db.url is missing;; db.hosts=127.0.0.1:1
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.hosts=    | db.hosts=: expected a value
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.hosts=a:b:c | db.hosts=a:b:c
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x record.ttl=60s | record.ttl=60s: expected no such property, as rows do not expire here
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x jdbc.fetchsize=x | jdbc.fetchsize=x: expected a whole number from 0 to 1000000
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x jdbc.autocommit=maybe | jdbc.autocommit=maybe;; true
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.socket.timeout=5 | db.socket.timeout=5: expected a time from 100ms
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.connect.timeout=1h | db.connect.timeout=1h;; 600s
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.pasword=hunter2 | db.pasword is not a property of this binding;; did you mean "db.passwd"?
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.passwd=hunter2 db.passwd.env=X | db.passwd;; only one of
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.passwd.env=YCSB_NOT_SET | db.passwd.env;; environment variable that is set
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.passwd.file=/nowhere/pw | db.passwd.file;; a readable file
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x db.table.engine=a;b | db.table.engine=a;b: expected the name of a storage engine
            jdbc | db.url=jdbc:mysql://127.0.0.1:1/x fieldcount=1001 | fieldcount=1001
            rest | rest.endpoints=foo                             | rest.endpoints=foo: expected the servers' addresses, http://host:port
            rest | rest.endpoints=ftp://127.0.0.1/                | rest.endpoints=ftp://127.0.0.1/;; https too
            rest | rest.endpoints=http://u:hunter2@127.0.0.1:1    | rest.endpoints;; without user and password
            rest | rest.endpoints=http://127.0.0.1:1 rest.dialect=mongo | rest.dialect=mongo: expected one of ignite, rondb
            rest | rest.endpoints=http://127.0.0.1:1 rest.dialect=rondbb | rest.dialect=rondbb;; did you mean "rondb"?
            rest | rest.endpoints=http://127.0.0.1:1 rest.timeout=5 | rest.timeout=5: expected a time from 50ms to 1h
            rest | rest.endpoints=http://127.0.0.1:1 rest.nosuch=5 | rest.nosuch is not a property of this binding; it has rest.api-key
            rest | rest.endpoints=http://127.0.0.1:1 rest.password=hunter2 | rest.user
            rest | rest.endpoints=https://127.0.0.1:1 rest.tls.ca=/nowhere.pem | rest.tls.ca=/nowhere.pem: expected a file
            rest | rest.endpoints=http://127.0.0.1:1 rest.dialect=harperdb-operations | more than inserts;; use rest.dialect=harperdb,
            native | ndb.connectstring=127.0.0.1:1 ndb.batch=x    | ndb.batch is not a property of this binding; it has ndb.client.slots, ndb.connect.timeout
            native | ndb.connectstring=127.0.0.1:1 ndb.home=/nowhere | no NDB client found;; /nowhere (no such folder);; bin/install-ndb
            native | ndb.connectstring=127.0.0.1:1 ndb.connections=0 | ndb.connections=0: expected
            native | ndb.connectstring=127.0.0.1:1 ndb.storage=tape | ndb.storage=tape: expected one of
            """)
    void ofABindingAreRefused(String binding, String properties, String parts) {
        StringBuilder typed = new StringBuilder("run " + binding + " -P w");
        for (String property : properties == null ? new String[0] : properties.split(" ")) {
            typed.append(" -p ").append(property);
        }
        input.refused(typed.toString(), 2, parts);
    }

    @Test
    void aLoadThatCannotBeReadBackIsNotAudited() {
        input.refused(
                "load rest -P w --audit -p rest.dialect=harperdb-operations -p rest.endpoints=http://127.0.0.1:1",
                2,
                "a run or an audit needs more than inserts;; rest.dialect=harperdb-operations");
    }
}
