import Hosting
import Testing

/// Where statements end.
@Suite struct SQLTextTests {
  @Test(
    arguments: [
      ("", [], ""), ("  -- nothing;\n /* ; /* nested; */ ; */ ;; ", [], ""),
      ("select 1", ["select 1"], "SELECT"),
      ("select 1;", ["select 1"], "SELECT"), ("select 1; -- end;\n", ["select 1"], "SELECT"),
      ("select ';'; select \";\"", ["select ';'", " select \";\""], "SELECT"),
      ("select 'it''s; so'", ["select 'it''s; so'"], "SELECT"),
      (#"select 'a\'; select 2"#, [#"select 'a\'"#, " select 2"], "SELECT"),
      (#"select E'a\'; select 2'"#, [#"select E'a\'; select 2'"#], "SELECT"),
      ("select $$;$$, $a$;$$;$a$", ["select $$;$$, $a$;$$;$a$"], "SELECT"),
      ("select $1; select $2", ["select $1", " select $2"], "SELECT"),
      ("select a$b$; select 2", ["select a$b$", " select 2"], "SELECT"),
      ("((/* x */ -- y\n values (1)))", ["((/* x */ -- y\n values (1)))"], "VALUES"),
      ("select 'open; end", ["select 'open; end"], "SELECT"), ("/* open; end", [], ""),
      ("with\tx as (select 1) table x", ["with\tx as (select 1) table x"], "WITH"),
      ("'a'; b", ["'a'", " b"], "'"), ("wählen 'é;'; zwei", ["wählen 'é;'", " zwei"], "WÄHLEN"),
    ] as [(String, [String], String)])
  func `semicolons end statements, and only where they are none in another thing`(
    text: String, statements: [String], word: String
  ) {
    let read = SQLText(text)

    #expect(read.statements == statements)
    #expect(read.firstWord == word)
  }
}
