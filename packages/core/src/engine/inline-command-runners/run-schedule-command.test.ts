import { expect, test } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { createFinalWrites } from "../../ground/event/final-writes.ts"
import { newSession } from "../../test/entities.ts"
import { byAgent, todoFixture } from "../../test/todo-fixture.ts"
import { createScheduler } from "../schedule/scheduler.ts"
import { createInlineCommandRunners } from "./create-inline-command-runners.ts"
import { createScheduleCommandRunner } from "./run-schedule-command.ts"

async function setUp() {
  const { store, session, createID } = await todoFixture()
  const timeZone = "Europe/Berlin"
  const onError = (error: unknown) => {
    throw error
  }
  const never = async () => {
    throw new Error("nothing falls due here")
  }
  const bus = createBus(onError)
  const schedule = createScheduler({
    store: store.schedule,
    bus,
    finalWrites: createFinalWrites({ bus, onError }),
    target: { isHere: never, check: async () => {}, session: never, prompt: never, wait: never, answer: never },
    createID,
    clock: () => Date.parse("2026-11-21T14:30:00Z"),
    timeZone,
    setTimer: () => () => {},
    onError,
  })
  const child = newSession(createID, { parentID: session.id, rootID: session.id, projectID: session.projectID })
  const stranger = newSession(createID)
  const sessions = new Map([session, child, stranger].map((one) => [one.id, one]))
  const sessionByID = async (id: string) => sessions.get(id) ?? session
  const inlineCommands = createInlineCommandRunners({
    schedule: createScheduleCommandRunner({ schedule, sessionByID, timeZone }),
  })
  const answer = async (text: string, sessionID = session.id) => {
    const context = { sessionID, by: byAgent, turn: {}, signal: new AbortController().signal, finished: true }
    const { answer } = await inlineCommands.run(text, context)
    return answer?.text.split("\n").slice(1, -2).join("\n")
  }
  return { schedule, session, child, stranger, answer }
}

test("an agent cannot schedule an inline command", async () => {
  const { schedule, session, answer } = await setUp()
  for (const command of ["/mem invalidate 1", "/agent general Do it", "/todo add x", "/schedule daily: /todo list"]) {
    expect(await answer(`/schedule in 1 minute: ${command}`)).toMatch(/^ERR: a message cannot be a command/)
  }
  expect(await schedule.list(session.projectID)).toEqual([])
  expect(await answer("/schedule in 1 minute: look at the /todo list")).toMatch(/^OK/)
})

test("a schedule prompts this session and can be listed, paused and canceled", async () => {
  const { schedule, session, child, answer } = await setUp()
  expect(await answer("/schedule list")).toBe("(no schedules)")
  expect(await answer("/schedule every weekday at 09:00: Review the canary: is it healthy?")).toBe(
    "OK: scheduled #1 — every weekday at 09:00 (next 2026-11-23 09:00)",
  )
  expect(await schedule.get(1)).toMatchObject({
    projectID: session.projectID,
    sessionID: session.id,
    message: "Review the canary: is it healthy?",
  })
  expect(await answer("/schedule pause 1")).toBe("OK: paused — Review the canary: is it healthy?")
  const paused = "#1 [paused] every weekday at 09:00: Review the canary: is it healthy?"
  expect(await answer("/schedule list", child.id)).toBe(paused)
  expect(await answer("/schedule resume #1")).toMatch(/^OK: resumed/)
  expect(await answer("/schedule cancel 1")).toMatch(/^OK: canceled/)
  expect(await answer("/schedule list")).toBe("(no schedules)")
  expect(await answer("/schedule resume 1")).toMatch(/^ERR: Schedule #1 has ended/)
})

test.each([
  ["/schedule soon: look", /^ERR: "soon" is not a time .* Accepted: in N minutes/],
  ["/schedule at 09:00", /^ERR: usage/],
  ["/schedule hourly:", /^ERR: usage/],
  ["/schedule", /^ERR: usage/],
  ["/schedule pause", "ERR: usage: /schedule pause <id>"],
  ["/schedule pause 9", /^ERR: schedule not found|^ERR: There is no/],
])("%s is refused and schedules nothing", async (text, expected) => {
  const { schedule, answer } = await setUp()
  expect(await answer(text)).toMatch(expected)
  expect(await schedule.list()).toEqual([])
})

test("a child cannot schedule; another project's schedules are not found", async () => {
  const { answer, child, stranger } = await setUp()
  expect(await answer("/schedule hourly: look", child.id)).toMatch("only the main agent")
  await answer("/schedule hourly: look")
  expect(await answer("/schedule cancel 1", stranger.id)).toBe("ERR: schedule not found")
  expect(await answer("/schedule list", stranger.id)).toBe("(no schedules)")
})
