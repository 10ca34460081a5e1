// Symmetric ciphers and MACs with fixed keys: modes, paddings, updates, GCM tags, key derivation, failures.
import java.security.*;
import java.security.spec.*;
import java.util.*;
import javax.crypto.*;
import javax.crypto.spec.*;

public class Ciphers {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static String hex(byte[] b) { return b == null ? "null" : HexFormat.of().formatHex(b); }
    public static void main(String[] args) throws Exception {
        byte[] key = new byte[32], iv = new byte[16], data = "The quick brown fox jumps over the lazy dog!".getBytes();
        for (int i = 0; i < 32; i++) key[i] = (byte) i;
        for (int i = 0; i < 16; i++) iv[i] = (byte) (i * 3);
        for (int kl : new int[] {16, 24, 32}) for (String mode
            : "ECB/PKCS5Padding CBC/PKCS5Padding CTR/NoPadding CFB8/NoPadding OFB/NoPadding".split(" ")) {
            SecretKeySpec k = new SecretKeySpec(key, 0, kl, "AES");
            Cipher c = Cipher.getInstance("AES/" + mode);
            if (mode.startsWith("ECB")) c.init(Cipher.ENCRYPT_MODE, k);
                else c.init(Cipher.ENCRYPT_MODE, k, new IvParameterSpec(iv));
            byte[] e = c.doFinal(data);
            if (mode.startsWith("ECB")) c.init(Cipher.DECRYPT_MODE, k);
                else c.init(Cipher.DECRYPT_MODE, k, new IvParameterSpec(iv));
            byte[] p1 = c.update(e, 0, 10), p2 = c.doFinal(e, 10, e.length - 10);
            System.out.println(kl + " " + mode + " " + hex(e) + " " + (p1 == null ? "" : new String(p1))
                + new String(p2) + c.getBlockSize());
        }
        Cipher g = Cipher.getInstance("AES/GCM/NoPadding");
        SecretKeySpec ak = new SecretKeySpec(key, 0, 16, "AES");
        g.init(Cipher.ENCRYPT_MODE, ak, new GCMParameterSpec(128, iv, 0, 12));
        g.updateAAD("aad".getBytes());
        byte[] ge = g.doFinal(data);
        System.out.println(hex(ge));
        g.init(Cipher.DECRYPT_MODE, ak, new GCMParameterSpec(128, iv, 0, 12));
        g.updateAAD("aad".getBytes());
        System.out.println(new String(g.doFinal(ge)));
        ge[3] ^= 1;
        t("tag", () -> { g.init(Cipher.DECRYPT_MODE, ak, new GCMParameterSpec(128, iv, 0, 12));
            g.updateAAD("aad".getBytes()); return g.doFinal(ge); });
        for (String a
            :
            "DES/ECB/PKCS5Padding DESede/CBC/PKCS5Padding Blowfish/ECB/PKCS5Padding ARCFOUR RC2/ECB/PKCS5Padding".split(" "))
            {
            String alg = a.split("/")[0];
            Cipher c = Cipher.getInstance(a);
            int n = alg.equals("DES") ? 8 : alg.equals("DESede") ? 24 : 16;
            if (a.contains("CBC")) c.init(1, new SecretKeySpec(key, 0, n, alg), new IvParameterSpec(iv, 0, 8));
                else c.init(1, new SecretKeySpec(key, 0, n, alg));
            System.out.println(a + " " + hex(c.doFinal("secret text".getBytes())));
        }
        Cipher cc = Cipher.getInstance("ChaCha20-Poly1305");
        cc.init(1, new SecretKeySpec(key, "ChaCha20"), new IvParameterSpec(iv, 0, 12));
        System.out.println(hex(cc.doFinal(data)));
        for (String a : "HmacMD5 HmacSHA1 HmacSHA256 HmacSHA512 HmacSHA3-256".split(" ")) {
            Mac m = Mac.getInstance(a);
            m.init(new SecretKeySpec(key, a));
            m.update(data, 0, 10);
            Mac m2 = (Mac) m.clone();
            m.update(data, 10, data.length - 10);
            System.out.println(a + " " + hex(m.doFinal()) + " " + hex(m2.doFinal()).substring(0, 8) + m.getMacLength());
        }
        SecretKeyFactory f = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
        System.out.println(hex(f.generateSecret(new PBEKeySpec("pass".toCharArray(), "salt".getBytes(), 5,
            256)).getEncoded()));
        t("key len", () -> { Cipher c = Cipher.getInstance("AES"); c.init(1, new SecretKeySpec(new byte[5], "AES"));
            return 0; });
        t("no iv", () -> { Cipher c = Cipher.getInstance("AES/CBC/PKCS5Padding"); c.init(2, ak); return 0; });
        t("iv len", () -> { Cipher c = Cipher.getInstance("AES/CBC/PKCS5Padding");
            c.init(1, ak, new IvParameterSpec(new byte[3])); return 0; });
        t("no alg", () -> Cipher.getInstance("Nope/CBC/PKCS5Padding"));
        t("no mode", () -> Cipher.getInstance("AES/XYZ/NoPadding"));
        t("not init", () -> Cipher.getInstance("AES").doFinal(data));
        t("block", () -> { Cipher c = Cipher.getInstance("AES/ECB/NoPadding"); c.init(1, ak); return c.doFinal(data);
            });
        t("bad pad", () -> { Cipher c = Cipher.getInstance("AES/ECB/PKCS5Padding"); c.init(2, ak);
            return c.doFinal(new byte[16]); });
        t("empty key", () -> new SecretKeySpec(new byte[0], "AES"));
        t("mac none", () -> Mac.getInstance("HmacNope"));
        Cipher w = Cipher.getInstance("AESWrap");
        w.init(Cipher.WRAP_MODE, ak);
        byte[] wr = w.wrap(new SecretKeySpec(key, "AES"));
        w.init(Cipher.UNWRAP_MODE, ak);
        System.out.println(hex(wr) + " " + Arrays.equals(w.unwrap(wr, "AES", Cipher.SECRET_KEY).getEncoded(), key));
        KeyGenerator kg = KeyGenerator.getInstance("AES");
        kg.init(128);
        System.out.println(kg.generateKey().getEncoded().length + " "
            + new SealedObject("obj", cipher(ak)).getObject(ak) + Cipher.getMaxAllowedKeyLength("AES"));
    }
    static Cipher cipher(SecretKeySpec k) throws Exception {
        Cipher c = Cipher.getInstance("AES");
        c.init(1, k);
        return c;
    }
}
