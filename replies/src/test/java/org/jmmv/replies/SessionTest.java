package org.jmmv.replies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.core.InstanceFilter;
import org.jmmv.pcp.User;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.Profile;
import org.jmmv.serving.Accounts;
import org.junit.jupiter.api.Test;

class SessionTest {
  private static final int KILOBYTE = 1000;

  private final Accounts profiles = new Accounts(100 * KILOBYTE, Runnable::run);

  /** Returns a profile that takes {@code kilobytes} kilobytes, and a bit. */
  private static Profile profile(int context, int kilobytes) {
    int[] instances = new int[kilobytes * KILOBYTE / Integer.BYTES];
    return new Profile(0, context, false, List.of(new InDomProfile(1, false, instances)));
  }

  private static List<Integer> contexts(Session session) {
    return IntStream.range(0, 100)
        .filter(context -> session.profile(context) != null)
        .boxed()
        .toList();
  }

  @Test
  void theContextThatWasNotUsedForTheLongestTimeIsForgotten() {
    Session session = new Session(profiles, User.of(1));
    for (int context = 0; context < 3; context++) {
      session.setProfile(profile(context, 30));
    }
    session.profile(0);
    session.setProfile(profile(3, 30));
    assertEquals(List.of(0, 2, 3), contexts(session));
  }

  @Test
  void aProfileThatReplacesAnotherTakesItsPlace() {
    Session session = new Session(profiles, User.of(1));
    session.setProfile(profile(0, 60));
    session.setProfile(profile(1, 30));
    for (int i = 0; i < 10; i++) {
      session.setProfile(profile(0, 60));
    }
    assertEquals(List.of(0, 1), contexts(session));
  }

  @Test
  void thePeerThatKeepsMostLosesItsContexts() {
    Session good = new Session(profiles, User.of(2));
    good.setProfile(profile(0, 40));
    List<Session> bad = new ArrayList<>();
    for (int i = 0; i < 50; i++) { // each of them keeps less than the good one
      Session session = new Session(profiles, User.of(3));
      session.setProfile(profile(0, 10));
      bad.add(session);
    }
    assertNotNull(good.profile(0));
    assertEquals(5, bad.stream().filter(session -> session.profile(0) != null).count());
  }

  @Test
  void theConnectionOfAPeerThatKeepsMostLosesItsContexts() {
    Session good = new Session(profiles, User.of(4));
    good.setProfile(profile(0, 10));
    Session bad = new Session(profiles, User.of(4));
    for (int context = 0; context < 50; context++) {
      bad.setProfile(profile(context, 20));
    }
    assertNotNull(good.profile(0));
    assertEquals(List.of(46, 47, 48, 49), contexts(bad));
  }

  @Test
  void aProfileThatDoesNotFitIsNotStored() {
    Session session = new Session(profiles, User.of(1));
    assertSame(InstanceFilter.ALL, session.lastProfile());
    session.setProfile(profile(0, 100));
    assertNull(session.profile(0));
    assertNull(session.lastProfile());
    session.setProfile(Profile.all(0, 1));
    assertSame(InstanceFilter.ALL, session.profile(1));
    assertSame(InstanceFilter.ALL, session.lastProfile());
  }

  @Test
  void theEndOfAConnectionGivesBackWhatItHasKept() {
    for (int i = 0; i < 10; i++) {
      Session session = new Session(profiles, User.of(1));
      session.setProfile(profile(0, 50));
      session.close();
    }
    Session one = new Session(profiles, User.of(1));
    one.setProfile(profile(0, 45));
    Session other = new Session(profiles, User.of(5));
    other.setProfile(profile(0, 45));
    assertNotNull(one.profile(0));
    assertNotNull(other.profile(0));
  }

  /** But for a tenth, for what the JVM allocates during the measurement. */
  @Test
  void theEstimateIsNotLessThanWhatAProfileTakesInTheHeap() {
    Profile many =
        new Profile(
            0,
            0,
            false,
            IntStream.range(0, 3270).mapToObj(i -> new InDomProfile(i, false, 1)).toList());
    for (Profile profile : List.of(many, profile(0, 64))) {
      Session session = new Session(new Accounts(Long.MAX_VALUE, Runnable::run), User.of(1));
      final long before = used();
      for (int context = 0; context < 64; context++) {
        session.setProfile(new Profile(0, context, profile.include(), profile.inDoms()));
      }
      long taken = used() - before;
      assertTrue(taken <= session.bytes() * 1.1, () -> taken + " of " + session.bytes());
      assertTrue(taken >= session.bytes() / 3, () -> taken + " of " + session.bytes());
    }
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
