import { execFileSync } from "node:child_process"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import type { Event, GlobalEvent } from "@opencode-ai/sdk/v2"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { got, opencodeClients, text, textsOf } from "./test/opencode-clients.ts"
import { type ScriptedProvider, startScriptedProvider } from "./test/scripted-provider.ts"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"

let provider: ScriptedProvider
let service: OpenedService
let clients: Awaited<ReturnType<typeof opencodeClients>>
const prompts: string[] = []

/** The calls that the model makes for a prompt, before it answers. */
const callsFor: Record<string, { name: string; args: object }> = {
  run: { name: "bash", args: { command: "touch made-by-run", description: "Touch" } },
  write: { name: "write", args: { filePath: "written.txt", content: "one\ntwo\n" } },
  ask: {
    name: "question",
    args: {
      questions: [
        {
          question: "Which one?",
          header: "Choice",
          options: [
            { label: "Red", description: "Warm" },
            { label: "Blue", description: "Cold" },
          ],
        },
      ],
    },
  },
}

beforeAll(async () => {
  provider = await startScriptedProvider(({ prompt, results }) => {
    prompts.push(prompt)
    const call = callsFor[prompt]
    if (call !== undefined && results.length === 0) return { text: "", calls: [call] }
    return { text: `You said ${prompt}. ${results.join(" ")}` }
  })
  service = await startOpenedService(
    { command: { greet: { template: "Say hello to $1.", description: "Greets" } } },
    { ...provider.config, permission: { bash: { "*": "ask", "echo *": "allow" } } },
  )
  clients = await opencodeClients(service)
})
afterAll(async () => {
  await service.remove()
  await provider.stop()
})

const begun = (title: string) => got(clients.flat().session.create({ title }))
const isAsked = (type: Event["type"], sessionID: string) => (event: Event) =>
  event.type === type && "sessionID" in event.properties && event.properties.sessionID === sessionID

test("a permission is listed, allowed once, and the work goes on", async () => {
  const client = clients.flat()
  const { id } = await begun("Allowed")
  await clients.eventsUntil(
    () => client.session.promptAsync({ sessionID: id, parts: text("run") }),
    isAsked("permission.asked", id),
  )
  const [request] = (await got(client.permission.list())).filter(({ sessionID }) => sessionID === id)
  expect(request).toMatchObject({ permission: "bash", patterns: ["touch made-by-run"] })
  expect(await got(client.question.list())).toEqual([])
  const heard = await clients.eventsUntil(
    () => client.permission.reply({ requestID: request?.id ?? "", reply: "once" }),
    isAsked("session.idle", id),
  )
  expect(heard.find(({ type }) => type === "permission.replied")?.properties).toMatchObject({ reply: "once" })
  expect(await readFile(path.join(service.directory, "made-by-run"), "utf8")).toBe("")
  await expect(client.permission.reply({ requestID: request?.id ?? "", reply: "once" })).rejects.toThrow(
    "This was allowed by you elsewhere",
  )
})

test("the older client rejects a permission of the session that it names", async () => {
  const older = clients.nested()
  const [{ id }, other] = [await begun("Rejected"), await begun("Other")]
  await clients.eventsUntil(
    () => older.session.promptAsync({ path: { id }, body: { parts: text("run") } }),
    isAsked("permission.asked", id),
  )
  const [request] = await service.local.permission.list({ rootID: id })
  const answer = (sessionID: string) =>
    older.postSessionIdPermissionsPermissionId({
      path: { id: sessionID, permissionID: request?.id ?? "" },
      body: { response: "reject" },
    })
  await expect(answer(other.id)).rejects.toThrow("does not wait for an answer")
  await clients.eventsUntil(() => answer(id), isAsked("session.idle", id))
  const messages = await got(older.session.messages({ path: { id } }))
  expect(messages.at(-1)?.parts.find(({ type }) => type === "tool")).toMatchObject({ state: { status: "error" } })
})

