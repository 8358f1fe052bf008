import { expect, test } from "vitest"
import { loadPart, PartLoadError, waitingParts } from "./load-part.ts"

const failing = () => Promise.reject(new Error("404"))
const never = () => Promise.reject(new Error("nothing to wait for"))

test("missing code is requested once more, then reported", async () => {
  let asked = 0
  const late = async () => {
    asked += 1
    if (asked === 1) throw new Error("cut off")
    return "part"
  }
  const served = { answers: async () => true, pause: never }
  expect(await loadPart(late, served)).toBe("part")
  await expect(loadPart(failing, served)).rejects.toBeInstanceOf(PartLoadError)
  expect(waitingParts.get()).toBe(false)
})

test("an offline page learns that it waits, until the code comes", async () => {
  const seen: boolean[] = []
  const leave = waitingParts.subscribe(() => seen.push(waitingParts.get()))
  let pauses = 0
  const load = async () => {
    if (pauses < 3) throw new Error("offline")
    return "part"
  }
  const deps = {
    answers: async () => false,
    pause: async () => {
      pauses += 1
    },
  }
  expect(await loadPart(load, deps)).toBe("part")
  expect(seen).toEqual([true, false])
  leave()
})
