import { setImmediate as flush } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { DocketError } from "../../ground/error/docket-error.ts"
import { createBus } from "../../ground/event/bus.ts"
import { createFinalWrites } from "../../ground/event/final-writes.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { DocketEvent, PromptInput, ScheduleRun, Turn } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../../ground/store/index.ts"
import type { ScheduleTarget } from "./schedule-runs.ts"
import { createScheduler, type SchedulerDeps } from "./scheduler.ts"

const minute = 60_000
const createID = createIdSource()
const projectID = createID("project")
/** A Saturday, 15:30 in Berlin. */
const start = Date.parse("2026-11-21T14:30:00Z")

/** Sessions that accept prompts and end their turns on command. */
function createSessions(clock: () => number) {
  const turns = new Map<string, { turn: Turn; end: PromiseWithResolvers<Turn> }>()
  const prompts: { sessionID: string; input: PromptInput; turn: Turn }[] = []
  const titles: string[] = []
  const sessions = new Set<string>()
  /** The error by which the target refuses every run; null: it accepts them. */
  const refuse: { with: DocketError | null } = { with: null }
  const target: ScheduleTarget = {
    async check() {
      if (refuse.with !== null) throw refuse.with
    },
    isHere: async () => true,
    async session(id, { title }) {
      if (!sessions.has(id)) titles.push(title)
      sessions.add(id)
      return { id }
    },
    async prompt(id, { sessionID, input }) {
      const known = turns.get(id)
      if (known !== undefined) return known.turn
      const turn: Turn = {
        id,
        rootID: sessionID,
        sessionID,
        status: "running",
        input,
        messageID: null,
        attempt: 1,
        epoch: 1,
        error: null,
        time: { created: clock(), started: clock(), ended: null },
      }
      turns.set(turn.id, { turn, end: Promise.withResolvers() })
      prompts.push({ sessionID, input, turn })
      return turn
    },
    async wait(turnID, signal) {
      const found = turns.get(turnID)
      if (found === undefined) throw new DocketError("turn_not_found", `There is no turn ${turnID}.`)
      const stopped = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      return Promise.race([found.end.promise, stopped])
    },
    answer: async (turn) => (turn.status === "completed" ? "All is well." : ""),
  }
  const end = async (n: number, status: Turn["status"] = "completed") => {
    const prompt = prompts[n]
    if (prompt === undefined) throw new Error(`there is no prompt ${n}`)
    turns.get(prompt.turn.id)?.end.resolve({ ...prompt.turn, status })
    await flush()
  }
  return { target, prompts, titles, refuse, end }
}

interface Setup {
  store?: Store
  now?: number
  sessions?: ReturnType<typeof createSessions>
  deps?: Partial<SchedulerDeps>
}

/** A scheduler whose clock and timers move only on command. */
function setUp({ store = createInMemoryStore(), now = start, deps, ...rest }: Setup = {}) {
  // `waits`: for how long each timer was set (ms).
  const time = { now, timers: [] as { at: number; run: () => void }[], waits: [] as number[] }
  const sessions = rest.sessions ?? createSessions(() => time.now)
  const errors: unknown[] = []
  const events: DocketEvent[] = []
  const bus = createBus((error) => errors.push(error))
  bus.subscribe((event) => events.push(event))
  const scheduler = createScheduler({
    store: store.schedule,
    bus,
    finalWrites: createFinalWrites({ bus, onError: (error) => errors.push(error) }),
    target: sessions.target,
    createID,
    clock: () => time.now,
    timeZone: "Europe/Berlin",
    setTimer(run, ms) {
      const timer = { at: time.now + ms, run }
      time.timers.push(timer)
      time.waits.push(ms)
      return () => {
        time.timers = time.timers.filter((other) => other !== timer)
      }
    },
    onError: (error) => errors.push(error),
    ...deps,
  })
  const advance = async (ms: number) => {
    const until = time.now + ms
    for (;;) {
      const timer = time.timers.toSorted((a, b) => a.at - b.at)[0]
      if (timer === undefined || timer.at > until) break
      time.timers = time.timers.filter((other) => other !== timer)
      time.now = Math.max(time.now, timer.at)
      timer.run()
      await flush()
    }
    time.now = until
  }
  const create = (when: string, more: Partial<Parameters<typeof scheduler.create>[0]> = {}) =>
    scheduler.create({ projectID, when, message: "Check the deploy.", ...more })
  return { ...sessions, sessions, scheduler, store, time, errors, events, advance, create }
}

/** When the runs were due, in minutes after `start`, the oldest first. */
const dueTimes = (runs: ScheduleRun[]) => runs.map(({ dueAt }) => (dueAt - start) / minute).reverse()

