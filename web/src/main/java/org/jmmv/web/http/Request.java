package org.jmmv.web.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import org.jmmv.pcp.User;

/**
 * A GET or HEAD request.
 *
 * @param path the path, decoded
 * @param query the parameters
 * @param client the user who asks; behind a trusted proxy, its client
 * @param isUser whether it is known which user asks: a user of this machine on a Unix domain
 *     socket, or a user who has given a password
 * @param resume has a body go on that is waiting, for streams; called in the event loop
 */
public record Request(
    String path, Query query, HttpHeaders headers, User client, boolean isUser, Runnable resume) {

  /** Returns the values of a parameter, empty if it is not given. */
  public List<String> all(String parameter) {
    return query.all(parameter);
  }

  /** Returns the last value of a parameter; empty if it is not given. */
  public Optional<String> last(String parameter) {
    List<String> values = all(parameter);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
  }
}
