import CLua

extension LuaState {
  /// Takes the error value off the top of the stack.
  func popError(_ status: clua_status) -> LuaError {
    defer { stack.pop() }
    if status == CLUA_EXHAUSTED {
      return LuaError(.stopped(.instructions), "the policy used up its instruction budget")
    }
    if status == CLUA_STOPPED {
      var error = stopError()
      error.traceback = stack.string(at: -1).map { textError($0).traceback } ?? ""
      return error
    }
    if stack.isError(at: -1) {
      return stack.isTable(at: -1) ? tableError() : textError(stack.describe(at: -1))
    }
    let value = stack.isNil(at: -1) ? "nil" : "a \(stack.typeName(at: -1))"
    return LuaError(.runtime, "the script raised \(value) (an error is a text, or a table with a message)")
  }

  /// The stop that holds now.
  private func stopError() -> LuaError {
    switch clua_stopped(pointer) {
    case CLUA_STOP_TIME: LuaError(.stopped(.time), "the script ran longer than its time budget")
    case CLUA_STOP_MEMORY: LuaError(.stopped(.memory), "the script went on asking for memory after its limit")
    default: LuaError(.stopped(.interrupted), "interrupted")
    }
  }

  private func textError(_ text: String) -> LuaError {
    let cut = text.firstRange(of: "stack traceback:\n")
    let message = cut.map { String(text[..<$0.lowerBound].dropLast()) } ?? text
    // Lua's own word for it, which reaches us as a text like any other.
    let kind = message == "not enough memory" ? LuaError.Kind.stopped(.memory) : .runtime
    return LuaError(kind, message, traceback: cut.map { String(text[$0.upperBound...]) } ?? "")
  }

  private func tableError() -> LuaError {
    var fields: [String: LuaValue] = [:]
    stack.forEachPair(of: -1) { stack in
      guard let key = stack.string(at: -2), let value = stack.value(at: -1) else { return }
      fields[key] = value
    }
    func text(_ key: String) -> String? {
      guard case .string(let text)? = fields[key] else { return nil }
      fields[key] = nil
      return text
    }
    let code = text("code")
    let place = text("where") ?? ""
    let message = text("message") ?? code ?? stack.describe(at: -1)
    let traceback = text("traceback") ?? ""
    return LuaError(.runtime, place + message, traceback: traceback, code: code, fields: fields)
  }
}

extension LuaStack {
  /// Whether the value says what went wrong: a text, a number, or a table that has a message or a code, or is shown as one.
  func isError(at index: Int) -> Bool {
    if isTable(at: index) {
      return field("message", of: index) { $0.string(at: $1) != nil }
        || field("code", of: index) { !$0.isNil(at: $1) }
        || hasText(at: index)
    }
    return !isNil(at: index) && !["boolean", "function", "thread"].contains(typeName(at: index))
  }
}

extension String {
  /// The beginning, of at most so many bytes, and how much was cut off.
  public func cut(at limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let beginning = String(decoding: utf8.prefix(limit), as: UTF8.self)
    return "\(beginning.last == "\u{FFFD}" ? String(beginning.dropLast()) : beginning)… (\(utf8.count) bytes)"
  }

  /// The first place of `text`, byte by byte: a script decides how long an error is.
  func firstRange(of text: String) -> Range<Index>? {
    let pattern = Array(text.utf8)
    var rest = utf8[...]
    while let start = rest.firstIndex(of: pattern[0]) {
      rest = rest[start...]
      if rest.starts(with: pattern) { return start..<utf8.index(start, offsetBy: pattern.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
