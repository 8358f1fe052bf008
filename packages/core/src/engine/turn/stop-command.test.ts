import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { StaleTurnError } from "../../ground/error/docket-error.ts"
import type { FeedItem } from "../../ground/schema/index.ts"
import { answer, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

/** Gets the signal to end, and ends when the file `go` exists. */
const lingering =
  "trap 'echo heard; until [ -e go ]; do sleep 0.02; done; exit' TERM; echo begun; while :; do sleep 0.02; done"

const hasBegun = (item: FeedItem) =>
  item.type === "message.part.updated" &&
  item.properties.part.type === "tool" &&
  item.properties.part.state.status === "running" &&
  String(item.properties.part.state.metadata.output).includes("begun")

const saysIdle = (item: FeedItem) => item.type === "session.status" && item.properties.status.type === "idle"

async function stoppedHost(): Promise<{ host: ScriptedRuntime; turnID: string; stopped: Promise<unknown> }> {
  const host = await scriptedRuntime(
    (options) =>
      options.prompt.some(({ role }) => role === "tool")
        ? answer("Done.")
        : answer("", { tool: "bash", input: { command: lingering } }),
    { config: { permission: "allow" } },
  )
  const turn = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Go" }] })
  await host.until(hasBegun)
  const stopped = host.runtime.abort(host.session.id)
  await host.until(saysIdle)
  return { host, turnID: turn.id, stopped }
}

async function endOf(host: ScriptedRuntime) {
  const { items } = await host.messages()
  const parts = items.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
  return { info: items.at(-1)?.info, states: parts.map(({ state }) => state) }
}

test("a stopped session is idle at the signal; its turn ends later", async () => {
  const { host, turnID, stopped } = await stoppedHost()
  await using _ = host
  expect((await host.runtime.session.get(host.session.id)).status).toEqual({ type: "idle" })
  expect(await host.store.turn.get(turnID)).toMatchObject({ status: "running" })
  // A prompt that arrives now waits for that end.
  const next = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Next" }] })
  expect(await host.store.turn.get(next.id)).toMatchObject({ status: "queued" })
  await writeFile(join(host.directory, "go"), "")
  await stopped
  expect(await host.store.turn.get(turnID)).toMatchObject({ status: "aborted" })
  expect((await endOf(host)).states).toEqual([
    expect.objectContaining({
      status: "error",
      error: "The tool call was stopped by the user.",
      metadata: expect.objectContaining({ output: expect.stringContaining("heard"), interrupted: true }),
    }),
  ])
  expect(await host.runtime.prompt.wait(next.id)).toMatchObject({ status: "completed" })
  expect(host.errors).toEqual([])
})

test("a crash between idle and the recorded end leaves nothing open", async () => {
  const { host, turnID, stopped } = await stoppedHost()
  // It may be rejected while the second runtime starts.
  const settled = Promise.allSettled([stopped])
  // The process dies here and stores nothing more. A second runtime opens the same rows and ends the open turn.
  const { directory } = host
  const store = { ...host.store, write: { ...host.store.write } }
  host.store.write.commit = () => Promise.reject(new StaleTurnError(turnID))
  await writeFile(join(directory, "go"), "")
  const second = await scriptedRuntime(() => answer("never"), { store, directory })
  expect(await store.turn.get(turnID)).toMatchObject({ status: "interrupted" })
  expect((await second.runtime.session.get(host.session.id)).status).toEqual({ type: "idle" })
  const { info, states } = await endOf(host)
  expect(states).toEqual([expect.objectContaining({ status: "error", error: expect.stringContaining("Interrupted") })])
  expect(info).toMatchObject({ error: { name: "InterruptedError" }, time: { completed: expect.any(Number) } })
  await settled
  await second[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})
