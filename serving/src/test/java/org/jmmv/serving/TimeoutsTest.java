package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.LogCapture;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The channel has a clock that a test moves. */
class TimeoutsTest {
  private static final int PIECE = 50_000; // two of them are more than the high water mark

  @AutoClose private final LogCapture log = new LogCapture();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Accounts accounts = new Accounts(3 << 20, Runnable::run);
  private final Timeouts timeouts = new Timeouts(channel, accounts, User.of(1));

  @BeforeEach
  void freeze() {
    channel.freezeTime();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void pass(int seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void aMessageThatIsNotCompleteAfterFiveSecondsEndsTheConnection() {
    timeouts.update(true, 0, 0);
    pass(4);
    timeouts.update(true, 0, 0); // more of the same message
    assertTrue(channel.isOpen());
    pass(1);
    assertFalse(channel.isOpen());
  }

  @Test
  void eachMessageHasFiveSeconds() {
    for (int received = 0; received < 10; received++) {
      timeouts.update(true, received, 0);
      pass(4);
    }
    timeouts.update(false, 10, 0);
    pass(100);
    assertTrue(channel.isOpen());
  }

  private ChannelOutboundBuffer writeWithoutBeingRead(int pieces) {
    for (int i = 0; i < pieces; i++) {
      channel.write(Unpooled.buffer(PIECE).writeZero(PIECE));
    }
    ChannelOutboundBuffer unread = channel.unsafe().outboundBuffer();
    unread.addFlush();
    timeouts.update(false, 0, 0);
    return unread;
  }

  @Test
  void repliesOfWhichNothingIsReadForTenSecondsEndTheConnection() {
    writeWithoutBeingRead(2);
    pass(9);
    assertTrue(channel.isOpen());
    pass(1);
    assertFalse(channel.isOpen());
  }

  @Test
  void whoReadsSlowlyKeepsTheConnection() {
    ChannelOutboundBuffer unread = writeWithoutBeingRead(20);
    for (int i = 0; i < 10; i++) {
      pass(9);
      unread.remove();
      pass(1);
    }
    assertTrue(channel.isOpen());
    pass(10);
    assertFalse(channel.isOpen());
  }

  @Test
  void repliesThatAreReadInTimeHaveNoTimeout() {
    ChannelOutboundBuffer unread = writeWithoutBeingRead(2);
    pass(9);
    unread.remove();
    unread.remove();
    timeouts.update(false, 0, 0);
    pass(100);
    assertTrue(channel.isOpen());
  }

  @Test
  void whoKeepsMostWhenTooMuchIsKeptIsClosedWithAWarning() {
    EmbeddedChannel other = new EmbeddedChannel();
    new Timeouts(other, accounts, User.of(2)).update(false, 0, 1 << 20);
    timeouts.update(false, 0, 3 << 20);
    assertFalse(channel.isOpen());
    assertTrue(other.isOpen());
    assertEquals(
        List.of(
            "a connection of user 1 ends: it has most of the requests, unread replies and state of"
                + " TLS, which together may take 3 MiB"),
        log.warnings());
  }

  @Test
  void aConnectionThatHasEndedHasNoTimersAndKeepsNothing() {
    timeouts.update(true, 0, 3 << 20);
    timeouts.end();
    new Timeouts(new EmbeddedChannel(), accounts, User.of(2)).update(false, 0, 3 << 20);
    pass(100);
    assertTrue(channel.isOpen());
    assertEquals(List.of(), log.warnings());
  }

  @Test
  void theUserForWhomAProxyAsksIsChargedInsteadOfTheProxy() {
    accounts.open(User.of(1), () -> {}).set(900 << 10);
    timeouts.update(false, 0, 1 << 20);
    timeouts.setUser(User.of(2));
    timeouts.update(false, 0, 1 << 20);
    Accounts.Account[] third = new Accounts.Account[1];
    third[0] = accounts.open(User.of(3), () -> third[0].close());
    third[0].set(1500 << 10);
    assertTrue(channel.isOpen(), "user 3 has most, unless user 1 has what user 2 should have");
  }
}
