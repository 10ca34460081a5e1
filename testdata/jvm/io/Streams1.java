// java.io streams in memory: data, buffered, pushback, sequence, piped, print, object-free filters, readers, writers, tokenizers.
import java.io.*;
import java.util.*;

public class Streams1 {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bo);
        d.writeBoolean(true);
        d.writeByte(-1);
        d.writeShort(-2);
        d.writeChar('漢');
        d.writeInt(Integer.MIN_VALUE);
        d.writeLong(Long.MAX_VALUE);
        d.writeFloat(1.5f);
        d.writeDouble(-0.0);
        d.writeUTF("utf\0é漢😀");
        d.writeBytes("by");
        d.writeChars("ch");
        System.out.println(d.size() + " " + Arrays.hashCode(bo.toByteArray()));
        DataInputStream i = new DataInputStream(new ByteArrayInputStream(bo.toByteArray()));
        System.out.println(i.readBoolean() + " " + i.readUnsignedByte() + i.readShort() + i.readChar() + i.readInt()
            + i.readLong() + i.readFloat() + i.readDouble() + i.readUTF().length() + i.readByte() + i.skipBytes(1)
            + i.readUnsignedShort());
        t("eof", () -> { i.readLong(); return 0; });
        t("readFully", () -> { new DataInputStream(new ByteArrayInputStream(new byte[2])).readFully(new byte[3]);
            return 0; });
        t("bad utf", () -> new DataInputStream(new ByteArrayInputStream(new byte[] {0, 2, (byte) 0xc3, 1})).readUTF());
        t("long utf", () -> { new DataOutputStream(new ByteArrayOutputStream()).writeUTF("x".repeat(70000)); return 0;
            });
        BufferedInputStream b = new BufferedInputStream(new ByteArrayInputStream("abcdefghij".getBytes()), 4);
        b.mark(5);
        StringBuilder sb = new StringBuilder();
        for (int k = 0; k < 5; k++) sb.append((char) b.read());
        b.reset();
        sb.append((char) b.read()).append(b.available()).append(b.skip(3)).append(new
            String(b.readNBytes(3))).append(b.markSupported());
        System.out.println(sb);
        t("mark lost", () -> { BufferedInputStream q = new BufferedInputStream(new ByteArrayInputStream(new byte[100]),
            4); q.mark(2); q.readNBytes(50); q.reset(); return 0; });
        b.close();
        t("closed", b::read);
        PushbackInputStream p = new PushbackInputStream(new ByteArrayInputStream("xyz".getBytes()), 2);
        int c = p.read();
        p.unread('!');
        p.unread(c);
        System.out.println((char) p.read() + "" + (char) p.read() + (char) p.read() + p.available());
        t("pushback full", () -> { p.unread(new byte[5]); return 0; });
        SequenceInputStream s = new SequenceInputStream(Collections.enumeration(List.of(new
            ByteArrayInputStream("one".getBytes()), new ByteArrayInputStream(new byte[0]),
            new ByteArrayInputStream("two".getBytes()))));
        System.out.println(new String(s.readAllBytes()));
        PipedOutputStream po = new PipedOutputStream();
        PipedInputStream pi = new PipedInputStream(po, 8);
        Thread w = new Thread(() -> { try (po) { for (int k = 0; k < 100; k++) po.write(k); } catch (IOException e) {
            System.out.println(e); } });
        w.start();
        int sum = 0;
        for (int k; (k = pi.read()) >= 0; ) sum += k;
        w.join();
        System.out.println(sum);
        t("pipe unconnected", () -> new PipedInputStream().read());
        t("pipe twice", () -> new PipedInputStream(po));
        StringReader sr = new StringReader("line1\nline2\r\nline3\rline4");
        LineNumberReader ln = new LineNumberReader(sr);
        String l;
        sb.setLength(0);
        while ((l = ln.readLine()) != null) sb.append(ln.getLineNumber()).append(l).append('|');
        System.out.println(sb);
        BufferedReader br = new BufferedReader(new StringReader("a\n\nb"));
        System.out.println(br.lines().toList() + " " + br.read());
        PushbackReader pr = new PushbackReader(new StringReader("q"));
        pr.unread('w');
        System.out.println((char) pr.read() + "" + (char) pr.read() + pr.read());
        CharArrayWriter cw = new CharArrayWriter();
        cw.write("chars");
        cw.append('x').append("yz", 1, 2);
        System.out.println(cw + " " + cw.size() + new String(cw.toCharArray())
            + new CharArrayReader(cw.toCharArray(), 1, 3).read());
        StringWriter sw = new StringWriter();
        PrintWriter pw = new PrintWriter(sw, true);
        pw.printf("%5d|%s%n", 42, "s");
        pw.println(new char[] {'c'});
        pw.print(1.5f);
        pw.print((Object) null);
        pw.append("app").flush();
        System.out.println(sw.toString().replace("\n", "/") + pw.checkError());
        StreamTokenizer st = new StreamTokenizer(new
            StringReader("x = 3.5 + 'str' // comment\n-7 /* c */ \"q\\n\" end"));
        st.slashSlashComments(true);
        st.slashStarComments(true);
        st.ordinaryChar('+');
        st.eolIsSignificant(true);
        sb.setLength(0);
        while (st.nextToken() != StreamTokenizer.TT_EOF)
            sb.append(st.ttype == StreamTokenizer.TT_NUMBER ? "N" + st.nval : st.ttype == StreamTokenizer.TT_WORD ? "W"
                + st.sval : st.ttype == StreamTokenizer.TT_EOL ? "EOL" : "T" + (char) st.ttype + st.sval).append(' ');
        System.out.println(sb.toString().replace("\n", "\\n") + st.lineno());
        ByteArrayInputStream bi = new ByteArrayInputStream("0123456789".getBytes());
        bi.mark(0);
        bi.skip(3);
        System.out.println(bi.read() + " " + bi.available() + new String(bi.readNBytes(2))
            + bi.transferTo(new ByteArrayOutputStream()) + bi.read());
        bi.reset();
        System.out.println(bi.available());
        InputStream nul = InputStream.nullInputStream();
        System.out.println(nul.read() + nul.available() + " " + nul.readAllBytes().length);
        nul.close();
        t("null closed", nul::read);
        OutputStream.nullOutputStream().write(5);
        Reader rd = Reader.nullReader();
        System.out.println(rd.read());
        InputStreamReader isr = new InputStreamReader(new ByteArrayInputStream("é漢".getBytes("UTF-8")), "UTF-8");
        System.out.println(isr.getEncoding() + isr.read() + " " + isr.ready() + isr.read() + isr.read());
        OutputStreamWriter osw = new OutputStreamWriter(bo, "ISO-8859-1");
        bo.reset();
        osw.write("é漢x");
        osw.flush();
        System.out.println(Arrays.toString(bo.toByteArray()) + osw.getEncoding());
        t("bad enc", () -> new InputStreamReader(nul, "nope"));
        t("read args", () -> bi.read(new byte[2], 1, 5));
        FilterInputStream upper = new FilterInputStream(bi) {
            @Override public int read() throws IOException { int x = super.read(); return x < 0 ? x : x + 1; }
        };
        System.out.println((char) upper.read() + "" + upper.markSupported());
        BufferedWriter bw = new BufferedWriter(new OutputStreamWriter(bo), 4);
        bo.reset();
        bw.write("buffered");
        bw.newLine();
        System.out.println(bo.size());
        bw.close();
        System.out.println(bo.size());
        t("bw closed", () -> { bw.write("x"); return 0; });
        BufferedOutputStream bos = new BufferedOutputStream(bo, 3);
        bo.reset();
        bos.write(1);
        bos.write(new byte[] {2, 3, 4, 5});
        System.out.println(bo.size());
        bos.flush();
        System.out.println(bo.size() + Arrays.toString(bo.toByteArray()));
    }
}