test("a question takes labels of its options, or own words", async () => {
  const client = clients.flat()
  const { id } = await begun("Asked")
  const ask = () => client.session.promptAsync({ sessionID: id, parts: text("ask") })
  const heard = await clients.eventsUntil(ask, isAsked("question.asked", id))
  const [question] = (await got(client.question.list())).filter(({ sessionID }) => sessionID === id)
  expect(heard.at(-1)?.properties).toEqual(question)
  expect(question?.questions).toMatchObject([
    { question: "Which one?", header: "Choice", options: [{ label: "Red", description: "Warm" }, { label: "Blue" }] },
  ])
  const requestID = question?.id ?? ""
  await expect(client.question.reply({ requestID, answers: [["Red", "Green"]] })).rejects.toThrow("takes one answer")
  const after = await clients.eventsUntil(
    () => client.question.reply({ requestID, answers: [["Green"]] }),
    isAsked("session.idle", id),
  )
  expect(after.find(({ type }) => type === "question.replied")?.properties).toMatchObject({ answers: [["Green"]] })
  const { items } = await service.local.session.messages({ sessionID: id })
  expect(textsOf(items.at(-1)?.parts ?? []).join()).toContain("Green")
  const shown = (await got(client.session.messages({ sessionID: id }))).flatMap(({ parts }) => parts)
  expect(shown.find(({ type }) => type === "tool")).toMatchObject({ state: { metadata: { answers: [["Green"]] } } })
  await clients.eventsUntil(ask, isAsked("question.asked", id))
  const [again] = (await got(client.question.list())).filter(({ sessionID }) => sessionID === id)
  const dismissed = await clients.eventsUntil(
    () => client.question.reject({ requestID: again?.id ?? "" }),
    isAsked("session.idle", id),
  )
  expect(dismissed.some(({ type }) => type === "question.rejected")).toBe(true)
})

test("a fork has the messages before the one that is named", async () => {
  const client = clients.flat()
  const { id } = await begun("Original")
  for (const words of ["first", "second"]) await client.session.prompt({ sessionID: id, parts: text(words) })
  const original = await got(client.session.messages({ sessionID: id }))
  const fork = await got(client.session.fork({ sessionID: id, messageID: original[2]?.info.id ?? "" }))
  expect(fork).toMatchObject({ title: "Original (fork #1)", directory: service.directory, cost: 0 })
  expect(fork.parentID).toBeUndefined()
  const copied = await got(client.session.messages({ sessionID: fork.id }))
  expect(copied.map(({ parts }) => textsOf(parts))).toEqual([["first"], ["You said first. "]])
  const ids = new Set(original.map(({ info }) => info.id))
  expect(copied.filter(({ info }) => ids.has(info.id) || info.sessionID !== fork.id)).toEqual([])
  expect(copied[1]?.info).toMatchObject({ parentID: copied[0]?.info.id })
  // The copy goes on by itself.
  await client.session.prompt({ sessionID: fork.id, parts: text("third") })
  expect(await got(client.session.messages({ sessionID: id }))).toEqual(original)
  const whole = await got(clients.nested().session.fork({ path: { id: fork.id } }))
  expect(whole.title).toBe("Original (fork #2)")
  expect(await got(client.session.messages({ sessionID: whole.id }))).toHaveLength(4)
})

test("what a session changed is listed by file and by prompt", async () => {
  const client = clients.flat()
  const { id } = await begun("Writes")
  await client.session.prompt({ sessionID: id, parts: text("write") })
  const [diff, ...others] = await got(client.session.diff({ sessionID: id }))
  expect(diff).toMatchObject({ file: "written.txt", additions: 2, deletions: 0, status: "added" })
  expect(diff?.patch).toContain("+one\n+two")
  expect(others).toEqual([])
  const [prompt, answer] = await got(client.session.messages({ sessionID: id }))
  expect(await got(client.session.diff({ sessionID: id, messageID: prompt?.info.id ?? "" }))).toEqual([diff])
  expect(await got(client.session.diff({ sessionID: id, messageID: answer?.info.id ?? "" }))).toEqual([])
  const one = { sessionID: id, messageID: answer?.info.id ?? "" }
  expect(await got(client.session.message(one))).toEqual(answer)
  await expect(client.session.message({ ...one, messageID: `msg_${"0".repeat(26)}` })).rejects.toThrow()
})

test("a prompt is undone and brought back, also named by a part", async () => {
  const client = clients.flat()
  const { id } = await begun("Undone")
  await client.session.prompt({ sessionID: id, parts: text("first") })
  const [message] = await got(client.session.messages({ sessionID: id }))
  const undo = { sessionID: id, messageID: message?.info.id ?? "" }
  expect((await got(client.session.revert(undo))).revert).toEqual({ messageID: undo.messageID })
  expect((await got(clients.nested().session.unrevert({ path: { id } }))).revert).toBeUndefined()
  const answer = (await got(client.session.messages({ sessionID: id })))[1]
  const step = { sessionID: id, messageID: answer?.info.id ?? "", partID: answer?.parts.at(-1)?.id ?? "" }
  expect((await got(client.session.revert(step))).revert).toEqual({ messageID: undo.messageID })
  await expect(client.session.revert({ ...step, partID: `prt_${"0".repeat(26)}` })).rejects.toThrow("There is no part")
})

test("a session is renamed, archived and removed", async () => {
  const client = clients.flat()
  const { id } = await begun("Named")
  expect((await got(client.session.update({ sessionID: id, title: "Renamed" }))).title).toBe("Renamed")
  const archived = await got(client.session.update({ sessionID: id, time: { archived: 1 } }))
  expect(archived.time.archived).toEqual(expect.any(Number))
  expect((await got(client.session.update({ sessionID: id, time: { archived: 0 } }))).time.archived).toBeUndefined()
  await expect(client.session.update({ sessionID: id, permission: [] })).rejects.toThrow("rules stay as they are")
  expect(await got(client.session.delete({ sessionID: id }))).toBe(true)
  await expect(client.session.get({ sessionID: id })).rejects.toThrow("There is no session")
})

