import { randomUUID } from "node:crypto"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { DocketClient } from "@docket/client"
import { inject, onTestFinished, vi } from "vitest"
import { lackOf, openDoor, programOf } from "./acp-agents/agent-rig.ts"
import { claude, type RealAgent, realAgents } from "./acp-agents/real-agents.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import type { Answer } from "./fixtures/scripted-model.ts"
import { expect, settled, startSession, tasksOf, test, textsOf, toolParts } from "./fixtures/service-test.ts"

const full = inject("full")
if (!full) console.log("acp-agents: the agents of other people are only started with DOCKET_TEST_FULL=1.")

const patience = { timeout: 120_000, interval: 100 }
/** The command of `RealAgent.wait`. */
const waiting = expect.objectContaining({ command: "perl -e sleep 86400 " })

interface Place {
  server: { configure(config: object): Promise<void> }
  model: { url: string }
  isSandboxed?: boolean
}

/** Lets the service know the agent. Resolves with what counts its processes. */
async function bring(agent: RealAgent, { server, model, isSandboxed = true }: Place, skip: (why: string) => never) {
  const lack = await lackOf(agent)
  if (lack !== null) skip(lack)
  const folder = await mkdtemp(path.join(tmpdir(), "docket-agent-"))
  const mark = randomUUID()
  const door = await openDoor(path.join(folder, "door"), model.url)
  const acp = await programOf(agent, { socket: path.join(folder, "door"), home: folder, mark, isSandboxed })
  await server.configure(
    modelConfig(model.url, {
      delegation: { envelope: false },
      permission: { "*": "allow", bash: "ask", edit: "ask" },
      agent: { helper: { description: "Helps.", acp } },
    }),
  )
  onTestFinished(async () => {
    door.close()
    for (const { pid } of await marked(mark)) process.kill(pid, "SIGKILL")
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return { running: () => marked(mark) }
}

/** All processes whose environment holds the mark. */
async function marked(mark: string): Promise<{ pid: number; command: string }[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      // A process may end while the list is read.
      const [env, command] = await Promise.all(
        ["environ", "cmdline"].map((file) => readFile(`/proc/${id}/${file}`, "utf8").catch(() => "")),
      )
      return env?.includes(`AGENT_MARK=${mark}\0`)
        ? [{ pid: Number(id), command: command?.replaceAll("\0", " ") ?? "" }]
        : []
    }),
  )
  return found.flat()
}

const handOver = (prompt: string): Answer => ({
  calls: [{ tool: "task", args: { description: prompt, prompt, subagent_type: "helper" } }],
})

async function todosOf(client: DocketClient, sessionID: string) {
  const todos = await client.todo.list.query({ sessionID })
  return todos.toSorted((one, other) => one.number - other.number)
}

/** Allows whatever is asked in the tree, until the work is over. Resolves with what was asked. */
async function allowAll(client: DocketClient, sessionID: string): Promise<string[]> {
  const asked: string[] = []
  const work = settled(client, sessionID).then(() => null)
  while (true) {
    for (const request of await client.permission.list.query({})) {
      asked.push(request.permission)
      await client.permission.reply.mutate({ requestID: request.id, reply: "once" })
    }
    const next = await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 100, "again"))])
    if (next === null) return asked
  }
}

