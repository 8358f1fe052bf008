import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { storedSignIns } from "./stored-sign-ins.ts"

const one = { url: "https://one.example.org", token: "t1", name: "Ada" }
const two = { url: "http://two.example.org:4180", token: "t2", name: "Ada" }

async function newData(): Promise<string> {
  const data = await mkdtemp(path.join(tmpdir(), "docket-kept-"))
  onTestFinished(() => rm(data, { recursive: true }))
  return data
}

it("each server's sign-in is stored, and which came last", async () => {
  const signIns = storedSignIns(await newData())
  expect([await signIns.last(), await signIns.find(one.url)]).toEqual([null, null])
  await signIns.keep(one)
  await signIns.keep(two)
  expect([await signIns.last(), await signIns.find(one.url)]).toEqual([two, one])
  await signIns.keep({ ...one, token: "t3" })
  expect(await signIns.last()).toEqual({ ...one, token: "t3" })
  await signIns.remove(two.url)
  expect([await signIns.last(), await signIns.find(two.url)]).toEqual([{ ...one, token: "t3" }, null])
  await signIns.remove(one.url)
  expect(await signIns.last()).toBeNull()
})

it("other users lose access to an existing sign-in directory", async () => {
  const data = await newData()
  await storedSignIns(data).keep(one)
  const directory = path.join(data, "servers")
  await chmod(directory, 0o755)
  await storedSignIns(data).keep(two)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
})

it("a damaged or foreign sign-in file asks to sign in again", async () => {
  const data = await newData()
  const signIns = storedSignIns(data)
  await signIns.keep(one)
  const file = path.join(data, "servers", "https_one.example.org.json")
  for (const text of ["{ half", JSON.stringify(two)]) {
    await writeFile(file, text)
    await expect(signIns.last()).rejects.toThrow(
      "is damaged. Sign in again: docket login --server https://one.example.org",
    )
  }
})
