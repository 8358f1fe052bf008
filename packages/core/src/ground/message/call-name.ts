/** Longest id or name of a call that all providers take (OpenAI's limit; Anthropic and Google allow as much or more). */
const maxLength = 64

/** The id of a call as providers accept it: letters, digits, `_` and `-`. Usually the one that the provider gave. */
export function sendableCallID(callID: string): string {
  return callID.replace(/[^\w-]/g, "_").slice(0, maxLength) || "call"
}

/** The name of a tool as providers accept it; models call tools that do not exist by any name. */
export function sendableToolName(name: string): string {
  const plain = name.replace(/[^\w-]/g, "_").slice(0, maxLength)
  // Google wants a letter or `_` first.
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, maxLength)
}
