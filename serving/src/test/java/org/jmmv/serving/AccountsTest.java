package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.Test;

class AccountsTest {
  private final List<Runnable> afterTurn = new ArrayList<>();
  private final Accounts accounts = new Accounts(100, afterTurn::add);
  private final List<String> ended = new ArrayList<>();

  private static User user(String name) {
    return User.of(name.hashCode() & 0xffff);
  }

  /** Opens an account whose connection ends if it has to give up something. */
  private Accounts.Account open(String user, String connection) {
    Accounts.Account[] account = new Accounts.Account[1];
    account[0] =
        accounts.open(
            user(user),
            () -> {
              ended.add(connection);
              account[0].close();
            });
    return account[0];
  }

  private void endTurn() {
    List<Runnable> tasks = List.copyOf(afterTurn);
    afterTurn.clear();
    tasks.forEach(Runnable::run);
  }

  @Test
  void toChargeOnlyAddsUntilTheTurnIsOver() {
    open("user", "first").set(90);
    Accounts.Account second = open("user", "second");
    second.set(30);
    second.set(100);
    assertEquals(List.of(), ended);
    assertEquals(1, afterTurn.size());
    endTurn();
    assertEquals(List.of("second"), ended);
    assertEquals(List.of(), afterTurn);
  }

  @Test
  void whatFitsAgainAtTheEndOfTheTurnIsNotGivenUp() {
    open("user", "first").set(90);
    Accounts.Account second = open("user", "second");
    second.set(30);
    second.set(10);
    endTurn();
    assertEquals(List.of(), ended);
  }

  @Test
  void theUserWhoKeepsMostGivesUpSomething() {
    open("one", "one").set(40);
    for (int i = 0; i < 6; i++) {
      open("many", "many" + i).set(10);
    }
    endTurn();
    assertEquals(List.of(), ended);
    open("third", "third").set(1);
    endTurn();
    assertEquals(1, ended.size());
    assertEquals("many", ended.getFirst().substring(0, 4));
  }

  @Test
  void theConnectionThatKeepsMostGivesUpSomething() {
    open("user", "small").set(20);
    open("user", "large").set(60);
    open("user", "medium").set(30);
    endTurn();
    assertEquals(List.of("large"), ended);
  }

  @Test
  void nobodyGivesUpMoreThanToTheEqualPart() {
    for (int i = 0; i < 1_000; i++) {
      open("one", "one").set(2);
      open("two", "two").set(1);
      open("three", "three").set(i < 30 ? 1 : 0);
    }
    endTurn();
    assertEquals(983, Collections.frequency(ended, "one")); // 34 of 100 are left to it
    assertEquals(964, Collections.frequency(ended, "two"), 1); // 36 or 35
    assertEquals(0, Collections.frequency(ended, "three"));
  }

  /** Such as one with contexts, of which one after the other is forgotten. */
  @Test
  void anAccountGivesUpAPartOfWhatItHasUntilAnotherHasMore() {
    Accounts.Account[] parts = new Accounts.Account[1];
    parts[0] = accounts.open(user("user"), () -> parts[0].set(parts[0].bytes() - 10));
    parts[0].set(200);
    open("user", "connection").set(65);
    open("user", "small").set(30);
    endTurn();
    assertEquals(60, parts[0].bytes());
    assertEquals(List.of("connection"), ended);
  }

  /** Otherwise the loop that asks it would not end. */
  @Test
  void anAccountThatGivesNothingUpIsAnError() {
    accounts.open(user("user"), () -> {}).set(101);
    assertThrows(IllegalStateException.class, this::endTurn);
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
    endTurn();
    assertEquals(List.of(), ended);
  }
}
