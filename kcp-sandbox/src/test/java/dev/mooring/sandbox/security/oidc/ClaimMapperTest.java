package dev.mooring.sandbox.security.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings with Kubernetes' messages, and users from claims. */
class ClaimMapperTest {
  private static final String ISSUER = "issuer: {url: https://a.example, audiences: [a]}";
  private static final String NAME = "username: {claim: sub, prefix: 'o:'}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          groups: {claim: roles, prefix: ''} | {sub: ann, roles: crew} | crew
          groups: {claim: roles, prefix: 'g:'} | {sub: ann, roles: [a, b]} | g:a g:b
          groups: {claim: roles, prefix: 'g:'} | {sub: ann} | ``
          groups: {claim: roles, prefix: 'g:'} | {sub: ann, roles: null} | ``
          groups: {expression: claims.a__dot__b.roles} | {sub: ann, a.b: {roles: [x, '', z]}} | x z
          groups: {expression: "claims.level > 1.5 ? 'high' : ''"} | {sub: ann, level: 2} | high
          groups: {expression: claims.roles} | {sub: ann, roles: null} | ``
          """)
  void groupsAreListsOrOneText(String mapping, String claims, String groups) throws Exception {
    UserInfo user = userOf(NAME + ", " + mapping, claims);

    assertThat(user.name()).isEqualTo("o:ann");
    assertThat(user.groups()).isEqualTo(groups.isEmpty() ? List.of() : List.of(groups.split(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          username: {claim: sub, prefix: ''} | {} | oidc: parse username claims "sub": claim not present
          username: {claim: sub, prefix: ''} | {sub: 1} | oidc: parse username claims "sub": json: cannot unmarshal number into Go value of type string
          username: {claim: email, prefix: ''} | {email: a, email_verified: 'true'} | oidc: parse 'email_verified' claim: json: cannot unmarshal string into Go value of type bool
          username: {expression: claims.sub} | {sub: ''} | oidc: empty username via CEL expression is not allowed
          username: {expression: claims.sub} | {sub: [a]} | oidc: error evaluating username claim expression: username claim expression must return a string
          username: {expression: claims.sub} | {} | oidc: error evaluating username claim expression: no such key: sub
          username: {claim: sub, prefix: ''}, uid: {claim: id} | {sub: a} | oidc: parse uid claim "id": claim not present
          username: {claim: sub, prefix: ''}, groups: {expression: claims.num} | {sub: a, num: 1} | oidc: error evaluating group claim expression: expression must return a string or a list of strings
          username: {claim: sub, prefix: ''}, groups: {claim: num, prefix: ''} | {sub: a, num: [1]} | oidc: parse groups claim "num": json: cannot unmarshal array into Go value of type string
          """)
  void claimsThatDoNotFitAreRefused(String mapping, String claims, String why) {
    assertThatExceptionOfType(TokenRefused.class)
        .isThrownBy(() -> userOf(mapping, claims))
        .withMessage(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          username: {} | jwt[0].claimMappings.username: Required value: claim or expression is required
          username: {claim: sub} | jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing
          username: {claim: sub, expression: claims.sub} | jwt[0].claimMappings.username: Invalid value: "": claim and expression can't both be set
          username: {expression: claims.email} | jwt[0].claimMappings.username.expression: Invalid value: claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression
          username: {claim: sub, prefix: ''}, extra: [{key: A.io/b, valueExpression: claims.x}] | [jwt[0].claimMappings.extra[0].key: Invalid value: "A.io": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), jwt[0].claimMappings.extra[0].key: Invalid value: "A.io/b": must be lowercase]
          username: {claim: sub, prefix: ''}, extra: [{key: x.k8s.io/b, valueExpression: claims.x}] | jwt[0].claimMappings.extra[0].key: Invalid value: "x.k8s.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use
          username: {claim: sub, prefix: ''}, uid: {claim: a, prefix: b} | jwt[0].claimMappings.uid.prefix: Forbidden: unknown field
          """)
  void settingsThatMakeNoSenseAreNamed(String mapping, String why) {
    assertThatIllegalArgumentException().isThrownBy(() -> settings(mapping)).withMessage(why);
  }

  @Test
  void aVerifiedEmailMayBeAskedForOptionally() throws Exception {
    String mapping =
        "username: {expression: \"claims.?email_verified.orValue(true) ? claims.email : ''\"}";

    assertThat(userOf(mapping, "{email: ann@example.com}").name()).isEqualTo("ann@example.com");
  }

  private static UserInfo userOf(String mappings, String claims) throws TokenRefused {
    return new ClaimMapper(settings(mappings)).userOf(Trees.mapOrEmpty(YamlText.read(claims)));
  }

  private static JwtSettings settings(String mappings) {
    Map<String, Object> entry =
        Trees.mapOrEmpty(YamlText.read("{" + ISSUER + ", claimMappings: {" + mappings + "}}"));
    return new JwtSettingsReader(Set.of()).read(List.of(entry), "jwt").getFirst();
  }
}
