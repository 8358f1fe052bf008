import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import {
  type ClientCapabilities,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type ToolCall,
} from "@agentclientprotocol/sdk/unstable"
import { onTestFinished, vi } from "vitest"
import { type AcpEditor, type EditorOptions, startAcpEditor } from "./fixtures/acp-editor.ts"
import { createFrameCheck } from "./fixtures/acp-frames.ts"
import type { DocketServer } from "./fixtures/docket-server.ts"
import { createGate } from "./fixtures/gate.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import type { Project } from "./fixtures/project.ts"
import { test as base, expect, launch, settled, textsOf } from "./fixtures/service-test.ts"
import { writeUserConfig } from "./fixtures/user-config.ts"

const test = base.override("config", {
  delegation: { envelope: false },
  permission: { "*": "allow", edit: "ask" },
})

const stable = createFrameCheck("stable")
const unstable = createFrameCheck("unstable")

interface Place {
  server: DocketServer
  project: Project
}

/** An editor at the running service, whose frames are checked when the test has ended. */
async function openEditor({ server, project }: Place, more: Partial<EditorOptions> = {}): Promise<AcpEditor> {
  const editor = await startAcpEditor(["--data", server.data], { cwd: project.directory, home: server.data, ...more })
  onTestFinished(async () => {
    await editor.leave()
    expect(problemsOf(editor, more.capabilities)).toEqual([])
  })
  return editor
}

/** An editor whose person decides nothing. `reached` gives the signal of the question, once it is asked. */
async function openUndecidedEditor(place: Place): Promise<{ editor: AcpEditor; reached: Promise<AbortSignal> }> {
  const asked = Promise.withResolvers<AbortSignal>()
  const editor = await openEditor(place, {
    permission: (_, signal) => {
      asked.resolve(signal)
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ outcome: { outcome: "cancelled" } })),
      )
    },
  })
  return { editor, reached: asked.promise }
}

/** What is wrong with the frames: drafts are for editors that ask for them, and for what they ask of them. */
function problemsOf(editor: AcpEditor, capabilities: ClientCapabilities | undefined): string[] {
  return editor
    .frames()
    .flatMap(({ frame, method }) =>
      (capabilities?.subagents || method === methods.agent.session.fork ? unstable : stable).problems(frame, method),
    )
}

async function newSession({ agent }: AcpEditor, { project }: Pick<Place, "project">): Promise<string> {
  const opened = await agent.request(methods.agent.session.new, { cwd: project.directory, mcpServers: [] })
  return opened.sessionId
}

function prompt({ agent }: AcpEditor, sessionId: string, text: string) {
  return agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] })
}

/** A call with all its updates. */
function callsOf(editor: AcpEditor, sessionId: string): ToolCall[] {
  const calls = new Map<string, ToolCall>()
  for (const call of editor.updates(sessionId, "tool_call")) calls.set(call.toolCallId, call)
  for (const { toolCallId, ...change } of editor.updates(sessionId, "tool_call_update")) {
    const call = calls.get(toolCallId)
    if (call !== undefined) calls.set(toolCallId, { ...call, ...change } as ToolCall)
  }
  return [...calls.values()]
}

function chosen(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: "selected", optionId } }
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const todo = (content: string, status: string, priority = "medium") => ({ content, status, priority })

test("the check of frames finds drafts and what does not fit", () => {
  const frame = (update: object) => ({ method: "session/update", params: { sessionId: "ses_1", update } })
  const draft = frame({ sessionUpdate: "subagent_update", sessionId: "ses_2" })
  expect(stable.problems(draft, undefined)).toHaveLength(1)
  expect(unstable.problems(draft, undefined)).toEqual([])
  expect(unstable.problems(frame({ sessionUpdate: "plan", entries: "none" }), undefined)).toHaveLength(1)
  expect(stable.problems({ id: 1, result: { stopReason: "tired" } }, "session/prompt")).toHaveLength(1)
  expect(stable.problems({ id: 1, result: {} }, undefined)).toHaveLength(1)
})

