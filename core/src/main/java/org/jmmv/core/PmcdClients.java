package org.jmmv.core;

import java.util.TreeMap;
import org.jmmv.core.BuiltInMetric.Value;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmcd;
import org.jmmv.pcp.ValueSink;

/**
 * The clients of a collector, with what each has stored in {@code pmcd.client.whoami}. Not
 * thread-safe: the thread that owns the catalogue uses it.
 */
public final class PmcdClients implements BuiltInInDom {
  /**
   * The maximum length of a description in bytes: clients send their command line, which may have
   * megabytes.
   */
  private static final int MAX_LENGTH = 1024;

  /** The number of a client that is not among them. */
  public static final int NONE = -1;

  private final TreeMap<Integer, String> descriptions = new TreeMap<>(); // "" until one is stored
  private final InstanceDomain inDom = new Clients();
  private InstanceTable table; // null after a change
  private int last = -1;

  /** Adds a client, and returns its number: the instance of its description. */
  public int add() {
    do {
      last = last == Integer.MAX_VALUE ? 0 : last + 1;
    } while (descriptions.containsKey(last));
    descriptions.put(last, "");
    table = null;
    return last;
  }

  /** Removes a client. */
  public void remove(int number) {
    descriptions.remove(number);
    table = null;
  }

  /** Sets the description of the client that stores it, whatever instance it names. */
  PmError describe(String description, int client) {
    if (description.length() > MAX_LENGTH) {
      return PmError.BADSTORE;
    }
    descriptions.replace(client, description);
    return null;
  }

  /** Has the descriptions. */
  final class Descriptions implements Value {
    @Override
    public boolean pass(int index, int instance, ValueSink sink, RequestState request) {
      return BuiltInMetric.pass(descriptions.get(instance), instance, sink);
    }

    @Override
    public boolean exists(int instance) {
      return !descriptions.get(instance).isEmpty();
    }
  }

  /** Returns the instance domain of pmcd(1)'s clients. */
  @Override
  public int id() {
    return InDom.build(Pmcd.DOMAIN, 6);
  }

  @Override
  public InstanceDomain at(RequestState request) {
    return inDom;
  }

  private final class Clients extends InstanceDomain {
    @Override
    public InstanceTable table() {
      if (table == null) {
        InstanceTable.Builder clients = new InstanceTable.Builder();
        descriptions.keySet().forEach(number -> clients.add(number, Integer.toString(number)));
        table = clients.build();
      }
      return table;
    }

    @Override
    public String oneLine() {
      return "Clients of the collector";
    }

    @Override
    public String help() {
      return null;
    }
  }
}
