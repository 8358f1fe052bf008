import { expect, test } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { DocketEvent, Presence, ViewerPlace } from "../../ground/schema/index.ts"
import { newSession } from "../../test/entities.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { createPresence } from "./create-presence.ts"

const ann = { person: "ann", workspace: "local" }
const bo = { person: "bo", workspace: "local" }

/** A tree with a child, and a session of another tree; `told` collects the events of the first tree. */
function setUp() {
  const createID = createIdSource()
  const root = newSession(createID)
  const child = newSession(createID, { parentID: root.id, rootID: root.id })
  const elsewhere = newSession(createID)
  const sessions = new Map([root, child, elsewhere].map((session) => [session.id, session]))
  const time = createManualTime()
  const bus = createBus((error) => {
    throw error
  })
  const events: DocketEvent[] = []
  bus.subscribe((event) => events.push(event))
  const looked: string[] = []
  const presence = createPresence({
    bus,
    timers: time.timers,
    clock: time.clock,
    async sessionByID(id) {
      looked.push(id)
      const session = sessions.get(id)
      if (session === undefined) throw new Error(`There is no session ${id}.`)
      return session
    },
  })
  const told = () => events.flatMap((event) => (event.type === "presence.updated" ? [event.properties.presence] : []))
  const enter = (caller: typeof ann, id: string, place: ViewerPlace | null) =>
    presence.enter(root.id, { id, place }, caller)
  const at = (sessionID: string, view: ViewerPlace["view"] = "session"): ViewerPlace => ({ sessionID, view })
  return { ...time, root, child, elsewhere, presence, events, told, looked, enter, at }
}

const namesOf = (presence: Presence | undefined) => presence?.viewers.map(({ person }) => person)

test("several tabs of one person count once, with the newest place first", async () => {
  const { root, child, enter, at, pass, told } = setUp()
  await enter(ann, "first-tab", at(root.id))
  await enter(ann, "second-tab", at(root.id))
  await enter(ann, "third-tab", at(child.id, "review"))
  await enter(bo, "first-tab", at(root.id))
  await pass(1_000)
  expect(told()).toEqual([
    {
      viewers: [
        { person: "ann", places: [at(child.id, "review"), at(root.id)] },
        { person: "bo", places: [at(root.id)] },
      ],
      more: 0,
      readers: 0,
    },
  ])
})

test("a move is announced to the tree, at most twice a second", async () => {
  const { root, child, presence, enter, at, pass, told } = setUp()
  await enter(ann, "first-tab", at(root.id))
  await pass(1_000)
  for (let moves = 0; moves < 100; moves++) {
    const place = at(moves % 2 === 0 ? child.id : root.id)
    expect(await presence.as(ann).at({ id: "first-tab", place })).toBe(true)
    await pass(10)
  }
  await pass(1_000)
  expect(told().length).toBeLessThanOrEqual(5)
  expect(told().at(-1)?.viewers).toEqual([{ person: "ann", places: [at(root.id)] }])
})

test("a person who does not move causes no events and no reads", async () => {
  const { root, presence, enter, at, pass, told, looked } = setUp()
  await enter(ann, "first-tab", at(root.id))
  await pass(60_000)
  expect(looked).toEqual([])
  await presence.as(ann).at({ id: "first-tab", place: at(root.id) })
  await pass(10_000)
  expect(told()).toHaveLength(1)
})

test("a closed last tab removes the person unless they return at once", async () => {
  const { root, enter, at, pass, told } = setUp()
  const leave = await enter(ann, "first-tab", at(root.id))
  await enter(bo, "other-tab", at(root.id))
  await pass(1_000)
  leave()
  const leaveAgain = await enter(ann, "first-tab", at(root.id))
  await pass(20_000)
  expect(told().map(namesOf)).toEqual([
    ["ann", "bo"],
    ["ann", "bo"],
  ])
  leaveAgain()
  await pass(6_000)
  expect(namesOf(told().at(-1))).toEqual(["bo"])
})

test("sessions of other trees and unknown sessions are no valid place", async () => {
  const { root, elsewhere, presence, enter, at, pass, told } = setUp()
  await enter(ann, "first-tab", at(elsewhere.id))
  await enter(bo, "other-tab", at(root.id))
  await pass(1_000)
  expect(namesOf(told().at(-1))).toEqual(["bo"])
  expect(await presence.as(bo).at({ id: "other-tab", place: at(elsewhere.id) })).toBe(false)
  const unknown = at(newSession(createIdSource()).id)
  await expect(presence.as(bo).at({ id: "other-tab", place: unknown })).rejects.toThrow("There is no session")
  await enter(ann, "second-tab", unknown)
  await pass(1_000)
  expect(told().at(-1)?.viewers).toEqual([{ person: "bo", places: [at(root.id)] }])
})

test("nobody changes the place of another person's tab", async () => {
  const { root, child, presence, enter, at, pass } = setUp()
  await enter(ann, "first-tab", at(root.id))
  await pass(1_000)
  expect(await presence.as(bo).at({ id: "first-tab", place: at(child.id) })).toBe(false)
  expect((await presence.as(bo).of(child.id)).viewers).toEqual([{ person: "ann", places: [at(root.id)] }])
})

test("readers by share link are counted, not named", async () => {
  const { root, presence, enter, at, pass, told } = setUp()
  await enter(ann, "first-tab", at(root.id))
  const leaves = [presence.read(root.id), presence.read(root.id)]
  await pass(1_000)
  expect(told().at(-1)).toMatchObject({ readers: 2 })
  for (const leave of leaves) {
    leave()
    leave()
  }
  await pass(1_000)
  expect(told().at(-1)).toMatchObject({ readers: 0, viewers: [{ person: "ann" }] })
})

test("a crowd shows fifty names and a count; each person counts once", async () => {
  const { root, enter, at, pass, told } = setUp()
  for (let tab = 0; tab < 100; tab++) await enter(ann, `tab-of-ann-${tab}`, at(root.id))
  for (let one = 0; one < 79; one++) await enter({ ...bo, person: `bo ${one}` }, "other-tab", at(root.id))
  await pass(1_000)
  expect(told()).toHaveLength(1)
  expect(told()[0]).toMatchObject({ more: 30 })
  expect(told()[0]?.viewers).toHaveLength(50)
})

test("a tree that nobody reads any more leaves nothing behind", async () => {
  const { root, presence, enter, at, pass, waiting } = setUp()
  const leave = await enter(ann, "first-tab", at(root.id))
  const left = presence.read(root.id)
  leave()
  left()
  await pass(20_000)
  expect(waiting()).toBe(0)
  expect(await presence.as(ann).at({ id: "first-tab", place: at(root.id) })).toBe(false)
})
