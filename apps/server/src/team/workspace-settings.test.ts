import { afterAll, beforeAll, expect, it } from "vitest"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

/** The events about settings that a reader of lists gets. */
async function listen(as: TeamBrowser, rootID: string) {
  const input = encodeURIComponent(JSON.stringify({ rootID, since: 0, others: true }))
  const stream = await as.get(`/api/trpc/event.subscribe?input=${input}`, { accept: "text/event-stream" })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  const lines: string[] = []
  let rest = ""
  /** The next line that contains this text. */
  const next = async (text: string): Promise<string> => {
    for (;;) {
      const line = lines.shift()
      if (line?.includes(text)) return line
      if (line !== undefined) continue
      const { done, value } = (await reader?.read()) ?? { done: true, value: "" }
      if (done) throw new Error(`the stream ended without ${text}`)
      const parts = (rest + value).split("\n")
      rest = parts.pop() ?? ""
      lines.push(...parts)
    }
  }
  // The first events are rows of its tree.
  await next("session.created")
  return {
    async settings() {
      const line = await next("workspace.updated")
      return (JSON.parse(line.slice(line.indexOf("{"))) as { properties: { workspace: Settings } }).properties.workspace
    },
    end: () => reader?.cancel(),
  }
}

interface Settings {
  by?: { person: string; name: string }
  turns: number | null
  time: { created: number; updated: number }
}

it("settings name their last editor and time, and list readers are notified", async () => {
  const viewer = await joinTeam(service, owner, "Vera", "viewer")
  const admin = await joinTeam(service, owner, "Bob", "admin")
  const settings = async () => (await callProcedure(viewer.browser, "workspace.get")).data as Settings
  expect((await settings()).by).toBeUndefined()
  const [project] = (await callProcedure(owner, "project.list")).data as { id: string }[]
  const made = await callProcedure(owner, "session.create", { projectID: project?.id })
  const stream = await listen(viewer.browser, (made.data as { id: string }).id)
  const by = { person: admin.person, name: "Bob", workspace: "local" }

  const { data } = await callProcedure(admin.browser, "workspace.update", { turns: 3 })
  expect(data).toMatchObject({ turns: 3, by })
  const told = await stream.settings()
  expect(told).toMatchObject({ turns: 3, by })
  expect(await settings()).toEqual(told)

  await callProcedure(owner, "workspace.rename", { name: "Ada's place" })
  const renamed = await stream.settings()
  expect(renamed).toMatchObject({ turns: 3, by: { name: "Ada" } })
  expect(renamed.time.updated).toBeGreaterThanOrEqual(told.time.updated)

  const refused = await callProcedure(admin.browser, "workspace.update", { roots: ["/nowhere/at/all"] })
  expect(refused.code).toBe("invalid_input")
  expect(await settings()).toEqual(renamed)
  await stream.end()
})