test("an editor's prompt is told from its plan to its end", async ({ server, project, model, client }) => {
  model.script({
    "Greet loudly": [
      {
        reasoning: "First I look.",
        text: "I look at it.",
        calls: [
          { tool: "read", args: { filePath: "src/greeting.js" } },
          {
            tool: "todowrite",
            args: {
              todos: [todo("Look", "completed"), todo("Change", "in_progress", "high"), todo("Ask", "cancelled")],
            },
          },
        ],
      },
      { calls: [{ tool: "edit", args: { filePath: "src/greeting.js", oldString: "'!'", newString: "'!!!'" } }] },
      { calls: [{ tool: "bash", args: { command: "grep -c '!!!' src/greeting.js" } }] },
      { text: "It is loud." },
    ],
  })
  const asked: RequestPermissionRequest[] = []
  const editor = await openEditor(
    { server, project },
    {
      async permission(request) {
        asked.push(request)
        return chosen("once")
      },
    },
  )
  const sessionId = await newSession(editor, { project })
  expect(await prompt(editor, sessionId, "Greet loudly")).toEqual({ stopReason: "end_turn" })

  expect(editor.said(sessionId, "agent_message_chunk")).toBe("I look at it.It is loud.")
  expect(editor.said(sessionId, "user_message_chunk")).toBe("")
  expect(editor.updates(sessionId, "plan").at(-1)?.entries).toEqual([
    { content: "Look", priority: "medium", status: "completed" },
    { content: "Change", priority: "high", status: "in_progress" },
    { content: "Ask", priority: "medium", status: "completed" },
  ])
  const file = path.join(project.directory, "src/greeting.js")
  expect(callsOf(editor, sessionId)).toMatchObject([
    { name: "read", kind: "read", status: "completed", locations: [{ path: file, line: 1 }] },
    { name: "todowrite", kind: "think", status: "completed" },
    { name: "edit", kind: "edit", status: "completed", content: [{ type: "diff", path: file }] },
    { name: "bash", kind: "execute", status: "completed", title: "grep -c '!!!' src/greeting.js" },
  ])
  const [diff] = callsOf(editor, sessionId)[2]?.content ?? []
  expect(diff).toMatchObject({
    oldText: expect.stringContaining("+ name + '!'\n"),
    newText: expect.stringContaining("+ name + '!!!'\n"),
  })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({
    sessionId,
    toolCall: { toolCallId: callsOf(editor, sessionId)[2]?.toolCallId, title: "Write src/greeting.js" },
  })
  expect(asked[0]?.options.map(({ kind }) => kind)).toEqual([
    "allow_once",
    "allow_always",
    "allow_always",
    "reject_once",
  ])
  expect(editor.updates(sessionId, "usage_update").at(-1)).toMatchObject({ size: 200_000, used: 1_280 })
  expect(await project.read("src/greeting.js")).toContain("'!!!'")
  // The session stands on the desk, too.
  const { items } = await client.session.list.query({})
  expect(items.map(({ session }) => session.id)).toEqual([sessionId])
})

test("a prompt that is stopped ends as cancelled, with its question", async ({ server, project, model }) => {
  model.script({
    "Change it": [{ calls: [{ tool: "write", args: { filePath: "new.txt", content: "new\n" } }] }],
    "Are you there": [{ text: "Yes." }],
  })
  const { editor, reached } = await openUndecidedEditor({ server, project })
  const sessionId = await newSession(editor, { project })
  const prompted = prompt(editor, sessionId, "Change it")
  const asked = await reached
  await editor.agent.notify(methods.agent.session.cancel, { sessionId })
  expect(await prompted).toEqual({ stopReason: "cancelled" })
  expect(asked.aborted).toBe(true)
  expect(await prompt(editor, sessionId, "Are you there?")).toEqual({ stopReason: "end_turn" })
})

test("closing a session stops what the editor has begun in it", async ({ server, project, model }) => {
  const gate = createGate()
  model.script({ "Take your time": [{ text: "Never.", gate }] })
  const editor = await openEditor({ server, project })
  const sessionId = await newSession(editor, { project })
  const prompted = prompt(editor, sessionId, "Take your time")
  await gate.reached
  await editor.agent.request(methods.agent.session.close, { sessionId })
  expect(await prompted).toEqual({ stopReason: "cancelled" })
  gate.open()
})

test("what is rejected in the editor is not done", async ({ server, project, model }) => {
  model.script({ "Change it": [{ calls: [{ tool: "write", args: { filePath: "new.txt", content: "new\n" } }] }] })
  const editor = await openEditor({ server, project }, { permission: async () => chosen("reject") })
  const sessionId = await newSession(editor, { project })
  await prompt(editor, sessionId, "Change it")
  expect(callsOf(editor, sessionId)).toMatchObject([{ name: "write", status: "failed" }])
  await expect(project.read("new.txt")).rejects.toThrow("ENOENT")
})

