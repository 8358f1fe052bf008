import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished, vi } from "vitest"
import { startAcpAgent } from "./fixtures/acp-agent.ts"
import { test as base, expect } from "./fixtures/service-test.ts"

/** Claude Code is 400 MB: `npm install @agentclientprotocol/claude-agent-acp` into this directory to try it. */
const installed = path.join(process.env.DOCKET_CLAUDE_AGENT ?? "", "node_modules/@agentclientprotocol/claude-agent-acp")
const program = fileURLToPath(new URL("../../apps/cli/src/main.js", import.meta.url))

const test = base.override("config", { delegation: { envelope: false }, permission: { "*": "allow", edit: "ask" } })

test("Claude Code delegates to Docket, and its task is judged there", { timeout: 180_000 }, async ({
  client,
  model,
  project,
  projectID,
  server,
  skip,
}) => {
  if (!existsSync(installed)) skip(`Claude Code is not there: set DOCKET_CLAUDE_AGENT to where it is installed.`)
  const taskOf = (messages: unknown) => /tsk_\w+/.exec(JSON.stringify(messages))?.[0] ?? ""
  model.script({
    "hand this over": [
      {
        calls: [
          {
            tool: "mcp__docket__delegate",
            args: { agent: "general", prompt: "write the note", directory: project.directory },
          },
        ],
      },
      {
        calls: [
          {
            tool: "mcp__docket__task_result",
            args: ({ messages }) => ({ task: taskOf(messages), wait_seconds: 45 }),
          },
        ],
      },
      { text: "Docket has written it." },
    ],
    "write the note": [
      { calls: [{ tool: "write", args: { filePath: "note.txt", content: "from Docket\n" } }] },
      { text: "The note is written." },
    ],
  })
  const home = await mkdtemp(path.join(tmpdir(), "docket-claude-"))
  const agent = startAcpAgent(process.execPath, [path.join(installed, "dist/index.js")], {
    cwd: project.directory,
    env: {
      ...{ PATH: process.env.PATH, HOME: home, NODE_ENV: "test" },
      ...{ ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: model.url, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
    },
  })
  onTestFinished(async () => {
    await agent.stop()
    await rm(home, { recursive: true, force: true })
  })
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = await agent.request("session/new", {
    cwd: project.directory,
    mcpServers: [
      {
        name: "docket",
        command: process.execPath,
        args: [program, "mcp", "serve", "--data", server.data],
        env: [{ name: "HOME", value: home }],
      },
    ],
  })
  await agent.request("session/set_mode", { sessionId, modeId: "default" })
  const answered = agent.request("session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "Please hand this over." }],
  })
  // Docket's agent asks before it writes, and the person at the desk allows it.
  const request = await vi.waitFor(
    async () => {
      const [first] = await client.permission.list.query({})
      if (first === undefined) throw new Error(`Nothing is asked yet. ${agent.errors()}`)
      return first
    },
    { timeout: 90_000, interval: 100 },
  )
  await client.permission.reply.mutate({ requestID: request.id, reply: "once" })
  await answered
  expect(await readFile(path.join(project.directory, "note.txt"), "utf8")).toBe("from Docket\n")

  const sessions = await client.session.list.query({ projectID })
  const root = sessions.items.find(({ session }) => session.title.startsWith("Work for"))
  const sessionID = root?.session.id ?? ""
  const [task] = await vi.waitFor(async () => {
    const { tasks } = await client.session.tree.query({ sessionID })
    expect(tasks.map(({ state }) => state)).toEqual(["completed"])
    return tasks
  }, 30_000)
  expect(task).toMatchObject({ state: "completed", agent: "general" })
  const taskID = task?.id ?? ""
  await client.review.verdict.give.mutate({ taskID, verdict: "approve", reason: "As asked" })
  expect(await client.review.verdict.history.query({ taskID })).toMatchObject([{ verdict: "approve" }])
})
