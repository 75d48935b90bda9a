package org.jmmv.serving;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Bounds the memory that is kept for connections. Each connection has an account, and what it keeps
 * is charged to its user.
 *
 * <p>Beyond the bound, something is given up: by the user whose connections keep most, there by the
 * connection that keeps most. So a user gives up nothing while its connections keep less than its
 * equal part of the bound, and a connection nothing while it keeps less than its equal part of what
 * its user's connections keep.
 */
public final class Accounts {
  private final long maxBytes;
  private final Map<String, User> users = new HashMap<>();
  private long bytes;

  private static final class User {
    private final Set<Account> accounts = new HashSet<>();
    private long bytes;
  }

  /** What is kept for one connection. */
  public final class Account {
    private final String name;
    private final User user;
    private final Runnable giveUp;
    private long own;
    private boolean isOpen = true;

    private Account(String name, User user, Runnable giveUp) {
      this.name = name;
      this.user = user;
      this.giveUp = giveUp;
    }

    /** Returns the user or the address that is charged. */
    public String user() {
      return name;
    }

    /** Returns what is kept, in bytes. */
    public long bytes() {
      return own;
    }

    /** Returns the maximum of what is kept for all connections together, in bytes. */
    public long maxBytes() {
      return maxBytes;
    }

    /** Sets what is kept, in bytes, and has somebody give up something if that is too much. */
    public void set(long kept) {
      if (!isOpen) {
        return; // it has given up the connection, which goes on until the event loop closes it
      }
      user.bytes += kept - own;
      bytes += kept - own;
      own = kept;
      while (bytes > maxBytes) {
        User largest = Collections.max(users.values(), Comparator.comparingLong(one -> one.bytes));
        Collections.max(largest.accounts, Comparator.comparingLong(Account::bytes)).giveUp.run();
      }
    }

    /** Ends the account. Nothing is kept any more. */
    public void close() {
      set(0);
      isOpen = false;
      user.accounts.remove(this);
      if (user.accounts.isEmpty()) {
        users.remove(name, user);
      }
    }
  }

  /**
   * Creates an object without accounts.
   *
   * @param maxBytes the maximum of what is kept for all connections together
   */
  public Accounts(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Opens the account of a connection.
   *
   * @param name the user or the address at the other end of the connection
   * @param giveUp sets a smaller number of bytes, or closes the account
   */
  public Account open(String name, Runnable giveUp) {
    User user = users.computeIfAbsent(name, _ -> new User());
    Account account = new Account(name, user, giveUp);
    user.accounts.add(account);
    return account;
  }
}
