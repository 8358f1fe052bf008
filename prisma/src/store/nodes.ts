import { Host, type Node, NodeFacts } from "@docket/core/schema"
import { columnText, type NodeStore } from "@docket/core/store"
import { encode, type RowShape } from "../row/row-data.ts"
import { readable, stored } from "../row/stored.ts"
import type { UnreadableRows } from "../row/unreadable-rows.ts"
import type { Database } from "../sql/database.ts"
import { number, type Program, query, type Row } from "../sql/program.ts"

// Nodes and hosts are of no tenant, so they are no records.
const nodeShape: RowShape<NodeFacts> = { name: "Node", schema: NodeFacts, upcasts: [] }
const hostFacts = Host.omit({ time: true })
const hostShape: RowShape<Omit<Host, "time">> = { name: "Host", schema: hostFacts, upcasts: [] }

const nodeColumns = `"data" AS "data", "draining" AS "draining", "started" AS "started", "seen" AS "seen"`

export function nodeStore({ dialect, read, write }: Database, unreadable: UnreadableRows): NodeStore {
  const { now } = dialect
  const reader = { unreadable }

  function* beat(facts: NodeFacts): Program<Node> {
    const [row = {}] = yield* query(
      // The time is taken once, so that a new node was seen when it started.
      `WITH c AS MATERIALIZED (SELECT ${now} AS "now")
       INSERT INTO "Node" ("id", "hostID", "role", "version", "started", "seen", "draining", "data")
       SELECT $1, $2, $3, $4, c."now", c."now", FALSE, $5 FROM c WHERE TRUE
       ON CONFLICT ("id") DO UPDATE SET "hostID" = excluded."hostID", "role" = excluded."role",
         "version" = excluded."version", "seen" = excluded."seen", "data" = excluded."data"
       RETURNING ${nodeColumns}`,
      facts.id,
      facts.hostID,
      facts.role,
      columnText(facts.version),
      encode(nodeShape, facts),
    )
    return withState(stored(nodeShape, row), row)
  }
  function* list(): Program<Row[]> {
    // With the time even when there is no node.
    return yield* query(
      `SELECT c."now" AS "now", n.* FROM (SELECT ${now} AS "now") c
       LEFT JOIN (SELECT "id" AS "id", ${nodeColumns} FROM "Node") n ON TRUE ORDER BY n."started" DESC, n."id" DESC`,
    )
  }
  function* changed(sql: string, ...params: (string | number | boolean)[]): Program<number> {
    return (yield* query(`${sql} RETURNING "id"`, ...params)).length
  }
  return {
    beat: (facts) => write({ program: () => beat(facts) }),
    async list() {
      const rows = await read({ program: list })
      const nodes = rows.flatMap((row) => {
        const facts = row.data === null ? null : readable(reader, nodeShape, row)
        return facts === null ? [] : withState(facts, row)
      })
      return { now: number(rows[0] ?? {}, "now"), nodes }
    },
    setDraining: async (id, on) =>
      (await write({ program: () => changed(`UPDATE "Node" SET "draining" = $2 WHERE "id" = $1`, id, on) })) > 0,
    async leave(id) {
      await write({ program: () => changed(`DELETE FROM "Node" WHERE "id" = $1`, id) })
    },
    forgetBefore: (time) => write({ program: () => changed(`DELETE FROM "Node" WHERE "seen" < $1`, time) }),
    async putHost({ id, label }) {
      const put = () =>
        query(
          `INSERT INTO "Host" ("id", "label", "seen", "data") VALUES ($1, $2, ${now}, $3)
           ON CONFLICT ("id") DO UPDATE SET "label" = excluded."label", "seen" = excluded."seen", "data" = excluded."data"`,
          id,
          columnText(label),
          encode(hostShape, { id, label }),
        )
      await write({ program: put })
    },
    async hosts() {
      const all = () => query(`SELECT "data" AS "data", "seen" AS "seen" FROM "Host" ORDER BY "id"`)
      const rows = await read({ program: all })
      return rows.flatMap((row) => {
        const facts = readable(reader, hostShape, row)
        return facts === null ? [] : { ...facts, time: { seen: number(row, "seen") } }
      })
    },
  }
}

/** A node with what the database says of it. */
function withState(facts: NodeFacts, row: Row): Node {
  const time = { started: number(row, "started"), seen: number(row, "seen") }
  return { ...facts, draining: Boolean(row.draining), time }
}
