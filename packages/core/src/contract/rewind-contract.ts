import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { SessionRevert, Todo } from "../ground/schema/index.ts"
import { byAgent, byUser, todoFixture } from "../test/todo-fixture.ts"
import type { OpenStore } from "./make-store.ts"

type Fixture = Awaited<ReturnType<typeof todoFixture>>
type Edit = (fixture: Fixture, list: Todo[]) => Promise<unknown>

const statuses = ["pending", "in_progress", "completed", "cancelled"] as const
const refused = () => {}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.option(fc.nat(9))).map(
    ([content, at]): Edit =>
      ({ todos, session }) =>
        todos.create({ sessionID: session.id, content: `x${content}`, ...(at !== null && { position: at }) }, byUser),
  ),
  fc
    .tuple(fc.nat(), fc.constantFrom(...statuses), fc.option(fc.nat(9)), fc.option(fc.nat()))
    .map(([at, status, position, on]): Edit => {
      return ({ todos }, list) => {
        const todo = list[at % (list.length || 1)]
        const dependency = on === null ? undefined : list[on % (list.length || 1)]
        if (todo === undefined) return Promise.resolve()
        const more = { ...(position !== null && { position }), ...(dependency && { dependsOn: [dependency.id] }) }
        // A cycle or a blocked item is refused and changes nothing.
        return todos.update(todo.id, { status, ...more }, byAgent).catch(refused)
      }
    }),
  fc.nat().map(
    (at): Edit =>
      ({ todos }, list) => {
        const todo = list[at % (list.length || 1)]
        return todo === undefined ? Promise.resolve() : todos.remove(todo.id, byUser)
      },
  ),
  fc
    .array(fc.tuple(fc.constantFrom("one", "two", "three", "four"), fc.constantFrom(...statuses)), { maxLength: 4 })
    .map(
      (items): Edit =>
        ({ todos, session }) => {
          const input = items.map(([content, status]) => ({ content, status, priority: "medium" as const }))
          return todos.replace(session.id, input, byAgent).catch(refused)
        },
    ),
  fc.constant<Edit>(({ todos }) => todos.create({ sessionID: null, content: "wide" }, byUser)),
)

/** The list, and what counts as work on each item. */
async function stateOf({ todos, session }: Fixture) {
  const list = await todos.list(session.id)
  return { list, evidence: await Promise.all(list.map((todo) => todos.evidence(todo.id))) }
}

export function rewindContract(open: OpenStore): void {
  it("undo restores the list and its evidence exactly, redo reverses it", async () => {
    const turns = fc.array(fc.array(edit, { maxLength: 5 }), { minLength: 1, maxLength: 5 })
    const undos = fc.array(fc.tuple(fc.nat(), fc.array(edit, { maxLength: 2 }), fc.boolean()), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(turns, undos, async (edits, jumps) => {
        const fixture = await todoFixture(await open())
        const { todos, session, createID } = fixture
        const run = async (list: Edit[]) => {
          for (const one of list) await one(fixture, await todos.list(session.id))
        }
        const moments: { id: string; state: Awaited<ReturnType<typeof stateOf>> }[] = []
        for (const turn of edits) {
          moments.push({ id: createID("message"), state: await stateOf(fixture) })
          await run(turn)
        }
        const wide = () => todos.find({ scope: { kind: "tenant" } })
        for (const [at, between, redo] of jumps) {
          const moment = moments[at % moments.length]
          if (moment === undefined) return
          const mark = createID("todoChange")
          const before = { state: await stateOf(fixture), wide: await wide() }
          await todos.rewind(session.id, moment.id, byUser, [])
          expect(await stateOf(fixture)).toEqual(moment.state)
          expect(await wide()).toEqual(before.wide)
          await run(between)
          if (!redo) continue
          await todos.rewind(session.id, mark, byUser, [])
          expect(await stateOf(fixture)).toEqual(before.state)
        }
      }),
      drawn(12, 4),
    )
  })

  it("stores undo data and list in one commit; redo clears the data", async () => {
    const fixture = await todoFixture(await open())
    const { store, todos, session, createID, events } = fixture
    const messageID = createID("message")
    await todos.create({ sessionID: session.id, content: "new" }, byAgent)
    const files: SessionRevert["files"] = {
      state: "undone",
      before: null,
      after: null,
      count: 0,
      paths: [],
      left: [],
      note: null,
    }
    const revert: SessionRevert = { messageID, messages: 2, mark: createID("todoChange"), at: 1, children: [], files }
    const patch = (value: SessionRevert | null) =>
      ({ kind: "session.patch", sessionID: session.id, patch: { revert: value } }) as const
    await todos.rewind(session.id, messageID, byUser, [patch(revert)])
    expect((await store.session.get(session.id))?.revert).toEqual(revert)
    expect(events.slice(-2).map((event) => event.type)).toEqual(["session.updated", "todo.updated"])
    const [change] = await todos.history({ sessionID: session.id, limit: 1 })
    expect(change).toMatchObject({ actor: byUser.actor, after: null, rewinds: messageID })
    const unknown = { ...patch(null), sessionID: createID("session") }
    await expect(todos.rewind(session.id, revert.mark, byUser, [unknown])).rejects.toMatchObject({
      code: "session_not_found",
    })
    expect(await todos.list(session.id)).toEqual([])
    await todos.rewind(session.id, revert.mark, byUser, [patch(null)])
    expect((await store.session.get(session.id))?.revert).toBeNull()
    expect(await todos.list(session.id)).toHaveLength(1)
  })
}
