package dev.mooring.languages.template.function;

import dev.mooring.languages.TemplateFailure;
import java.util.List;
import java.util.Map;

/** Arguments of a call, of the kinds that its function declares. */
record Arguments(String function, List<Object> all) {
  int count() {
    return all.size();
  }

  Object any(int index) {
    return all.get(index);
  }

  String text(int index) {
    return (String) all.get(index);
  }

  long whole(int index) {
    return (Long) all.get(index);
  }

  double fraction(int index) {
    return (Double) all.get(index);
  }

  boolean flag(int index) {
    return (Boolean) all.get(index);
  }

  @SuppressWarnings("unchecked") // keys are strings in trees and in what templates make
  Map<String, Object> map(int index) {
    return (Map<String, Object>) all.get(index);
  }

  @SuppressWarnings("unchecked") // any list is one of objects when it is only read
  List<Object> list(int index) {
    return (List<Object>) all.get(index);
  }

  List<Object> from(int index) {
    return all.subList(index, all.size());
  }

  TemplateFailure failure(String message) {
    return new TemplateFailure(function + ": " + message);
  }
}
