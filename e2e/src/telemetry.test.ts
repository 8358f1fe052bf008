import path from "node:path"
import { type ReceivedSpan, startOtlpReceiver } from "@docket/config/otlp-receiver"
import { test as base } from "./fixtures/nodes-test.ts"
import { expect, settled, startSession, textsOf } from "./fixtures/service-test.ts"

const script = path.resolve(import.meta.dirname, "../../packages/mcp/src/test/hostile-server.mjs")
const command = [process.execPath, script, "plain"]

const test = base
  .override("config", () => ({
    ...{ delegation: { envelope: false }, permission: "allow" },
    mcp: { own: { type: "local", command, required: true } },
  }))
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from the pattern
  .extend("receiver", async ({}, { onCleanup }) => {
    const receiver = await startOtlpReceiver()
    onCleanup(() => receiver.stop())
    return receiver
  })

const dig = (n: number) => ({
  ...{ tool: "task", args: { description: `dig ${n}`, prompt: `dig ${n}`, subagent_type: "general" } },
})

test("the spans of a run with subagents and a takeover belong together", async ({
  startNode,
  project,
  model,
  receiver,
}) => {
  model.script({
    Work: [
      { calls: [dig(1), dig(2)] },
      { calls: [{ tool: "bash", args: { command: "sleep 600", description: "waits" } }] },
      { text: "Done." },
    ],
    "dig 1": [{ calls: [{ tool: "own_say", args: { word: "hello" } }] }, { text: "One." }],
    "dig 2": [{ text: "Two." }],
  })
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: "50" }
  const shared = { project: project.directory, storage: "team", variables }
  const first = await startNode("worker", shared)
  const web = await startNode("web", { variables })
  const [opened] = await web.client.project.list.query()
  const sessionID = await startSession(web.client, opened?.id ?? "", "Work")
  const { spans } = receiver
  const named = (name: string) => spans.filter((span) => span.name === name)
  // The second answer of the root has come: what its worker did until then was sent.
  const ofRoot = (span: ReceivedSpan) => span.attributes["gen_ai.agent.name"] === "build"
  await expect.poll(() => named("chat scripted").filter(ofRoot).length, { timeout: 60_000 }).toBeGreaterThan(1)
  await startNode("worker", shared)
  await first.kill()
  await settled(web.client, sessionID)
  expect(await textsOf(web.client, sessionID, "assistant")).toEqual(["Done."])
  await expect.poll(() => named("invoke_agent build").length, { timeout: 60_000 }).toBe(1)

  const tasks = named("execute_tool task")
  const children = named("invoke_agent general")
  expect(children.map(({ parentID }) => parentID).toSorted()).toEqual(tasks.map(({ spanID }) => spanID).toSorted())
  expect(tasks).toHaveLength(2)
  const [task] = tasks
  const root = { traceId: task?.traceID, spanId: task?.parentID }
  for (const child of children) {
    expect(child).toMatchObject({ traceID: root.traceId, links: [], hasFailed: false })
    expect(child.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "general",
      "gen_ai.conversation.id": sessionID,
      "docket.turn.is_child": true,
      "docket.turn.status": "completed",
    })
    expect(named("docket.turn.queue").filter(({ parentID }) => parentID === child.spanID)).toHaveLength(1)
    const answers = named("chat scripted").filter(({ parentID }) => parentID === child.spanID)
    expect(answers[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "scripted",
      "gen_ai.request.stream": true,
      "gen_ai.usage.input_tokens": 1_200,
      "gen_ai.usage.output_tokens": 80,
      "gen_ai.response.finish_reasons": [expect.any(String)],
      "gen_ai.conversation.id": sessionID,
      "gen_ai.agent.name": "general",
    })
  }
  for (const call of tasks) expect(call).toMatchObject({ traceID: root.traceId, parentID: root.spanId })

  const [atServer] = named("tools/call say")
  const [call] = named("execute_tool own_say")
  expect(atServer).toMatchObject({ traceID: root.traceId, parentID: call?.spanID })
  expect(children.map(({ spanID }) => spanID)).toContain(call?.parentID)
  expect(atServer?.attributes).toMatchObject({
    ...{ "mcp.method.name": "tools/call", "gen_ai.tool.name": "say", "docket.mcp.server": "own" },
    ...{ "mcp.protocol.version": expect.any(String), "network.transport": "pipe" },
  })
  expect(call?.attributes).toMatchObject({
    ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "own_say", "gen_ai.tool.type": "extension" },
    ...{ "gen_ai.tool.call.id": expect.any(String) },
  })

  // The next worker has a trace of its own, which names the first attempt.
  const [takeover] = named("invoke_agent build")
  expect(takeover).toMatchObject({ parentID: null, links: [root], hasFailed: false })
  expect(takeover?.traceID).not.toBe(root.traceId)
  expect(takeover?.attributes).toMatchObject({ "docket.turn.attempt": 2, "docket.turn.status": "completed" })
  const after = named("chat scripted").filter(({ traceID }) => traceID === takeover?.traceID)
  expect(after.map(({ parentID }) => parentID)).toEqual([takeover?.spanID])
  expect(takeover?.resource["service.instance.id"]).not.toBe(task?.resource["service.instance.id"])
  expect(spans.map(({ resource }) => [resource["service.name"], resource["docket.node.role"]])).toEqual(
    spans.map(() => ["docket", "worker"]),
  )
  // Nothing of what was said leaves the service unless somebody wants it.
  expect(JSON.stringify(spans)).not.toMatch(/hello|dig 1|sleep 600/)
})
