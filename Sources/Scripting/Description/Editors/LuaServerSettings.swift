/// Settings for a Lua language server in a directory of scripts: the text of a `.luarc.json`.
public enum LuaServerSettings {
  /// The file that a language server looks for in the open directory.
  public static let fileName = ".luarc.json"

  /// The version of Lua, what the sandbox lacks, and the location of the definitions.
  public static let text = """
    {
      "runtime.version": "Lua 5.4",
      "runtime.builtin": { "debug": "disable", "io": "disable" },
      "workspace.library": ["types"],
      "workspace.checkThirdParty": false
    }

    """
}