describe("when a schedule is due", () => {
  test("a one-shot prompts a new session titled after the phrase, and completes", async () => {
    const { scheduler, create, advance, prompts, titles, end } = setUp()
    await scheduler.start()
    const { id, number } = await create("in 10 minutes", { agent: "build" })
    await advance(10 * minute - 1)
    expect(prompts).toEqual([])
    await advance(1)
    expect(titles).toEqual(["in 10 minutes: Check the deploy."])
    expect(prompts[0]?.input).toEqual({ parts: [{ type: "text", text: "Check the deploy." }], agent: "build" })
    expect(await scheduler.get(number)).toMatchObject({ id, status: "completed", nextFireAt: null, runCount: 1 })
    expect(await scheduler.runs({ ref: number })).toMatchObject([{ status: "running", turnID: prompts[0]?.turn.id }])
    await end(0)
    expect(await scheduler.runs({ ref: id })).toMatchObject([
      { status: "succeeded", summary: "All is well.", dueAt: start + 10 * minute, completedAt: start + 10 * minute },
    ])
  })

  test("a recurring schedule prompts its session each time and sends events", async () => {
    const { scheduler, create, advance, prompts, titles, end, events } = setUp()
    await scheduler.start()
    const sessionID = createID("session")
    await create("every 30 minutes", { sessionID })
    for (let n = 0; n < 3; n++) {
      await advance(30 * minute)
      await end(n)
    }
    expect(prompts.map((prompt) => prompt.sessionID)).toEqual([sessionID, sessionID, sessionID])
    expect(titles).toEqual([])
    expect(dueTimes(await scheduler.runs({}))).toEqual([30, 60, 90])
    const runs = events.filter((event) => event.type === "schedule.run.updated")
    // Each of the three runs is stored when it begins, when it has its turn, and when it ends.
    expect(runs).toHaveLength(9)
    expect(runs.at(-1)).toMatchObject({ rootID: null, seq: null, properties: { run: { status: "succeeded" } } })
  })

  test("the scheduler waits at most a minute; without schedules no timer runs", async () => {
    const { scheduler, create, advance, time } = setUp()
    await scheduler.start()
    expect(time.timers).toEqual([])
    const { id } = await create("on 2030-01-01")
    await advance(5 * minute)
    expect(Math.max(...time.waits)).toBe(minute)
    await scheduler.setStatus(id, "canceled")
    expect(time.timers).toEqual([])
  })

  test("a failed run and its one-shot schedule are recorded, with the reason", async () => {
    const { scheduler, create, advance, end } = setUp()
    await scheduler.start()
    const { id } = await create("in 1 minute")
    await advance(minute)
    await end(0, "aborted")
    expect(await scheduler.runs({ ref: id })).toMatchObject([{ status: "failed", error: "It was stopped." }])
    expect(await scheduler.get(id)).toMatchObject({ status: "failed" })
  })

  test("a run's end that cannot be stored is retried, and scheduling continues", async () => {
    const store = createInMemoryStore()
    const { change } = store.schedule
    let failures = 2
    store.schedule.change = (id, edit) =>
      change(id, (state) => {
        const changed = edit(state)
        if (changed?.run && changed.run.completedAt !== null && failures-- > 0) throw new Error("the disk is full")
        return changed
      })
    const { scheduler, create, advance, prompts, end, errors } = setUp({ store })
    await scheduler.start()
    const { id } = await create("every 30 minutes", { sessionID: createID("session") })
    await advance(30 * minute)
    await end(0)
    await expect.poll(async () => (await scheduler.runs({ ref: id }))[0]?.status).toBe("succeeded")
    await advance(30 * minute)
    expect(prompts).toHaveLength(2)
    expect(errors).toHaveLength(1)
  })
})

describe("runs of one schedule never overlap", () => {
  // What becomes of times that fall due during a run; the due times of all runs, and the next one (minutes).
  test.each([
    ["skip", [10], 40],
    ["once", [10, 20], 40],
    ["all", [10, 20], 30],
  ] as const)("with missed: %s", async (missed, afterEnd, next) => {
    const { scheduler, create, advance, prompts, end } = setUp()
    await scheduler.start()
    const { id } = await create("every 10 minutes", { missed })
    await advance(35 * minute)
    expect(prompts).toHaveLength(1)
    await end(0)
    expect(dueTimes(await scheduler.runs({ ref: id }))).toEqual(afterEnd)
    expect((await scheduler.get(id)).nextFireAt).toBe(start + next * minute)
  })

  test("a run by hand is refused while another goes on", async () => {
    const { scheduler, create, end } = setUp()
    await scheduler.start()
    const { id } = await create("hourly")
    expect(await scheduler.runNow(id)).toMatchObject({ status: "running", turnID: expect.any(String) })
    await expect(scheduler.runNow(id)).rejects.toMatchObject({ code: "invalid_input" })
    await end(0)
    await scheduler.runNow(id)
    expect(await scheduler.get(id)).toMatchObject({ runCount: 2, nextFireAt: start + 60 * minute })
  })
})

