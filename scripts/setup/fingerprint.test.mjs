import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { fingerprint } from "./fingerprint.mjs"
import { root } from "./root.mjs"

test("only sources count for a build", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-fingerprint-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const now = () => fingerprint([path.relative(root, directory)])
  const write = (name, text) => writeFile(path.join(directory, name), text)
  await write("a.ts", "one")
  const first = await now()
  await write("tsconfig.tsbuildinfo", "{}")
  expect(await now()).toBe(first)
  await write("a.ts", "two")
  expect(await now()).not.toBe(first)
})