test.runIf(full).for(realAgents)(
  "$name works as a subagent",
  async (agent, { client, model, project, projectID, server, skip }) => {
    const { running } = await bring(agent, { server, model }, skip)
    model.script({
      "Hand it over": [handOver("Do the work"), { text: "It is done." }],
      "Do the work": agent.work(project.directory),
    })
    const sessionID = await startSession(client, projectID, "Hand it over")
    const asked = await allowAll(client, sessionID)
    expect(asked).toContain("bash")
    expect(asked).toContain("edit")
    expect(await textsOf(client, sessionID, "assistant")).toEqual(["It is done."])
    const task = (await tasksOf(client, sessionID))["Do the work"]
    expect(task).toMatchObject({ state: "completed", agent: "helper", size: { files: 2 } })
    const child = task?.sessionID ?? ""
    expect((await textsOf(client, child, "assistant")).at(-1)).toContain("All is done.")
    expect((await todosOf(client, child)).map(({ status }) => status)).toEqual(agent.plan)
    const changes = await client.changes.list.query({ sessionID })
    expect(changes.changes.map(({ path: file, kind, taskID }) => [file, kind, taskID]).sort()).toEqual([
      ["README.md", "changed", task?.id],
      ["made.txt", "added", task?.id],
    ])
    expect(await project.read("made.txt")).toBe("hello")
    expect(await project.read("README.md")).toContain("# Loud greeter")
    expect((await client.session.get.query({ sessionID: child })).cost > 0).toBe(agent.tellsCost)
    expect(await running()).toEqual([])
  },
)

test.runIf(full).for(realAgents)(
  "$name ends with its command: cancelled, killed, its service killed",
  async (agent, { client, model, projectID, server, skip }) => {
    // Outside of the sandbox, where nothing but Docket ends what it leaves.
    const { running } = await bring(agent, { server, model, isSandboxed: false }, skip)
    model.script({
      "Hand it over": [handOver("Wait for ever"), { text: "It is over." }],
      "Wait for ever": [agent.wait],
    })
    const begin = async () => {
      const sessionID = await startSession(client, projectID, "Hand it over")
      const request = await vi.waitFor(async () => {
        const [first] = await client.permission.list.query({})
        if (first === undefined) throw new Error("Nothing is asked yet.")
        return first
      }, patience)
      await client.permission.reply.mutate({ requestID: request.id, reply: "once" })
      await vi.waitFor(async () => expect(await running()).toContainEqual(waiting), patience)
      const task = (await tasksOf(client, sessionID))["Wait for ever"]
      return { sessionID, taskID: task?.id ?? "" }
    }
    const ended = async ({ sessionID }: { sessionID: string }) => {
      await vi.waitFor(async () => expect(await running()).toEqual([]), patience)
      await settled(client, sessionID)
      return (await tasksOf(client, sessionID))["Wait for ever"]
    }

    const cancelled = await begin()
    await client.task.cancel.mutate({ taskID: cancelled.taskID })
    expect(await ended(cancelled)).toMatchObject({ state: "cancelled" })

    const killed = await begin()
    const own = (await running()).filter(({ command }) => command.includes(agent.program))
    expect(own.length).toBeGreaterThan(0)
    for (const { pid } of own) process.kill(pid, "SIGKILL")
    expect(await ended(killed)).toMatchObject({ state: "failed" })

    const orphaned = await begin()
    await server.kill()
    await vi.waitFor(async () => expect(await running()).toEqual([]), patience)
    await server.restart()
    expect(await ended(orphaned)).toMatchObject({ state: "interrupted" })
  },
)

test.runIf(full).for(realAgents)(
  "$name goes on after the service was killed",
  async (agent, { client, model, project, projectID, server, skip }) => {
    const { running } = await bring(agent, { server, model }, skip)
    const goOn = ({ messages }: { messages: readonly object[] }) => ({
      ...{ description: "Go on", prompt: "Go on now", subagent_type: "helper" },
      task_id: /session_id: (ses_\w+)/.exec(JSON.stringify(messages))?.[1] ?? "",
    })
    model.script({
      "Hand it over": [handOver("Do the work"), { text: "It is done." }],
      "Continue it": [{ calls: [{ tool: "task", args: goOn }] }, { text: "It went on." }],
      "Go on now": [{ text: "I went on." }],
      "Do the work": agent.work(project.directory),
    })
    const sessionID = await startSession(client, projectID, "Hand it over")
    await allowAll(client, sessionID)
    await server.kill()
    await server.restart()
    await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text: "Continue it" }] })
    await allowAll(client, sessionID)
    const task = (await tasksOf(client, sessionID))["Go on"]
    expect(task).toMatchObject({ state: "completed", result: expect.stringContaining("I went on.") })
    const { items } = await client.session.messages.query({ sessionID: task?.sessionID ?? "" })
    const programs = items.flatMap(({ info }) => (info.role === "assistant" ? [info.program?.begun] : []))
    expect([programs[0], programs.at(-1)]).toEqual(["new", expect.stringMatching(agent.goesOn)])
    expect(await running()).toEqual([])
  },
)

