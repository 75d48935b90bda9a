package org.jmmv.qa;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.TextType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.TextReq;

/** Asks an agent for everything that it serves. */
final class Survey {
  private static final int REQUESTS_AT_ONCE = 50;
  private static final int METRICS_IN_A_FETCH = 500;

  private final AgentConnection agent;
  private long values;
  private long slowestNanos;

  Survey(AgentConnection agent) {
    this.agent = agent;
  }

  /** Asks for all names, and with them for everything else; fails if a request is not answered. */
  void run() throws IOException {
    List<Pdu> lookUps = new ArrayList<>();
    for (Pdu reply : ask(List.of(new PmnsTraverse(0, "mmv"), new PmnsChild(0, true, "mmv")))) {
      for (String name : ((PmnsNames) reply).names()) {
        lookUps.add(new PmnsNames(0, List.of(name), List.of()));
        lookUps.add(new PmnsChild(0, true, name));
      }
    }
    Set<Integer> metrics = new TreeSet<>();
    for (Pdu reply : ask(lookUps)) {
      if (reply instanceof PmnsIds ids) {
        metrics.addAll(ids.pmids());
      }
    }
    Set<Integer> inDoms = askAboutMetrics(metrics);
    askAboutInDoms(inDoms);
    List<Integer> all = List.copyOf(metrics);
    for (int from = 0; from < all.size(); from += METRICS_IN_A_FETCH) {
      fetch(all.subList(from, Math.min(all.size(), from + METRICS_IN_A_FETCH)));
    }
  }

  private Set<Integer> askAboutMetrics(Set<Integer> metrics) throws IOException {
    List<Pdu> questions = new ArrayList<>();
    for (int pmid : metrics) {
      questions.add(new DescReq(0, pmid));
      questions.add(new PmnsIds(0, 0, List.of(pmid)));
      questions.add(new TextReq(0, pmid, TextType.PMID | TextType.ONELINE));
      questions.add(new TextReq(0, pmid, TextType.PMID | TextType.HELP));
      questions.add(new LabelReq(0, pmid, LabelType.ITEM));
      questions.add(new LabelReq(0, pmid, LabelType.CLUSTER));
    }
    Set<Integer> inDoms = new TreeSet<>();
    for (Pdu reply : ask(questions)) {
      if (reply instanceof Desc desc && desc.inDom() != InDom.NULL) {
        inDoms.add(desc.inDom());
      }
    }
    return inDoms;
  }

  private void askAboutInDoms(Set<Integer> inDoms) throws IOException {
    List<Pdu> questions = new ArrayList<>();
    for (int inDom : inDoms) {
      questions.add(new InstanceReq(0, inDom, Instance.NULL, ""));
      questions.add(new TextReq(0, inDom, TextType.INDOM | TextType.ONELINE));
      questions.add(new TextReq(0, inDom, TextType.INDOM | TextType.HELP));
      questions.add(new LabelReq(0, inDom, LabelType.INDOM));
      questions.add(new LabelReq(0, inDom, LabelType.INSTANCES));
    }
    List<Pdu> one = new ArrayList<>();
    for (Pdu reply : ask(questions)) {
      if (reply instanceof Instances all && !all.instances().isEmpty()) {
        Instance last = all.instances().getLast();
        one.add(new InstanceReq(0, all.inDom(), last.number(), ""));
        one.add(new InstanceReq(0, all.inDom(), Instance.NULL, last.name()));
      }
    }
    ask(one);
  }

  private void fetch(List<Integer> metrics) throws IOException {
    int[] pmids = metrics.stream().mapToInt(Integer::intValue).toArray();
    agent.send(Profile.all(0, 0));
    if (ask(List.of(Fetch.of(0, 0, pmids))).getFirst() instanceof Result result) {
      values += result.sets().stream().mapToInt(set -> set.values().size()).sum();
    } else {
      throw new AssertionError("no values for " + metrics);
    }
  }

  private List<Pdu> ask(List<Pdu> questions) throws IOException {
    List<Pdu> replies = new ArrayList<>();
    for (int from = 0; from < questions.size(); from += REQUESTS_AT_ONCE) {
      int to = Math.min(questions.size(), from + REQUESTS_AT_ONCE);
      agent.send(questions.subList(from, to).toArray(Pdu[]::new));
      for (Pdu question : questions.subList(from, to)) {
        long start = System.nanoTime();
        Pdu reply = agent.receive();
        slowestNanos = Math.max(slowestNanos, System.nanoTime() - start);
        if (reply instanceof PduError error && error.code() == PmError.GENERIC.code()) {
          throw new AssertionError("the agent answers PM_ERR_GENERIC to " + question);
        }
        replies.add(reply);
      }
    }
    return replies;
  }

  /** Returns the number of values in all runs. */
  long values() {
    return values;
  }

  /** Returns the longest time that a reply was waited for, in milliseconds. */
  long slowestMillis() {
    return slowestNanos / 1_000_000;
  }
}
