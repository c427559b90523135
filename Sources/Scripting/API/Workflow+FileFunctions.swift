import Items
import Lua
import Paging

/// Host functions on files and the environment.
extension Workflow {
  func defineFiles(in host: HostTable) {
    host.add("readFile", "fs.read") { [unowned self] call in
      try wait(call, for: .readFile(path: path(call))) { reply, stack in
        guard case .bytes(let bytes) = reply else { return 0 }
        bytes.withUnsafeBytes { stack.push(bytes: $0) }
        return 1
      }
    }
    host.add("writeFile", "fs.write") { [unowned self] call in
      let contents = call.stack.withBytes(at: 2) { Bytes(copying: $0) } ?? .empty
      return try wait(call, for: .writeFile(path: path(call), contents: contents))
    }
    host.add("fileExists", "fs.exists") { [unowned self] call in
      try wait(call, for: .fileExists(path: path(call))) { reply, stack in
        stack.push(reply == .flag(true))
        return 1
      }
    }
    host.add("listFiles", "fs.list") { [unowned self] call in
      try wait(call, for: .listFiles(path: path(call))) { reply, stack in
        guard case .names(let names) = reply else { return 0 }
        stack.push(list: names) { $0.push($1) }
        return 1
      }
    }
    host.add("openLines", "fs.lines") { [unowned self] call in
      try wait(call, for: .openLines(path: path(call)), pushHandle)
    }
    host.add("nextLines", "fs.lines") { [unowned self] call in
      let stack = call.stack
      let next = HostCall.nextLines(
        handle: stack.handle(at: 1), limit: try stack.count(at: 2, "lines at once") ?? 1)
      return try wait(call, for: next) { reply, stack in
        guard case .lines(let lines, let isEnd) = reply else { return 0 }
        stack.push(list: lines) { stack, line in line.withUnsafeBytes { stack.push(bytes: $0) } }
        stack.push(isEnd)
        return 2
      }
    }
    host.add("closeHandle", "close") { [unowned self] call in
      effects.append(
        .call(HostCallID(number: nextNumber()), .close(handle: call.stack.handle(at: 1))))
      return .nothing
    }
    host.add("environment", "env.get") { [unowned self] call in
      try wait(call, for: .environment(name: call.stack.string(at: 1) ?? "")) { reply, stack in
        guard case .text(let text) = reply else { return 0 }
        text.map { stack.push($0) } ?? stack.pushNil()
        return 1
      }
    }
  }

  /// The path of the first argument; relative ones count from the script's folder.
  func path(_ call: HostFunctionCall) -> String {
    let given = call.stack.string(at: 1) ?? ""
    return given.hasPrefix("/") ? given : options.scriptFolder + "/" + given
  }

  /// Leaves a handle for the prelude.
  func pushHandle(_ reply: HostReply, _ stack: LuaStack) -> Int {
    guard case .handle(let handle) = reply else { return 0 }
    stack.push(handle)
    return 1
  }
}

extension LuaStack {
  /// Pushes a list, each element by `push`.
  func push<Element>(list: [Element], _ push: (LuaStack, Element) -> Void) {
    pushTable(elements: list.count)
    for (position, element) in list.enumerated() {
      push(self, element)
      setElement(position + 1, of: -2)
    }
  }
}