test("a command of the project is a prompt; unknown ones are named", async () => {
  const client = clients.flat()
  const { id } = await begun("Commanded")
  expect(await got(client.command.list())).toContainEqual(
    expect.objectContaining({ name: "greet", description: "Greets" }),
  )
  const answer = await got(client.session.command({ sessionID: id, command: "greet", arguments: "the team" }))
  expect(textsOf(answer.parts).join()).toContain("Say hello to the team.")
  await expect(client.session.command({ sessionID: id, command: "gret", arguments: "" })).rejects.toThrow("/gret")
  await expect(
    client.session.command({ sessionID: id, command: "greet", arguments: "a", model: "one" }),
  ).rejects.toThrow("provider/model")
})

test("a shell command runs under the rules, and no model answers", async () => {
  const client = clients.flat()
  const { id } = await begun("Shell")
  const before = prompts.length
  const answer = await got(client.session.shell({ sessionID: id, agent: "build", command: "echo by $((40 + 2))" }))
  expect(answer.parts.find(({ type }) => type === "tool")).toMatchObject({
    tool: "bash",
    state: { status: "completed", input: { command: "echo by $((40 + 2))" }, output: expect.stringContaining("by 42") },
  })
  expect(prompts).toHaveLength(before)
  // What the rules ask about waits for a person, like a command of the agent.
  const open = clients.nested().session.shell({ path: { id }, body: { agent: "build", command: "touch by-shell" } })
  await expect.poll(async () => (await service.local.permission.list({ rootID: id })).length).toBe(1)
  await client.session.abort({ sessionID: id })
  await open
  await expect(readFile(path.join(service.directory, "by-shell"))).rejects.toThrow("ENOENT")
  // The next prompt shows the model what was run.
  await client.session.prompt({ sessionID: id, parts: text("and now") })
  const { items } = await service.local.session.messages({ sessionID: id })
  expect(items.flatMap(({ parts }) => textsOf(parts)).join()).toContain("The user ran this command")
})

test("summarize makes room, and says why when it cannot", async () => {
  const client = clients.flat()
  const { id } = await begun("Long")
  const model = { providerID: "scripted", modelID: "one" }
  await client.session.prompt({ sessionID: id, parts: text(`${"many words ".repeat(4_000)}end`) })
  expect(await got(client.session.summarize({ sessionID: id, ...model }))).toBe(true)
  const messages = await got(client.session.messages({ sessionID: id }))
  expect(messages.some(({ info }) => info.role === "assistant" && info.summary === true)).toBe(true)
  await expect(client.session.summarize({ sessionID: id, providerID: "scripted", modelID: "two" })).rejects.toThrow(
    "two",
  )
})

test("a session is shared unless something in it looks like a secret", async () => {
  const client = clients.flat()
  const { id } = await begun("Shared")
  await client.session.prompt({ sessionID: id, parts: text("hello") })
  const shared = await got(client.session.share({ sessionID: id }))
  const page = shared.share?.url ?? ""
  expect(page).toContain(`${service.url}/share/`)
  expect((await service.local.share.list({ rootID: id })).map(({ time }) => time.revoked)).toEqual([null])
  expect((await got(client.session.unshare({ sessionID: id }))).share).toBeUndefined()
  expect((await service.local.share.list({ rootID: id })).filter(({ time }) => time.revoked === null)).toEqual([])
  const secret = `ghp_${"0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"}`
  await client.session.prompt({ sessionID: id, parts: text(`my token is ${secret}`) })
  await expect(client.session.share({ sessionID: id })).rejects.toThrow(`${service.url}/session/${id}`)
  expect((await service.local.share.list({ rootID: id })).filter(({ time }) => time.revoked === null)).toEqual([])
  const child = await got(client.session.create({ parentID: id, title: "Child" }))
  await expect(client.session.share({ sessionID: child.id })).rejects.toThrow(`Share ${id}.`)
  await expect(client.session.fork({ sessionID: child.id })).rejects.toThrow(id)
})

