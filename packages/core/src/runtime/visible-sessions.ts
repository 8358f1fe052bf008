import type { FeedItem } from "../ground/schema/index.ts"
import type { CallerServices } from "./caller-services.ts"
import type { Sight } from "./sight.ts"
import { visiblePage } from "./visible-pages.ts"

type Areas = Pick<
  CallerServices,
  "session" | "prompt" | "abort" | "task" | "changes" | "plan" | "presence" | "transfer" | "search" | "feed"
>

/** Rows of a page when nobody says how many. */
const usual = { roots: 50, hits: 20 }

/** What is read and done of trees, as far as the caller sees them. Each use case is named: a new one does not compile here. */
export function visibleSessions(of: CallerServices, sight: Sight): Areas {
  const inSession = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    await sight.check("session", id)
    return work()
  }
  const ofTask = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    await sight.check("task", id)
    return work()
  }
  const { session, prompt, task, changes, plan, presence, transfer, search } = of
  return {
    session: {
      create: session.create,
      start: session.start,
      list: ({ limit = usual.roots, cursor, ...query }) =>
        visiblePage(
          sight,
          { limit, cursor: cursor ?? null },
          {
            read: (size, from) => session.list({ ...query, limit: size, cursor: from }),
            rootOf: (item) => item.session.id,
          },
        ),
      get: (id) => inSession(id, () => session.get(id)),
      tree: (id) => inSession(id, () => session.tree(id)),
      work: (id) => inSession(id, () => session.work(id)),
      past: (id) => inSession(id, () => session.past(id)),
      children: (id) => inSession(id, () => session.children(id)),
      update: (id, patch) => inSession(id, () => session.update(id, patch)),
      setPreset: (id, preset) => inSession(id, () => session.setPreset(id, preset)),
      setVisibility: (id, visibility) => inSession(id, () => session.setVisibility(id, visibility)),
      markRead: (id, at) => inSession(id, () => session.markRead(id, at)),
      remove: (id) => inSession(id, () => session.remove(id)),
      revert: (id, messageID) => inSession(id, () => session.revert(id, messageID)),
      unrevert: (id) => inSession(id, () => session.unrevert(id)),
      messages: (query) => inSession(query.sessionID, () => session.messages(query)),
      async part(id) {
        await sight.check("part", id)
        return session.part(id)
      },
      async output(id, from) {
        await sight.check("part", id)
        return session.output(id, from)
      },
    },
    prompt: {
      submit: (sessionID, input, id) => inSession(sessionID, () => prompt.submit(sessionID, input, id)),
      async wait(turnID, signal) {
        await sight.check("turn", turnID)
        return prompt.wait(turnID, signal)
      },
      async withdraw(turnID) {
        // Of one that is not there, nothing is withdrawn.
        return (await sight.sees("turn", turnID)) && prompt.withdraw(turnID)
      },
    },
    abort: (sessionID) => inSession(sessionID, () => of.abort(sessionID)),
    task: {
      list: (sessionID) => inSession(sessionID, () => task.list(sessionID)),
      get: (id) => ofTask(id, () => task.get(id)),
      cancel: (id) => ofTask(id, () => task.cancel(id)),
      message: (id, text) => ofTask(id, () => task.message(id, text)),
      background: (id) => ofTask(id, () => task.background(id)),
      retry: (id) => ofTask(id, () => task.retry(id)),
      resume: (id, text) => ofTask(id, () => task.resume(id, text)),
      merge: (id) => ofTask(id, () => task.merge(id)),
    },
    changes: {
      list: (sessionID) => inSession(sessionID, () => changes.list(sessionID)),
      diff: (sessionID, path, steps) => inSession(sessionID, () => changes.diff(sessionID, path, steps)),
    },
    plan: {
      get: (sessionID) => inSession(sessionID, () => plan.get(sessionID)),
      write: (sessionID, edited) => inSession(sessionID, () => plan.write(sessionID, edited)),
      makeTodos: (sessionID, partID) => inSession(sessionID, () => plan.makeTodos(sessionID, partID)),
    },
    presence: {
      of: (sessionID) => inSession(sessionID, () => presence.of(sessionID)),
      async at(tab) {
        if (tab.place !== null) await sight.check("session", tab.place.sessionID)
        return presence.at(tab)
      },
    },
    transfer: {
      export: (sessionID, options) => inSession(sessionID, () => transfer.export(sessionID, options)),
      import: transfer.import,
    },
    search: {
      async find({ limit = usual.hits, cursor, ...query }) {
        let answer: Awaited<ReturnType<typeof search.find>> | null = null
        const page = await visiblePage(
          sight,
          { limit, cursor: cursor ?? null },
          {
            async read(size, from) {
              answer = await search.find({ ...query, limit: size, cursor: from })
              return { items: answer.hits, cursor: answer.next }
            },
            rootOf: (hit) => hit.root.id,
          },
        )
        const { problems, indexed } = answer ?? { problems: [], indexed: 1 }
        return { hits: page.items, next: page.cursor, problems, indexed }
      },
      rows: (sessionID, query) => inSession(sessionID, () => search.rows(sessionID, query)),
    },
    feed: (query, signal) => visibleFeed(of, sight, query, signal),
  }
}

async function* visibleFeed(
  of: Pick<CallerServices, "feed">,
  sight: Sight,
  ...[query, signal]: Parameters<CallerServices["feed"]>
): AsyncGenerator<FeedItem> {
  if (query.rootID !== undefined) await sight.check("session", query.rootID)
  for await (const item of of.feed(query, signal)) {
    const found = sight.hiddenFromHearer()
    const trees = found instanceof Promise ? await found : found
    if (trees.isEmpty || !treesOf(item).some(trees.has)) yield item
    // Its author keeps it to themselves from now on: whoever asks again is told that there is none.
    else if (item.rootID === query.rootID) return
  }
}

/** The trees that an event tells of: schedules and memory are of none, and may name a root session. */
function treesOf(item: FeedItem): string[] {
  const { rootID } = item
  const named = (sessionID: string | null) => (sessionID === null ? [] : [sessionID])
  switch (item.type) {
    case "memory.updated":
      return named(item.properties.memory.sessionID)
    case "schedule.updated":
      return named(item.properties.schedule.sessionID)
    case "schedule.run.updated":
      return named(item.properties.run.sessionID)
    default:
      return rootID === null ? [] : [rootID]
  }
}