describe("a schedule that fell due while no service ran", () => {
  test.each([
    ["skip", []],
    ["once", [10]],
    ["all", [10, 20, 30]],
  ] as const)("recurring, missed: %s", async (missed, expected) => {
    const before = setUp()
    const { id } = await before.create("every 10 minutes", { missed })
    const { scheduler, prompts, end } = setUp({ store: before.store, now: start + 35 * minute })
    await scheduler.start()
    await flush()
    for (let n = 0; n < prompts.length; n++) await end(n)
    expect(dueTimes(await scheduler.runs({ ref: id }))).toEqual(expected)
    expect((await scheduler.get(id)).nextFireAt).toBe(start + 40 * minute)
  })

  test.each([
    ["skip", "failed", "failed"],
    ["once", "completed", "running"],
  ] as const)("one-shot, missed: %s", async (missed, status, run) => {
    const before = setUp()
    const { id } = await before.create("in 5 minutes", { missed })
    const { scheduler } = setUp({ store: before.store, now: start + 35 * minute })
    await scheduler.start()
    await flush()
    expect(await scheduler.get(id)).toMatchObject({ status, nextFireAt: null })
    expect(await scheduler.runs({ ref: id })).toMatchObject([{ status: run }])
  })

  test("a host that slept is noticed within a minute of its clock", async () => {
    const { scheduler, create, advance, time, prompts } = setUp()
    await scheduler.start()
    await create("every day at 18:00", { missed: "once" })
    await create("every day at 19:00", { missed: "skip" })
    time.now += 5 * 60 * minute
    await advance(0)
    expect(prompts).toHaveLength(1)
  })
})

describe("a run that is refused", () => {
  test.each(["project_not_found", "session_not_found", "agent_not_found"] as const)(
    "%s pauses the schedule with the reason",
    async (code) => {
      const { scheduler, create, advance, refuse, prompts } = setUp()
      await scheduler.start()
      const recurring = await create("every 10 minutes")
      const once = await create("in 10 minutes")
      refuse.with = new DocketError(code, "It is gone.")
      await advance(10 * minute)
      expect(await scheduler.get(recurring.id)).toMatchObject({ status: "paused", nextFireAt: null })
      expect(await scheduler.get(once.id)).toMatchObject({ status: "paused", nextFireAt: start + 10 * minute })
      expect(await scheduler.runs({ ref: once.id })).toMatchObject([{ status: "failed", error: "It is gone." }])
      refuse.with = null
      await scheduler.setStatus(once.id, "active")
      await scheduler.setStatus(recurring.id, "active")
      await flush()
      expect(prompts).toHaveLength(1)
      expect((await scheduler.get(recurring.id)).nextFireAt).toBe(start + 20 * minute)
    },
  )

  test("for any other reason fails; its schedule stays active", async () => {
    const { scheduler, create, advance, refuse } = setUp()
    await scheduler.start()
    const { id } = await create("every 10 minutes")
    refuse.with = new DocketError("no_model_available", "Connect a provider.")
    await advance(10 * minute)
    expect(await scheduler.get(id)).toMatchObject({ status: "active", nextFireAt: start + 20 * minute })
    expect(await scheduler.runs({ ref: id })).toMatchObject([{ status: "failed", error: "Connect a provider." }])
  })

  test("a schedule with invalid agent, message or phrase is not created", async () => {
    const { scheduler, create, refuse } = setUp()
    await expect(create("soon")).rejects.toMatchObject({ code: "schedule_phrase_invalid" })
    await expect(create("hourly", { message: " " })).rejects.toMatchObject({ code: "invalid_input" })
    refuse.with = new DocketError("agent_not_found", "There is no such agent.")
    await expect(create("hourly")).rejects.toMatchObject({ code: "agent_not_found" })
    expect(await scheduler.list()).toEqual([])
  })
})

test("a phrase can be previewed before it is scheduled", async () => {
  const { scheduler } = setUp()
  const { normalized, kind, next } = await scheduler.preview("weekly")
  expect({ normalized, kind }).toEqual({ normalized: "every monday at 09:00", kind: "recurring" })
  expect(next.map((at) => new Date(at).toISOString().slice(0, 10))).toEqual([
    "2026-11-23",
    "2026-11-30",
    "2026-12-07",
    "2026-12-14",
    "2026-12-21",
  ])
  expect(await scheduler.preview("in 1 minute")).toMatchObject({ kind: "one-shot", next: [start + minute] })
  await expect(scheduler.preview("soon")).rejects.toMatchObject({ code: "schedule_phrase_invalid" })
})

