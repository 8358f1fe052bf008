import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { WebhookPayload } from "@docket/core/schema"
import { planFileOf, type Script } from "./fixtures/scripted-model.ts"
import { test as base, expect, startSession } from "./fixtures/service-test.ts"

const test = base
  /** An external webhook receiver, and the payloads it received. */
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from the pattern
  .extend("receiver", async ({}, { onCleanup }) => {
    const received: WebhookPayload[] = []
    const server = createServer(async (request, response) => {
      received.push(WebhookPayload.parse(await json(request)))
      response.writeHead(204).end()
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    onCleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/hook`, received }
  })

test.override({
  config: {
    permission: "allow",
    delegation: { envelope: false },
    agent: { general: { review: "required" } },
    webhooks: { allow: ["127.0.0.1"] },
  },
})

const script: Script = {
  "Tidy up": [
    {
      calls: [{ tool: "task", args: { description: "Join it", prompt: "Join words", subagent_type: "general" } }],
    },
    { text: "Tidy." },
  ],
  "Join words": [{ text: "Joined." }],
  "Plan the page": [
    { calls: [{ tool: "write", args: (request) => ({ filePath: planFileOf(request), content: "1. Write it\n" }) }] },
    { calls: [{ tool: "plan_exit", args: {} }] },
  ],
}

test("webhooks receive tasks awaiting review, resolved threads and submitted plans", async ({
  receiver,
  client,
  projectID,
  model,
}) => {
  model.script(script)
  const events = ["review.requested", "review.resolved", "review.verdict", "plan.asked", "task.completed"] as const
  await client.webhook.create.mutate({ name: "chat", url: receiver.url, events: [...events] })
  const received = (type: string) => receiver.received.filter((payload) => payload.type === type)

  const rootID = await startSession(client, projectID, "Tidy up")
  await expect.poll(() => received("review.requested")).toHaveLength(1)
  const [task] = await client.task.list.query({ sessionID: rootID })
  const subject = { id: rootID, path: `/s/${rootID}` }
  expect(received("review.requested")).toMatchObject([
    { data: { session: subject, task: { id: task?.id, number: 1, title: "Join it", agent: "general" } } },
  ])
  expect(received("task.completed")).toEqual([])

  const child = task?.sessionID ?? ""
  const { items } = await client.session.messages.query({ sessionID: child })
  const answer = items.find(({ info }) => info.role === "assistant")?.info.id ?? ""
  const place = { kind: "message", messageID: answer } as const
  const { thread } = await client.review.thread.create.mutate({ sessionID: child, place, text: "Why?" })
  const threadID = thread.id
  await client.review.thread.resolve.mutate({ threadID })
  await expect
    .poll(() => received("review.resolved"))
    .toMatchObject([
      {
        data: {
          session: subject,
          thread: { id: threadID, taskID: task?.id, sessionID: child },
          by: expect.any(String),
        },
      },
    ])
  await client.review.thread.reopen.mutate({ threadID })
  await client.review.thread.resolve.mutate({ threadID })
  await expect.poll(() => received("review.resolved")).toHaveLength(2)

  await client.review.verdict.give.mutate({ taskID: task?.id ?? "", verdict: "approve" })
  await expect.poll(() => received("task.completed")).toMatchObject([{ data: { task: { id: task?.id } } }])
  expect(received("review.verdict")).toHaveLength(1)
  expect(received("review.requested")).toHaveLength(1)

  const parts = [{ type: "text" as const, text: "Plan the page" }]
  const { id: planned } = (await client.session.start.mutate({ projectID, agent: "plan", parts })).session
  await expect.poll(() => received("plan.asked")).toHaveLength(1)
  const [request] = (await client.session.tree.query({ sessionID: planned })).permissions
  expect(received("plan.asked")).toMatchObject([
    { data: { session: { id: planned }, request: { id: request?.id, sessionID: planned } } },
  ])
  expect(JSON.stringify(receiver.received)).not.toMatch(/Why\?|Write it|Joined/)
})
