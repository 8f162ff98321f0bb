package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.rest.RestBinding;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The shipped templates for etcd's JSON gateway, whose keys and rows are base64; answers as etcd 3.4.23 gives them. */
class EtcdGatewayTest extends DialectContract {
    private static final String HEADER = "{\"header\":{\"cluster_id\":\"9178\",\"revision\":\"2\",\"raft_term\":\"2\"}";

    @Override
    Map<String, String> properties() {
        return Map.of(
                "rest.dialect",
                "generic",
                "rest.generic.file",
                "../../examples/engines/etcd-rest.txt",
                "writeallfields",
                "true");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    void expectPreparation() {
        server.always("GET /health", Answers.json(200, "{\"health\":\"true\"}"));
    }

    @Override
    String readRequest() {
        return "POST /v3/kv/range {\"key\": \"aw==\"}";
    }

    @Override
    String row() {
        return HEADER + ",\"kvs\":[{\"key\":\"aw==\",\"create_revision\":\"2\",\"value\":\""
                + base64("{\"field0\":\"a\",\"field1\":\"b\"}") + "\"}],\"count\":\"1\"}";
    }

    @Override
    String insertRequest() {
        return "POST /v3/kv/put {\"key\": \"aw==\", \"value\": \"" + base64("{\"field0\":\"a\",\"field1\":\"b\"}")
                + "\"}";
    }

    @Test
    void aReplyWithoutTheKeyIsNotFound() throws DBException {
        RestBinding db = opened();
        server.expect(readRequest(), Answers.json(200, HEADER + "}"));

        assertThat(db.read("usertable", "k", null, new HashMap<>())).isSameAs(Status.NOT_FOUND);
    }

    @Test
    void anUpdateOfSomeFieldsWouldLoseTheOthersAndIsRefused() {
        assertThatThrownBy(() -> unprepared("writeallfields", "false"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("writeallfields=false")
                .hasMessageContaining("has lost the others");
    }
}
