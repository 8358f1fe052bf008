import { DatabaseSync } from "node:sqlite"
import { expect, it } from "vitest"
import { sqlite } from "../sql/dialect.ts"
import { takeNumbers } from "./tree-sequence.ts"

it.each([[["a"]], [["a", "b"]]])("a commit of the trees %j looks up only those trees", (rootIDs) => {
  const database = new DatabaseSync(":memory:")
  database.exec(
    `CREATE TABLE "Tree" ("tenantID" TEXT NOT NULL, "rootID" TEXT NOT NULL, "seq" INTEGER NOT NULL, "alive" BOOLEAN NOT NULL,
       "place" TEXT NOT NULL,
       PRIMARY KEY ("tenantID", "rootID"))`,
  )
  const step = takeNumbers({ tenantID: "t", dialect: sqlite }, new Map(rootIDs.map((id) => [id, 1]))).next().value
  if (!(step instanceof Object) || !("sql" in step)) throw new Error("it begins with a statement")
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${step.sql.replaceAll(/\$(\d+)/g, "?$1")}`)
    .all(...step.params.map(String))
    .map(({ detail }) => String(detail))
  const lookUps = plan.filter((detail) => /^(?:SEARCH|SCAN) (?:Tree|t)\b/.test(detail))
  expect(lookUps.length).toBeGreaterThan(0)
  for (const detail of lookUps) expect(detail).toContain("rootID=?")
})
