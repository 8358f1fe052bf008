import { expect, test } from "vitest"
import { createBelonging } from "./belonging.ts"

test("offboarding awaits a person's started acts, refuses later ones, spares others", async () => {
  const members = new Set(["ada", "bob"])
  const belonging = createBelonging(async (person) => members.has(person))
  const { promise, resolve } = Promise.withResolvers<string>()
  const begun = belonging.whileMember("bob", () => promise)
  // Asked before they were out, answered when the act is counted already.
  const failing = belonging.whileMember("bob", () => Promise.reject(new Error("no disk")))
  await expect(failing).rejects.toThrow("no disk")
  members.delete("bob")
  const order: string[] = []
  const settled = belonging.settled("bob").then(() => order.push("settled"))
  let late = 0
  const refused = belonging.whileMember("bob", async () => (late += 1))
  await expect(refused).rejects.toMatchObject({ code: "role_forbidden" })
  expect(await belonging.whileMember("ada", async () => "done")).toBe("done")
  order.push("ends")
  resolve("stored")
  await settled
  expect([await begun, order, late]).toEqual(["stored", ["ends", "settled"], 0])
})