test("always in the editor asks no second time", async ({ server, project, model }) => {
  const write = (name: string) => ({ calls: [{ tool: "write", args: { filePath: name, content: "x\n" } }] })
  model.script({ "Write twice": [write("one.txt"), write("one.txt"), { text: "Done." }] })
  let asked = 0
  const editor = await openEditor(
    { server, project },
    {
      async permission() {
        asked += 1
        return chosen("always")
      },
    },
  )
  const sessionId = await newSession(editor, { project })
  await prompt(editor, sessionId, "Write twice")
  expect(asked).toBe(1)
})

test("a question that is answered on the desk closes in the editor", async ({ server, project, model, client }) => {
  model.script({
    "Change it": [{ calls: [{ tool: "write", args: { filePath: "new.txt", content: "new\n" } }] }, { text: "Done." }],
  })
  const { editor, reached } = await openUndecidedEditor({ server, project })
  const sessionId = await newSession(editor, { project })
  const prompted = prompt(editor, sessionId, "Change it")
  const asked = await reached
  const [request] = await client.permission.list.query({})
  await client.permission.reply.mutate({ requestID: request?.id ?? "", reply: "once" })
  expect(await prompted).toEqual({ stopReason: "end_turn" })
  expect(asked.aborted).toBe(true)
  expect(await project.read("new.txt")).toBe("new\n")
})

test("a prompt on the desk shows in the editor", async ({ server, project, model, client }) => {
  model.script({ "From the desk": [{ text: "Hello, desk." }], "From the editor": [{ text: "Hello, editor." }] })
  const editor = await openEditor({ server, project })
  const sessionId = await newSession(editor, { project })
  await prompt(editor, sessionId, "From the editor")
  await client.session.prompt.mutate({ sessionID: sessionId, parts: [{ type: "text", text: "From the desk" }] })
  await editor.until(() => editor.said(sessionId, "agent_message_chunk") === "Hello, editor.Hello, desk.")
  expect(editor.said(sessionId, "user_message_chunk")).toBe("From the desk")
})

test("a session of the desk is listed, loaded, resumed and closed", async ({
  server,
  project,
  model,
  client,
  projectID,
}) => {
  model.script({
    "Look at it": [{ text: "I look.", calls: [{ tool: "read", args: { filePath: "README.md" } }] }, { text: "Seen." }],
    "And now": [{ text: "Again." }],
  })
  const { id: sessionId } = await client.session.create.mutate({ projectID, title: "On the desk" })
  await client.session.prompt.mutate({ sessionID: sessionId, parts: [{ type: "text", text: "Look at it" }] })
  const editor = await openEditor({ server, project })
  const { agent } = editor
  const cwd = project.directory
  const listed = await agent.request(methods.agent.session.list, { cwd })
  expect(listed.sessions).toMatchObject([{ sessionId, cwd, title: "On the desk" }])
  expect((await agent.request(methods.agent.session.list, { cwd: "/nowhere" })).sessions).toEqual([])

  const loaded = await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
  expect(loaded?.modes?.currentModeId).toBe("build")
  expect(editor.said(sessionId, "user_message_chunk")).toBe("Look at it")
  expect(editor.said(sessionId, "agent_message_chunk")).toBe("I look.Seen.")
  expect(callsOf(editor, sessionId)).toMatchObject([{ name: "read", status: "completed" }])

  await agent.request(methods.agent.session.close, { sessionId })
  await expect(prompt(editor, sessionId, "And now?")).rejects.toMatchObject({ code: -32_002 })
  editor.notifications.length = 0
  await agent.request(methods.agent.session.resume, { sessionId, cwd })
  await editor.until(() => editor.updates(sessionId, "available_commands_update").length > 0)
  expect(editor.said(sessionId, "user_message_chunk")).toBe("")
  expect(await prompt(editor, sessionId, "And now?")).toEqual({ stopReason: "end_turn" })
  expect(editor.said(sessionId, "agent_message_chunk")).toBe("Again.")
})

