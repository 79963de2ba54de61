package dev.mooring.sandbox.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.exchange.AcceptHeader.Form;
import dev.mooring.sandbox.http.exchange.AcceptHeader.Format;
import dev.mooring.sandbox.http.exchange.AcceptHeader.Offer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1 | JSON | METADATA_LIST",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
            + " | PROTOBUF | METADATA",
        "application/json;q=0.1,application/yaml;q=0.9 | YAML | OBJECT",
        "*/*,application/yaml | YAML | OBJECT",
        "application/json;stream=other,application/yaml | YAML | OBJECT",
        "application/yaml;stream=watch,application/json;stream=watch | JSON | OBJECT",
        "application/json;as=Nonsense;v=v1;g=meta.k8s.io,application/json | JSON | OBJECT",
      })
  void takesTheFirstWishThatCanBeMet(String accept, Format format, Form form) {
    assertThat(AcceptHeader.of(accept, Offer.TEXT_ONLY))
        .isEqualTo(new AcceptHeader(format, form, "v1"));
  }

  @Test
  void takesProtobufWhereItIsOffered() {
    String accept = "application/vnd.kubernetes.protobuf,application/json";

    assertThat(AcceptHeader.of(accept, Offer.EVERY_FORMAT).format()).isEqualTo(Format.PROTOBUF);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json;as=Table;v=v1;g=meta.k8s.io | ",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml | YAML",
        "application/vnd.kubernetes.protobuf | PROTOBUF",
      })
  void writesAFailureInNoForm(String accept, @Nullable Format format) {
    assertThat(AcceptHeader.ofFailure(accept)).isEqualTo(Optional.ofNullable(format));
  }

  @Test
  void takesJsonWithoutAWish() {
    assertThat(AcceptHeader.of("", Offer.TEXT_ONLY)).isEqualTo(AcceptHeader.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"text/html", "application/json;as=Table;v=v9;g=meta.k8s.io"})
  void refusesWhatItCannotWrite(String accept) {
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> AcceptHeader.of(accept, Offer.TEXT_ONLY))
        .returns(406, ApiFailure::code);
  }
}
