import { expect, it } from "vitest"
import { hashPassword, isPassword } from "./share-password.ts"

it("a password is known again by its hash, however its letters are written, and no other is", async () => {
  const hash = await hashPassword("Motörhead 1975")
  expect(hash).not.toContain("1975")
  expect(await hashPassword("Motörhead 1975")).not.toBe(hash)
  const tried = ["Motörhead 1975", "Moto\u0308rhead 1975", "Motorhead 1975", ""]
  expect(await Promise.all(tried.map((password) => isPassword(password, hash)))).toEqual([true, true, false, false])
})

it("nothing is the password of what has none, nor of a hash that cannot be read", async () => {
  expect([await isPassword("", null), await isPassword("x", "plain"), await isPassword("x", "")]).toEqual([
    false,
    false,
    false,
  ])
})
