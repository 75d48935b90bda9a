package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;

/** {@code /pmapi/profile}: changes which instances the context selects, and says that it has. */
final class ProfileDocument extends Document {
  private static final String INVALID = "invalid profile parameters";

  private final Contexts contexts;
  private final String name; // of a metric; null: the instance domain is given
  private final boolean isAdded;
  private final InstanceChoice choice;
  private int inDom;
  private int[] numbers; // sorted: the chosen ones of those that are done, and the rest; null: none
  private int done;
  private int chosen;

  ProfileDocument(Call call, Contexts contexts) throws Failure {
    super(call);
    this.contexts = contexts;
    String expr = call.first("expr").orElseThrow(() -> BadRequest.of(INVALID));
    if (!expr.equals("add") && !expr.equals("del")) {
      throw BadRequest.of(expr + " - invalid 'expr' parameter value");
    }
    isAdded = expr.equals("add");
    choice = InstanceChoice.of(call);
    name = call.first("name").map(JsonBody::encoded).orElse(null);
    inDom = call.first("indom").map(Call::inDom).orElse(InDom.NULL);
    boolean isOfAll = call.first("indom").isEmpty() && choice.isAll();
    if (name == null && inDom == InDom.NULL && !isOfAll) {
      throw BadRequest.of(INVALID);
    }
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException, Failure {
    if (numbers == null) {
      if (name != null) {
        inDom = inDom(name);
      }
      numbers = choice.isAll() ? new int[0] : sortedNumbers();
      return true;
    }
    if (done < numbers.length) {
      choose(turn);
      return true;
    }
    if (choice.isAll()) {
      context().selectAll(inDom, isAdded);
    } else {
      context().select(inDom, isAdded, Arrays.copyOf(numbers, chosen));
    }
    contexts.charge(context());
    writeSuccess(json);
    return false;
  }

  private InstanceDomain instances() {
    return catalog().begin(new Scope.OfInDom(inDom)).instances(inDom);
  }

  private int[] sortedNumbers() {
    InstanceDomain instances = instances();
    int[] all = instances == null ? new int[0] : instances.numbers();
    Arrays.sort(all);
    return all;
  }

  private void choose(Turn turn) {
    InstanceDomain instances = instances();
    InstanceChoice.Matcher matcher = choice.matcher();
    do {
      int number = numbers[done++];
      int index = instances == null ? -1 : instances.indexOf(number);
      if (index >= 0 && matcher.matches(number, instances.name(index))) {
        numbers[chosen++] = number;
      }
    } while (done < numbers.length && !turn.isOver());
  }

  @Override
  public long bytes() {
    return super.bytes()
        + choice.bytes()
        + HeapSize.of(name)
        + (numbers == null ? 0 : HeapSize.ofInts(numbers.length));
  }
}
