import type { Presence, ViewerPlace } from "@docket/core/schema"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createDocketClient } from "./create-docket-client.ts"
import { type LiveService, startLiveService } from "./test/live-service.ts"
import { createTreeStore, type TreeStore } from "./tree-store.ts"

let service: LiveService
let stores: TreeStore[]
beforeEach(async () => {
  service = await startLiveService()
  stores = []
})
afterEach(async () => {
  for (const store of stores) store.close()
  await service.close()
})

function openTab(): TreeStore {
  const store = createTreeStore(createDocketClient(service), { sessionID: service.session.id })
  stores.push(store)
  return store
}

/** Another user who follows the tree without a browser, until `leave` is called. */
function openAs(person: string, place: ViewerPlace | null) {
  const stop = new AbortController()
  const feed = service
    .as({ person, workspace: "local" })
    .feed({ rootID: service.session.id, others: false, viewer: { id: `tab-of-${person}`, place } }, stop.signal)
  const reading = (async () => {
    for await (const _ of feed);
  })()
  return {
    async leave() {
      stop.abort()
      await reading
    },
  }
}

const until = (store: TreeStore, holds: (presence: Presence) => boolean) =>
  new Promise<Presence>((resolve) => {
    const look = () => {
      const { presence } = store.get()
      if (presence === null || !holds(presence)) return
      stop()
      resolve(presence)
    }
    const stop = store.subscribe(look)
    queueMicrotask(look)
  })

const names = ({ viewers }: Presence) => viewers.map(({ person }) => person).join()

it("people in a tree see each other's places, but not departed people", async () => {
  const { id: sessionID } = service.session
  const mine = openTab()
  mine.lookAt({ sessionID, view: "session" })
  await mine.open(sessionID)
  await until(mine, (presence) => names(presence) === "local")
  const ann = openAs("ann", { sessionID, view: "review" })
  expect(await until(mine, (presence) => names(presence) === "local,ann")).toEqual({
    viewers: [
      { person: "local", places: [{ sessionID, view: "session" }] },
      { person: "ann", places: [{ sessionID, view: "review" }] },
    ],
    more: 0,
    readers: 0,
  })
  await ann.leave()
  await until(mine, (presence) => names(presence) === "local")
})

it("two tabs count as one person, and later places are reported", async () => {
  const { id: sessionID } = service.session
  const [first, second] = [openTab(), openTab()]
  await Promise.all([first.open(sessionID), second.open(sessionID)])
  await until(first, ({ viewers }) => viewers.length === 0)
  first.lookAt({ sessionID, view: "session" })
  second.lookAt({ sessionID, view: "review" })
  const both = await until(first, ({ viewers }) => viewers[0]?.places.length === 2)
  expect(names(both)).toBe("local")
})

it("others never see a person leave whose connection comes back", async () => {
  const { id: sessionID } = service.session
  const mine = openTab()
  mine.lookAt({ sessionID, view: "session" })
  await mine.open(sessionID)
  await until(mine, (presence) => names(presence) === "local")
  const seen: string[] = []
  const stop = new AbortController()
  const ann = service.as({ person: "ann", workspace: "local" })
  const watching = (async () => {
    for await (const item of ann.feed({ rootID: sessionID, others: false }, stop.signal))
      if (item.type === "presence.updated")
        seen.push(item.properties.presence.viewers.map(({ places }) => places[0]?.view).join())
  })()
  const before = mine.get().presence
  service.cutConnections()
  mine.lookAt({ sessionID, view: "review" })
  await until(mine, (presence) => presence !== before && presence.viewers[0]?.places[0]?.view === "review")
  stop.abort()
  await watching
  expect(seen).not.toContain("")
})

it("link readers are counted for tree viewers but learn nothing of them", async () => {
  const { id: sessionID } = service.session
  const mine = openTab()
  mine.lookAt({ sessionID, view: "session" })
  await mine.open(sessionID)
  const share = await service.runtime.share.create({ rootID: sessionID })
  const stop = new AbortController()
  const events = service.runtime.links.copy.follow(share.id, undefined, stop.signal)[Symbol.asyncIterator]()
  const told = events.next()
  await until(mine, ({ readers }) => readers === 1)
  await service.runtime.session.update({ sessionID, title: "Told to readers too" })
  const first = await told
  expect(JSON.stringify(first.value)).toContain("Told to readers too")
  expect(JSON.stringify(first.value)).not.toContain("viewers")
  const rest = events.next()
  stop.abort()
  expect(await rest).toMatchObject({ done: true })
  await until(mine, ({ readers }) => readers === 0)
})
