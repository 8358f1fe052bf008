import { expect, it } from "vitest"
import type { Client } from "./database.ts"
import { lazyClient } from "./lazy-client.ts"

it("loads the client once, and again after it could not be loaded", async () => {
  let loads = 0
  // Only the call that closes it is used.
  const client = { $disconnect: async () => {} } as unknown as Client
  const lazy = lazyClient(async () => {
    loads += 1
    if (loads === 1) throw new Error("too many open files")
    return client
  })
  await expect(lazy.run(async () => 1)).rejects.toThrow("too many open files")
  expect(await Promise.all([lazy.run(async (it) => it), lazy.run(async (it) => it)])).toEqual([client, client])
  expect(loads).toBe(2)
  await lazy.close()
})
