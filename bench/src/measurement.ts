import type { Desk } from "./desk.ts"
import type { Provider, Server, Workplace } from "./workplace.ts"

/** What a measurement works with. `server` has answered no prompt before the first one asks. */
export interface Stage {
  provider: Provider
  workplace: Workplace
  server: Server
  desk: Desk
  /** A session of 1,002 messages, made by the first call. */
  longSession(): Promise<string>
}

/** One row of the table. Numbers are in `unit`; smaller is better. */
export interface Measurement {
  name: string
  label: string
  unit: "ms" | "MiB" | "×"
  aim: number
  /** OpenCode 1.18.33 on a 2-core machine, snapshots on / off. */
  opencode: string
  measure(stage: Stage): Promise<number>
}
