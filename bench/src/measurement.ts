import type { Desk } from "./desk.ts"
import type { SoakOptions } from "./soak/run-soak.ts"
import type { Provider, Server, Workplace } from "./workplace.ts"

/** What a measurement works with. `server` has answered no prompt before the first one asks. */
export interface Stage {
  provider: Provider
  /** Directory of the source that is measured. */
  checkout: string
  workplace: Workplace
  server: Server
  desk: Desk
  /** A session of that many turns with two messages each, made by the first call. */
  filledSession(turns: number): Promise<string>
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
  /** Under what it is measured, where that is not this machine alone. Printed below the table. */
  conditions?: string
  /** No server takes part: it says nothing of another checkout. */
  inProcess?: true
  measure(stage: Stage): Promise<number>
}
