// Lines and single characters from buffered readers: every kind of line end, at every place of a small buffer.
import java.io.*;
import java.nio.charset.StandardCharsets;

public class BufferedText {
    static String show(String s) {
        if (s == null) return "null";
        StringBuilder out = new StringBuilder("<");
        for (char c : s.toCharArray()) out.append(c < 127 ? "" + c : "#" + (int) c);
        return out + ">";
    }

    static void lines(String text, int size) throws IOException {
        StringBuilder out = new StringBuilder("size " + size + ":");
        BufferedReader r = new BufferedReader(new StringReader(text), size);
        for (String line; (line = r.readLine()) != null; ) {
            out.append(' ').append(show(line));
        }
        System.out.println(out);
    }

    static void mixed(String text, int size) throws IOException {
        StringBuilder out = new StringBuilder("mixed " + size + ":");
        BufferedReader r = new BufferedReader(new StringReader(text), size);
        for (int i = 0; ; i++) {
            if (i % 2 == 0) {
                String line = r.readLine();
                out.append(' ').append(show(line));
                if (line == null) break;
            } else {
                int c = r.read();
                out.append(' ').append(c);
                if (c < 0) break;
            }
        }
        System.out.println(out);
    }

    static class Shouting extends BufferedReader {
        Shouting(Reader r) {
            super(r, 4);
        }

        @Override
        public int read() throws IOException {
            int c = super.read();
            return c < 0 ? c : Character.toUpperCase(c);
        }
    }

    public static void main(String[] args) throws Exception {
        String text = "one\ntwo\r\nthree\rfour\n\n\r\r\nf\u00fcnf \u20ac\r\n\nlast";
        for (int size = 1; size <= 12; size++) {
            lines(text, size);
            mixed(text, size);
        }
        lines(text, 8192);
        mixed(text + "\n", 8192);
        lines("", 16);
        lines("\n", 16);
        lines("\r", 16);

        LineNumberReader numbers = new LineNumberReader(new StringReader(text));
        for (String line; (line = numbers.readLine()) != null; ) {
            System.out.print(numbers.getLineNumber() + show(line) + " ");
        }
        System.out.println();

        Shouting shouting = new Shouting(new StringReader("abc\r\ndef\n"));
        System.out.println((char) shouting.read() + show(shouting.readLine()) + (char) shouting.read() + shouting.readLine());

        BufferedReader closed = new BufferedReader(new StringReader("left\nover\n"));
        System.out.println(closed.readLine());
        closed.close();
        try {
            closed.readLine();
        } catch (IOException e) {
            System.out.println(e);
        }
        try {
            closed.read();
        } catch (IOException e) {
            System.out.println(e);
        }

        BufferedReader marked = new BufferedReader(new StringReader("a\r\nb\r\nc"), 4);
        marked.readLine();
        marked.mark(10);
        System.out.println(marked.readLine() + marked.readLine());
        marked.reset();
        System.out.println(marked.readLine() + (char) marked.read());

        // A reader locked by another thread makes this one wait.
        Reader in = new StringReader("x\ny\nz\n");
        BufferedReader shared = new BufferedReader(in);
        shared.readLine();
        StringBuffer order = new StringBuffer();
        Thread t = new Thread(() -> {
            try {
                order.append(shared.readLine()).append((char) shared.read());
            } catch (IOException e) {
                order.append(e);
            }
        });
        synchronized (in) {
            t.start();
            Thread.sleep(200);
            order.append("first ");
        }
        t.join();
        System.out.println(order);

        // Decoding: ASCII runs with other characters between, across buffers.
        StringBuilder big = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            big.append("line ").append(i).append(i % 7 == 0 ? " \u00e9\u20ac\ud83d\ude00" : "").append('\n');
        }
        byte[] bytes = big.toString().getBytes(StandardCharsets.UTF_8);
        BufferedReader r = new BufferedReader(new InputStreamReader(new ByteArrayInputStream(bytes), "UTF-8"));
        int hash = 0, count = 0;
        for (String line; (line = r.readLine()) != null; count++) {
            hash = 31 * hash + line.hashCode();
        }
        System.out.println(count + " lines, " + hash);
    }
}
