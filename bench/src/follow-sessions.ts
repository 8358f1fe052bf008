import { createDocketClient, type DocketClient, subscribeTree } from "@docket/client"
import { newSignIn } from "./sign-in.ts"
import { createTurnWatch, type TurnWatch } from "./turn-watch.ts"

export interface FollowedSessions {
  /** Follows a session like a browser tab, at least until `release`. */
  follow(sessionID: string): Promise<{ watch: TurnWatch; release(): void }>
  close(): void
}

interface Followed {
  watch: TurnWatch
  /** Resolves when its stream is open. */
  live: Promise<void>
  /** Number of callers that have not released it. */
  users: number
  /** Index of its event stream, which determines its client. */
  stream: number
  end(): void
}

/** Streams per sign-in. The limit is 100, but streams that have just ended count for a moment. */
const streamsOfSignIn = 90

/**
 * Keeps streams open, so that a turn does not include the time for a new connection; idle streams are closed when
 * others need their place. If more sessions work at once than one sign-in may follow, more sign-ins are created.
 */
export function createFollowedSessions({ url, token }: { url: string; token: string }): FollowedSessions {
  const followed = new Map<string, Followed>()
  const clients: Promise<DocketClient>[] = [Promise.resolve(createDocketClient({ url, token }))]
  let streams = 0

  const freeStream = (): number => {
    const idle = streams < streamsOfSignIn ? undefined : [...followed].find(([, { users }]) => users === 0)
    if (idle === undefined) return streams++
    const [sessionID, { stream, end }] = idle
    followed.delete(sessionID)
    end()
    return stream
  }
  const clientOf = (stream: number): Promise<DocketClient> => {
    const index = Math.floor(stream / streamsOfSignIn)
    const client = clients[index] ?? signedIn(url, token)
    clients[index] = client
    return client
  }
  const open = (sessionID: string): Followed => {
    const watch = createTurnWatch()
    const live = Promise.withResolvers<void>()
    const ended = new AbortController()
    const stream = freeStream()
    clientOf(stream).then(
      (client) =>
        subscribeTree(client, {
          sessionID,
          others: false,
          signal: ended.signal,
          onEvent: watch.handle,
          onState: (state) => state === "live" && live.resolve(),
          onError: live.reject,
        }),
      live.reject,
    )
    const opened = { watch, live: live.promise, users: 0, stream, end: () => ended.abort() }
    followed.set(sessionID, opened)
    return opened
  }
  return {
    async follow(sessionID) {
      const session = followed.get(sessionID) ?? open(sessionID)
      session.users += 1
      await session.live
      const release = () => {
        session.users -= 1
      }
      return { watch: session.watch, release }
    },
    close() {
      for (const { end } of followed.values()) end()
    },
  }
}

/** A client with the cookie of a new sign-in. */
async function signedIn(url: string, token: string): Promise<DocketClient> {
  const cookie = await newSignIn(url, token)
  const withCookie = (input: string | URL | Request, init?: RequestInit) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), cookie } })
  return createDocketClient({ url, fetch: withCookie })
}
