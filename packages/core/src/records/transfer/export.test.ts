import { expect, it } from "vitest"
import { bytesOf, exported, project, putTree, transfersOver } from "../../contract/transfer-contract.ts"
import { SessionFile } from "../../ground/schema/index.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"
import type { ExportOptions, TransferService } from "./transfer-service.ts"

const secret = `AKIA${"Q7XZ".repeat(4)}`

async function textOf(transfer: TransferService, id: string, options: Partial<ExportOptions> = {}) {
  let text = ""
  for await (const piece of await transfer.export(id, { format: "json", sanitize: false, ...options })) text += piece
  return text
}

/** A real session that delegated, with a secret in its prompt and in the output of a tool. */
async function workedSession() {
  const host = await scriptedRuntime(
    (options) => {
      if (JSON.stringify(options.prompt).includes("Dig here") && !JSON.stringify(options.prompt).includes("Begin"))
        return answer(`Found ${secret}.`)
      if (toolResults(options).length > 0) return answer("Done.")
      return answer(
        "I plan.",
        { tool: "todowrite", input: { todos: [{ content: "dig", status: "in_progress", priority: "high" }] } },
        { tool: "task", input: { description: "dig", prompt: "Dig here", subagent_type: "general" } },
      )
    },
    { config: { permission: "allow", delegation: { envelope: false } } },
  )
  await host.prompt(`Begin with ${secret}.`)
  return host
}

it("exports a file of its schema that imports unchanged", async () => {
  await using host = await workedSession()
  const file = await textOf(host.runtime.transfer, host.session.id)
  const read = SessionFile.parse(JSON.parse(file))
  expect(read.sessions).toHaveLength(2)
  expect(read.tasks).toMatchObject([{ state: "completed", description: "dig" }])
  expect(read.sessions[0]?.todos).toMatchObject([{ content: "dig" }])
  expect(read.sessions[0]?.turns).toMatchObject([{ status: "completed" }])
  const there = createInMemoryStore()
  await transfersOver(there).import(bytesOf(file), { projectID: project.id })
  const place = { projectID: read.sessions[0]?.session.projectID ?? "", directory: host.directory }
  const again = (await exported(there, host.session.id))
    .replaceAll('"imported:', '"')
    .replaceAll(project.id, place.projectID)
    .replaceAll(`"directory":"${project.directory}"`, `"directory":${JSON.stringify(place.directory)}`)
  expect(again).toBe(file)
})

it("an imported session continues: new messages follow the imported ones", async () => {
  await using host = await workedSession()
  const file = await textOf(host.runtime.transfer, host.session.id)
  const { transfer, prompt, session } = host.runtime
  const { sessionID } = await transfer.import(bytesOf(file), { projectID: host.session.projectID, newIDs: true })
  const before = (await session.messages({ sessionID })).items.length
  const turn = await prompt.submit(sessionID, { parts: [{ type: "text", text: "Go on." }] })
  await prompt.wait(turn.id)
  const { items } = await session.messages({ sessionID })
  expect(items.length).toBeGreaterThan(before)
  expect(items[before]?.parts).toMatchObject([{ type: "text", text: "Go on." }])
})

it("redacts secrets on request, in a file that still imports", async () => {
  await using host = await workedSession()
  const plain = await textOf(host.runtime.transfer, host.session.id)
  expect(plain).toContain(secret)
  for (const format of ["json", "markdown"] as const) {
    const text = await textOf(host.runtime.transfer, host.session.id, { format, sanitize: true })
    expect(text).not.toContain(secret)
    expect(text).not.toContain(host.directory)
    expect(text).toContain("redacted")
  }
  const sanitized = await textOf(host.runtime.transfer, host.session.id, { sanitize: true })
  const there = createInMemoryStore()
  const report = await transfersOver(there).import(bytesOf(sanitized), { projectID: project.id })
  expect(report.counts).toMatchObject({ sessions: 2, tasks: 1, todos: 1 })
})

