package io.ycsbdrill.distribution;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * An image as one tar file: an OCI image layout, with the index of {@code docker save} beside it, so that {@code podman load}, {@code
 * docker load}, {@code skopeo} and {@code crane} all take it.
 *
 * @param name {@code ycsb-drill:VERSION}
 * @param config as of the image specification, without {@code rootfs}
 * @param layers from the bottom to the top
 */
record OciImage(String name, ObjectNode config, List<Layer.Written> layers) {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final String BLOBS = "blobs/sha256/";
    private static final String OCI = "application/vnd.oci.image.";

    void write(Path file) throws IOException {
        config.putObject("rootfs").put("type", "layers");
        ArrayNode ids = ((ObjectNode) config.path("rootfs")).putArray("diff_ids");
        layers.forEach(layer -> ids.add("sha256:" + layer.diffId()));
        byte[] configuration = JSON.writeValueAsBytes(config);

        ObjectNode manifest =
                JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", OCI + "manifest.v1+json");
        manifest.set("config", descriptor(OCI + "config.v1+json", digest(configuration), configuration.length));
        ArrayNode parts = manifest.putArray("layers");
        layers.forEach(layer -> parts.add(descriptor(OCI + "layer.v1.tar+gzip", layer.digest(), layer.size())));
        byte[] manifested = JSON.writeValueAsBytes(manifest);

        ObjectNode entry = descriptor(OCI + "manifest.v1+json", digest(manifested), manifested.length);
        entry.set(
                "platform",
                JSON.createObjectNode()
                        .put("architecture", config.path("architecture").asText())
                        .put("os", config.path("os").asText()));
        entry.putObject("annotations")
                .put("io.containerd.image.name", "docker.io/library/" + name)
                .put("org.opencontainers.image.ref.name", name.substring(name.indexOf(':') + 1));
        ObjectNode index = JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", OCI + "index.v1+json");
        index.putArray("manifests").add(entry);

        ObjectNode saved = JSON.createObjectNode().put("Config", BLOBS + digest(configuration));
        saved.putArray("RepoTags").add(name);
        ArrayNode savedLayers = saved.putArray("Layers");
        layers.forEach(layer -> savedLayers.add(BLOBS + layer.digest()));

        try (TarArchiveOutputStream tar =
                new TarArchiveOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16), "UTF-8")) {
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            put(
                    tar,
                    "oci-layout",
                    JSON.writeValueAsBytes(JSON.createObjectNode().put("imageLayoutVersion", "1.0.0")));
            put(tar, "index.json", JSON.writeValueAsBytes(index));
            put(
                    tar,
                    "manifest.json",
                    JSON.writeValueAsBytes(JSON.createArrayNode().add(saved)));
            put(tar, BLOBS + digest(configuration), configuration);
            put(tar, BLOBS + digest(manifested), manifested);
            List<String> names = new ArrayList<>();
            for (Layer.Written layer : layers) {
                if (!names.contains(layer.digest())) {
                    names.add(layer.digest());
                    put(tar, BLOBS + layer.digest(), layer.file());
                }
            }
        }
    }

    private static ObjectNode descriptor(String type, String digest, long size) {
        return JSON.createObjectNode()
                .put("mediaType", type)
                .put("digest", "sha256:" + digest)
                .put("size", size);
    }

    private static String digest(byte[] bytes) {
        MessageDigest digest = Digests.sha256();
        digest.update(bytes);
        return Digests.hex(digest);
    }

    private static void put(TarArchiveOutputStream tar, String name, byte[] content) throws IOException {
        entry(tar, name, content.length);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    private static void put(TarArchiveOutputStream tar, String name, Path content) throws IOException {
        entry(tar, name, Files.size(content));
        try (InputStream in = Files.newInputStream(content)) {
            in.transferTo(tar);
        }
        tar.closeArchiveEntry();
    }

    private static void entry(TarArchiveOutputStream tar, String name, long size) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_NORMAL);
        entry.setSize(size);
        entry.setMode(0644);
        entry.setIds(0, 0);
        entry.setNames("", "");
        entry.setModTime(0);
        tar.putArchiveEntry(entry);
    }
}
