/** The result of checking one thing that Docket needs. */
export interface Check {
  name: string
  /** `bad`: Docket does not work without it. `warn`: Docket works, but with fewer features. */
  state: "ok" | "warn" | "bad"
  /** What was found, and what to do if that is not enough. */
  text: string
}

const signs = { ok: "ok  ", warn: "!   ", bad: "BAD " } satisfies Record<Check["state"], string>

/** One line for each check. */
export function checkLines(checks: readonly Check[]): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks.map(({ name, state, text }) => `${signs[state]}${name.padEnd(width)}  ${text.replace(/\s+/g, " ")}`)
}