it("writes Markdown in which message text never becomes markup", async () => {
  const store = createInMemoryStore()
  const rootID = await putTree(store)
  let text = ""
  const pieces = await transfersOver(store).export(rootID, { format: "markdown", sanitize: false })
  for await (const piece of pieces) text += piece
  expect(text).toMatch(/^# Mend the gate\n/)
  expect(text).toContain("- [ ] item 0")
  expect(text).toContain("### Prompt\n\nLook.")
  expect(text).toContain("```\na b\n```")
})

it("includes the full output of calls that was too long for models", async () => {
  const store = createInMemoryStore()
  const rootID = await putTree(store)
  const { items } = await store.transcript.page({ sessionID: rootID, limit: 9 })
  const [part] = items[1]?.parts ?? []
  if (part?.type !== "tool" || part.state.status !== "completed") throw new Error("no call")
  const value = { ...part, state: { ...part.state, metadata: { exit: 0, outputPath: "/here/tool_x.txt" } } }
  await store.write.commit([{ rootID, mutations: [{ kind: "part", value }] }])
  const outputs = {
    page: async () => ({ text: "all of it", next: null, size: 9 }),
    pathOf: ({ id }: { id: string }) => `/there/${id}`,
    keep: async () => {},
  }
  let file = ""
  const transfers = transfersOver(store, { outputs })
  for await (const piece of await transfers.export(rootID, { format: "json", sanitize: false })) file += piece
  expect(file).not.toContain("/here/tool_x.txt")
  const kept: unknown[] = []
  const there = createInMemoryStore()
  const keep = async (call: { id: string }, text: string) => void kept.push([call.id, text])
  await transfersOver(there, { outputs: { ...outputs, keep } }).import(bytesOf(file), { projectID: project.id })
  expect(kept).toEqual([[part.id, "all of it"]])
  expect(JSON.stringify(await there.transcript.part(part.id))).toContain(`"outputPath":"/there/${part.id}"`)
})

it("includes answered questions only, and an undo removes them everywhere", async () => {
  const questions = [{ header: "Way", question: "Which way?", options: [{ label: "left" }, { label: "right" }] }]
  await using host = await scriptedRuntime((options) =>
    toolResults(options).length > 0 || lastUserText(options) === "Anew"
      ? answer(`I go: ${toolResults(options).join(" ")}`)
      : answer("", { tool: "question", input: { questions } }),
  )
  const { runtime, session } = host
  const ask = async (text: string) => {
    const turn = await runtime.prompt.submit(session.id, { parts: [{ type: "text", text }] })
    await expect.poll(async () => (await runtime.permission.pending(session.id)).length).toBe(1)
    const [request] = await runtime.permission.pending(session.id)
    return { turn, id: request?.id ?? "" }
  }
  const first = await ask("First")
  await runtime.permission.answer(first.id, [{ choices: [], own: "straight on" }])
  await runtime.prompt.wait(first.turn.id)
  const second = await ask("Second")
  const file = await textOf(runtime.transfer, session.id)
  const { sessionID } = await runtime.transfer.import(bytesOf(file), { projectID: session.projectID, newIDs: true })
  const copy = await runtime.session.messages({ sessionID })
  expect(JSON.stringify(copy.items)).toContain("straight on")
  // The copy has no pending requests and does not run.
  expect(await runtime.permission.pending(sessionID)).toEqual([])
  expect((await runtime.session.get(sessionID)).status.type).toBe("idle")

  await runtime.permission.reply(second.id, "reject", { message: "Later." })
  await runtime.prompt.wait(second.turn.id)
  const { items } = await runtime.session.messages({ sessionID: session.id })
  const prompts = items.filter(({ info }) => info.role === "user")
  await runtime.session.revert(session.id, prompts[0]?.info.id ?? "")
  await host.prompt("Anew")
  const left = JSON.stringify((await runtime.session.messages({ sessionID: session.id })).items)
  expect(left).not.toContain("straight on")
  expect(await textOf(runtime.transfer, session.id)).not.toContain("straight on")
})
