import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { EventSource } from "eventsource"
import { expect, onTestFinished, test } from "vitest"
import { followShare } from "./follow-share.ts"
import { startLiveService } from "./test/live-service.ts"

/** A proxy to the service that can go silent: connections stay open, but nothing comes through any more. */
async function silentWay(target: string) {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), "127.0.0.1")
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on("error", () => socket.destroy()).on("close", () => open.delete(socket))
    }
    near.pipe(far)
    far.pipe(near)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const fallSilent = () => {
    for (const socket of open) socket.unpipe().pause()
  }
  const close = () => {
    for (const socket of open) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fallSilent, close }
}

async function openShare() {
  const service = await startLiveService()
  onTestFinished(service.close)
  const way = await silentWay(service.url)
  onTestFinished(way.close)
  const { session, runtime } = service
  const share = await runtime.share.create({ rootID: session.id })
  const secret = share.url.slice("/share/".length)
  const { seq } = await runtime.session.tree({ sessionID: session.id })
  let now = 0
  const said: string[] = []
  const stop = followShare({
    url: `${way.url}/api/share/${secret}/events`,
    since: seq,
    onState: (state) => said.push(state),
    onChange: () => said.push("changed"),
    onRevoked: () => said.push("revoked"),
    silence: { clock: () => now, longestMs: 12_000, lookEveryMs: 10, page: null },
    // Its event types differ from those of a browser.
    EventSource: EventSource as unknown as typeof globalThis.EventSource,
  })
  onTestFinished(stop)
  await expect.poll(() => said).toEqual(["live"])
  const pass = (ms: number) => {
    now += ms
  }
  return { said, pass, way, runtime, session, share }
}

test("a share's reader notices a silent server, reconnects and catches up", async () => {
  const { said, pass, way, runtime, session } = await openShare()
  await runtime.session.update({ sessionID: session.id, title: "Heard" })
  await expect.poll(() => said).toEqual(["live", "changed"])
  way.fallSilent()
  await runtime.session.update({ sessionID: session.id, title: "Missed" })
  pass(12_001)
  await expect.poll(() => said).toEqual(["live", "changed", "reconnecting", "live", "changed"])
})

test("a share's reader hears of its revocation, and nothing afterwards", async () => {
  const { said, pass, runtime, share, session } = await openShare()
  await runtime.share.revoke({ shareID: share.id })
  await expect.poll(() => said).toEqual(["live", "revoked"])
  pass(60_000)
  await runtime.share.list({ rootID: session.id })
  expect(said).toEqual(["live", "revoked"])
})
