import Items
import Lua
import Paging

/// Files and the environment.
final class FileLibrary: ScriptLibrary {
  private let calls: HostCalls
  private let folder: ScriptFolder

  init(_ calls: HostCalls, _ folder: ScriptFolder) {
    self.calls = calls
    self.folder = folder
  }

  func register(in host: HostTable) {
    host.add("readFile", "fs.read") { [unowned self] call in
      try calls.wait(call, for: .readFile(path: folder.path(call))) { reply, stack in
        guard case .bytes(let bytes) = reply else { return 0 }
        bytes.withUnsafeBytes { stack.push(bytes: $0) }
        return 1
      }
    }
    host.add("writeFile", "fs.write") { [unowned self] call in
      let contents = call.stack.withBytes(at: 2) { Bytes(copying: $0) } ?? .empty
      return try calls.wait(call, for: .writeFile(path: folder.path(call), contents: contents))
    }
    host.add("fileExists", "fs.exists") { [unowned self] call in
      try calls.wait(call, for: .fileExists(path: folder.path(call))) { reply, stack in
        stack.push(reply == .flag(true))
        return 1
      }
    }
    host.add("listFiles", "fs.list") { [unowned self] call in
      try calls.wait(call, for: .listFiles(path: folder.path(call))) { reply, stack in
        guard case .names(let names) = reply else { return 0 }
        stack.push(list: names) { $0.push($1) }
        return 1
      }
    }
    host.add("openLines", "fs.lines") { [unowned self] call in
      let open = HostCall.openLines(path: folder.path(call), keepsEnds: call.stack.truth(at: 2))
      return try calls.wait(call, for: open, HostCalls.pushHandle)
    }
    host.add("nextLines", "fs.lines") { [unowned self] call in
      let stack = call.stack
      let next = HostCall.nextLines(
        handle: stack.handle(at: 1), limit: try stack.count(at: 2, "lines at once") ?? 1)
      return try calls.wait(call, for: next) { reply, stack in
        guard case .lines(let lines, let isEnd) = reply else { return 0 }
        stack.push(list: lines) { stack, line in line.withUnsafeBytes { stack.push(bytes: $0) } }
        stack.push(isEnd)
        return 2
      }
    }
    host.add("closeHandle", "close") { [unowned self] call in
      calls.send(.close(handle: call.stack.handle(at: 1)))
      return .nothing
    }
    host.add("environment", "env.get") { [unowned self] call in
      try calls.wait(call, for: .environment(name: call.stack.string(at: 1) ?? "")) { reply, stack in
        guard case .text(let text) = reply else { return 0 }
        text.map { stack.push($0) } ?? stack.pushNil()
        return 1
      }
    }
  }
}
