import { roundCost, type UsageQuery, type UsageRow } from "@docket/core/store"
import { number, type Program, queryOnce, type Row, text, type Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

/** `SessionStore.usage`. Turns and answers are counted apart: a turn has many answers. */
export function* usage(scope: StoreScope, asked: UsageQuery): Program<UsageRow[]> {
  const turns = yield* turnRows(scope, asked)
  const answers = yield* answerRows(scope, asked)
  return [...turns, ...answers]
}

function* turnRows(scope: StoreScope, asked: UsageQuery): Program<UsageRow[]> {
  const { field, amount } = scope.dialect
  const { conditions, params, day } = conditionsOf(scope, asked, "t")
  const rows = yield* queryOnce(
    `SELECT ${day} AS "day", s."projectID" AS "projectID", u."agent" AS "agent", u."model" AS "model",
       COUNT(*) AS "turns", SUM(CASE WHEN t."status" = 'failed' THEN 1 ELSE 0 END) AS "failed",
       SUM(${amount(`t."ended"`)} - ${amount(field(`t."data"`, "time", "started"))}) AS "duration"
     FROM "Session" s
     JOIN "Turn" t ON t."tenantID" = s."tenantID" AND t."sessionID" = s."id"
     JOIN "Message" u ON u."tenantID" = t."tenantID" AND u."id" = ${field(`t."data"`, "messageID")}
     WHERE ${conditions} AND t."ended" IS NOT NULL AND ${field(`t."data"`, "time", "started")} IS NOT NULL
       AND ${field(`t."data"`, "input", "noReply")} IS NULL
     GROUP BY 1, 2, 3, 4`,
    params,
  )
  return rows.map((row) => ({
    ...groupOf(row),
    turns: count(row, "turns"),
    failed: count(row, "failed"),
    duration: number(row, "duration"),
    ...{ answers: 0, cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } },
  }))
}

function* answerRows(scope: StoreScope, asked: UsageQuery): Program<UsageRow[]> {
  const { field, amount } = scope.dialect
  const { conditions, params, day } = conditionsOf(scope, asked, "m")
  const tokens = (...path: string[]) => `SUM(${amount(field(`m."data"`, "tokens", ...path))})`
  const rows = yield* queryOnce(
    `SELECT ${day} AS "day", s."projectID" AS "projectID", m."agent" AS "agent", m."model" AS "model",
       COUNT(*) AS "answers", SUM(m."cost") AS "cost", ${tokens("input")} AS "input", ${tokens("output")} AS "output",
       ${tokens("reasoning")} AS "reasoning", ${tokens("cache", "read")} AS "read", ${tokens("cache", "write")} AS "write"
     FROM "Session" s
     JOIN "Message" m ON m."tenantID" = s."tenantID" AND m."sessionID" = s."id"
     WHERE ${conditions} AND m."role" = 'assistant'
     GROUP BY 1, 2, 3, 4`,
    params,
  )
  return rows.map((row) => ({
    ...groupOf(row),
    ...{ turns: 0, failed: 0, duration: 0 },
    answers: count(row, "answers"),
    cost: roundCost(number(row, "cost")),
    tokens: {
      input: number(row, "input"),
      output: number(row, "output"),
      reasoning: number(row, "reasoning"),
      cache: { read: number(row, "read"), write: number(row, "write") },
    },
  }))
}

function groupOf(row: Row) {
  const day = count(row, "day")
  return { day, projectID: text(row, "projectID"), agent: text(row, "agent"), model: text(row, "model") }
}

/** PostgreSQL counts in 64 bits, which its driver gives as text or a bigint. */
function count(row: Row, column: string): number {
  return Number(row[column])
}

/** Conditions on a session `s` and a row of it that has a time of creation. */
function conditionsOf(scope: StoreScope, { from, to, ahead, projectID, seenBy }: UsageQuery, alias: string) {
  const params: Value[] = [scope.tenantID, from, to, ahead]
  const created = `${alias}."created"`
  const conditions = [
    `s."tenantID" = $1`,
    // A session that works was last updated when its turn began.
    `(s."updated" >= $2 OR s."status" <> 'idle')`,
    `${created} >= $2 AND ${created} < $3`,
  ]
  if (projectID !== undefined) conditions.push(`s."projectID" = $${params.push(projectID)}`)
  if (seenBy !== null) {
    conditions.push(`s."rootID" NOT IN (SELECT x."id" FROM "Session" x
      WHERE x."tenantID" = $1 AND x."onlyFor" IS NOT NULL AND x."onlyFor" <> $${params.push(seenBy)})`)
  }
  return { conditions: conditions.join(" AND "), params, day: scope.dialect.whole(`(${created} + $4) / 86400000.0`) }
}
