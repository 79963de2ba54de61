package dev.mooring.sandbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.http.Accepted.Form;
import dev.mooring.sandbox.http.Accepted.Format;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json | JSON | OBJECT",
        "*/* | JSON | OBJECT",
        "application/yaml | YAML | OBJECT",
        "application/vnd.kubernetes.protobuf,application/json | JSON | OBJECT",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json | JSON | TABLE",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1 | JSON | METADATA",
        "application/json;as=Nonsense;v=v1;g=meta.k8s.io,application/json | JSON | OBJECT",
      })
  void takesTheFirstWishThatCanBeMet(String accept, Format format, Form form) {
    assertThat(Accepted.of(accept)).isEqualTo(new Accepted(format, form));
  }

  @Test
  void takesJsonWithoutAWish() {
    assertThat(Accepted.of("")).isEqualTo(Accepted.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"text/html", "application/json;as=Table;v=v9;g=meta.k8s.io"})
  void refusesWhatItCannotWrite(String accept) {
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> Accepted.of(accept))
        .returns(406, ApiFailure::code);
  }
}
