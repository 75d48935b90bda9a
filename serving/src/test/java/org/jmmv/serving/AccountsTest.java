package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountsTest {
  private final Accounts accounts = new Accounts(100);
  private final List<String> ended = new ArrayList<>();

  /** Opens an account whose connection ends if it has to give up something. */
  private Accounts.Account open(String user, String connection) {
    Accounts.Account[] account = new Accounts.Account[1];
    account[0] =
        accounts.open(
            user,
            () -> {
              ended.add(connection);
              account[0].close();
            });
    return account[0];
  }

  @Test
  void theUserWhoKeepsMostGivesUpSomething() {
    open("one", "one").set(40);
    for (int i = 0; i < 6; i++) {
      open("many", "many" + i).set(10);
    }
    assertEquals(List.of(), ended);
    open("third", "third").set(1);
    assertEquals(1, ended.size());
    assertEquals("many", ended.getFirst().substring(0, 4));
  }

  @Test
  void theConnectionThatKeepsMostGivesUpSomething() {
    open("user", "small").set(20);
    open("user", "large").set(60);
    open("user", "medium").set(30);
    assertEquals(List.of("large"), ended);
  }

  @Test
  void whatIsNotKeptAnyMoreIsNotCharged() {
    for (int i = 0; i < 5; i++) {
      Accounts.Account account = open("user", "closed" + i);
      account.set(90);
      account.set(50);
      account.close();
      account.set(1000); // closed already
    }
    open("user", "last").set(100);
    assertEquals(List.of(), ended);
  }
}
