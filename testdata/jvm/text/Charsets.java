// Charsets: encoding and decoding in many, malformed and unmappable input, encoder and decoder state, buffers too small.
import java.nio.*;
import java.nio.charset.*;
import java.util.*;

public class Charsets {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static String hex(byte[] b) {
        StringBuilder sb = new StringBuilder();
        for (byte x : b) sb.append(String.format("%02x", x));
        return sb.toString();
    }
    static String esc(CharSequence s) {
        StringBuilder sb = new StringBuilder();
        s.chars().forEach(c -> sb.append(c < 128 && c > 31 ? String.valueOf((char) c) : String.format("\\u%04x", c)));
        return sb.toString();
    }
    public static void main(String[] args) throws Exception {
        String s = "aé€漢😀\ud800z";
        for (String n
            :
            "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE ISO-8859-1 US-ASCII windows-1252 ISO-8859-15 Shift_JIS EUC-JP GBK GB18030 Big5 EUC-KR IBM037 KOI8-R IBM437 ISO-2022-JP x-UTF-16LE-BOM CESU-8 windows-1251 TIS-620".split(" "))
            {
            Charset c = Charset.forName(n);
            byte[] b = s.getBytes(c);
            System.out.println(n + " " + hex(b) + " " + esc(new String(b, c)) + " " + c.name() + c.canEncode()
                + c.newEncoder().maxBytesPerChar() + c.newEncoder().averageBytesPerChar()
                + c.newEncoder().canEncode('漢') + c.isRegistered());
        }
        byte[][] bad = {{(byte) 0x80}, {(byte) 0xc3}, {(byte) 0xc3, 'a'}, {(byte) 0xe2, (byte) 0x82},
            {(byte) 0xf0, (byte) 0x9f, (byte) 0x98, 'x'}, {(byte) 0xc0, (byte) 0x80},
            {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, {(byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            {(byte) 0xff, 'a', (byte) 0xfe}, {'o', 'k'}, {(byte) 0xe0, (byte) 0x80, (byte) 0xaf}};
        for (byte[] b : bad) {
            System.out.print(hex(b) + " " + esc(new String(b, StandardCharsets.UTF_8)) + " ");
            t("report", () -> esc(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b))));
        }
        t("odd16", () -> esc(new String(new byte[] {0, 65, 1}, "UTF-16BE")));
        t("bom", () -> esc(new String(new byte[] {-1, -2, 65, 0}, "UTF-16")));
        t("bom8", () -> esc(new String(new byte[] {-17, -69, -65, 65}, "UTF-8")));
        t("lone enc", () -> hex("\ud800".getBytes("UTF-8")));
        t("report enc", () -> StandardCharsets.US_ASCII.newEncoder().encode(CharBuffer.wrap("aé")));
        t("report lone", () -> StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap("\udc00")));
        CharsetEncoder e
            = StandardCharsets.US_ASCII.newEncoder().onUnmappableCharacter(CodingErrorAction.REPLACE).replaceWith(new
            byte[] {'#'});
        System.out.println(hex(Arrays.copyOf(e.encode(CharBuffer.wrap("aéb")).array(), 3))
            + e.onUnmappableCharacter(CodingErrorAction.IGNORE).encode(CharBuffer.wrap("aéb")).remaining()
            + e.replacement().length);
        CharsetDecoder d
            = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE).replaceWith("?");
        System.out.println(d.decode(ByteBuffer.wrap(new byte[] {'a', -1, 'b'})).toString()
            + d.onMalformedInput(CodingErrorAction.IGNORE).decode(ByteBuffer.wrap(new byte[] {'a', -1, 'b'})));
        CharsetDecoder step = StandardCharsets.UTF_8.newDecoder();
        CharBuffer out = CharBuffer.allocate(2);
        ByteBuffer in = ByteBuffer.wrap("é漢😀x".getBytes("UTF-8"));
        System.out.println(step.decode(in, out, false) + " " + in.position() + " " + out.position());
        out.clear();
        System.out.println(step.decode(in, out, false) + " " + in.position());
        out.clear();
        System.out.println(step.decode(in, out, true) + " " + step.flush(out) + esc(out.flip().toString()));
        t("state", () -> step.decode(ByteBuffer.allocate(1), CharBuffer.allocate(1), false));
        ByteBuffer small = ByteBuffer.allocate(3);
        CharsetEncoder en = StandardCharsets.UTF_8.newEncoder();
        System.out.println(en.encode(CharBuffer.wrap("a漢b"), small, true) + " " + small.position());
        ByteBuffer dir = ByteBuffer.allocateDirect(64);
        dir.put("direct é漢".getBytes("UTF-8")).flip();
        System.out.println(esc(StandardCharsets.UTF_8.decode(dir)) + StandardCharsets.UTF_8.encode("é").remaining()
            + StandardCharsets.ISO_8859_1.decode(ByteBuffer.wrap(new byte[] {-23})).toString());
        t("illegal", () -> Charset.forName("bad name"));
        t("unsupported", () -> Charset.forName("x-none"));
        t("null", () -> Charset.forName(null));
        System.out.println(Charset.defaultCharset() + " " + Charset.isSupported("UTF8") + Charset.forName("latin1")
            + Charset.forName("utf8").aliases().contains("UTF8")
            + StandardCharsets.UTF_8.contains(StandardCharsets.US_ASCII)
            + StandardCharsets.US_ASCII.contains(StandardCharsets.UTF_8)
            + Charset.availableCharsets().containsKey("UTF-8")
            + StandardCharsets.UTF_8.compareTo(StandardCharsets.US_ASCII) + StandardCharsets.UTF_8.displayName()
            + Charset.forName("cp1252").equals(Charset.forName("windows-1252")));
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 0x3000; i += 7) all.appendCodePoint(i >= 0xd800 && i < 0xe000 ? 'x' : i);
        for (int i = 0x10000; i < 0x11000; i += 97) all.appendCodePoint(i);
        for (String n : List.of("UTF-8", "UTF-16", "GB18030", "UTF-32"))
            System.out.print(new String(all.toString().getBytes(n), n).contentEquals(all) + " "
                + Arrays.hashCode(all.toString().getBytes(n)) + " ");
        System.out.println();
        byte[] bytes = new byte[256];
        for (int i = 0; i < 256; i++) bytes[i] = (byte) i;
        for (String n : List.of("ISO-8859-1", "windows-1252", "IBM437", "KOI8-R", "IBM037")) {
            String x = new String(bytes, n);
            System.out.print(x.hashCode() + " " + Arrays.equals(bytes, x.getBytes(n)) + " ");
        }
        System.out.println();
    }
}