test("a session is copied with its transcript", async ({ server, project, model, client, projectID }) => {
  model.script({ "Say one": [{ text: "One." }], "Say two": [{ text: "Two." }] })
  const { id: sessionID } = await client.session.create.mutate({ projectID, title: "Counting" })
  await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "Say one" }] })
  const editor = await openEditor({ server, project })
  const place = { cwd: project.directory, mcpServers: [] }
  const { sessionId } = await editor.agent.request(methods.agent.session.fork, { sessionId: sessionID, ...place })
  expect(sessionId).not.toBe(sessionID)
  await prompt(editor, sessionId, "Say two")
  expect(await textsOf(client, sessionId, "assistant")).toEqual(["One.", "Two."])
  expect(await textsOf(client, sessionID, "assistant")).toEqual(["One."])
})

test("agents, models and other settings are chosen in the editor", async ({ server, project, model, client }) => {
  model.script({ "Who are you": [{ text: "The thinker." }] })
  const editor = await openEditor({ server, project })
  const { agent } = editor
  const { sessionId, modes, configOptions } = await agent.request(methods.agent.session.new, {
    cwd: project.directory,
    mcpServers: [],
  })
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(expect.arrayContaining(["build", "plan"]))
  expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ["mode", "mode"],
    ["model", "model"],
    ["preset", "_permissions"],
  ])
  const set = (configId: string, value: string) =>
    agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value })
  const { configOptions: withModel } = await set("model", "scripted/thinker")
  expect(withModel.find(({ id }) => id === "model")?.currentValue).toBe("scripted/thinker")
  await set("effort", "high")
  await set("preset", "edit")
  await agent.request(methods.agent.session.setMode, { sessionId, modeId: "plan" })
  await editor.until(() => editor.updates(sessionId, "current_mode_update").length === 1)
  expect(await client.session.get.query({ sessionID: sessionId })).toMatchObject({
    agent: "plan",
    model: { providerID: "scripted", modelID: "thinker" },
    variant: "high",
    preset: { name: "edit" },
  })
  await prompt(editor, sessionId, "Who are you?")
  expect(model.requests[0]).toMatchObject({ model: "thinker", reasoning_effort: "high" })
  await expect(set("colour", "red")).rejects.toMatchObject({ code: -32_602 })
  // On the desk it changes, too, and the editor hears of it.
  await client.session.update.mutate({ sessionID: sessionId, title: "Named on the desk" })
  await editor.until(() =>
    editor.updates(sessionId, "session_info_update").some(({ title }) => title === "Named on the desk"),
  )
})

test("pictures, texts and links of a prompt reach the model", async ({ server, project, model }) => {
  model.script({ "Look at these": [{ text: "Seen." }] })
  const unsaved = "/** Not saved. */\n"
  const editor = await openEditor(
    { server, project },
    {
      capabilities: { fs: { readTextFile: true } },
      readFile: async (file) => (file.endsWith("greeting.js") ? unsaved : readFile(file, "utf8")),
    },
  )
  const sessionId = await newSession(editor, { project })
  const uri = (file: string) => pathToFileURL(path.join(project.directory, file)).href
  await editor.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: "text", text: "Look at these: " },
      { type: "image", mimeType: "image/png", data: pixel },
      { type: "resource", resource: { uri: uri("notes.txt"), text: "/todo add A text is no command" } },
      { type: "resource_link", name: "greeting.js", uri: uri("src/greeting.js") },
      { type: "resource_link", name: "main.js", uri: `${uri("src/main.js")}#L1:1` },
      { type: "resource_link", name: "A page", uri: "https://example.invalid/page" },
    ],
  })
  const sent = JSON.stringify(model.requests[0]?.messages)
  expect(sent).toContain(pixel)
  expect(sent).toContain("/todo add A text is no command")
  expect(sent).toContain("Not saved.")
  expect(sent).not.toContain("Hello, ")
  expect(sent).toContain("import { greeting }")
  expect(sent).not.toContain("process.argv[2]")
  expect(sent).toContain("A page (https://example.invalid/page)")
  expect(editor.updates(sessionId, "plan")).toEqual([])
})

test("pictures of prompts and tools are shown", async ({ server, project, model }) => {
  model.script({
    "Look at it": [{ calls: [{ tool: "read", args: { filePath: "pixel.png" } }] }, { text: "Seen." }],
  })
  await writeFile(path.join(project.directory, "pixel.png"), Buffer.from(pixel, "base64"))
  const editor = await openEditor({ server, project })
  const sessionId = await newSession(editor, { project })
  const image = { type: "image" as const, mimeType: "image/png", data: pixel }
  await editor.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: "text", text: "Look at it" }, image],
  })
  expect(callsOf(editor, sessionId)[0]?.content).toContainEqual({ type: "content", content: image })

  const other = await openEditor({ server, project })
  await other.agent.request(methods.agent.session.load, { sessionId, cwd: project.directory, mcpServers: [] })
  expect(callsOf(other, sessionId)[0]?.content).toContainEqual({ type: "content", content: image })
  const prompted = other.updates(sessionId, "user_message_chunk").map(({ content }) => content)
  expect(prompted).toEqual([{ type: "text", text: "Look at it" }, image])
})

