import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

test("prompts keep their order of arrival", async () => {
  await using host = await scriptedRuntime(() => answer("Yes."))
  const { get } = host.store.session
  let reads = 0
  host.store.session.get = async (id) => {
    reads += 1
    if (reads === 1) await sleep(20)
    return get(id)
  }
  const turns = await Promise.all(["one", "two", "three"].map((text) => host.prompt(text)))
  expect(reads).toBeGreaterThan(0)
  expect(turns.map(({ status }) => status)).toEqual(["completed", "completed", "completed"])
  const asked = (await host.messages()).items.filter(({ info }) => info.role === "user")
  expect(asked.map(({ parts }) => parts.find((part) => part.type === "text")?.text)).toEqual(["one", "two", "three"])
})

test("a prompt that is refused does not hold the next one back", async () => {
  await using host = await scriptedRuntime(() => answer("Yes."))
  const refused = host.prompt(" ")
  const next = host.prompt("two")
  await expect(refused).rejects.toMatchObject({ code: "invalid_input" })
  expect((await next).status).toBe("completed")
})
