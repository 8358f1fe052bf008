import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInMemoryDatabase, type SecretStore } from "@docket/core/store"
import { createFileVault } from "@docket/core/vault"
import { expect, onTestFinished, test, vi } from "vitest"
import { openVaults } from "./open-vaults.ts"
import { serviceDrawers } from "./service-drawers.ts"

/** What changes the disk or the database counts as a step. From one of them on, nothing happens any more. */
const life = vi.hoisted(() => {
  const state = { steps: 0, diesAt: Number.POSITIVE_INFINITY }
  const step = () => {
    state.steps += 1
    if (state.steps >= state.diesAt) throw new Error("killed")
  }
  return { state, step }
})

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>()
  const mortal =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      life.step()
      return work(...args)
    }
  const { mkdir, writeFile, rename, rm } = real
  return { ...real, mkdir: mortal(mkdir), writeFile: mortal(writeFile), rename: mortal(rename), rm: mortal(rm) }
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
    Object.assign(life.state, { steps: 0, diesAt: Number.POSITIVE_INFINITY })
    const data = await filledDirectory()
    const { secrets } = createInMemoryDatabase()
    // A transaction is a step before it, and one after it: its answer may be lost.
    const swap: SecretStore["swap"] = async (swaps) => {
      life.step()
      const isDone = await secrets.swap(swaps)
      life.step()
      return isDone
    }
    const open = () =>
      openVaults({ data, kind: "postgres", database: { secrets: { ...secrets, swap } }, key, report: () => {} })
    Object.assign(life.state, { steps: 0, diesAt })
    const first = await open().then(
      () => "ended",
      (error: Error) => error.message,
    )
    const steps = life.state.steps
    life.state.diesAt = Number.POSITIVE_INFINITY
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
