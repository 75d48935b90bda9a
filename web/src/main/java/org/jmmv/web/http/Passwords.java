package org.jmmv.web.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Checks names and passwords of HTTP's scheme Basic (RFC 7617). Because that takes tens of
 * milliseconds, those that are right are kept, as a hash with a secret.
 */
final class Passwords {
  private static final String SCHEME = "Basic ";

  /** How many are kept: without it, users who change their passwords would fill the heap. */
  private static final int MAX_KEPT = 100;

  /** 128 bits: nobody can guess them, and so no password from its hash. */
  private static final int SECRET_SIZE = 16;

  /** The two digits after the version, as in {@code $2y$10$}. */
  private static final Comparator<String> BY_COST =
      Comparator.comparing(hash -> hash.substring(4, 6));

  private final byte[] secret = new byte[SECRET_SIZE];
  private final SequencedSet<String> right = new LinkedHashSet<>(); // the oldest first

  Passwords() {
    new SecureRandom().nextBytes(secret);
  }

  /**
   * A name and a password that a client has sent.
   *
   * @param key identifies them
   * @param password the password, one char per byte
   * @param hash the bcrypt hash of the user's password; the one that takes longest if the user is
   *     unknown
   */
  record Attempt(String key, String password, String hash, boolean isKnown) {
    /** Returns whether the password is right. This takes long, and any thread may call it. */
    boolean isRight() {
      return BCrypt.verifyer().verify(password.getBytes(ISO_8859_1), hash.getBytes(UTF_8)).verified
          && isKnown;
    }
  }

  /**
   * Returns the name and the password of a request.
   *
   * @param header the value of the header Authorization, null if there is none
   * @param users the hashes of at least one user
   * @throws Failure if the header has no name and password, or bcrypt would use only a part of it
   */
  Attempt attempt(String header, Map<String, String> users) throws Failure {
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw missing();
    }
    byte[] sent;
    try {
      sent = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
    } catch (IllegalArgumentException e) {
      throw missing();
    }
    String text = new String(sent, ISO_8859_1);
    int colon = text.indexOf(':');
    String password = text.substring(colon + 1);
    if (colon < 0) {
      throw missing();
    }
    if (password.length() > BCrypt.Version.MAX_PW_LENGTH_BYTE) {
      throw new Failure(
          HttpResponseStatus.UNAUTHORIZED,
          "the password has more than 72 bytes, which is all that bcrypt uses: give the user a shorter one");
    }
    String own = users.get(new String(sent, 0, colon, UTF_8));
    String hash = own == null ? Collections.max(users.values(), BY_COST) : own;
    return new Attempt(key(sent, hash), password, hash, own != null);
  }

  /** Returns why a request without the right password is refused. */
  static Failure missing() {
    return new Failure(HttpResponseStatus.UNAUTHORIZED, "a user and a password are required");
  }

  private String key(byte[] sent, String hash) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(secret);
      digest.update(hash.getBytes(UTF_8)); // which the settings may replace
      return Base64.getEncoder().encodeToString(digest.digest(sent));
    } catch (NoSuchAlgorithmException e) { // every JDK has it
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether the same name and password were right before, and the name is still known. */
  boolean isKept(Attempt attempt) {
    return attempt.isKnown && right.contains(attempt.key);
  }

  /** Keeps a name and a password that are right. */
  void keep(Attempt attempt) {
    right.add(attempt.key);
    if (right.size() > MAX_KEPT) {
      right.removeFirst();
    }
  }
}
