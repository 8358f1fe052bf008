import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startRoleService } from "./test/start-role-service.ts"

/** The values in the configuration, and in the files that it names. */
const configured = {
  address: "http://10.9.8.7:8000/v1",
  variable: "VERY_OWN_KEY",
  rule: "git push *",
  text: "You review like a hawk.",
  // An unknown key, which the problems of the configuration name.
  mistake: "brokn_key",
}

let service: Awaited<ReturnType<typeof startRoleService>>
let directory: string
beforeAll(async () => {
  service = await startRoleService()
  directory = path.join(service.directory, ".config", "docket")
  await mkdir(path.join(directory, "agents"), { recursive: true })
  const settings = {
    model: "lab/small",
    permission: { bash: { [configured.rule]: "ask" } },
    agent: { hawk: { description: "Reviews.", prompt: configured.text } },
    provider: { lab: { env: [configured.variable], options: { baseURL: configured.address }, models: { small: {} } } },
    [configured.mistake]: 1,
  }
  await writeFile(path.join(directory, "docket.json"), JSON.stringify(settings))
  await writeFile(path.join(directory, "agents", "owl.md"), `---\ndescription: Watches.\n---\n${configured.text}\n`)
})
afterAll(() => service.remove())

interface Who {
  role: "viewer" | "reviewer" | "member" | "admin" | "owner"
  limitedTo?: string[]
}

const input = (more: object = {}) => ({ projectID: service.ids.beside().project, ...more })

async function ask(who: Who, name: string, given: object | null = input()) {
  const query = given === null ? "" : `?input=${encodeURIComponent(JSON.stringify(given))}`
  return service.send(who, { method: "GET", path: `/api/trpc/${name}${query}` })
}

/** The values of the configuration that a text reveals. */
const revealed = (text: string) => Object.values({ ...configured, directory }).filter((words) => text.includes(words))

const lesser: [name: string, who: Who][] = [
  ["a viewer", { role: "viewer" }],
  ["a reviewer", { role: "reviewer" }],
  ["a key that reads sessions", { role: "owner", limitedTo: ["read"] }],
]

describe.each(lesser)("%s", (_name, who) => {
  it("learns nothing about the configuration from calls it may make", async () => {
    for (const name of ["config.get", "agent.list", "provider.list", "command.list", "provider.catalogue"]) {
      const { status, body } = await ask(who, name)
      expect([name, status, revealed(body)]).toEqual([name, 200, []])
    }
    for (const name of ["sandbox.state", "provider.catalogues"])
      expect(revealed((await ask(who, name, null)).body)).toEqual([])
    expect(revealed((await ask(who, "config.get", {})).body)).toEqual([])
  })

  it("gets only the names and models that its pages need", async () => {
    const { config, files, problems, closures, trust } = JSON.parse((await ask(who, "config.get")).body).result.data
    expect(config).toEqual({ model: "lab/small" })
    expect([files, problems, closures]).toEqual([[], [], []])
    expect(trust).toEqual({ state: "nothing", directory: null, hash: null, entries: [] })
    const agents: { name: string; description: string }[] = JSON.parse((await ask(who, "agent.list")).body).result.data
    expect(agents.filter(({ name }) => name === "hawk" || name === "owl")).toMatchObject([
      { description: "Reviews.", permission: [], prompt: null, options: {} },
      { description: "Watches.", permission: [], prompt: null, options: {} },
    ])
    const providers: { id: string; models: { id: string }[] }[] = JSON.parse((await ask(who, "provider.list")).body)
      .result.data
    expect(providers.find(({ id }) => id === "lab")?.models.map(({ id }) => id)).toEqual(["small"])
  })

  it("is refused rules, files and texts", async () => {
    const act = { agent: "build", permission: "bash", text: "git push" }
    for (const [name, more] of [
      ["config.texts", {}],
      ["config.effective", {}],
      ["agent.explain", {}],
      ["agent.overview", {}],
      ["agent.file", { file: path.join(directory, "agents", "owl.md") }],
      ["agent.judge", act],
      ["tool.list", { agent: "build" }],
      ["agent.judgeHistory", { since: 0, permission: {} }],
    ] as const) {
      const { status, body } = await ask(who, name, input(more))
      expect([name, status, revealed(body.replaceAll("git push", ""))]).toEqual([name, 403, []])
    }
  })
})

it("a member sees the whole configuration", async () => {
  const member: Who = { role: "member" }
  expect(revealed((await ask(member, "config.get")).body)).toEqual(
    expect.arrayContaining([configured.address, configured.rule, configured.mistake, directory]),
  )
  expect(revealed((await ask(member, "agent.list")).body)).toContain(configured.text)
  expect(revealed((await ask(member, "provider.list")).body)).toEqual([configured.address, configured.variable])
  expect((await ask(member, "agent.overview")).status).toBe(200)
})
