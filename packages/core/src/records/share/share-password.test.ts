import { expect, it } from "vitest"
import { hashPassword, isPassword } from "./share-password.ts"

it("a password matches its hash in any Unicode form; others do not", async () => {
  const hash = await hashPassword("Motörhead 1975")
  expect(hash).not.toContain("1975")
  expect(await hashPassword("Motörhead 1975")).not.toBe(hash)
  const tried = ["Motörhead 1975", "Moto\u0308rhead 1975", "Motorhead 1975", ""]
  expect(await Promise.all(tried.map((password) => isPassword(password, hash)))).toEqual([true, true, false, false])
})

it("no password matches a missing or unreadable hash", async () => {
  expect([await isPassword("", null), await isPassword("x", "plain"), await isPassword("x", "")]).toEqual([
    false,
    false,
    false,
  ])
})
