import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, expect, it, onTestFinished } from "vitest"
import { openRuntime } from "../open-runtime.ts"
import { startService } from "../start-service.ts"
import { freePort } from "../test/free-port.ts"
import { adopt } from "./adopt.ts"
import { filledData, removeDirectories } from "./test/filled-data.ts"

afterAll(removeDirectories)

const ada = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }
const quiet = () => undefined

/** The real service with accounts, on a data directory from local mode. */
async function startTeam(data: string) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  await writeFile(path.join(data, "team.json"), JSON.stringify({ url: origin }))
  const service = await startService(
    { projects: [], port, host: "127.0.0.1", data, web: false, trust: false },
    { openRuntime, report: quiet, log: quiet },
  )
  const headers = { origin, "sec-fetch-site": "same-origin", "content-type": "application/json" }
  // If all went well, the service was already stopped by the test.
  onTestFinished(() => service.stop().catch(quiet))
  let cookie = ""
  const post = async (route: string, body: object) => {
    const answer = await fetch(origin + route, { method: "POST", headers, body: JSON.stringify(body) })
    expect([route, answer.status]).toEqual([route, 200])
    cookie = answer.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ")
  }
  const query = async (procedure: string, input: object = {}) => {
    const url = `${origin}/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`
    const answer = await fetch(url, { headers: { ...headers, cookie } })
    expect([procedure, answer.status]).toEqual([procedure, 200])
    return JSON.parse(await answer.text()).result.data
  }
  return { service, post, query }
}

/** How many rows of all tables refer to the user of local mode. */
function rowsOfLocalPerson(data: string): number {
  const database = new DatabaseSync(path.join(data, "docket.db"), { readOnly: true })
  const tables = database
    .prepare(`SELECT m."name" FROM sqlite_master m JOIN pragma_table_info(m."name") c WHERE c."name" = 'data'`)
    .all()
  const like = `%"person":"local","workspace":"local"%`
  const counts = tables.map(({ name }) => {
    const [row] = database.prepare(`SELECT COUNT(*) AS "count" FROM "${name}" WHERE "data" LIKE ?`).all(like)
    return Number(row?.count)
  })
  database.close()
  return counts.reduce((sum, count) => sum + count, 0)
}

it("adoption gives the owner everything created in local mode", async () => {
  const data = await filledData()
  await expect(adopt({ data, email: null, database: null }, quiet)).rejects.toThrow("has no owner yet")
  const first = await startTeam(data)
  await first.post("/api/auth/first-owner", { secret: first.service.loginUrl.split("#")[1], ...ada })
  const before = await first.query("session.list")
  await expect(adopt({ data, email: null, database: null }, quiet)).rejects.toMatchObject({
    code: "data_directory_locked",
  })
  await first.service.stop()
  expect(rowsOfLocalPerson(data)).toBeGreaterThan(8)
  const output = await readFile(path.join(data, "tool-output/out.txt"), "utf8")
  await expect(adopt({ data, email: "bob@example.org", database: null }, quiet)).rejects.toThrow("is no owner")
  const { facts } = await adopt({ data, email: null, database: null }, quiet)
  expect(facts).toMatchObject({ owner: ada.email, rows: expect.any(Number) })
  expect(rowsOfLocalPerson(data)).toBe(0)
  const second = await startTeam(data)
  await second.post("/api/auth/sign-in/email", { email: ada.email, password: ada.password })
  const me = await second.query("me.get")
  const person = me.person ?? me.id ?? me.caller?.person
  expect(person).toEqual(expect.any(String))
  const after = await second.query("session.list")
  expect(after.items).toHaveLength(before.items.length)
  expect(after.items.length).toBeGreaterThan(0)
  for (const { session } of after.items) expect(session.by).toEqual({ person, workspace: "local" })
  const rootID = after.items.find(({ session }: { session: { title: string } }) => session.title === "walnut").session
    .id
  // Only its author can see a draft.
  for (const [procedure, input] of [
    ["review.draft.list", { sessionID: rootID }],
    ["review.thread.list", { sessionID: rootID }],
    ["share.list", { rootID }],
    ["schedule.list", {}],
  ] as const)
    expect([procedure, JSON.stringify(await second.query(procedure, input))]).toEqual([
      procedure,
      expect.stringContaining(person),
    ])
  await second.service.stop()
  expect(await readFile(path.join(data, "tool-output/out.txt"), "utf8")).toBe(output)
  expect((await adopt({ data, email: ada.email, database: null }, quiet)).facts).toMatchObject({ rows: 0 })
})
