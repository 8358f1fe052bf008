/** A server answers only once somebody has signed in to it. */
export class NeedsSignInError extends Error {
  override readonly name = "NeedsSignInError"

  /** @param why what the server or its sign-in said, in words */
  constructor(server: string, why: string) {
    super(
      `The MCP server "${server}" needs a sign-in: ${why} Sign in under Settings, Extensions, or with docket mcp login.`,
    )
  }
}

/** The need of a sign-in among an error and its causes; null for none. */
export function needOfSignIn(error: unknown): NeedsSignInError | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1)
    if (cause instanceof NeedsSignInError) return cause
  return null
}