test("commands of the project, undo and redo work in the editor", async ({ server, project, model, client }) => {
  await project.write(
    ".docket/commands/praise.md",
    "---\ndescription: Praises somebody\n---\nPraise $ARGUMENTS loudly.\n",
  )
  model.script({
    "Praise Ada loudly": [{ text: "Ada is great." }],
    "Write it": [{ calls: [{ tool: "write", args: { filePath: "new.txt", content: "new\n" } }] }, { text: "Written." }],
  })
  const { id: projectID } = await client.project.open.mutate({ directory: project.directory })
  // An older configuration may be read first.
  await vi.waitFor(async () => {
    const { trust } = await client.config.get.query({ projectID })
    await client.config.trust.mutate({ projectID, hash: trust.hash ?? "" })
  }, 30_000)
  const editor = await openEditor({ server, project }, { permission: async () => chosen("once") })
  const sessionId = await newSession(editor, { project })
  await editor.until(() => editor.updates(sessionId, "available_commands_update").length > 0)
  const [{ availableCommands } = { availableCommands: [] }] = editor.updates(sessionId, "available_commands_update")
  expect(availableCommands.map(({ name }) => name)).toEqual(expect.arrayContaining(["praise", "undo", "redo"]))
  await prompt(editor, sessionId, "/praise Ada")
  expect(editor.said(sessionId, "agent_message_chunk")).toBe("Ada is great.")
  await prompt(editor, sessionId, "Write it")
  expect(await project.read("new.txt")).toBe("new\n")
  await prompt(editor, sessionId, "/undo")
  await expect(project.read("new.txt")).rejects.toThrow("ENOENT")
  await prompt(editor, sessionId, "/redo")
  expect(await project.read("new.txt")).toBe("new\n")
  expect(editor.said(sessionId, "agent_message_chunk")).toContain("1 file put back")
})

test("unsaved text is read in the editor, and never written over", async ({ server, project, model }) => {
  const file = path.join(project.directory, "src/greeting.js")
  const saved = await project.read("src/greeting.js")
  const readIt = { tool: "read", args: { filePath: "src/greeting.js" } }
  const changeIt = { tool: "edit", args: { filePath: "src/greeting.js", oldString: "'!'", newString: "'!!!'" } }
  model.script({
    "Read it": [{ calls: [readIt] }, { text: "Read." }],
    "Change it": [{ calls: [readIt] }, { calls: [changeIt] }, { text: "Not changed." }],
    "Now change it": [{ calls: [readIt] }, { calls: [changeIt] }, { text: "Changed." }],
  })
  const unsaved = `${saved}// Not saved.\n`
  let isSaved = false
  const editor = await openEditor(
    { server, project },
    {
      capabilities: { fs: { readTextFile: true } },
      readFile: async (name) => (name === file && !isSaved ? unsaved : await readFile(name, "utf8")),
      permission: async () => chosen("once"),
    },
  )
  const sessionId = await newSession(editor, { project })
  await prompt(editor, sessionId, "Read it")
  const [read] = callsOf(editor, sessionId)
  expect(JSON.stringify(read?.content)).toContain("// Not saved.")
  expect(JSON.stringify(read?.content)).toContain("On the disk is the text without them.")

  await prompt(editor, sessionId, "Change it")
  const refused = callsOf(editor, sessionId).at(-1)
  expect(refused).toMatchObject({ status: "failed" })
  expect(JSON.stringify(refused?.content)).toContain("Ask the user to save it")
  expect(await project.read("src/greeting.js")).toBe(saved)

  await project.write("src/greeting.js", unsaved)
  isSaved = true
  const onDisk = () => project.read("src/greeting.js")
  await prompt(editor, sessionId, "Now change it")
  expect(await onDisk()).toBe(unsaved.replace("'!'", "'!!!'"))
  await prompt(editor, sessionId, "/undo")
  expect(await onDisk()).toBe(unsaved)
})

