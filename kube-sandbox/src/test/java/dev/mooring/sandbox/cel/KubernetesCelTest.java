package dev.mooring.sandbox.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.SimpleType;
import dev.mooring.sandbox.cel.library.KubernetesLibraries;
import dev.mooring.sandbox.cel.library.UserPermissions;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What a kcp 0.32.3 answered for each of these expressions. It failed where these fail; some of the
 * texts are CEL-Java's own.
 */
class KubernetesCelTest {
  private static final Map<String, Object> VARIABLES =
      Map.of(
          "object",
          Map.of("metadata", Map.of("name", "cm"), "data", Map.of("k", "abc")),
          "authorizer",
          new UserPermissions(
              UserInfo.of("u"), attributes -> new Decision.Denied("access denied")));

  private static final CelEnvironment ENVIRONMENT =
      new CelEnvironment(
          Map.of("object", SimpleType.DYN, "authorizer", KubernetesLibraries.AUTHORIZER),
          new StructTypes(Map.of()));

  @TestFactory
  Stream<DynamicTest> hasTheValue() {
    return each(
        """
            string(ip('1.2.3.4').family()) => 4
            string(cidr('10.0.0.1/8').masked()) => 10.0.0.0/8
            string(ip('2001:DB8::0:1')) => 2001:db8::1
            url('https://u:p@a.b:80/x y?k=1&k=2#f').getEscapedPath() => /x%20y
            url('https://[::1]:80/a').getHost()+'|'+url('https://[::1]:80/a').getHostname() => [::1]:80|::1
            url('/p?a=b&a=c').getQuery()['a'].join(',') => b,c
            'abc 123 45'.findAll('[0-9]+').join(',') => 123,45
            'abc 123 45'.find('[0-9]+') => 123
            string(['b','a'].isSorted())+string([1,2,1].lastIndexOf(1)) => false2
            format.dns1123Label().validate('A_b').value().join('|') => a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            string(format.named('nope').hasValue()) => false
            string(semver('1.2.3-rc.1').compareTo(semver('1.2.3')))+string(semver('v01.2',true).minor()) => -12
            '%s %d %.2f %x %b'.format(['a',1,2.345,255,5]) => a 1 2.35 ff 101
            string([3,1,2].sort()[0]) => 1
            lists.range(3).map(x,string(x)).join('') => 012
            string({'a':1}.all(k,v,v==1)) => true
            strings.quote('a"b') => "a\\"b"
            format.dns1123Subdomain().validate('A_b').value().join('|') => a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            format.dns1035Label().validate('1b').value().join('|') => a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')
            format.qualifiedName().validate('a/b/c').value().join('|') => a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')
            string(format.dns1123LabelPrefix().validate('a-').hasValue()) => false
            format.labelValue().validate('a b').value().join('|') => a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
            format.uri().validate('a b').value().join('|') => must be a URL
            format.uuid().validate('x').value().join('|') => does not match the UUID format
            format.byte().validate('x').value().join('|') => invalid base64
            format.date().validate('x').value().join('|') => invalid date
            format.datetime().validate('x').value().join('|') => invalid datetime
            format.dns1123Label().validate('a.b').value().join('|') => must not contain dots
            format.dns1123Label().validate('').value().join('|') => a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            format.qualifiedName().validate('').value().join('|') => name part must be non-empty|name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            format.dns1123Label().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_').value().join('|') => must be no more than 63 characters|a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            string(format.dns1123SubdomainPrefix().validate('a.').hasValue()) => true
            string(format.dns1035LabelPrefix().validate('a-').hasValue()) => false
            '%s %s %s %s'.format([[1,'a',2.5],{'k':true,'a':null},timestamp('2020-01-01T00:00:00Z'),duration('90s')]) => [1, "a", 2.500000] {"a":null, "k":true} 2020-01-01T00:00:00Z 90s
            '%e %X %o %x %x'.format([1234.5,-255,8,'hi',b'hi']) => 1.234500×10⁰³ -FF 10 6869 6869
            '%f %s %s %d'.format([1.5,1.0,b'ab',3u]) => 1.500000 1 ab 3
            string(cidr('10.0.0.0/8').containsIP('10.1.1.1')) + string(cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')) => truetrue
            string(quantity('1')==quantity('1000m'))+string(semver('1.0.0+a')==semver('1.0.0+b')) => truetrue
        """);
  }

