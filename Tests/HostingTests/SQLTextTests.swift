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

  @Test(arguments: [
    ("select 1", true), ("(values (1))", true), ("explain select 1", true), ("insert into t select 1", false),
    ("with x as (insert into t values (1) returning a) select * from x", true),
    ("with x as (select 1) insert into t table x", false), ("with x as (select 1) (select 2)", true),
    ("with recursive insert(n) as (select 1), update as materialized (select 2) select 3", true),
    ("with delete as (select 1) delete from t", false), ("create table t as select 1", false), ("", false),
  ])
  func `a statement that reads is known by its verb`(text: String, isReading: Bool) {
    #expect(SQLText(text).isReading == isReading)
  }
}
