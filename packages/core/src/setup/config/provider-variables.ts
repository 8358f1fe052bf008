import type { CountingSource } from "./nearest-agents.ts"
import { referencesIn } from "./substitute.ts"

/** The variables that the configuration of providers reads. */
export function providerVariables(sources: readonly Pick<CountingSource, "written">[]): string[] {
  const read = sources.flatMap(({ written: { provider = {} } }) => [
    ...referencesIn(provider, "env"),
    ...Object.values(provider).flatMap(({ env = [] }) => env),
  ])
  return [...new Set(read)]
}
