import type { FeedItem } from "@docket/core/schema"
import { type DocketClientError, httpStatus, isClientError } from "./client-error.ts"
import type { DocketClient } from "./create-docket-client.ts"

export type ConnectionState = "connecting" | "live" | "reconnecting"

export interface SubscribeTreeOptions {
  /** Any session of the tree. Without it, only events of all trees that a session list needs. */
  sessionID?: string | undefined
  /** Continue after this sequence number, e.g. `seq` of a snapshot; without it, events from now on. */
  since?: number | undefined
  /** Also receive what a session list needs of other trees. Those events are not replayed after a cut. */
  others?: boolean | undefined
  /** Called in order, each sequence number of the tree once. After `resync` fetch a new snapshot. */
  onEvent(item: FeedItem): void
  onState?(state: ConnectionState): void
  /** The service refused: signed out, or the session is gone. The subscription has ended. */
  onError?(error: DocketClientError): void
  signal?: AbortSignal | undefined
  /** Milliseconds before a new connection: the first pause, doubled after each failure up to the longest. */
  pauses?: { first: number; longest: number } | undefined
}

const usualPauses = { first: 50, longest: 3_000 }
/** A connection that has not begun by then is given up. */
const openWithinMs = 15_000

/**
 * Follows a tree until the signal aborts, across lost connections, restarts of the service and sleep of
 * the machine: it resumes after the last sequence number seen. Silence of 40 s (the service pings every
 * 15 s) counts as a lost connection. Returns a function that ends it.
 */
export function subscribeTree(client: DocketClient, options: SubscribeTreeOptions): () => void {
  const { sessionID, others = sessionID === undefined, onEvent, onState, onError } = options
  let cursor = options.since
  const pauses = options.pauses ?? usualPauses
  let pauseMs = pauses.first
  let ended = false
  let connection: { unsubscribe(): void } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = () => {
    ended = true
    clearTimeout(timer)
    connection?.unsubscribe()
    options.signal?.removeEventListener("abort", end)
  }

  const lost = (began: boolean) => {
    if (ended) return
    clearTimeout(timer)
    connection?.unsubscribe()
    connection = null
    onState?.("reconnecting")
    timer = setTimeout(() => void reopen(began), pauseMs)
    pauseMs = Math.min(pauseMs * 2, pauses.longest)
  }

  /** An event source does not tell why it was refused, so a refusal is asked for in the plain way. */
  const reopen = async (began: boolean) => {
    const refusal = began ? null : await askForRefusal(client, sessionID)
    if (ended) return
    if (refusal) refused(refusal)
    else open()
  }

  const refused = (error: DocketClientError) => {
    end()
    onError?.(error)
  }

  const open = () => {
    let current = true
    let began = false
    const drop = () => {
      if (!current) return
      current = false
      lost(began)
    }
    timer = setTimeout(drop, openWithinMs)
    connection = client.event.subscribe.subscribe(
      { rootID: sessionID, since: cursor, others },
      {
        onStarted() {
          if (!current) return
          began = true
          clearTimeout(timer)
          pauseMs = pauses.first
          onState?.("live")
        },
        onData({ id, data }) {
          if (!current) return
          cursor = sequenceOf(id) ?? cursor
          onEvent(data)
        },
        onConnectionStateChange({ state, error }) {
          if (state === "connecting" && error) drop()
        },
        onError(error) {
          if (current && isRefusal(error)) refused(error)
          else drop()
        },
        onComplete: drop,
      },
    )
    // The connection can fail before `subscribe` returns.
    if (!current) connection?.unsubscribe()
  }

  if (options.signal?.aborted) return end
  options.signal?.addEventListener("abort", end)
  onState?.("connecting")
  open()
  return end
}

/** The sequence number in a cursor of the form `<rootID>:<seq>`. */
function sequenceOf(cursor: string): number | null {
  const [root, seq] = cursor.split(":")
  return root === "none" || seq === undefined ? null : Number(seq)
}

async function askForRefusal(client: DocketClient, sessionID: string | undefined): Promise<DocketClientError | null> {
  try {
    await (sessionID === undefined ? client.permission.list.query({}) : client.session.get.query({ sessionID }))
    return null
  } catch (error) {
    return isRefusal(error) ? error : null
  }
}

/** An answer that asking again would not change: not signed in, no such session. */
function isRefusal(error: unknown): error is DocketClientError {
  const status = httpStatus(error) ?? 0
  return isClientError(error) && status >= 400 && status < 500
}
