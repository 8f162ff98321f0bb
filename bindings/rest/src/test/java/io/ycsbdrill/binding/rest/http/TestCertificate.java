package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;

/**
 * A certificate for {@code localhost}, signed by itself.
 *
 * @param keys for a server
 * @param pem the file from which a client trusts it
 */
record TestCertificate(KeyManagerFactory keys, String pem) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** A new one, in an empty folder. */
    static TestCertificate in(Path folder) throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).as(folder + "/keytool.log").isZero();
        KeyStore store12 = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            store12.load(in, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store12, PASSWORD);
        Path pem = Files.writeString(
                folder.resolve("server.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(store12.getCertificate("server").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        return new TestCertificate(keys, pem.toString());
    }

    /** Of a server with TLS, which offers HTTP/1.1 only. */
    SSLServerSocketFactory factory() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context.getServerSocketFactory();
    }
}