  @TestFactory
  Stream<DynamicTest> hasTheValueOfUnknownTypes() {
    return each(
        """
            dyn([1, 3, 2]).max() => 3
            [dyn(1), dyn(2)].sum() => 3
            dyn(['a', 'b']).isSorted() => true
            dyn([1, 2]).indexOf(2) => 1
            dyn('abc').indexOf('c') => 2
            string(dyn(ip('::1'))) => ::1
            dyn(quantity('1')).compareTo(quantity('2')) => -1
            ['a'].sum() => does not compile: compilation failed: ERROR: <input>:1:10: found no matching overload for 'sum' applied to 'list(string).()'
        """);
  }

  @TestFactory
  Stream<DynamicTest> fails() {
    return each(
        """
            ip('1.2.3')==ip('1.2.3.4') => "1.2.3" is not an IP address
            ip('01.2.3.4').family()==4 => "01.2.3.4" is not an IP address
            ip('300.2.3.4').family()==4 => "300.2.3.4" is not an IP address
            ip('::ffff:1.2.3.4').family()==4 => "::ffff:1.2.3.4" is not an IP address
            ip('fe80::1%eth0').family()==4 => "fe80::1%eth0" is not an IP address
            ip('zz').family()==4 => "zz" is not an IP address
            ip('').family()==4 => "" is not an IP address
            ip('1.2.3.4.5').family()==4 => "1.2.3.4.5" is not an IP address
            ip('1.2.3.').family()==4 => "1.2.3." is not an IP address
            ip('1.a.3.4').family()==4 => "1.a.3.4" is not an IP address
            cidr('10.0.0.0/33').prefixLength()==1 => "10.0.0.0/33" is not a network in CIDR notation
            cidr('10.0.0.0').prefixLength()==1 => "10.0.0.0" is not a network in CIDR notation
            cidr('::ffff:1.2.3.4/99').prefixLength()==1 => "::ffff:1.2.3.4/99" is not a network in CIDR notation
            cidr('a/9').prefixLength()==1 => "a/9" is not a network in CIDR notation
            cidr('1.1.1.1/09').prefixLength()==1 => "1.1.1.1/09" is not a network in CIDR notation
            cidr('1.1.1.1/x').prefixLength()==1 => "1.1.1.1/x" is not a network in CIDR notation
            url('a').getHost()=='' => "a" is not a URL
            url('https://a:b:c/').getHost()=='' => "https://a:b:c/" is not a URL
            url('').getHost()=='' => "" is not a URL
            url('https://[::1').getHost()=='' => "https://[::1" is not a URL
            url('https://a/%zz').getHost()=='' => "https://a/%zz" is not a URL
            url('1https://a').getHost()=='' => "1https://a" is not a URL
            url('https://a b/').getHost()=='' => "https://a b/" is not a URL
            quantity('abc').isInteger() => quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
            quantity('').isInteger() => quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
            quantity('1Zi').isInteger() => quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
            semver('1.2').major()==1 => "1.2" is not a semantic version
            semver('01.2.3').major()==1 => "01.2.3" is not a semantic version
            semver('v1.2.3').major()==1 => "v1.2.3" is not a semantic version
            semver('1.2.3-01').major()==1 => "1.2.3-01" is not a semantic version
            semver('1.2.3-').major()==1 => "1.2.3-" is not a semantic version
            semver('1.2.3-a$').major()==1 => "1.2.3-a$" is not a semantic version
            semver('1.2.3+a$').major()==1 => "1.2.3+a$" is not a semantic version
            semver('').major()==1 => "" is not a semantic version
            semver('a"b').major()==1 => "a\\"b" is not a semantic version
            semver('1+a',true).major()==1 => a short version cannot have a pre-release or build metadata
            semver('a.b.c').major()==1 => "a.b.c" is not a semantic version
            'a'.find(object.metadata.name+'[')=='' => Illegal regex: error parsing regexp: missing closing ]: `[`
            'a'.matches(object.metadata.name+'[') => error parsing regexp: missing closing ]: `[`
            [1].slice(0,3)==[] => Function 'list_slice' failed with arg(s) '[1], 0, 3'
            int([]==[]?'x':'1')==1 => For input string: "x"
            lists.range(1000).all(x,lists.range(1000).all(y,x+y>=0)) => operation cancelled: actual cost limit exceeded
            [1,2][5]==1 => Index out of bounds: 5
            1/0==1 => / by zero
            'abc'.substring(5)=='' => substring failure: Range [5, 3) out of bounds
            duration('x'+object.metadata.name)==duration('1s') => invalid duration format
            timestamp('x'+object.metadata.name)==timestamp('x'+object.metadata.name) => Text 'xcm' could not be parsed at index 0
            format.named(object.metadata.name).value().validate('a').hasValue() => Function 'optional_value' failed with arg(s) 'Optional.empty'
            quantity('1.5').asInteger()==1 => cannot convert value to integer
            [1].filter(x,x>1).min()==1 => Function '(list(A)) min() A' failed with arg(s) '[]'
            '%d'.format([object.metadata.name])=='' => error during formatting: the clause takes no such value
            (object.metadata.name+'%z').format(['a'])=='' => unrecognized formatting clause "z"
            'abc'.charAt(7)=='' => charAt failure: Index out of range: 7
            uint(object.data.size()-5)==1u => int out of uint range
            9223372036854775807+object.data.size()==1 => long overflow
            object.nope == 1 => no such key: nope
            object.data.nope=='a' => no such key: nope
            object.data['x']=='a' => no such key: x
            object.data.k.nope == 'a' => no such key: nope
            dyn('a')+dyn(1)=='a' => No matching overload for function '_+_'. Overload candidates: add_int64,add_uint64,add_double,add_string,add_bytes,add_list,add_timestamp_duration,add_duration_timestamp,add_duration_duration
            {'a':1}['b']==1 => no such key: b
            [dyn(1),dyn('a')].sum()==1 => no such overload
            optional.none().value()==1 => Function 'optional_value' failed with arg(s) 'Optional.empty'
            'a'.split('').map(x,int(x)).size()==1 => For input string: "a"
            double('x'+object.data.k)==1.0 => For input string: "xabc"
            bool('x'+object.data.k) => Type conversion error from 'string' to 'bool': [xabc]
            int(1e30*double(object.data.size()))==1 => double is out of range for int
            [1].flatten(-1)==[] => Function 'list_flatten_list_int' failed with arg(s) '[1], -1'
            string([object.data.size()].map(x,-x-9223372036854775807-1)[0])=='a' => long overflow
            1 % 0 == 1 => / by zero
            dyn(1) < dyn('a') => No matching overload for function '_<_'. Overload candidates: less_bool,less_int64,less_uint64,less_double,less_string,less_bytes,less_timestamp,less_duration,less_int64_uint64,less_uint64_int64,less_int64_double,less_double_int64,less_uint64_double,less_double_uint64
            !dyn('a') => No matching overload for function '!_'. Overload candidates: logical_not
            dyn('a') ? true : false => expected boolean value, found: a
            dyn(1)||dyn('a') => expected boolean value, found: 1
            object.data.all(k, k) => expected boolean value, found: k
        """);
  }

  private static Stream<DynamicTest> each(String table) {
    return table
        .lines()
        .map(String::strip)
        .map(line -> line.split(" => ", 2))
        .map(pair ->
            DynamicTest.dynamicTest(
                pair[0], () -> assertThat(evaluated(pair[0])).isEqualTo(pair[1])));
  }

  private static String evaluated(String expression) {
    try {
      var compiled = CelExpression.compile(expression, ENVIRONMENT, CelExpression.Result.ANY);
      return String.valueOf(compiled.evaluate(VARIABLES));
    } catch (CelExpression.InvalidExpression e) {
      return "does not compile: " + e.getMessage().lines().findFirst().orElseThrow();
    } catch (CelExpression.EvaluationFailed e) {
      return e.getMessage();
    }
  }
}
