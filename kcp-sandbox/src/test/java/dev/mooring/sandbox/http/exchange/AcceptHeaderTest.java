package dev.mooring.sandbox.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.exchange.AcceptHeader.Form;
import dev.mooring.sandbox.http.exchange.AcceptHeader.Format;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptHeaderTest {
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
    assertThat(AcceptHeader.of(accept)).isEqualTo(new AcceptHeader(format, form));
  }

  @Test
  void takesJsonWithoutAWish() {
    assertThat(AcceptHeader.of("")).isEqualTo(AcceptHeader.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"text/html", "application/json;as=Table;v=v9;g=meta.k8s.io"})
  void refusesWhatItCannotWrite(String accept) {
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> AcceptHeader.of(accept))
        .returns(406, ApiFailure::code);
  }
}
