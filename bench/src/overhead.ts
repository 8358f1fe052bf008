import type { TurnPlan } from "./desk.ts"
import type { Stage } from "./measurement.ts"

/** Duration of a turn as a reader of the event stream sees it, minus the provider's own time. */
export async function overhead(
  { desk, provider }: Pick<Stage, "desk" | "provider">,
  sessionID: string,
  plan: TurnPlan = {},
): Promise<number> {
  const id = crypto.randomUUID()
  const ms = await desk.turn(sessionID, { id, latency: 20, ...plan })
  return ms - (await provider.time(id))
}

export async function repeat<Value>(times: number, run: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  for (let index = 0; index < times; index++) values.push(await run())
  return values
}
