import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cryptopro.ECGOST3410NamedCurves;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.ExtendedDigest;
import org.bouncycastle.crypto.digests.GOST3411Digest;
import org.bouncycastle.crypto.digests.GOST3411_2012_512Digest;
import org.bouncycastle.crypto.generators.ECKeyPairGenerator;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECKeyGenerationParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.signers.ECGOST3410_2012Signer;

/**
 * The anchor in Java: BouncyCastle, in one process that answers line by line.
 *
 * <pre>
 *   verify OID COUNT          so many verifications of one signature, key decoded each time
 *   digest NAME MEGABYTES     streebog or gost94
 * </pre>
 *
 * Each answer is the time it took, in milliseconds.
 */
public class BouncyGost {
  record Case(ECDomainParameters domain, byte[] key, byte[] digest, BigInteger[] signature) {}

  static final Map<String, Case> cases = new HashMap<>();

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) {
      String[] words = line.split(" ");
      int count = Integer.parseInt(words[2]);
      System.out.println(words[0].equals("verify") ? verify(words[1], count) : digest(words[1], count));
    }
  }

  static double verify(String oid, int count) {
    Case c = cases.computeIfAbsent(oid, BouncyGost::makeCase);
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      ECGOST3410_2012Signer signer = new ECGOST3410_2012Signer();
      signer.init(false, new ECPublicKeyParameters(c.domain.getCurve().decodePoint(c.key), c.domain));
      if (!signer.verifySignature(c.digest, c.signature[0], c.signature[1])) throw new IllegalStateException();
    }
    return (System.nanoTime() - start) / 1e6;
  }

  static Case makeCase(String oid) {
    X9ECParameters curve = ECGOST3410NamedCurves.getByOIDX9(new ASN1ObjectIdentifier(oid));
    ECDomainParameters domain = new ECDomainParameters(curve.getCurve(), curve.getG(), curve.getN(), curve.getH());
    ECKeyPairGenerator generator = new ECKeyPairGenerator();
    generator.init(new ECKeyGenerationParameters(domain, new SecureRandom()));
    AsymmetricCipherKeyPair pair = generator.generateKeyPair();
    byte[] digest = new byte[curve.getN().bitLength() > 256 ? 64 : 32];
    for (int i = 0; i < digest.length; i++) digest[i] = (byte) (i * 37 + 11);
    ECGOST3410_2012Signer signer = new ECGOST3410_2012Signer();
    signer.init(true, pair.getPrivate());
    byte[] key = ((ECPublicKeyParameters) pair.getPublic()).getQ().getEncoded(false);
    return new Case(domain, key, digest, signer.generateSignature(digest));
  }

  static double digest(String name, int megabytes) {
    byte[] message = new byte[megabytes * 1000000];
    for (int i = 0; i < message.length; i++) message[i] = (byte) (i * 7);
    ExtendedDigest digest = name.equals("streebog") ? new GOST3411_2012_512Digest() : new GOST3411Digest();
    long start = System.nanoTime();
    digest.update(message, 0, message.length);
    digest.doFinal(new byte[digest.getDigestSize()], 0);
    return (System.nanoTime() - start) / 1e6;
  }
}
