import { DocketError } from "../../ground/error/docket-error.ts"
import { type FeedQuery, readFeed } from "../../ground/event/feed.ts"
import { readEventPage } from "../../ground/event/read-event-page.ts"
import type { Caller } from "../../ground/schema/index.ts"
import { createSearch } from "../../records/search/create-search.ts"
import type { TransfersDeps } from "../../records/transfer/create-transfers.ts"
import type { TransferService } from "../../records/transfer/transfer-service.ts"
import type { CallerServices } from "../caller-services.ts"
import type { Services } from "../create-services.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"

/** What a caller asks about what is kept beside the transcript. */
export function recordsServicesOf(
  deps: RuntimeDeps,
  services: Services,
  caller: Caller,
): Pick<
  CallerServices,
  | "todo"
  | "memory"
  | "share"
  | "search"
  | "transfer"
  | "attachment"
  | "presence"
  | "editor"
  | "webhook"
  | "eventPage"
  | "feed"
> {
  const { sessions, shares } = services
  const rootOf = async (sessionID: string | undefined) =>
    sessionID === undefined ? undefined : (await sessions.get(sessionID)).rootID
  return {
    todo: services.todos.as(caller),
    memory: services.memory.as(caller),
    search: createSearch({ ...services, index: services.searchIndex, sessionByID: sessions.get }, caller),
    transfer: transfersOf(deps, services, caller),
    attachment: {
      async read(sessionID, hash) {
        const { rootID } = await sessions.get(sessionID)
        const kept = await services.attachments.read(rootID, hash)
        if (kept !== null) return kept
        throw new DocketError("attachment_not_found", "This file is not kept with the session any more.")
      },
    },
    presence: services.presence.as(caller),
    editor: services.editors.as(caller),
    webhook: services.webhooks.as(caller),
    async eventPage(query, signal) {
      // What other runtimes store in the tree counts too.
      const leave = await services.follower.follow(query.rootID)
      try {
        return await readEventPage({ store: services.store.feed, bus: services.bus }, query, signal)
      } finally {
        leave()
      }
    },
    feed: (query, signal) => followedFeed(services, query, { caller, signal }),
    share: {
      ...shares,
      preview: async (rootID, of) => shares.preview(await sessions.get(rootID), of),
      create: async (rootID, choice) => shares.create(await sessions.get(rootID), choice, caller),
      update: (id, patch) => shares.update(id, patch, caller),
      relink: (id) => shares.relink(id, caller),
      revoke: (id) => shares.revoke(id, caller),
      revokeAll: async (rootID, madeBy) => shares.revokeAll({ rootID: await rootOf(rootID), madeBy }, caller),
      list: async (rootID) => shares.list(await rootOf(rootID)),
    },
  }
}

/** Events of a tree, also of what other runtimes store in it. */
async function* followedFeed(
  { store, bus, follower, relay, ...services }: Services,
  query: FeedQuery,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
) {
  const { rootID, viewer, editor } = query
  const ends = query.others ? [services.listRows, services.taskRows].map((rows) => rows.follow()) : []
  const isWhole = query.whole === true
  services.trace.readers(1)
  ends.push(() => services.trace.readers(-1))
  if (query.others || isWhole) ends.push(follower.followLists(isWhole))
  if (isWhole) ends.push(relay.read(null))
  try {
    if (rootID !== undefined) ends.push(relay.read(rootID), await follower.follow(rootID))
    if (rootID !== undefined && viewer !== undefined) ends.push(await services.presence.enter(rootID, viewer, caller))
    if (rootID !== undefined && editor !== undefined) ends.push(await services.editors.enter(rootID, editor, caller))
    yield* readFeed({ store: store.feed, bus }, query, signal)
  } finally {
    for (const end of ends) end()
  }
}

/** The code is loaded by the first export or import, because most processes never need it. */
function transfersOf(deps: RuntimeDeps, services: Services, caller: Caller): TransferService {
  const load = async () => {
    const { createTransfers } = await import("../../records/transfer/create-transfers.ts")
    return createTransfers(transferDeps(deps, services), caller)
  }
  return {
    export: async (sessionID, options) => (await load()).export(sessionID, options),
    import: async (bytes, options) => (await load()).import(bytes, options),
  }
}

/** The dependencies of export and import. */
function transferDeps({ onError, readForeignFile }: RuntimeDeps, services: Services): TransfersDeps {
  const { store, journal, clock, attachments } = services
  return {
    ...{ store, journal, clock, attachments, onError },
    readForeignFile: readForeignFile ?? (async () => null),
    sessionByID: services.sessions.get,
    projectByID: services.projects.get,
    secretsOf: services.scanSourcesOf,
    usualVisibility: () => services.workspace.get().visibility,
    outputs: services.savedOutputs,
    leadAgent: services.leadAgentOrUsual,
  }
}
