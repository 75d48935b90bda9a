package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.InDom;
import org.jmmv.web.http.Failure;

/** {@code /pmapi/profile}: changes which instances the context selects, and says that it has. */
final class ProfileDocument extends Document {
  private static final String INVALID = "invalid profile parameters";
  private static final int STEP = 32; // instances

  private final Contexts contexts;
  private final int inDom;
  private final boolean isAdded;
  private final InstanceChoice choice;
  private final int[] numbers; // first all, then the chosen ones from the beginning on
  private int done;
  private int chosen;

  private ProfileDocument(
      Call call, Contexts contexts, int inDom, boolean isAdded, InstanceChoice choice) {
    super(call);
    this.contexts = contexts;
    this.inDom = inDom;
    this.isAdded = isAdded;
    this.choice = choice;
    InstanceDomain instances =
        choice.isAll() ? null : call.catalog().begin(new Scope.OfInDom(inDom)).instances(inDom);
    numbers = instances == null ? new int[0] : instances.numbers();
  }

  /** Answers a call. */
  static ProfileDocument of(Call call, Contexts contexts) throws Failure {
    String expr = call.first("expr").orElseThrow(() -> BadRequest.of(INVALID));
    if (!expr.equals("add") && !expr.equals("del")) {
      throw BadRequest.of(expr + " - invalid 'expr' parameter value");
    }
    InstanceChoice choice = InstanceChoice.of(call);
    int inDom = InstanceChoice.inDom(call);
    if (inDom == InDom.NULL && (call.first("indom").isPresent() || !choice.isAll())) {
      throw BadRequest.of(INVALID);
    }
    call.context().profile().admit(inDom);
    return new ProfileDocument(call, contexts, inDom, expr.equals("add"), choice);
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (done < numbers.length) {
      choose();
      return true;
    }
    Profile profile = call().context().profile();
    if (choice.isAll()) {
      profile.setAll(inDom, isAdded);
    } else {
      profile.change(inDom, isAdded, Arrays.copyOf(numbers, chosen));
    }
    contexts.charge(call().context());
    StatusDocument.write(json, OptionalLong.of(call().context().number()), Optional.empty());
    return false;
  }

  private void choose() {
    InstanceDomain instances = call().catalog().begin(new Scope.OfInDom(inDom)).instances(inDom);
    int end = instances == null ? numbers.length : Math.min(done + STEP, numbers.length);
    for (; instances != null && done < end; done++) {
      int number = numbers[done];
      int index = instances.indexOf(number);
      if (index >= 0 && choice.contains(number, instances.name(index))) {
        numbers[chosen++] = number;
      }
    }
    done = end;
  }

  @Override
  public long bytes() {
    return (long) Integer.BYTES * numbers.length;
  }
}
