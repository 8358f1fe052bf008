import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import type { SecretStore } from "@docket/core/store"
import { afterAll, expect, onTestFinished, test, vi } from "vitest"

/** What changes the disk or the database counts as a step. From one of them on, nothing happens any more. */
const life = { steps: 0, diesAt: Number.POSITIVE_INFINITY }
const step = () => {
  life.steps += 1
  if (life.steps >= life.diesAt) throw new Error("killed")
}

vi.doMock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>()
  const mortal =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      step()
      return work(...args)
    }
  const { mkdir, writeFile, rename, rm } = real
  return { ...real, mkdir: mortal(mkdir), writeFile: mortal(writeFile), rename: mortal(rename), rm: mortal(rm) }
})
// Files of one worker share their modules: these are loaded anew with the mock, and the next file loads its own.
vi.resetModules()
const { createInMemoryDatabase } = await import("@docket/core/store")
const { createFileVault } = await import("@docket/core/vault")
const { openVaults } = await import("./open-vaults.ts")
const { serviceDrawers } = await import("./service-drawers.ts")
afterAll(() => {
  vi.doUnmock("node:fs/promises")
  vi.resetModules()
})

const key = randomBytes(32).toString("base64")
const token = "t".repeat(43)
const saved = { type: "api", key: "sk-1", baseURL: null, package: null }

async function filledDirectory(): Promise<string> {
  const data = mkdtempSync(path.join(tmpdir(), "docket-killed-"))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const vault = createFileVault(serviceDrawers(data))
  await vault.change("token", "", () => token)
  await vault.change("login", "hash", () => ({ created: 1, expires: 2 }))
  writeFileSync(path.join(data, "auth.json"), JSON.stringify({ openai: saved }))
  const webhooks = path.join(data, "workspaces/shop/webhook-secrets")
  mkdirSync(webhooks, { recursive: true })
  for (const id of ["web_1", "web_2"]) writeFileSync(path.join(webhooks, `${id}.json`), JSON.stringify([id]))
  return data
}

test("the next start ends a move that was killed at any step", async () => {
  const run = async (diesAt: number) => {
    Object.assign(life, { steps: 0, diesAt: Number.POSITIVE_INFINITY })
    const data = await filledDirectory()
    const { secrets } = createInMemoryDatabase()
    // A transaction is a step before it, and one after it: its answer may be lost.
    const swap: SecretStore["swap"] = async (swaps) => {
      step()
      const isDone = await secrets.swap(swaps)
      step()
      return isDone
    }
    const open = () =>
      openVaults({ data, kind: "postgres", database: { secrets: { ...secrets, swap } }, key, report: () => {} })
    Object.assign(life, { steps: 0, diesAt })
    const first = await open().then(
      () => "ended",
      (error: Error) => error.message,
    )
    const steps = life.steps
    life.diesAt = Number.POSITIVE_INFINITY
    const { service, of } = await open()
    expect(await service.get("token", "")).toBe(token)
    expect(await service.get("login", "hash")).toEqual({ created: 1, expires: 2 })
    expect(await of("local").get("provider-key", "openai")).toEqual(saved)
    expect([...(await of("shop").all("webhook"))]).toEqual([
      ["web_1", ["web_1"]],
      ["web_2", ["web_2"]],
    ])
    // Only whole copies stay, and the directory of the workspace.
    const left = readdirSync(data).filter((name) => !/^before-rows-[\dTZ-]+$/.test(name))
    expect(left.filter((name) => name !== "token")).toEqual(["workspaces"])
    return { first, steps }
  }
  const { first, steps } = await run(Number.POSITIVE_INFINITY)
  expect(first).toBe("ended")
  expect(steps).toBeGreaterThan(10)
  for (let at = 1; at <= steps; at += 1) expect((await run(at)).first).toBe("killed")
})
