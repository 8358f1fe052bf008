import type { PermissionMetadata } from "../../ground/schema/index.ts"

/** What an extension says of a question: deny wins over ask, ask over allow; null leaves it to rules and people. */
export type AskDecision = "allow" | "ask" | "deny" | null

/** What a tool asks leave for. `patterns` are judged one by one; `always` is what "always" would allow. */
export interface PermissionAsk {
  permission: string
  patterns: string[]
  always: string[]
  /** Those of the patterns some of whose words are known only when it runs: a preset lifts no denial that may speak of them. */
  unknown?: string[] | undefined
  /** The command that is to read the files that are asked for: "always" may allow it to that command alone. */
  command?: string | undefined
  /** Whether the sandbox surely holds the command that is asked for; left out for what is no command in it. */
  isHeld?: (() => Promise<boolean>) | undefined
  /** A function is called when somebody is asked: what it looks up costs nothing where a rule answers. */
  metadata: PermissionMetadata | (() => Promise<PermissionMetadata>)
}
