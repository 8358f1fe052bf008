import type { InOrder } from "@docket/core"
import type { ExecuteSql, TurnEngine } from "@docket/core/turn-engine"
import { PgBoss } from "pg-boss"
import { type Calls, createCalls } from "./calls.ts"
import { createDuties, type Duties } from "./duties.ts"
import { createNodesInOrder } from "./in-order.ts"
import { createNews, type News } from "./news.ts"
import { openPageFiles, type PageFiles } from "./page-files.ts"
import { createPgBossEngine, type PgBossEngineDeps, superviseIntervalSeconds } from "./pg-boss-engine.ts"
import { type CreateTries, openTries } from "./tries.ts"
import { openWake } from "./wake.ts"

export interface NodeLinks {
  engine: TurnEngine
  calls: Calls
  duties: Duties
  /** Makes counters that hold over all nodes. */
  createTries: CreateTries
  /** Does work of one key one after the other, over all nodes. */
  inOrder: InOrder
  news: News
  pageFiles: PageFiles
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
  const execute: ExecuteSql = (sql, values) => boss.getDb().executeSql(sql, values && [...values])
  const order = createNodesInOrder(url)
  const start = async () => {
    await boss.start()
    // Two nodes that make the same table at once hinder each other, IF NOT EXISTS or not.
    return await order.inOrder(
      "tables of links",
      async () => [await openTries(execute, schema), await openPageFiles(execute, schema, deps.now)] as const,
    )
  }
  const [createTries, pageFiles] = await start().catch(async (error) => {
    await order.close()
    await boss.stop({ graceful: false }).catch(onError)
    await wake.close()
    throw error
  })
  const engine = createPgBossEngine({ ...deps, boss, wake, onError })
  const calls = createCalls(boss, wake, onError)
  const duties = createDuties({ boss, wake, now: deps.now, onError })
  const news = createNews({ wake, execute, now: deps.now, onError })
  return {
    engine,
    calls,
    duties,
    createTries,
    inOrder: order.inOrder,
    news,
    pageFiles,
    async close() {
      await duties.close()
      await engine.close()
      await calls.close()
      await news.close()
      await order.close()
      await boss.stop({ graceful: false })
      await wake.close()
    },
  }
}
