import io.ycsbdrill.fault.net.FaultProxy;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures what an idle {@link FaultProxy} costs. Arguments: {@code server} (prints its port and serves until its input ends),
 * {@code client PORT PAIRS SECONDS}, or {@code before PORT}: an idle proxy before whatever listens there, which prints its own port
 * and goes on until its input ends. A request is 100 bytes: its first four say how many bytes to answer.
 */
public final class Bench {
    private static final int REQUEST = 100;
    private static final int ANSWER = 1_000;
    private static final int BULK = 4 << 20;

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("server")) {
            serve();
        } else if (arguments[0].equals("before")) {
            try (FaultProxy proxy = FaultProxy.before("127.0.0.1", Integer.parseInt(arguments[1]))) {
                System.out.println(proxy.address().getPort());
                while (System.in.read() >= 0) {}
            }
        } else {
            client(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Double.parseDouble(arguments[3]));
        }
    }

    private static void serve() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        System.out.println(server.getLocalPort());
        Thread accepting = new Thread(() -> {
            while (true) {
                try {
                    Socket socket = server.accept();
                    new Thread(() -> answer(socket)).start();
                } catch (IOException e) {
                    return;
                }
            }
        });
        accepting.start();
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    private static void answer(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            byte[] bytes = new byte[BULK];
            while (true) {
                int length = in.readInt();
                in.readFully(bytes, 0, REQUEST - 4);
                out.write(bytes, 0, length);
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    private static void client(int port, int pairs, double seconds) throws Exception {
        InetSocketAddress direct = new InetSocketAddress("127.0.0.1", port);
        try (FaultProxy proxy = FaultProxy.before("127.0.0.1", port)) {
            for (int threads : new int[] {1, 4}) {
                round(direct, threads, ANSWER, seconds);
                round(proxy.address(), threads, ANSWER, seconds);
                List<double[]> each = new ArrayList<>();
                for (int pair = 0; pair < pairs; pair++) {
                    double[] a = pair % 2 == 0 ? round(direct, threads, ANSWER, seconds) : null;
                    double[] b = round(proxy.address(), threads, ANSWER, seconds);
                    a = a == null ? round(direct, threads, ANSWER, seconds) : a;
                    each.add(new double[] {a[0], b[0], b[0] - a[0]});
                }
                System.out.printf(
                        "%d connection%s: median round trip %.1f us direct, %.1f us through the proxy, %.1f us added%n",
                        threads, threads == 1 ? "" : "s", median(each, 0), median(each, 1), median(each, 2));
            }
            round(direct, 1, BULK, seconds);
            round(proxy.address(), 1, BULK, seconds);
            List<double[]> each = new ArrayList<>();
            for (int pair = 0; pair < pairs; pair++) {
                double[] a = pair % 2 == 0 ? round(direct, 1, BULK, seconds) : null;
                double[] b = round(proxy.address(), 1, BULK, seconds);
                a = a == null ? round(direct, 1, BULK, seconds) : a;
                each.add(new double[] {a[1], b[1], b[1] / a[1]});
            }
            System.out.printf(
                    "answers of 4 MiB: %.0f MB/s direct, %.0f MB/s through the proxy, ratio %.2f%n",
                    median(each, 0) / 1e6, median(each, 1) / 1e6, median(each, 2));
        }
    }

    /** @return median round trip in microseconds, bytes per second */
    private static double[] round(InetSocketAddress address, int threads, int length, double seconds) throws Exception {
        long[][] times = new long[threads][];
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int own = t;
            Thread thread = new Thread(() -> times[own] = ask(address, length, end));
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) {
            thread.join();
        }
        double elapsed = (System.nanoTime() - start) / 1e9;
        long[] merged = Arrays.stream(times).flatMapToLong(Arrays::stream).sorted().toArray();
        return new double[] {merged[merged.length / 2] / 1e3, (double) merged.length * length / elapsed};
    }

    private static long[] ask(InetSocketAddress address, int length, long end) {
        long[] times = new long[1 << 20];
        int count = 0;
        try (Socket socket = new Socket()) {
            socket.connect(address);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
            byte[] request = new byte[REQUEST];
            for (int i = 0; i < 4; i++) {
                request[i] = (byte) (length >>> (24 - 8 * i));
            }
            byte[] answer = new byte[length];
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (long now = System.nanoTime(); now < end && count < times.length; count++) {
                socket.getOutputStream().write(request);
                in.readFully(answer);
                long done = System.nanoTime();
                times[count] = done - now;
                now = done;
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return Arrays.copyOf(times, count);
    }

    private static double median(List<double[]> rows, int column) {
        double[] sorted = rows.stream().mapToDouble(r -> r[column]).sorted().toArray();
        int n = sorted.length;
        return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }
}
