package io.ycsbdrill.distribution;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.SortedMap;

/**
 * The public certificate authorities, for Java and for other programs. In Debian the scripts of the packages write these files, and
 * nothing runs when the image is made; {@code java.security.KeyStore} would put the present time into the file, so that no two builds
 * were the same.
 */
final class TrustStore {
    private static final int MAGIC = 0xFEEDFEED;
    private static final int VERSION = 2;
    private static final int TRUSTED = 2;
    private static final String PASSWORD = "changeit";

    private TrustStore() {}

    /** All of them one after the other, as OpenSSL and Go read them. */
    static byte[] pem(SortedMap<String, byte[]> certificates) {
        ByteArrayOutputStream bundle = new ByteArrayOutputStream();
        certificates.values().forEach(bundle::writeBytes);
        return bundle.toByteArray();
    }

    /** In the format JKS, with the password that every Java knows, which protects nothing but against damage. */
    static byte[] jks(SortedMap<String, byte[]> certificates, long millis) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        out.writeInt(certificates.size());
        for (Map.Entry<String, byte[]> certificate : certificates.entrySet()) {
            byte[] encoded = encoded(certificate.getKey(), certificate.getValue());
            out.writeInt(TRUSTED);
            out.writeUTF(certificate.getKey());
            out.writeLong(millis);
            out.writeUTF("X.509");
            out.writeInt(encoded.length);
            out.write(encoded);
        }
        MessageDigest digest = Digests.of("SHA-1");
        digest.update(PASSWORD.getBytes(StandardCharsets.UTF_16BE));
        digest.update("Mighty Aphrodite".getBytes(StandardCharsets.UTF_8));
        digest.update(bytes.toByteArray());
        out.write(digest.digest());
        return bytes.toByteArray();
    }

    private static byte[] encoded(String name, byte[] pem) throws IOException {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem))
                    .getEncoded();
        } catch (CertificateException e) {
            throw new IOException(name + " is not a certificate: " + e.getMessage(), e);
        }
    }
}
