import { expect, it } from "vitest"
import type { Client } from "./database.ts"
import { lazyClient } from "./lazy-client.ts"

it("the client is loaded once, and again after loading failed", async () => {
  let loads = 0
  // Of the client, only this call is used.
  const client = { $disconnect: async () => {} } as unknown as Client
  const lazy = lazyClient(async () => {
    loads += 1
    if (loads === 1) throw new Error("too many open files")
    return client
  })
  await expect(lazy.run(async () => 1)).rejects.toThrow("too many open files")
  const given = () => lazy.run(async (loaded) => loaded)
  expect(await Promise.all([given(), given()])).toEqual([client, client])
  expect(loads).toBe(2)
  await lazy.close()
})
