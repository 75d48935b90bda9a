package org.jmmv.web.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PasswordsTest {
  private static final String CHEAP = "$2y$04$" + "x".repeat(53);
  private static final String COSTLY = "$2y$12$" + "x".repeat(53);

  private final Passwords passwords = new Passwords();

  private Passwords.Attempt attempt(String user, Map<String, String> users) throws Failure {
    byte[] sent = (user + ":secret").getBytes(UTF_8);
    return passwords.attempt("Basic " + Base64.getEncoder().encodeToString(sent), users);
  }

  @Test
  void aUserThatIsRemovedIsForgottenAlsoIfAnotherHasTheSamePassword() throws Failure {
    Map<String, String> both = Map.of("ann", CHEAP, "bob", CHEAP);
    passwords.keep(attempt("ann", both));
    assertTrue(passwords.isKept(attempt("ann", both)));
    assertFalse(passwords.isKept(attempt("ann", Map.of("bob", CHEAP))));
  }

  /** So the time does not tell unknown names from those whose passwords cost most. */
  @Test
  void anUnknownNameTakesAsLongAsTheSlowest() throws Failure {
    Map<String, String> users = Map.of("ann", CHEAP, "bob", COSTLY, "cid", CHEAP);
    assertEquals(COSTLY, attempt("nobody", users).hash());
    assertEquals(CHEAP, attempt("ann", users).hash());
  }
}
