package org.jmmv.web.pmapi;

import java.util.Arrays;
import java.util.List;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.web.http.Failure;

/** {@code /pmapi/profile}: changes which instances the context selects, and says that it has. */
final class ProfileDocument extends Document {
  private static final String INVALID = "invalid profile parameters";

  private final Contexts contexts;
  private final String name; // of a metric; null: the instance domain is given
  private final boolean isAdded;
  private final InstanceChoice choice;
  private int inDom;
  private int[] numbers = {}; // sorted: the chosen ones of those that are done, and the rest
  private int done;
  private int chosen;

  ProfileDocument(Call call, Contexts contexts) throws Failure {
    super(call);
    this.contexts = contexts;
    String expr = call.first("expr").orElseThrow(() -> Failure.badRequest(INVALID));
    if (!expr.equals("add") && !expr.equals("del")) {
      throw Failure.badRequest(expr + " - invalid 'expr' parameter value");
    }
    isAdded = expr.equals("add");
    choice = InstanceChoice.of(call);
    name = call.first("name").map(FileText::encode).orElse(null);
    inDom = call.first("indom").map(Call::inDom).orElse(InDom.NULL);
    boolean isOfAll = call.first("indom").isEmpty() && choice.isAll();
    if (name == null && inDom == InDom.NULL && !isOfAll) {
      throw Failure.badRequest(INVALID);
    }
  }

  @Override
  protected List<Step> steps() {
    return List.of(once(this::lookUp), this::choose, once(this::select), success());
  }

  private void lookUp() throws Failure {
    inDom = name == null ? inDom : inDom(name);
    if (!choice.isAll()) {
      InstanceTable all = begin(new Scope.OfInDom(inDom)).table(inDom);
      numbers = new int[all.size()];
      all.copyNumbers(0, all.size(), numbers);
      Arrays.sort(numbers);
    }
  }

  private void select() throws Failure {
    if (choice.isAll()) {
      context().selectAll(inDom, isAdded);
    } else {
      context().select(inDom, isAdded, Arrays.copyOf(numbers, chosen));
    }
    contexts.charge(context());
  }

  /** Chooses some instances. Returns whether there are more. */
  private boolean choose(Turn turn) {
    if (done == numbers.length) {
      return false;
    }
    View view = begin(new Scope.OfInDom(inDom));
    InstanceTable instances = view.table(inDom);
    InstanceChoice.Matcher matcher = choice.matcher();
    do {
      int number = numbers[done++];
      int index = instances.indexOf(number);
      if (index >= 0 && matcher.matches(number, instances.name(index))) {
        numbers[chosen++] = number;
      }
    } while (done < numbers.length && !view.isOver(turn));
    return true;
  }

  @Override
  public long bytes() {
    return super.bytes() + choice.bytes() + HeapSize.of(name) + HeapSize.ofInts(numbers.length);
  }
}
