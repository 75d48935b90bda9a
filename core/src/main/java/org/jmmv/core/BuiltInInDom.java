package org.jmmv.core;

/** The instance domain of metrics of this program. */
interface BuiltInInDom {
  int id();

  /** Returns the instances as a request sees them. */
  InstanceDomain at(RequestState request);
}
