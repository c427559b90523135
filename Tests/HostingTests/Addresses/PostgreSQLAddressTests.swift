import Hosting
import Paging
import Testing

/// Addresses of PostgreSQL, as libpq's manual has them ("Connection URIs") and as people mistype them.
@Suite struct PostgreSQLAddressTests {
  @Test(arguments: [
    ("postgresql://", "postgresql://"),
    ("postgres://localhost", "postgresql://localhost"),
    ("PostgreSQL://localhost:5433", "postgresql://localhost:5433"),
    ("postgresql://localhost/mydb", "postgresql://localhost/mydb"),
    ("postgresql://user@localhost", "postgresql://user@localhost"),
    ("postgresql://user:secret@localhost", "postgresql://user@localhost"),
    ("postgresql://user:@localhost", "postgresql://user@localhost"),
    ("postgresql://:secret@localhost", "postgresql://localhost"),
    (
      "postgresql://other@localhost/otherdb?connect_timeout=10&application_name=myapp",
      "postgresql://other@localhost/otherdb?connect_timeout=10&application_name=myapp"
    ),
    (
      "postgresql://host1:123,host2:456/somedb?target_session_attrs=any",
      "postgresql://host1:123,host2:456/somedb?target_session_attrs=any"
    ),
    ("postgresql://host1,,host3:7/", "postgresql://host1,,host3:7"),
    (
      "postgresql://user@localhost:5433/mydb?options=-c%20synchronous_commit%3Doff",
      "postgresql://user@localhost:5433/mydb?options=-c%20synchronous_commit%3Doff"
    ),
    ("postgresql://[2001:db8::1234]/database", "postgresql://[2001:db8::1234]/database"),
    ("postgresql://[::1]:5433", "postgresql://[::1]:5433"),
    ("postgresql:///dbname?host=/var/lib/postgresql", "postgresql:///dbname?host=/var/lib/postgresql"),
    ("postgresql://%2Fvar%2Flib%2Fpostgresql/dbname", "postgresql://%2Fvar%2Flib%2Fpostgresql/dbname"),
    ("postgresql:///mydb?host=localhost&port=5433", "postgresql:///mydb?host=localhost&port=5433"),
    ("postgresql://a%40b:p%40%3A%2F@h/d%20b", "postgresql://a%40b@h/d%20b"),
    ("postgresql://u:p?w@h/db", "postgresql://u@h/db"),
    ("postgresql:///db?user=ada&password=hunter2", "postgresql:///db?user=ada"),
    ("postgresql:///db?sslpassword=hunter2&sslmode=require", "postgresql:///db?sslmode=require"),
    ("postgresql:///db?passwrd=hunter2&sslmode=require", "postgresql:///db?sslmode=require"),
    ("postgresql://u@h/db?schema=raw", "postgresql://u@h/db?schema=raw"),
    ("postgresql://{who}:{pw}@h/db", "postgresql://{who}@h/db"),
  ])
  func `an address is shown as it is, but for passwords`(text: String, shown: String) throws {
    #expect(try PostgreSQLAddress(text).shown == shown)
  }

  @Test(arguments: [
    ("postgresql://u:hunter2@ss@h/db", "one @, before the host"),
    ("postgresql://u:hun/ter2@h/db", "a number from 1 to 65535 as the port"),
    ("postgresql://u/hunter2@h/db", "one @, before the host"),
    ("postgresql://u:hunter2", "a number from 1 to 65535 as the port"),
    ("postgresql://u:hunter2@h:0/db", "a number from 1 to 65535 as the port"),
    ("postgresql://u:hunter2@h:70000/db", "a number from 1 to 65535 as the port"),
    ("postgresql://u:hunter2@::1/db", "an address of IPv6 is in brackets"),
    ("postgresql://u:hunter2@[::1/db", "in brackets, as [::1]"),
    ("postgresql://u:hunter2@[localhost]/db", "in brackets, as [::1]"),
    ("postgresql://u:hunter2%@h/db", "two digits after each %"),
    ("postgresql://u:hunter2%00@h/db", "not %00"),
    ("postgresql://u:hunter2%ff@h/db", "UTF-8"),
    ("postgresql://u:hunter2 @h/db", "no blanks"),
    ("postgresql://u:hunter2@h/db?sslmode", "settings as name=value"),
    ("postgresql://u:hunter2@h/db?options=-c a=b", "no blanks"),
    ("postgresql://u:hunter2@h/db?options=-ca=b", "settings as name=value"),
    ("postgresql://u:hunter2@h/db?=x", "settings as name=value"),
    ("postgresql://u:hunter2@h/db?Sslmode=x", "names of settings in small letters"),
  ])
  func `an address that libpq would take for another is refused, without a word of the password`(
    text: String, expected: String
  ) throws {
    let refusal = #expect(throws: HostFailure.self) { try PostgreSQLAddress(text) }

    let message = try #require(refusal?.message)
    #expect(message.hasPrefix("postgresql://… is not an address of PostgreSQL: expected "))
    #expect(message.contains(expected), "\(message)")
    for part in ["hunter2", "hun/", "ter2", "hun"] { #expect(!message.contains(part), "\(message)") }
  }

  @Test func `a secret stands where its name does, whatever is in it`() throws {
    let secrets = ["pw": "a@b:c/d?e&f=g%20 \"'\\", "who": "ada"]

    let address = try PostgreSQLAddress(
      "postgresql://{who}:{pw}@h/db?application_name=x{who}", secrets: secrets)

    #expect(address.secretNames == ["who", "pw", "who"])
    #expect(address.secrets.contains("a@b:c/d?e&f=g%20 \"'\\"))
    #expect(address.shown == "postgresql://{who}@h/db?application_name=x{who}")
  }

  @Test func `a secret that was not given is asked for`() throws {
    let refusal = #expect(throws: HostFailure.self) {
      try PostgreSQLAddress("postgresql://ada:{pw}@h/db", secrets: ["other": "x"])
    }

    #expect(refusal?.message.contains("--secret pw=env:VARIABLE") == true)
    #expect(throws: Never.self) { try PostgreSQLAddress("postgresql://ada:%7Bpw%7D@h/db", secrets: [:]) }
    #expect(throws: Never.self) {
      try PostgreSQLAddress("postgresql://ada:{p w}x@h/db".replacing(" ", with: ""), secrets: ["pw": "1"])
    }
  }

  @Test(arguments: [
    ("adbc:sqlite?uri=x.db", [String]()), ("adbc:sqlite", []),
    ("adbc:snowflake?password=hunter2", ["hunter2"]),
    ("adbc:snowflake?adbc.snowflake.sql.auth_token=hunter2", ["hunter2"]),
    ("adbc:postgresql?uri=postgresql%3A%2F%2Fme%3Ahunter2%40h%2Fdb", ["hunter2"]),
    ("adbc:flight?uri=grpc://me:hunter2@h", ["hunter2"]),
    ("adbc:odd?key={pw}", ["hunter2"]),
  ])
  func `the options of a driver keep their secrets`(text: String, secrets: [String]) throws {
    let address = try DriverAddress(text, secrets: ["pw": "hunter2"])

    #expect(Set(address.secrets) == Set(secrets))
    #expect(!address.shown.contains("?"))
  }
}
