import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { leftOutLabel, rowsLabel } from "./table-labels.ts"

it("every table has a label for its rows", async () => {
  const schema = await readFile(new URL("../../../../prisma/schema.prisma", import.meta.url), "utf8")
  const tables = [...schema.matchAll(/^model (\w+)/gm)].map(([, name = ""]) => name)
  expect(tables.length).toBeGreaterThan(40)
  expect(tables.filter((name) => rowsLabel(name, 2).includes(name))).toEqual([])
})

it("rows are counted in singular and plural; omissions are named", () => {
  expect([rowsLabel("Session", 1), rowsLabel("Session", 3)]).toEqual(["1 session", "3 sessions"])
  expect(rowsLabel("Later", 2)).toBe("2 rows of Later")
  const left = ["rows of AuthSession", "tokens of AuthAccount", "auth.json", "rows of Later"]
  expect(left.map(leftOutLabel)).toEqual(["sign-ins", "tokens of ways in to accounts", "auth.json", "rows of Later"])
})
