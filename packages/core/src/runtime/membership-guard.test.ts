import { expect, test } from "vitest"
import { createMembershipGuard } from "./membership-guard.ts"

test("offboarding awaits a person's started acts, refuses later ones, spares others", async () => {
  const members = new Set(["ada", "bob"])
  const membershipGuard = createMembershipGuard(async (person) => members.has(person))
  const { promise, resolve } = Promise.withResolvers<string>()
  const begun = membershipGuard.whileMember("bob", () => promise)
  // A failed act must not keep `settled` waiting.
  const failing = membershipGuard.whileMember("bob", () => Promise.reject(new Error("no disk")))
  await expect(failing).rejects.toThrow("no disk")
  members.delete("bob")
  const order: string[] = []
  const settled = membershipGuard.settled("bob").then(() => order.push("settled"))
  let late = 0
  const refused = membershipGuard.whileMember("bob", async () => (late += 1))
  await expect(refused).rejects.toMatchObject({ code: "role_forbidden" })
  expect(await membershipGuard.whileMember("ada", async () => "done")).toBe("done")
  order.push("ends")
  resolve("stored")
  await settled
  expect([await begun, order, late]).toEqual(["stored", ["ends", "settled"], 0])
})
