import { createHash } from "node:crypto"
import { keyedID } from "../ground/id/keyed-id.ts"
import type { PromptInput, Session } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"
import { findOrMake } from "./find-or-make.ts"
import type { KeyedRequests } from "./requests.ts"
import type { OtherServices } from "./runtime.ts"

type ReadStore = Pick<Store, "session" | "turn">

/**
 * Use cases whose request has a key. What they create has the id of the request: the same request, sent again, finds it,
 * also at another process and after a restart. What leaves no row of its own is known for a while in this process.
 */
export function keyedUseCases(of: OtherServices, store: ReadStore, requests: KeyedRequests): OtherServices {
  return {
    ...of,
    session: keyedSession(of, store, requests),
    prompt: {
      ...of.prompt,
      submit: (sessionID, input) =>
        requests.run("prompt.submit", { sessionID, input }, (request) =>
          submitOnce(of, store, { request, sessionID, input }),
        ),
    },
    transfer: {
      ...of.transfer,
      import: (file, options) => {
        const digest = createHash("sha256").update(file).digest("hex")
        return requests.keep("transfer.import", { digest, options }, () => of.transfer.import(file, options))
      },
    },
    share: {
      ...of.share,
      create: (...input) => requests.keep("share.create", input, () => of.share.create(...input)),
      relink: (id) => requests.keep("share.relink", id, () => of.share.relink(id)),
    },
  }
}

function keyedSession(of: OtherServices, store: ReadStore, requests: KeyedRequests): OtherServices["session"] {
  const create = (input: Parameters<OtherServices["session"]["create"]>[0], request: string): Promise<Session> => {
    const id = keyedID("session", request)
    return findOrMake(
      () => store.session.get(id),
      () => of.session.create({ ...input, id }),
    )
  }
  return {
    ...of.session,
    create: (input) => requests.run("session.create", input, (request) => create(input, request)),
    start: (input) =>
      requests.run("session.start", input, async (request) => {
        const { parts, ...settings } = input
        const session = await create(settings, request)
        try {
          const turn = await submitOnce(of, store, { request, sessionID: session.id, input: { parts } })
          return { session: await of.session.get(session.id), turn }
        } catch (error) {
          if ((await store.turn.get(keyedID("turn", request))) === null) await of.session.remove(session.id)
          throw error
        }
      }),
  }
}

interface SentPrompt {
  request: string
  sessionID: string
  input: PromptInput
}

function submitOnce({ prompt }: OtherServices, { turn }: ReadStore, { request, sessionID, input }: SentPrompt) {
  const id = keyedID("turn", request)
  return findOrMake(
    () => turn.get(id),
    () => prompt.submit(sessionID, input, id),
  )
}
