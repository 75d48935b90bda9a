package org.jmmv.pcp;

/** Numbers of pmcd(1). */
public final class Pmcd {
  /** The TCP port on which it listens. */
  public static final int PORT = 44_321;

  /** The maximum length of what it reads from a client, in bytes. */
  public static final int MAX_REQUEST = 64 << 10;

  /** The domain of {@code pmcd.*}, in PCP's file {@code stdpmid}. */
  public static final int DOMAIN = 2;

  private Pmcd() {}
}