test("files of the project are found and read, and nothing else", async () => {
  const client = clients.flat()
  await mkdir(path.join(service.directory, "src/deep"), { recursive: true })
  await writeFile(path.join(service.directory, "src/deep/a.ts"), "export const needle = 1\n")
  await writeFile(path.join(service.directory, "src/picture.bin"), Buffer.from([0, 1, 2]))
  await writeFile(path.join(service.directory, ".env"), "SECRET=needle\n")
  await symlink("/etc/hostname", path.join(service.directory, "src/outside"))
  expect((await got(client.find.files({ query: "deep/a.ts" })))[0]).toBe("src/deep/a.ts")
  expect(await got(client.find.text({ pattern: "needl[e]" }))).toMatchObject([
    {
      path: { text: "src/deep/a.ts" },
      line_number: 1,
      submatches: [{ match: { text: "needle" }, start: 13, end: 19 }],
    },
  ])
  await expect(client.find.text({ pattern: "(" })).rejects.toThrow("Mend the pattern.")
  expect(await got(client.file.list({ path: "src" }))).toEqual([
    { name: "deep", path: "src/deep", absolute: `${service.directory}/src/deep`, type: "directory", ignored: false },
    {
      name: "outside",
      path: "src/outside",
      absolute: `${service.directory}/src/outside`,
      type: "file",
      ignored: false,
    },
    expect.objectContaining({ name: "picture.bin" }),
  ])
  expect(await got(client.file.read({ path: "src/deep/a.ts" }))).toEqual({
    type: "text",
    content: "export const needle = 1\n",
  })
  expect(await got(clients.nested().file.read({ query: { path: "src/picture.bin" } }))).toEqual({
    ...{ type: "binary", content: "AAEC", encoding: "base64" },
  })
  for (const named of ["src/outside", "../..", "/etc/passwd"])
    await expect(client.file.read({ path: named })).rejects.toThrow("does not belong to the files of the project")
  // The service's own data lies in the project here.
  expect((await got(client.file.list({ path: "." }))).map(({ name }) => name)).not.toContain(".data")
  await expect(client.file.read({ path: ".data/token" })).rejects.toThrow("does not belong to the files of the project")
  await expect(client.file.read({ path: ".env" })).rejects.toThrow("The rules of the project")
  await expect(client.file.read({ path: "nothing.ts" })).rejects.toThrow("There is no nothing.ts")
  await expect(client.file.list({ path: "src/deep/a.ts" })).rejects.toThrow("is not a directory")
})

test("the service tells of itself, and keeps what is not a client's", async () => {
  const client = clients.flat()
  const project = await got(client.project.current())
  expect(await got(client.project.list())).toEqual([project])
  expect(project).toMatchObject({ worktree: service.directory, sandboxes: [] })
  expect(await got(client.path.get())).toMatchObject({ directory: service.directory, worktree: service.directory })
  expect(await got(client.lsp.status())).toEqual([])
  expect(await got(client.mcp.status())).toEqual({})
  expect(await got(client.global.health())).toMatchObject({ healthy: true })
  expect(await got(client.app.log({ service: "a script", level: "info", message: "begun\n\u001b[31m" }))).toBe(true)
  expect(service.reported.at(-1)).toMatch(/ \(info\): a script: begun \\u\{1b\}\[31m$/)
  const { paths } = (await fetch(`${service.url}/opencode/doc`, { headers: clients.basic }).then((it) =>
    it.json(),
  )) as {
    paths: object
  }
  expect(Object.keys(paths)).toContain("/opencode/session/{id}/fork")
  expect(Object.keys(paths).filter((name) => !name.startsWith("/opencode/"))).toEqual([])
  expect(await got(client.auth.set({ providerID: "openai", auth: { type: "api", key: "sk-test" } }))).toBe(true)
  expect((await got(client.provider.list())).connected).toContain("openai")
  expect(await got(client.auth.remove({ providerID: "openai" }))).toBe(true)
  expect((await got(client.provider.list())).connected).not.toContain("openai")
  const login = { type: "oauth" as const, refresh: "a", access: "b", expires: 0 }
  await expect(client.auth.set({ providerID: "openai", auth: login })).rejects.toThrow("settings")
})

test("global events name the directory of their project", async () => {
  const client = clients.flat()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { stream } = await client.global.event({ signal: stop.signal })
  const heard: GlobalEvent[] = []
  let made: Promise<{ id: string }> | null = null
  for await (const event of stream) {
    heard.push(event)
    made ??= begun("Global")
    if (event.payload.type === "session.created") break
  }
  const created = await made
  expect(heard[0]).toMatchObject({ directory: "global", payload: { type: "server.connected" } })
  expect(heard.at(-1)).toMatchObject({
    directory: service.directory,
    payload: { type: "session.created", properties: { sessionID: created?.id } },
  })
})

test("the branch of the project is named, and none without a repository", async () => {
  const client = clients.flat()
  expect(await got(client.vcs.get())).toEqual({})
  execFileSync("git", ["init", "--quiet", "--initial-branch", "trunk"], { cwd: service.directory })
  await service.local.project.open({ directory: service.directory })
  expect(await got(client.vcs.get())).toEqual({ branch: "trunk" })
  expect(await got(clients.nested().vcs.get())).toEqual({ branch: "trunk" })
})
