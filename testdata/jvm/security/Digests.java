// Message digests and checksums over short, long and chunked input; clones, resets, streams; unknown algorithms.
import java.io.*;
import java.security.*;
import java.util.*;

public class Digests {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static String hex(byte[] b) { return HexFormat.of().formatHex(b); }
    public static void main(String[] args) throws Exception {
        byte[] big = new byte[10000];
        for (int i = 0; i < big.length; i++) big[i] = (byte) (i * 31);
        for (String a
            : "MD2 MD5 SHA-1 SHA-224 SHA-256 SHA-384 SHA-512 SHA-512/256 SHA3-224 SHA3-256 SHA3-512".split(" ")) {
            MessageDigest m = MessageDigest.getInstance(a);
            System.out.println(a + " " + hex(m.digest()) + " " + hex(m.digest("abc".getBytes())) + " "
                + m.getDigestLength() + m.getAlgorithm());
            m.update(big, 0, 5000);
            MessageDigest c = (MessageDigest) m.clone();
            for (int i = 5000; i < 10000; i += 77) m.update(big, i, Math.min(77, 10000 - i));
            c.update(java.nio.ByteBuffer.wrap(big, 5000, 5000));
            byte[] x = m.digest(), y = c.digest();
            System.out.println("  " + hex(x) + " " + MessageDigest.isEqual(x, y));
        }
        for (int len : new int[] {0, 1, 55, 56, 63, 64, 65, 119, 128, 1000}) {
            MessageDigest m = MessageDigest.getInstance("SHA-256");
            m.update(big, 0, len);
            m.update((byte) 7);
            System.out.print(hex(m.digest()).substring(0, 8) + " ");
        }
        System.out.println();
        t("none", () -> MessageDigest.getInstance("NOPE"));
        t("provider", () -> MessageDigest.getInstance("MD5", "NoProv"));
        t("short", () -> MessageDigest.getInstance("MD5").digest(new byte[4], 0, 4));
        MessageDigest m = MessageDigest.getInstance("SHA-1");
        m.update(big);
        m.reset();
        System.out.println(hex(m.digest()).substring(0, 10) + " " + m.toString().lines().findFirst().get()
            + m.getProvider().getName());
        DigestInputStream in = new DigestInputStream(new ByteArrayInputStream(big), MessageDigest.getInstance("MD5"));
        in.readAllBytes();
        System.out.println(hex(in.getMessageDigest().digest()));
        DigestOutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(),
            MessageDigest.getInstance("MD5"));
        out.write(big, 0, 100);
        out.on(false);
        out.write(5);
        System.out.println(hex(out.getMessageDigest().digest()));
        System.out.println(new TreeSet<>(Security.getAlgorithms("MessageDigest")).containsAll(List.of("MD5", "SHA-256"))
            + " " + (Security.getProviders().length > 3) + Security.getProvider("SUN").getName()
            + Security.getProperty("keystore.type"));
        SecureRandom sr = new SecureRandom();
        byte[] r = new byte[16];
        sr.nextBytes(r);
        System.out.println(r.length + " " + sr.nextInt(1) + (sr.generateSeed(4).length)
            + !Arrays.equals(r, new byte[16]));
        SecureRandom prng = SecureRandom.getInstance("SHA1PRNG");
        prng.setSeed(42);
        byte[] p = new byte[8];
        prng.nextBytes(p);
        System.out.println(hex(p) + " " + prng.nextInt(1000));
    }
}
