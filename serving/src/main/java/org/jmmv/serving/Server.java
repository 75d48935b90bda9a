package org.jmmv.serving;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jmmv.core.Catalog;
import org.jmmv.core.Turn;
import org.jmmv.pcp.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all faces of a process share: the event loop that owns the catalogue, its maintenance, and
 * the clients.
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final Catalog catalog;
  private final ServingLoop loop;
  private final Maintenance maintenance;
  private final Clients clients;
  private final SlowTasks slowTasks;

  /**
   * Creates a server without faces, and loads the catalogue.
   *
   * @param catalog the catalogue, which only the server's event loop may use from now on, and which
   *     it closes at its end
   * @param access which clients are served
   */
  public Server(Catalog catalog, Access access) {
    this.catalog = catalog;
    loop = new ServingLoop(catalog::waitedNanos, catalog.steps(), catalog::close);
    clients = new Clients(access, loop.executor(), Peer::onUnixSocket);
    slowTasks = new SlowTasks(loop.executor());
    maintenance = new Maintenance(catalog, loop.executor(), loop.scheduler()::doRequestsWait);
    try {
      CompletableFuture.runAsync(
              () -> {
                maintenance.load();
                LOG.info(catalog.summary());
              },
              loop.executor())
          .join();
    } catch (RuntimeException | Error e) {
      loop.close(); // its thread would go on
      throw e;
    }
  }

  /**
   * Connects to a server, for a face that sends values of its own accord. They are written in turns
   * and charged like replies. The connection ends with the loop, or when the server closes it or
   * does not read for too long; the face then connects again.
   *
   * @param period how often what is sent goes on after {@link LongReply.Progress#WAITING}
   * @param stream returns what is sent, when the channel is connected
   */
  public ChannelFuture push(
      InetSocketAddress address, Duration period, Function<Channel, LongReply> stream) {
    return loop.connect(address, new Push(this, User.of(address.getAddress()), period, stream));
  }

  /** Work that is done again and again. */
  @FunctionalInterface
  public interface Task {
    /**
     * Does it once, or goes on with it until the turn is over.
     *
     * @return whether there is more to do this time
     */
    boolean work(Turn turn);
  }

  /**
   * Has work done again and again, in turns like the requests of a user of its own. It takes up to
   * 2 % of the time: if it takes longer than that part of the period, it is done less often.
   *
   * @param name what errors are logged under
   */
  public void repeat(String name, Duration period, Task task) {
    PeriodicTask periodic = new PeriodicTask(name, period, task, loop);
    loop.executor().execute(periodic::begin);
  }

  public Catalog catalog() {
    return catalog;
  }

  public ServingLoop loop() {
    return loop;
  }

  public Maintenance maintenance() {
    return maintenance;
  }

  public SlowTasks slowTasks() {
    return slowTasks;
  }

  public Clients clients() {
    return clients;
  }

  /**
   * Starts to listen at an address, for everyone who is admitted.
   *
   * @param address a local IP address and port, or the path of a Unix domain socket; port 0 stands
   *     for a free one
   * @return the same address, with the port that is used
   * @throws IOException if the address can't be bound
   */
  public SocketAddress listen(SocketAddress address, Clients.Face face) throws IOException {
    return loop.listen(address, SocketFile.OF_EVERYONE, clients.initializer(face));
  }

  /**
   * Stops listening, deletes the files of sockets, ends the loop with all connections, and closes
   * the catalogue.
   */
  @Override
  public void close() {
    loop.close();
  }
}
