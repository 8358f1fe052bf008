import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type ServiceWithProject, startServiceWithProject } from "../test/start-service-with-project.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
let work: ServiceWithProject

beforeAll(async () => {
  work = await startServiceWithProject()
})
afterAll(() => work.remove())

async function docket(...args: string[]): Promise<string> {
  const all = [cli, ...args, "--data", work.data]
  return (await promisify(execFile)(process.execPath, all, { env: work.env, cwd: work.project })).stdout
}

it("docket sessions show and stats tell what was done, and where", async () => {
  const { id: sessionID } = await work.client.session.create.mutate({
    projectID: work.projectID,
    title: "Look\u001b[2J around",
  })
  await work.client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "Where is the greeting made?" }] })
  const shown = await docket("sessions", "show", sessionID)
  expect(shown).not.toContain("\u001b")
  expect(shown).toMatch(/^Look \[2J around\ndone {2}build {2}/)
  expect(shown).toContain(`\n${work.address}/s/${sessionID}\n`)
  expect(shown).toMatch(/\ntodos \d of \d\n/)
  expect(shown).toMatch(/\nexplore {2}.+ {2}done {2}ses_\w+\n/)
  const { sessions } = JSON.parse(await docket("sessions", "show", sessionID, "--json"))
  expect(sessions.length).toBeGreaterThan(1)
  expect(await docket("stats", "--by", "agent")).toMatch(/\nagent +turns .+\n(?:\w+ +\d.*\n)*explore +2 +0 /)
})

it("docket sessions archives, restores and deletes what it lists", async () => {
  const make = (title: string) => work.client.session.create.mutate({ projectID: work.projectID, title })
  const [one, two] = [await make("First try"), await make("Second try")]
  const listed = async (...args: string[]) =>
    (await docket("sessions", "list", "--search", "try", ...args))
      .split("\n")
      .flatMap((line) => line.split(" ")[0] || [])
  expect(await listed("--limit", "1", "--project", ".")).toEqual([two.id])
  await docket("sessions", "archive", one.id, two.id)
  expect(await listed("--archived")).toEqual(expect.arrayContaining([one.id, two.id]))
  await docket("sessions", "restore", one.id)
  expect(JSON.parse(await docket("sessions", "--search", "try", "--json"))).toMatchObject([{ session: { id: one.id } }])
  await expect(docket("sessions", "delete", one.id)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("nobody can be asked here"),
  })
  expect(await docket("sessions", "delete", one.id, "--yes")).toBe(`removed ${one.id}\n`)
  await expect(work.client.session.get.query({ sessionID: one.id })).rejects.toThrow(one.id)
})

it("docket mcp login and logout name the servers that there are", async () => {
  for (const command of ["login", "logout"]) {
    await expect(docket("mcp", command, "nosuch")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no MCP server "nosuch": none is configured; docket mcp add adds one'),
    })
  }
})
