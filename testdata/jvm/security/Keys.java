// Asymmetric keys from fixed numbers: RSA signatures and encryption, key specs, encodings, an Ed25519 signature, a key store in memory.
import java.io.*;
import java.math.BigInteger;
import java.security.*;
import java.security.interfaces.*;
import java.security.spec.*;
import java.util.*;
import javax.crypto.Cipher;

public class Keys {
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
        BigInteger p
            = new
            BigInteger("10iifsqxls711pwkn05xm0fkxio96rfaj0ql5roxece8yh3emji6fhw5574zoheqr9uhqzd0gizjhu8bsitddbf5pux97f9gm6fn",
            36);
        BigInteger q
            = new
            BigInteger("xutwca78tuxkz5yez88hy4zkyaid02xgcbb7okgb084l60s6tks6145641b94n4gfp6vk7cobjety3h89ihsuluoi7j06ynsyiv",
            36);
        BigInteger n = p.multiply(q), e = BigInteger.valueOf(65537);
        BigInteger d = e.modInverse(p.subtract(BigInteger.ONE).multiply(q.subtract(BigInteger.ONE)));
        KeyFactory f = KeyFactory.getInstance("RSA");
        RSAPublicKey pub = (RSAPublicKey) f.generatePublic(new RSAPublicKeySpec(n, e));
        RSAPrivateKey prv = (RSAPrivateKey) f.generatePrivate(new RSAPrivateKeySpec(n, d));
        System.out.println(pub.getModulus().bitLength() + pub.getAlgorithm() + pub.getFormat()
            + Arrays.hashCode(pub.getEncoded()) + " " + Arrays.hashCode(prv.getEncoded()));
        for (String a : "MD5withRSA SHA256withRSA".split(" ")) {
            Signature s = Signature.getInstance(a);
            s.initSign(prv);
            s.update("message".getBytes());
            byte[] sig = s.sign();
            s.initVerify(pub);
            s.update("message".getBytes());
            boolean ok = s.verify(sig);
            s.update("messagX".getBytes());
            System.out.println(a + " " + hex(sig).hashCode() + ok + s.verify(sig));
        }
        PublicKey back = f.generatePublic(new X509EncodedKeySpec(pub.getEncoded()));
        PrivateKey pb = f.generatePrivate(new PKCS8EncodedKeySpec(prv.getEncoded()));
        System.out.println(back.equals(pub) + " " + pb.equals(prv));
        Cipher c = Cipher.getInstance("RSA/ECB/PKCS1Padding");
        c.init(1, pub);
        byte[] enc = c.doFinal("hi".getBytes());
        c.init(2, prv);
        System.out.println(enc.length + new String(c.doFinal(enc)));
        Cipher raw = Cipher.getInstance("RSA/ECB/NoPadding");
        raw.init(1, pub);
        System.out.println(new BigInteger(1, raw.doFinal(new byte[] {42})).equals(BigInteger.valueOf(42).modPow(e, n)));
        t("too long", () -> { c.init(1, pub); return c.doFinal(new byte[200]); });
        t("bad sig", () -> { Signature s = Signature.getInstance("SHA256withRSA"); s.initVerify(pub);
            return s.verify(new byte[3]); });
        t("bad enc", () -> f.generatePublic(new X509EncodedKeySpec(new byte[5])));
        t("spec", () -> f.getKeySpec(pub, RSAPublicKeySpec.class).getPublicExponent());
        t("no alg", () -> KeyFactory.getInstance("NOPE"));
        KeyFactory ed = KeyFactory.getInstance("Ed25519");
        byte[] seed = new byte[32];
        seed[0] = 7;
        PrivateKey ek = ed.generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
        Signature edS = Signature.getInstance("Ed25519");
        edS.initSign(ek);
        edS.update("ed".getBytes());
        System.out.println(hex(edS.sign()));
        KeyStore ks = KeyStore.getInstance("PKCS12");
        ks.load(null, null);
        System.out.println(ks.size() + " " + ks.containsAlias("k") + ks.isKeyEntry("k") + ks.getCertificate("k"));
        System.out.println(AccessController.doPrivileged((PrivilegedAction<String>) () -> "privileged"));
        try {
            AccessController.doPrivileged((PrivilegedExceptionAction<String>) ()
                -> { throw new IOException("wrapped"); });
        } catch (PrivilegedActionException x) {
            System.out.println(x.getException());
        }
        System.out.println(new java.io.FilePermission("/a/*",
            "read").implies(new java.io.FilePermission("/a/b", "read")) + " "
            + new PropertyPermission("a.*", "read").implies(new PropertyPermission("a.b", "write"))
            + System.getSecurityManager());
    }
}
