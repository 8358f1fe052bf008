import { addUsage, noTokens } from "../../ground/message/usage.ts"
import type { ModelRef, SessionStats, WorkFigures } from "../../ground/schema/index.ts"
import type { Store, UsageRow } from "../../ground/store/index.ts"

const dayMs = 86_400_000
const minuteMs = 60_000

export interface StatsQuery {
  projectID?: string | undefined
  /** Today and the days before it. */
  days: number
  /** How far the caller's clock is ahead of UTC (minutes). */
  utcOffset: number
}

interface StatsDeps {
  store: Pick<Store, "session">
  clock: () => number
}

/** @param seenBy whose trees count, also those of all; null for every tree */
export async function sessionStats(
  { store, clock }: StatsDeps,
  { projectID, days, utcOffset }: StatsQuery,
  seenBy: string | null,
): Promise<SessionStats> {
  const ahead = utcOffset * minuteMs
  const today = Math.floor((clock() + ahead) / dayMs)
  const first = today - days + 1
  const range = { from: first * dayMs - ahead, to: (today + 1) * dayMs - ahead, ahead }
  const rows = await store.session.usage({ ...range, projectID, seenBy })
  const dearest = <T extends WorkFigures>(figures: T[]) => figures.sort((a, b) => b.cost - a.cost || b.turns - a.turns)
  return {
    from: dayName(first),
    to: dayName(today),
    total: sum(rows),
    days: grouped(
      rows,
      ({ day }) => dayName(day),
      (day) => ({ day }),
    ).sort((a, b) => (a.day < b.day ? 1 : -1)),
    models: dearest(
      grouped(
        rows,
        ({ model }) => model,
        (model) => ({ model: modelRef(model) }),
      ),
    ),
    agents: dearest(
      grouped(
        rows,
        ({ agent }) => agent,
        (agent) => ({ agent }),
      ),
    ),
    projects: dearest(
      grouped(
        rows,
        (row) => row.projectID,
        (projectID) => ({ projectID }),
      ),
    ),
  }
}

function grouped<T>(rows: UsageRow[], keyOf: (row: UsageRow) => string, named: (key: string) => T) {
  return [...Map.groupBy(rows, keyOf)].map(([key, ofKey]) => ({ ...named(key), ...sum(ofKey) }))
}

function sum(rows: readonly UsageRow[]): WorkFigures {
  const none: WorkFigures = { turns: 0, failed: 0, duration: 0, answers: 0, cost: 0, tokens: noTokens }
  return rows.reduce(
    (all, row) => ({
      turns: all.turns + row.turns,
      failed: all.failed + row.failed,
      duration: all.duration + row.duration,
      answers: all.answers + row.answers,
      ...addUsage(all, row),
    }),
    none,
  )
}

function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** Of `provider/model`. Only the model's name may have a slash. */
function modelRef(text: string): ModelRef {
  const at = text.indexOf("/")
  return { providerID: text.slice(0, at), modelID: text.slice(at + 1) }
}
