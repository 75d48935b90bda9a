package org.jmmv.qa;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** Requests to servers that listen on 127.0.0.1 of a machine. */
final class LocalHttp {
  // Python, because the containers do not have curl. To a client that asks it to close the
  // connection, as urllib does, pmproxy does not send all of a long reply.
  private static final String GET =
      """
      import http.client, json, sys
      replies = []
      for path in sys.argv[2:]:
          connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
          connection.request("GET", path)
          reply = connection.getresponse()
          body = reply.read().decode(errors="replace")
          replies.append({"status": reply.status, "body": body})
      print(json.dumps(replies))
      """;

  private LocalHttp() {}

  /**
   * A reply.
   *
   * @param status that of HTTP
   */
  record Reply(int status, String body) {
    /** Returns the body, which must be JSON. */
    JsonNode document() {
      try {
        return new ObjectMapper().readTree(body);
      } catch (JsonProcessingException e) {
        throw new AssertionError(body, e);
      }
    }
  }

  /** Sends requests, and returns the replies. */
  static List<Reply> getAll(Machine machine, int port, List<String> paths) {
    List<Reply> replies = new ArrayList<>();
    String printed = print(machine, port, paths).outOfSuccess();
    try {
      for (JsonNode reply : new ObjectMapper().readTree(printed)) {
        replies.add(new Reply(reply.get("status").asInt(), reply.get("body").asText()));
      }
    } catch (JsonProcessingException e) {
      throw new AssertionError(printed, e);
    }
    return replies;
  }

  /** Sends a request, and returns the reply. */
  static Reply get(Machine machine, int port, String path) {
    return getAll(machine, port, List.of(path)).getFirst();
  }

  /** Sends requests, and prints the replies; fails if the server does not answer. */
  static Shell.Result print(Machine machine, int port, List<String> paths) {
    List<String> command =
        new ArrayList<>(List.of("/usr/bin/python3", "-c", GET, Integer.toString(port)));
    command.addAll(paths);
    return machine.run(command.toArray(String[]::new));
  }
}
