import type { ExecuteSql, TurnEngine } from "@docket/core/turn-engine"
import { PgBoss } from "pg-boss"
import { type Calls, createCalls } from "./calls.ts"
import { createDuties, type Duties } from "./duties.ts"
import { createNews, type News } from "./news.ts"
import { createPgBossEngine, type PgBossEngineDeps, superviseIntervalSeconds } from "./pg-boss-engine.ts"
import { openWake } from "./wake.ts"

export interface NodeLinks {
  engine: TurnEngine
  calls: Calls
  duties: Duties
  news: News
  close(): Promise<void>
}

export interface NodeLinksDeps extends Pick<PgBossEngineDeps, "now" | "failures" | "onError"> {
  /** `postgresql://user:password@host:port/database`, of the server itself: notifications do not pass a pooler. */
  url: string
}

/** The schema of pg-boss's tables in the database. */
const schema = "docket_jobs"

/** Connects a node to the others on its database. @throws when the database does not answer */
export async function openNodeLinks({ url, onError, ...deps }: NodeLinksDeps): Promise<NodeLinks> {
  const wake = await openWake(url, onError)
  const boss = new PgBoss({
    ...{ connectionString: url, schema, max: 4, application_name: "docket jobs" },
    ...{ superviseIntervalSeconds, monitorIntervalSeconds: superviseIntervalSeconds, schedule: false },
    ...{ registerInstance: false, monitorVacuum: false, openTelemetry: { enabled: false } },
  })
  boss.on("error", onError)
  try {
    await boss.start()
  } catch (error) {
    await wake.close()
    throw error
  }
  const engine = createPgBossEngine({ ...deps, boss, wake, onError })
  const calls = createCalls(boss, wake, onError)
  const duties = createDuties({ boss, wake, now: deps.now, onError })
  const execute: ExecuteSql = (sql, values) => boss.getDb().executeSql(sql, values && [...values])
  const news = createNews({ wake, execute, onError })
  return {
    engine,
    calls,
    duties,
    news,
    async close() {
      await duties.close()
      await engine.close()
      await calls.close()
      await news.close()
      await boss.stop({ graceful: false })
      await wake.close()
    },
  }
}