test.describe("commands in the editor's terminal", () => {
  const args = ["--terminal"]
  const capabilities = { terminal: true }
  const runs = (command: string) => ({ calls: [{ tool: "bash", args: { command } }] })

  test("ask, run there and show there", async ({ server, project, model, client }) => {
    model.script({ "Run it": [runs("echo $IN_EDITOR; pwd; exit 3"), { text: "Ran." }] })
    const asked: RequestPermissionRequest[] = []
    const editor = await openEditor(
      { server, project },
      {
        ...{ args, capabilities },
        async permission(request) {
          asked.push(request)
          return chosen("once")
        },
      },
    )
    const sessionId = await newSession(editor, { project })
    await prompt(editor, sessionId, "Run it")
    expect(JSON.stringify(asked)).toContain("in its own terminal, not in the sandbox")
    expect(editor.terminals).toMatchObject([{ cwd: project.directory, isKilled: false, isReleased: true }])
    const [call] = callsOf(editor, sessionId)
    expect(call).toMatchObject({ status: "failed", content: [{ type: "terminal", terminalId: "0" }] })
    const { items } = await client.session.messages.query({ sessionID: sessionId })
    expect(JSON.stringify(items)).toContain(`yes\\n${project.directory}\\n[exit code 3]`)
  })

  test("end with the prompt that is stopped", async ({ server, project, model }) => {
    model.script({ "Run it": [runs("sleep 300"), { text: "Never." }] })
    const editor = await openEditor({ server, project }, { args, capabilities, permission: async () => chosen("once") })
    const sessionId = await newSession(editor, { project })
    const done = prompt(editor, sessionId, "Run it")
    await editor.until(() => JSON.stringify(callsOf(editor, sessionId)).includes("terminalId"))
    await editor.agent.notify(methods.agent.session.cancel, { sessionId })
    expect(await done).toEqual({ stopReason: "cancelled" })
    await vi.waitFor(() => expect(editor.terminals).toMatchObject([{ isKilled: true, isReleased: true }]), 30_000)
  })

  test("stay in the sandbox without the flag", async ({ server, project, model }) => {
    model.script({ "Run it": [runs("printenv IN_EDITOR || echo none"), { text: "Ran." }] })
    const editor = await openEditor({ server, project }, { capabilities })
    const sessionId = await newSession(editor, { project })
    await prompt(editor, sessionId, "Run it")
    expect(editor.terminals).toEqual([])
    expect(JSON.stringify(callsOf(editor, sessionId)[0]?.content)).toContain("none\\n")
  })
})

