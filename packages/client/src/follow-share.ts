import { type SilenceOptions, type SilenceWatch, usualSilence, watchSilence } from "./watch-silence.ts"

export interface FollowShareOptions {
  /** URL of the link's event stream. */
  url: string
  /** Sequence number of the reader's copy. */
  since: number
  /** "reconnecting" while there is no connection. */
  onState(state: "live" | "reconnecting"): void
  /** The reader's copy may be out of date: fetch it again. */
  onChange(): void
  /** The link has ended; no more calls follow. */
  onRevoked(): void
  silence?: SilenceOptions
  EventSource?: typeof globalThis.EventSource
}

/**
 * Follows a shared tree. Opens a new connection when the old one is silent for too long: without pings it is lost, even
 * if the system still shows it as open. Returns a function that stops it.
 */
export function followShare({
  silence = usualSilence,
  EventSource = globalThis.EventSource,
  ...options
}: FollowShareOptions): () => void {
  let since = options.since
  let events: EventSource
  let watch: SilenceWatch
  const close = () => {
    watch.stop()
    events.close()
  }
  const open = () => {
    const source = new EventSource(`${options.url}?since=${since}`)
    events = source
    watch = watchSilence(silence, () => {
      source.close()
      options.onState("reconnecting")
      open()
    })
    source.onopen = () => {
      watch.received()
      options.onState("live")
    }
    source.onmessage = ({ lastEventId }) => {
      watch.received()
      since = sequenceOf(lastEventId) ?? since
      options.onChange()
    }
    source.addEventListener("ping", () => watch.received())
    source.addEventListener("revoked", () => {
      close()
      options.onRevoked()
    })
    source.onerror = () => {
      options.onState("reconnecting")
      // The page finds out whether the link was revoked. If not, the silence check opens a new connection.
      if (source.readyState === EventSource.CLOSED) options.onChange()
    }
  }
  open()
  return close
}

/** The number in the cursor of an event, `<rootID>:<seq>`. */
function sequenceOf(cursor: string): number | null {
  const [, digits] = /:(\d+)$/.exec(cursor) ?? []
  return digits === undefined ? null : Number(digits)
}
