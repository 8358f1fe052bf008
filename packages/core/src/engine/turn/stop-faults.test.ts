import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import type { Mutation } from "../../ground/store/index.ts"
import { answer, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

/** Calls `during` while the store writes the first transaction with a matching mutation. */
function whileStoring(host: ScriptedRuntime, match: (mutation: Mutation) => boolean, during: () => void): void {
  const { commit } = host.store.write
  let done = false
  host.store.write.commit = async (batches) => {
    if (!done && batches.some((batch) => batch.mutations.some(match))) {
      done = true
      during()
      await sleep(20)
    }
    return commit(batches)
  }
}

test("stopping while a permission request is stored leaves no unhandled rejection", async () => {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => unheard.push(reason)
  process.on("unhandledRejection", hear)
  try {
    await using host = await scriptedRuntime(
      () => answer("", { tool: "bash", input: { command: "ls", description: "list" } }),
      { config: { permission: { bash: "ask" } } },
    )
    let closing = Promise.resolve()
    whileStoring(
      host,
      (mutation) => mutation.kind === "permission",
      () => {
        closing = host.runtime.close()
      },
    )
    expect(await host.prompt("List")).toMatchObject({ status: "aborted" })
    await closing
    await sleep(0)
    expect(unheard).toEqual([])
    expect(await host.runtime.permission.pending()).toEqual([])
  } finally {
    process.off("unhandledRejection", hear)
  }
})

test("a permission answer that could not be stored can be given again", async () => {
  await using host = await scriptedRuntime(
    (options) =>
      options.prompt.some((message) => message.role === "tool")
        ? answer("Listed.")
        : answer("", { tool: "bash", input: { command: "ls", description: "list" } }),
    { config: { permission: { bash: "ask" } } },
  )
  const turn = host.prompt("List")
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("no request")
  const { closePermission } = host.store.write
  host.store.write.closePermission = () => Promise.reject(new Error("the disk is full"))
  const { id } = asked.properties.request
  await expect(host.runtime.permission.reply(id, "once")).rejects.toThrow("the disk is full")
  host.store.write.closePermission = closePermission
  await host.runtime.permission.reply(id, "once")
  expect((await turn).status).toBe("completed")
})

test("closing during a child's start or with waiting prompts never hangs", async () => {
  await using host = await scriptedRuntime(() =>
    answer("", { tool: "task", input: { description: "child", prompt: "child", subagent_type: "general" } }),
  )
  let closing = Promise.resolve()
  const ofChild = (mutation: Mutation) => mutation.kind === "turn" && mutation.value.sessionID !== host.session.id
  whileStoring(host, ofChild, () => {
    closing = host.runtime.close()
  })
  const turn = host.prompt("Delegate")
  const waiting = host.prompt("Next").catch((reason: Error) => reason.message)
  expect(await turn).toMatchObject({ status: "aborted", error: { name: "InterruptedError" } })
  expect(await waiting).toBe("Docket is stopping.")
  await closing
})
