package org.jmmv.serving;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jmmv.pcp.User;

/**
 * Bounds the memory that is kept for clients. What is kept for a connection or a context is in an
 * account of its user, and a cache is in one of all users.
 *
 * <p>To charge an account only adds. If that is more than the bound, something is given up after
 * the turn: by the user whose accounts have most, there by the account that has most, until it
 * fits. So a user gives up nothing while its accounts have less than its equal part of the bound,
 * and an account nothing while it has less than its equal part of what its user's accounts have.
 */
public final class Accounts {
  private final long maxBytes;
  private final Executor afterTurn;
  private final Map<User, OfUser> users = new HashMap<>();
  private long bytes;
  private boolean isGivingUp; // or will

  private static final class OfUser {
    private final Set<Account> accounts = new HashSet<>();
    private long bytes;
  }

  /** What is kept for one connection, or for the contexts of a user. */
  public final class Account {
    private final User user;
    private final OfUser owner;
    private final Runnable giveUp;
    private long own;
    private boolean isOpen = true;

    private Account(User user, OfUser owner, Runnable giveUp) {
      this.user = user;
      this.owner = owner;
      this.giveUp = giveUp;
    }

    /** Returns the user that is charged. */
    public User user() {
      return user;
    }

    /** Returns what is kept, in bytes. */
    public long bytes() {
      return own;
    }

    /** Returns the maximum of what is kept for all clients together, in bytes. */
    public long maxBytes() {
      return maxBytes;
    }

    /** Sets what is kept, in bytes. */
    public void set(long kept) {
      if (!isOpen) {
        return; // it has given up the connection, which goes on until the event loop closes it
      }
      owner.bytes += kept - own;
      bytes += kept - own;
      own = kept;
      if (bytes > maxBytes && !isGivingUp) {
        isGivingUp = true;
        afterTurn.execute(Accounts.this::giveUp);
      }
    }

    /** Ends the account. Nothing is kept any more. */
    public void close() {
      set(0);
      isOpen = false;
      owner.accounts.remove(this);
      if (owner.accounts.isEmpty()) {
        users.remove(user, owner);
      }
    }
  }

  /**
   * Creates an object without accounts.
   *
   * @param maxBytes the maximum of what is kept for all clients together
   * @param afterTurn runs an action after what the event loop does now
   */
  public Accounts(long maxBytes, Executor afterTurn) {
    this.maxBytes = maxBytes;
    this.afterTurn = afterTurn;
  }

  /**
   * Opens an account.
   *
   * @param user who is charged
   * @param giveUp sets a smaller number of bytes, or closes the account
   */
  public Account open(User user, Runnable giveUp) {
    OfUser owner = users.computeIfAbsent(user, _ -> new OfUser());
    Account account = new Account(user, owner, giveUp);
    owner.accounts.add(account);
    return account;
  }

  /**
   * Has accounts give up something until the rest fits. That looks at all users, and at the
   * accounts of one, as often as something is given up: some milliseconds with 1,000 connections.
   */
  private void giveUp() {
    try {
      while (bytes > maxBytes) {
        OfUser owner = Collections.max(users.values(), Comparator.comparingLong(one -> one.bytes));
        Account largest = Collections.max(owner.accounts, Comparator.comparingLong(Account::bytes));
        long before = largest.own;
        largest.giveUp.run();
        if (largest.own >= before) { // else this loop would not end
          throw new IllegalStateException(largest.user + " gives nothing up");
        }
      }
    } finally {
      isGivingUp = false;
    }
  }
}
