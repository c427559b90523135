/// What a Lua language server must know of a folder of scripts: the text of a `.luarc.json`.
public enum LuaServerSettings {
  /// The file that a language server looks for in the folder that is open.
  public static let fileName = ".luarc.json"

  /// The version of Lua, what the sandbox lacks, and where the definitions are.
  public static let text = """
    {
      "runtime.version": "Lua 5.4",
      "runtime.builtin": { "debug": "disable", "io": "disable" },
      "workspace.library": ["types"],
      "workspace.checkThirdParty": false
    }

    """
}
