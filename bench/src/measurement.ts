import type { Desk } from "./desk.ts"
import type { SoakOptions } from "./soak/run-soak.ts"
import type { Provider, Server, Workplace } from "./workplace.ts"

/** Everything a measurement works with. Before the first measurement, `server` has answered no prompt. */
export interface Stage {
  provider: Provider
  /** Directory of the checkout that is measured. */
  checkout: string
  workplace: Workplace
  server: Server
  desk: Desk
  /** A session with this many turns of two messages each, created by the first call. */
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
  /** Runs only if `--only` names it. */
  onlyByName?: true
  /** The conditions of the measurement, if it emulates another machine. Printed below the table. */
  conditions?: string
  /** It uses no server, so it cannot compare another checkout. */
  inProcess?: true
  measure(stage: Stage): Promise<number>
}
