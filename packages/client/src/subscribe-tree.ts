import type { EditorReader, FeedItem, ViewerTab } from "@docket/core/schema"
import { TRPCClientError } from "@trpc/client"
import { type DocketClientError, isLasting, isPassing, isRefusal, NotReached } from "./client-error.ts"
import type { DocketClient } from "./create-docket-client.ts"
import { type SilenceOptions, type SilenceWatch, usualSilence, watchSilence } from "./watch-silence.ts"

export type ConnectionState = "connecting" | "live" | "reconnecting"

export interface SubscribeTreeOptions {
  /** Any session of the tree. Without it, only events of all trees that a session list needs. */
  sessionID?: string | undefined
  /** Continue after this sequence number, e.g. `seq` of a snapshot; without it, events from now on. */
  since?: number | undefined
  /** Also receive what a session list needs of other trees. Those events are not replayed after a lost connection. */
  others?: boolean | undefined
  /**
   * Called at each connection: the place at which other viewers of the tree see this one. Left out: they do not see it.
   */
  viewer?: (() => ViewerTab) | undefined
  /** The reader is an editor of whoever began the tree: it gets `editor.asked`, and answers with `editor.answer`. */
  editor?: EditorReader | undefined
  /** Called in order, each sequence number of the tree once. After `resync` fetch a new snapshot. */
  onEvent(item: FeedItem): void
  onState?(state: ConnectionState): void
  /**
   * The subscription has ended. Either the service refused: signed out, or the session was removed. Or it was never
   * reached, for a reason that stays: an untrusted certificate, or an address that is not Docket's.
   */
  onError?(error: DocketClientError): void
  signal?: AbortSignal | undefined
  /** Milliseconds before a new connection: the first pause, doubled after each failure up to the longest. */
  pauses?: { first: number; longest: number } | undefined
  /** When a silent connection counts as lost. */
  silence?: SilenceOptions | undefined
}

const usualPauses = { first: 50, longest: 3_000 }
/** Time limit (ms) for a connection to begin, and for the call that asks for the reason of a refusal. */
const openWithinMs = 15_000

/**
 * Follows a tree until the signal aborts, across lost connections, restarts of the service and sleep of the machine: it
 * resumes after the last sequence number. A silent connection counts as lost, because the service sends pings. Returns
 * a function that stops it.
 */
export function subscribeTree(client: DocketClient, options: SubscribeTreeOptions): () => void {
  const { sessionID, others = sessionID === undefined, onEvent, onState, onError } = options
  const { pauses = usualPauses, silence = usualSilence } = options
  let cursor = options.since
  let pauseMs = pauses.first
  let ended = false
  /** The service was reached once, so a later obstacle may be temporary. */
  let wasLive = false
  let leave: (() => void) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = () => {
    ended = true
    clearTimeout(timer)
    leave?.()
    options.signal?.removeEventListener("abort", end)
  }

  const refused = (error: DocketClientError) => {
    end()
    onError?.(error)
  }

  const lost = (began: boolean, status: number | null) => {
    onState?.("reconnecting")
    timer = setTimeout(() => void reopen(began, status), pauseMs)
    pauseMs = Math.min(pauseMs * 2, pauses.longest)
  }

  /** An event source does not tell why it was refused, so an ordinary call asks for the reason. */
  const reopen = async (began: boolean, status: number | null) => {
    const answer = began ? null : await askForRefusal(client, sessionID)
    if (ended) return
    const isLastingStatus = status !== null && status < 500 && !isPassing(status)
    if (answer === "answered" && !wasLive && isLastingStatus) refused(noStream(status))
    else if (isRefusal(answer) || (isLasting(answer) && !wasLive)) refused(answer)
    else open()
  }

  const open = () => {
    leave = connect(client, {
      query: { rootID: sessionID, since: cursor, others, viewer: options.viewer?.(), editor: options.editor },
      silence,
      onBegun() {
        pauseMs = pauses.first
        wasLive = true
        onState?.("live")
      },
      onItem(id, item) {
        cursor = sequenceOf(id) ?? cursor
        onEvent(item)
      },
      onLost: lost,
      onRefused: refused,
    })
  }

  if (options.signal?.aborted) return end
  options.signal?.addEventListener("abort", end)
  onState?.("connecting")
  open()
  return end
}

interface ConnectOptions {
  query: Parameters<DocketClient["event"]["subscribe"]["subscribe"]>[0]
  silence: SilenceOptions
  onBegun(): void
  onItem(id: string, item: FeedItem): void
  /**
   * The connection ended without a refusal. `began`: it was open before. `status`: of an answer that is not a stream.
   */
  onLost(began: boolean, status: number | null): void
  onRefused(error: DocketClientError): void
}

/** One connection. Returns a function that closes it; after that, or after its end, no callback is called. */
function connect(client: DocketClient, options: ConnectOptions): () => void {
  let current = true
  let watch: SilenceWatch | null = null
  let connection: { unsubscribe(): void } | null = null
  const leave = () => {
    current = false
    clearTimeout(timer)
    watch?.stop()
    connection?.unsubscribe()
  }
  const lose = (status: number | null = null) => {
    if (!current) return
    leave()
    options.onLost(watch !== null, status)
  }
  const timer = setTimeout(() => lose(), openWithinMs)
  connection = client.event.subscribe.subscribe(options.query, {
    onStarted({ context }) {
      if (!current) return
      clearTimeout(timer)
      watch?.stop()
      watch = watchSilence(options.silence, () => lose())
      // Pings do not reach the subscription: only the event source itself has them.
      const { eventSource } = context ?? {}
      if (eventSource instanceof EventTarget) eventSource.addEventListener("ping", watch.received)
      options.onBegun()
    },
    onData({ id, data }) {
      if (!current) return
      watch?.received()
      options.onItem(id, data)
    },
    onConnectionStateChange({ state, error }) {
      if (state === "connecting" && error) lose()
    },
    onError(error) {
      if (!current || !isRefusal(error)) return lose(statusOf(error))
      leave()
      options.onRefused(error)
    },
    onComplete: () => lose(),
  })
  // The connection can fail before `subscribe` returns.
  if (!current) connection.unsubscribe()
  return leave
}

/** The sequence number in a cursor `<rootID>:<seq>`; null for a subscription without a tree, whose root is `none`. */
function sequenceOf(cursor: string): number | null {
  const [root, seq] = cursor.split(":")
  return root === "none" || seq === undefined ? null : Number(seq)
}

/** The status of an answer that was not an event stream; null where it is not known, as in browsers. */
function statusOf({ shape }: DocketClientError): number | null {
  // The error is the event source's own event, which tRPC takes for the shape of an error.
  const code: unknown = Reflect.get(Object(shape), "code")
  return typeof code === "number" && code > 0 ? code : null
}

function noStream(status: number): DocketClientError {
  const message = `Docket answers calls, but its stream of events is answered with ${status}. What stands in front of Docket has to let event streams (text/event-stream) through.`
  return new TRPCClientError(message, { cause: new NotReached(message, { isLasting: true }) })
}

/** The error of an ordinary call; `answered` when it succeeds, null when there was no answer in time. */
async function askForRefusal(client: DocketClient, sessionID: string | undefined): Promise<unknown> {
  const signal = AbortSignal.timeout(openWithinMs)
  const asked =
    sessionID === undefined
      ? client.permission.list.query({}, { signal })
      : client.session.get.query({ sessionID }, { signal })
  // The signal alone is not enough: a call that is batched with others ends only with the last of them.
  const late = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null)))
  return Promise.race([
    late,
    asked.then(
      () => "answered" as const,
      (error: unknown) => error,
    ),
  ])
}
