package org.jmmv.qa;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.Request;
import org.jmmv.web.api.Api;
import org.junit.jupiter.api.Test;

/** The longest step is measured of each request that there is. */
class WorstRequestTest {
  @Test
  void thereIsARowForEachRequestOfPcp() {
    Set<Class<? extends Pdu>> measured =
        Stream.of(WorstRequest.values())
            .flatMap(request -> request.pdus(WorstCatalogue.LABELS).stream())
            .filter(Request.class::isInstance)
            .map(Pdu::getClass)
            .collect(toSet());
    assertEquals(Set.of(Request.class.getPermittedSubclasses()), measured);
  }

  @Test
  void thereIsARowForEachPathOfTheApi() throws IOException {
    List<String> measured =
        Stream.of(WorstRequest.values()).flatMap(request -> request.paths().stream()).toList();
    JsonNode description =
        new ObjectMapper().readTree(Api.class.getResourceAsStream("openapi.json"));
    for (String path : (Iterable<String>) description.get("paths")::fieldNames) {
      if (!path.equals("/openapi.json")) { // a constant
        String all = "/api/v1" + path;
        assertTrue(measured.stream().anyMatch(one -> one.split("[?#]", 2)[0].equals(all)), all);
      }
    }
  }
}
