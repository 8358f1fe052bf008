import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createFewAtOnce, type UseCases } from "@docket/core"
import { expect, onTestFinished, test } from "vitest"
import { hashing, serveUnlock } from "./serve-unlock.ts"
import { createTryLimit } from "./try-limit.ts"
import { createUnlockLimit } from "./unlock-limit.ts"

/** Links whose passwords are checked until `held` is resolved. Each request comes from its own address. */
async function serve() {
  const seen = { atOnce: 0, most: 0, tried: 0, places: 0 }
  const held = Promise.withResolvers<void>()
  const unlock = async () => {
    seen.tried += 1
    seen.atOnce += 1
    seen.most = Math.max(seen.most, seen.atOnce)
    await held.promise
    seen.atOnce -= 1
    return null
  }
  const runtime = { links: { unlock } } as unknown as UseCases
  const deps = {
    links: { of: () => ({ runtime, workspace: "local" }) },
    auth: { identify: () => null },
    ingress: { isSecure: false, addressOf: () => `10.0.0.${seen.places++}` },
    unlockLimit: createUnlockLimit((_, options) => createTryLimit({ ...options, clock: () => 0 })),
    unlocking: createFewAtOnce(hashing),
  }
  const server = createServer((req, res) => void serveUnlock(deps, req, res)).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const send = async (link: number) => {
    const body = new URLSearchParams({ password: "guessed" })
    const url = `http://127.0.0.1:${port}/share/${String(link).repeat(22)}`
    return (await fetch(url, { method: "POST", redirect: "manual", body })).status
  }
  return { seen, held, send }
}

test("only a few passwords are hashed at once; excess tries must wait", async () => {
  const { seen, held, send } = await serve()
  const answers = Array.from({ length: 60 }, (_, link) => send(link).then((status) => ({ status })))
  // Refused requests are answered while the others wait.
  const refused = 60 - hashing.atOnce - hashing.waiting
  const statuses: number[] = []
  const enough = Promise.withResolvers<void>()
  for (const answer of answers)
    void answer.then(({ status }) => {
      if (statuses.push(status) === refused) enough.resolve()
    })
  await enough.promise
  expect(new Set(statuses)).toEqual(new Set([429]))
  expect([seen.most, seen.tried]).toEqual([hashing.atOnce, hashing.atOnce])
  held.resolve()
  await Promise.all(answers)
  expect(statuses.filter((status) => status === 303)).toHaveLength(60 - refused)
  expect([seen.most, seen.tried]).toEqual([hashing.atOnce, 60 - refused])
})