/** The call in which Claude Code starts a subagent of its own. */
const look = {
  tool: "Agent",
  args: { description: "Look around", prompt: "Look at it closely", subagent_type: "general-purpose" },
}

test.runIf(full)(
  "subagents of Claude Code are children of its session",
  async ({ client, model, project, projectID, server, skip }) => {
    const { running } = await bring(claude, { server, model }, skip)
    model.script({
      "Hand it over": [handOver("Do the work"), { text: "It is done." }],
      "<task-notification>": [{ text: "All is done." }],
      "Look at it closely": [
        {
          text: "I look.",
          calls: [{ tool: "Bash", args: { command: "printf inner > inner.txt", description: "Look" } }],
        },
        { text: "I have looked." },
      ],
      "Do the work": [{ calls: [look] }, { text: "It is started." }],
    })
    const sessionID = await startSession(client, projectID, "Hand it over")
    const asked = await allowAll(client, sessionID)
    expect(asked).toContain("bash")
    const { "Do the work": task, "Look around": inner } = await tasksOf(client, sessionID)
    expect(inner).toMatchObject({
      state: "completed",
      result: "I have looked.",
      parentID: task?.sessionID,
      agent: "helper",
    })
    const [call] = await toolParts(client, task?.sessionID ?? "")
    expect(call).toMatchObject({
      tool: "task",
      state: { status: "completed", metadata: { sessionId: inner?.sessionID } },
    })
    expect(await textsOf(client, inner?.sessionID ?? "", "user")).toEqual(["Look at it closely"])
    expect(await textsOf(client, inner?.sessionID ?? "", "assistant")).toEqual(["I look.", "I have looked."])
    expect(await toolParts(client, inner?.sessionID ?? "")).toMatchObject([
      { tool: "bash", state: { status: "completed" } },
    ])
    await client.review.verdict.give.mutate({ taskID: inner?.id ?? "", verdict: "approve", reason: "As asked" })
    expect(await client.review.verdict.history.query({ taskID: inner?.id ?? "" })).toMatchObject([
      { verdict: "approve" },
    ])
    expect(await running()).toEqual([])
    expect(await project.read("inner.txt")).toBe("inner")
  },
)

/** Answers one by one, and the last for ever. */
function steps(answers: [Answer, ...Answer[]]): () => Answer {
  let at = 0
  return () => answers[Math.min(at++, answers.length - 1)] ?? answers[0]
}

test.runIf(full)(
  "a restart ends what waits for a person; its agent goes on",
  async ({ client, model, projectID, server, skip }) => {
    const { running } = await bring(claude, { server, model }, skip)
    model.script({
      "Hand it over": [handOver("Do the work"), { text: "It is done." }],
      "Look at it closely": [{ calls: [{ tool: "Bash", args: { command: "printf inner > inner.txt" } }] }],
      // However many steps the agent has told of its first half: after the restart it is asked once more.
      "Do the work": steps([{ calls: [look] }, { text: "It is started." }, { text: "I went on." }]),
    })
    const sessionID = await startSession(client, projectID, "Hand it over")
    await vi.waitFor(async () => expect(await client.permission.list.query({})).toHaveLength(1), patience)
    await server.kill()
    await vi.waitFor(async () => expect(await running()).toEqual([]), patience)
    await server.restart()
    await allowAll(client, sessionID)
    const { "Do the work": task, "Look around": inner } = await tasksOf(client, sessionID)
    expect([task?.state, inner?.state]).toEqual(["completed", "interrupted"])
    expect(await client.permission.list.query({})).toEqual([])
    expect(await running()).toEqual([])
  },
)