test.describe("a task of a subagent", () => {
  const task = { tool: "task", args: { subagent_type: "general", description: "Read it", prompt: "Read the readme" } }
  const script = {
    "Hand it over": [{ calls: [task] }, { text: "It was read." }],
    "Read the readme": [{ calls: [{ tool: "read", args: { filePath: "README.md" } }] }, { text: "A greeter." }],
  }

  test("is a child session for editors that show those", async ({ server, project, model }) => {
    model.script(script)
    const editor = await openEditor({ server, project }, { capabilities: { subagents: {} } })
    const sessionId = await newSession(editor, { project })
    await prompt(editor, sessionId, "Hand it over")
    const announced = editor.updates(sessionId, "subagent_update")
    const childId = announced[0]?.sessionId ?? ""
    expect(announced[0]).toMatchObject({ title: "Read it", cwd: project.directory })
    expect(announced.map(({ state }) => state?.state).filter(Boolean)).toEqual(
      expect.arrayContaining(["running", "idle"]),
    )
    expect(announced.at(-1)).toMatchObject({ sessionId: childId })
    const at = editor.notifications.findIndex(({ update }) => update.sessionUpdate === "subagent_update")
    const first = editor.notifications.findIndex((notification) => notification.sessionId === childId)
    expect(at).toBeLessThan(first)
    expect(editor.said(childId, "agent_message_chunk")).toBe("A greeter.")
    expect(callsOf(editor, childId)).toMatchObject([{ name: "read", status: "completed" }])
    expect(callsOf(editor, sessionId).map(({ name }) => name)).toEqual(["task"])
  })

  test("is a row of nested calls for all others", async ({ server, project, model }) => {
    model.script(script)
    const editor = await openEditor({ server, project })
    const sessionId = await newSession(editor, { project })
    await prompt(editor, sessionId, "Hand it over")
    expect(new Set(editor.notifications.map((notification) => notification.sessionId))).toEqual(new Set([sessionId]))
    expect(callsOf(editor, sessionId)).toMatchObject([
      { name: "task", kind: "think", status: "completed", content: [{ content: { text: "A greeter." } }] },
      { name: "read", title: "@general: read README.md", status: "completed" },
    ])
    expect(editor.said(sessionId, "agent_message_chunk")).toBe("It was read.")
  })

  test("is stopped alone; its parent goes on", async ({ server, project, model, client }) => {
    const gate = createGate()
    model.script({
      "Hand it over": [{ calls: [launch("general", "Wait for it")] }, { text: "I go on." }],
      "Wait for it": [{ text: "Never.", gate }],
    })
    const editor = await openEditor({ server, project }, { capabilities: { subagents: {} } })
    const sessionId = await newSession(editor, { project })
    const prompted = prompt(editor, sessionId, "Hand it over")
    await gate.reached
    expect(await prompted).toEqual({ stopReason: "end_turn" })
    const childId = editor.updates(sessionId, "subagent_update")[0]?.sessionId ?? ""
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: childId })
    await editor.until(() => editor.updates(sessionId, "subagent_update").some(({ state }) => state?.state === "idle"))
    gate.open()
    await settled(client, sessionId)
    const { tasks } = await client.session.tree.query({ sessionID: sessionId })
    expect(tasks.map(({ state }) => state)).toEqual(["cancelled"])
  })

  test("asks in its own session, and nested in that of its parent", async ({ server, project, model }) => {
    const writing = (file: string) => ({
      calls: [{ tool: "task", args: { subagent_type: "general", description: "Write it", prompt: `Write ${file}` } }],
    })
    const write = (file: string) => ({ calls: [{ tool: "write", args: { filePath: file, content: "new\n" } }] })
    model.script({
      "Hand over one": [writing("one.txt"), { text: "Done." }],
      "Write one.txt": [write("one.txt"), { text: "Yes." }],
      "Hand over two": [writing("two.txt"), { text: "Done." }],
      "Write two.txt": [write("two.txt"), { text: "Yes." }],
    })
    const asked: RequestPermissionRequest[] = []
    const permission = async (request: RequestPermissionRequest) => {
      asked.push(request)
      return chosen("once")
    }
    const withChildren = await openEditor({ server, project }, { capabilities: { subagents: {} }, permission })
    const parent = await newSession(withChildren, { project })
    await prompt(withChildren, parent, "Hand over one")
    const plain = await openEditor({ server, project }, { permission })
    const nested = await newSession(plain, { project })
    await prompt(plain, nested, "Hand over two")
    expect(asked).toMatchObject([
      {
        sessionId: withChildren.updates(parent, "subagent_update")[0]?.sessionId,
        toolCall: { title: "Write the new file one.txt" },
      },
      { sessionId: nested, toolCall: { title: "General wants to write the new file two.txt" } },
    ])
  })
})

test("an agent's question is answered by one of its options", async ({ server, project, model }) => {
  const question = {
    question: "Which colour?",
    header: "Colour",
    options: [
      { label: "Red", description: "as fire" },
      { label: "Blue", description: "as water" },
    ],
  }
  model.script({
    "Ask me": [{ calls: [{ tool: "question", args: { questions: [question] } }] }, { text: "Thank you." }],
  })
  const asked: RequestPermissionRequest[] = []
  const editor = await openEditor(
    { server, project },
    {
      async permission(request) {
        asked.push(request)
        return chosen(request.options.find(({ name }) => name === "Blue")?.optionId ?? "")
      },
    },
  )
  await prompt(editor, await newSession(editor, { project }), "Ask me")
  expect(asked[0]?.toolCall.title).toBe("Which colour?")
  expect(asked[0]?.options.map(({ name }) => name)).toEqual(["Red", "Blue", "No answer"])
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("Blue")
})

test("an editor that draws terminals gets the output of commands as one", async ({ server, project, model }) => {
  model.script({
    "Run it": [{ calls: [{ tool: "bash", args: { command: "echo one; exit 3" } }] }, { text: "Failed." }],
  })
  const editor = await openEditor({ server, project }, { capabilities: { _meta: { terminal_output: true } } })
  const sessionId = await newSession(editor, { project })
  await prompt(editor, sessionId, "Run it")
  const [call] = callsOf(editor, sessionId)
  expect(call).toMatchObject({ status: "failed", content: [{ type: "terminal", terminalId: call?.toolCallId }] })
  const metas = [...editor.updates(sessionId, "tool_call"), ...editor.updates(sessionId, "tool_call_update")]
  const said = metas.map(({ _meta }) => _meta?.terminal_output as { data: string } | undefined)
  expect(said.map((output) => output?.data ?? "").join("")).toBe("one\n")
  expect(metas.find(({ _meta }) => _meta?.terminal_exit)?._meta).toMatchObject({ terminal_exit: { exit_code: 3 } })
})