describe("status", () => {
  test("a paused schedule does not fire, and goes on from its resumption", async () => {
    const { scheduler, create, advance, prompts } = setUp()
    await scheduler.start()
    const { id } = await create("every 10 minutes", { missed: "all" })
    await scheduler.setStatus(id, "paused")
    await advance(25 * minute)
    expect(prompts).toEqual([])
    expect(await scheduler.setStatus(id, "active")).toMatchObject({ nextFireAt: start + 30 * minute })
  })

  test("a one-shot due while paused fires when resumed", async () => {
    const { scheduler, create, advance, prompts } = setUp()
    await scheduler.start()
    const { id } = await create("in 10 minutes", { missed: "skip" })
    await scheduler.setStatus(id, "paused")
    await advance(25 * minute)
    await scheduler.setStatus(id, "active")
    await flush()
    expect(prompts).toHaveLength(1)
  })

  test("a canceled schedule stays canceled; a removed one lets its run end", async () => {
    const { scheduler, create, advance, end, errors } = setUp()
    await scheduler.start()
    const { id } = await create("every 10 minutes")
    await advance(10 * minute)
    await scheduler.setStatus(id, "canceled")
    await expect(scheduler.setStatus(id, "active")).rejects.toMatchObject({ code: "invalid_input" })
    await scheduler.remove(id)
    await end(0)
    await expect(scheduler.get(id)).rejects.toMatchObject({ code: "schedule_not_found" })
    expect(errors).toEqual([])
  })
})

describe("stop and crash", () => {
  test("a stop leaves the run running; the next start awaits it", async () => {
    const first = setUp()
    await first.scheduler.start()
    const { id } = await first.create("in 10 minutes")
    await first.advance(10 * minute)
    await first.scheduler.stop()
    expect(first.time.timers).toEqual([])
    const second = setUp({ store: first.store, now: start + 11 * minute, sessions: first.sessions })
    await second.scheduler.start()
    await first.end(0)
    expect(await second.scheduler.runs({ ref: id })).toMatchObject([{ status: "succeeded" }])
    expect(first.prompts).toHaveLength(1)
    expect(first.errors).toEqual([])
  })

  test("a run whose turn is gone has failed", async () => {
    const first = setUp()
    await first.scheduler.start()
    const { id } = await first.create("in 10 minutes")
    await first.advance(10 * minute)
    const second = setUp({ store: first.store, now: start + 11 * minute })
    await second.scheduler.start()
    await flush()
    expect(await second.scheduler.runs({ ref: id })).toMatchObject([{ status: "failed", error: /no turn/ }])
    expect(await second.scheduler.get(id)).toMatchObject({ status: "failed" })
  })

  /** The writes of one firing in order: the run and its schedule, the run with its turn, the ended run. */
  test.each([0, 1, 2, 3])("a crash after %d writes neither loses the time nor prompts twice", async (writes) => {
    const store = createInMemoryStore()
    let remaining = Number.POSITIVE_INFINITY
    const write = <T>(act: () => Promise<T>): Promise<T> => (remaining-- > 0 ? act() : new Promise(() => {}))
    const dying: Store = {
      ...store,
      schedule: {
        ...store.schedule,
        change: (...given) => write(() => store.schedule.change(...given)),
      },
    }
    const first = setUp({ store: dying })
    await first.scheduler.start()
    const { id } = await first.create("in 10 minutes")
    remaining = writes
    await first.advance(10 * minute)
    if (first.prompts.length > 0) await first.end(0)
    const second = setUp({ store, now: start + 11 * minute, sessions: first.sessions })
    await second.scheduler.start()
    await flush()
    for (let n = 0; n < second.prompts.length; n++) await second.end(n)
    expect(second.prompts).toHaveLength(1)
    const runs = await second.scheduler.runs({ ref: id })
    expect(runs.map(({ status }) => status)).not.toContain("running")
    expect((await second.scheduler.get(id)).status).not.toBe("active")
  })

  test("a store that fails is reported and tried again", async () => {
    const store = createInMemoryStore()
    let broken = true
    const due: Store["schedule"]["due"] = async (now) => {
      if (broken) throw new Error("disk full")
      return store.schedule.due(now)
    }
    const { scheduler, create, advance, prompts, errors } = setUp({ deps: { store: { ...store.schedule, due } } })
    await scheduler.start()
    await create("in 1 minute")
    await advance(2 * minute)
    expect(errors.length).toBeGreaterThan(0)
    broken = false
    await advance(2 * minute)
    expect(prompts).toHaveLength(1)
  })
})
