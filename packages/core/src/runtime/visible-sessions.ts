import type { FeedItem } from "../ground/schema/index.ts"
import type { CallerServices } from "./caller-services.ts"
import type { OtherServices } from "./runtime.ts"
import type { Sight } from "./sight.ts"
import { visiblePage } from "./visible-pages.ts"

type Areas = Pick<CallerServices, "session" | "prompt" | "abort" | "transfer" | "feed">

/** Roots of a page when nobody says how many. */
const usualRoots = 50

/** What is read and done of trees, as far as the caller sees them. Each use case is named: a new one does not compile here. */
export function visibleSessions(of: OtherServices, sight: Sight): Areas {
  const inSession = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    await sight.check("session", id)
    return work()
  }
  const { session, prompt, transfer } = of
  return {
    session: {
      create: session.create,
      start: session.start,
      list: ({ limit = usualRoots, cursor, ...query }) =>
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
    transfer: {
      export: (sessionID, options) => inSession(sessionID, () => transfer.export(sessionID, options)),
      import: transfer.import,
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