test("what fails is answered with the reason, and the agent goes on", async ({ server, project, model }) => {
  model.script({
    // The model gets a prompt that failed together with the next one.
    "Still there": [{ text: "Yes." }],
    Refuse: [{ failure: { status: 400, message: "This model takes no such request" } }],
  })
  const editor = await openEditor({ server, project })
  const { agent } = editor
  const sessionId = await newSession(editor, { project })
  await expect(prompt(editor, sessionId, "Refuse")).rejects.toThrow("This model takes no such request")
  await expect(prompt(editor, "ses_nobody", "Hello")).rejects.toMatchObject({ code: -32_002 })
  await expect(agent.request("session/nothing", {})).rejects.toMatchObject({ code: -32_601 })
  const authenticate = (methodId: string) => agent.request(methods.agent.authenticate, { methodId })
  expect(await authenticate("docket-login")).toEqual({})
  await expect(authenticate("magic")).rejects.toMatchObject({ code: -32_602 })
  await expect(agent.request(methods.agent.session.prompt, { sessionId, prompt: [] })).rejects.toMatchObject({
    code: -32_602,
  })
  const relative = agent.request(methods.agent.session.new, { cwd: "src", mcpServers: [] })
  await expect(relative).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining("absolute path") })
  const unknown = { sessionId: "ses_000000000000aaaaaaaaaaaaaa", cwd: project.directory, mcpServers: [] }
  await expect(agent.request(methods.agent.session.load, unknown)).rejects.toMatchObject({ code: -32_002 })
  expect(await prompt(editor, sessionId, "Still there?")).toEqual({ stopReason: "end_turn" })
})

test("what an editor has begun goes on when it is closed", async ({ server, project, model, client }) => {
  const gate = createGate()
  model.script({ "Take your time": [{ text: "Done at last.", gate }] })
  const editor = await openEditor({ server, project })
  const sessionId = await newSession(editor, { project })
  prompt(editor, sessionId, "Take your time").catch(() => {})
  await gate.reached
  expect(await editor.leave()).toBe(0)
  gate.open()
  await settled(client, sessionId)
  expect(await textsOf(client, sessionId, "assistant")).toEqual(["Done at last."])
})

/** Whether a process has ended, even if nobody has read its exit code yet. */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null)
  return stat === null || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")
}

const ends: [how: string, end: (editor: AcpEditor) => Promise<unknown>][] = [
  ["is closed", (editor) => editor.leave()],
  ["is killed", async ({ pid }) => process.kill(pid, "SIGKILL")],
]

test.skipIf(process.platform !== "linux").for(ends)(
  "a service that an editor started ends when the editor %s",
  async ([, end], { project, model }) => {
    const home = await mkdtemp(path.join(tmpdir(), "docket-editor-"))
    onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 3 }))
    await writeUserConfig(home, modelConfig(model.url))
    const gate = createGate()
    model.script({ "Say hello": [{ text: "Hello." }], "Take your time": [{ text: "Never.", gate }] })
    const editor = await startAcpEditor([], { cwd: project.directory, home })
    const sessionId = await newSession(editor, { project })
    expect(await prompt(editor, sessionId, "Say hello")).toEqual({ stopReason: "end_turn" })
    prompt(editor, sessionId, "Take your time").catch(() => {})
    await gate.reached
    const { pid } = JSON.parse(await readFile(path.join(home, ".docket/lock.json"), "utf8"))
    expect(await hasEnded(pid)).toBe(false)
    await end(editor)
    for (const left of [pid, editor.pid]) while (!(await hasEnded(left))) await delay(25)
    gate.open()
  },
)

test("what is no frame is answered with an error", async ({ server, project }) => {
  const editor = await openEditor({ server, project })
  editor.write("no JSON\n[]\n")
  await editor.agent.request(methods.agent.session.list, {})
  expect(editor.frames().flatMap(({ frame }) => (frame.id === null ? [frame.error] : []))).toMatchObject([
    { code: -32_700 },
    { code: -32_600 },
  ])
})
