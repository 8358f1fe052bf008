import type { Desk } from "./desk.ts"
import type { SoakOptions } from "./soak/run-soak.ts"
import type { Provider, Server, Workplace } from "./workplace.ts"

/** What a measurement works with. `server` has answered no prompt before the first one asks. */
export interface Stage {
  provider: Provider
  workplace: Workplace
  server: Server
  desk: Desk
  /** A session of 1,002 messages, made by the first call. */
  longSession(): Promise<string>
  soak: SoakOptions
}

/** One row of the table. Numbers are in `unit`; smaller is better. */
export interface Measurement {
  name: string
  label: string
  /** Empty for a plain count. */
  unit: "ms" | "MiB" | "×" | ""
  aim: number
  /** OpenCode 1.18.33 on a 2-core machine, snapshots on / off. */
  opencode: string
  /** Left out unless `--only` names it. */
  onlyByName?: true
  measure(stage: Stage): Promise<number>
}
